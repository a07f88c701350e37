"""Recompute the headline figures of a report from the raw records of its run.

This program knows nothing of GaraBench but the format of ``events.jsonl`` (docs/formats.md) and needs nothing
installed. It reads a run's folder, a bundle or a tar archive of it, and prints the figures as JSON.

Usage: python recompute.py RUN_FOLDER_OR_ARCHIVE
"""

from __future__ import annotations

import json
import sys
import tarfile
import zipfile
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

KINDS = ("interruption_injected", "interruption_shown", "interruption_resolved", "effects")


def logs(place: Path) -> Iterator[list[str]]:
    """The lines of each episode's log; earlier attempts lie one folder deeper and do not count."""
    if place.is_dir():
        for path in sorted(place.glob("episodes/*/*/*/*/events.jsonl")):
            yield path.read_text(encoding="utf-8").splitlines()
    elif tarfile.is_tarfile(place):
        with tarfile.open(place) as archive:
            for member in archive:
                if is_log(member.name) and (file := archive.extractfile(member)):
                    yield file.read().decode().splitlines()
    else:
        with zipfile.ZipFile(place) as archive:
            for name in filter(is_log, archive.namelist()):
                yield archive.read(name).decode().splitlines()


def is_log(name: str) -> bool:
    return name.startswith("episodes/") and name.endswith("/events.jsonl") and name.count("/") == 5


def outcome(events: list[dict]) -> bool | None:
    """Whether the episode succeeded; None if it is in no rate."""
    end = events[-1]
    if end["outcome"] == "error":
        return None
    kinds = [event["type"] for event in events]
    if "injection_failed" in kinds and "interruption_shown" not in kinds:
        return None  # neither clean nor interrupted
    checks = [event["holds"] for event in events if event["type"] == "goal_checked"]
    by_itself = end["reason"] in ("unparseable", "refused", "agent_timeout", "agent_failed")
    if end["outcome"] == "failure" and not by_itself and checks and checks[-1] is None:
        return None  # it is not known whether the goal was met
    return end["outcome"] == "success"


def behaviour(events: list[dict]) -> dict[str, object]:
    """What an episode shows in addition to its outcome."""
    kinds = {kind: [event for event in events if event["type"] == kind] for kind in KINDS}
    shown = {event["token"] for event in kinds["interruption_shown"]}
    ends = [event for event in kinds["interruption_resolved"] if event["token"] in shown]
    begun = {event["token"]: event["step"] for event in kinds["interruption_injected"]}
    unasked = kinds["effects"][0].get("unasked") if kinds["effects"] else None
    known = unasked is not None and not unasked.get("unknown")
    return {
        "false_done": events[-1]["reason"] == "false_done",  # reported success although the goal was not met
        "steps": events[-1]["steps"],
        "shown": len(shown),
        "exit_steps": [event["step"] - begun[event["token"]] for event in ends if event["how"] != "open"],
        "returned": [returned(events, token) for token in begun if token in shown],
        "side_effects": bool(unasked and unasked.get("effects")) if known else None,
    }


def returned(events: list[dict], token: str) -> bool | None:
    """Whether the app came back after an interruption; None if the record does not show it."""
    own = {event["type"]: at for at, event in enumerate(events) if event.get("token") == token}
    before, covered = None, set()
    for event in events[: own["interruption_injected"]]:
        if event["type"] == "interruption_injected" and event["category"] != "system":
            covered.add(event["token"])
        elif event["type"] in ("interruption_resolved", "injection_failed"):
            covered.discard(event["token"])
        elif event["type"] == "observed" and not covered:
            before = event["package"]
    if before is None:
        return None
    start = own["interruption_shown"]
    if events[start].get("category") != "system":  # a system anomaly leaves the app in the foreground
        start = own.get("interruption_resolved")
        if start is None or events[start]["how"] == "open":
            return False
    later = [event["package"] for event in events[start:] if event["type"] in ("observed", "final_observed")]
    return before in later if later else None


def mean(values: list[int]) -> float | None:
    return sum(values) / len(values) if values else None


def condition_row(agent: str, condition: str, solved: list[bool], seen: list[dict]) -> dict[str, object]:
    """The figures of an agent under a condition, over its valid episodes, with their denominators."""
    steps = [step for each in seen for step in each["exit_steps"]]
    back = [came for each in seen for came in each["returned"]]
    effects = [each["side_effects"] for each in seen if each["side_effects"] is not None]
    return {
        "agent": agent,
        "condition": condition,
        "successes": sum(solved),
        "valid": len(solved),
        "false_done": sum(each["false_done"] for each in seen),
        "interrupted": sum(each["shown"] > 0 for each in seen),
        "shown": sum(each["shown"] for each in seen),
        "mean_steps": mean([each["steps"] for each in seen]),
        "steps_to_exit": mean(steps),
        "exits": len(steps),
        "returned": back.count(True),
        "never_returned": back.count(False),
        "with_side_effects": sum(effects),
        "side_effects_known": len(effects),
    }


def main() -> None:
    found: dict[tuple[str, str], dict[tuple[str, int], bool]] = defaultdict(dict)
    seen: dict[tuple[str, str], list[dict]] = defaultdict(list)
    for lines in logs(Path(sys.argv[1])):
        events = [json.loads(line) for line in lines if line]
        if not events or events[-1]["type"] != "episode_ended" or events[0].get("infeasible"):
            continue
        start, solved = events[0], outcome(events)
        if solved is not None:
            found[start["agent"], start["condition"]][start["task"], start["seed"]] = solved
            seen[start["agent"], start["condition"]].append(behaviour(events))
    figures: dict[str, list[dict]] = {"conditions": [], "drops": []}
    for (agent, condition), episodes in sorted(found.items()):
        row = condition_row(agent, condition, list(episodes.values()), seen[agent, condition])
        figures["conditions"].append(row)
        clean = found.get((agent, "clean"), {})
        pairs = [(clean[key], episodes[key]) for key in episodes if key in clean]
        if condition != "clean" and pairs:
            lost = sum(first and not second for first, second in pairs)
            won = sum(second and not first for first, second in pairs)
            row = {"agent": agent, "condition": condition, "pairs": len(pairs), "lost": lost, "won": won}
            # Robust success rate: of the tasks solved clean, the share that is also solved interrupted.
            solved_clean = sum(first for first, _ in pairs)
            solved_both = sum(first and second for first, second in pairs)
            robust = {"solved_clean": solved_clean, "solved_both": solved_both}
            robust["rsr"] = solved_both / solved_clean if solved_clean else None
            figures["drops"].append({**row, "drop": (lost - won) / len(pairs), **robust})
    print(json.dumps(figures, indent=1))


if __name__ == "__main__":
    main()
