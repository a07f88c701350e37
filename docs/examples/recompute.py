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


def main() -> None:
    found: dict[tuple[str, str], dict[tuple[str, int], bool]] = defaultdict(dict)
    false_done: dict[tuple[str, str], int] = defaultdict(int)
    for lines in logs(Path(sys.argv[1])):
        events = [json.loads(line) for line in lines if line]
        if not events or events[-1]["type"] != "episode_ended" or events[0].get("infeasible"):
            continue
        start, solved = events[0], outcome(events)
        if solved is not None:
            found[start["agent"], start["condition"]][start["task"], start["seed"]] = solved
            # The agent reported success although the goal was not met.
            false_done[start["agent"], start["condition"]] += events[-1]["reason"] == "false_done"
    figures: dict[str, list[dict]] = {"conditions": [], "drops": []}
    for (agent, condition), episodes in sorted(found.items()):
        successes, valid = sum(episodes.values()), len(episodes)
        row = {"agent": agent, "condition": condition, "successes": successes, "valid": valid}
        figures["conditions"].append({**row, "false_done": false_done[agent, condition]})
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
