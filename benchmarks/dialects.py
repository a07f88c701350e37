"""Run every built-in agent profile against the fake model server: ``python -m benchmarks.dialects``.

Each model agent solves ten tasks across all eight apps in its own dialect, clean and interrupted, on virtual
phones. The fake model server follows the reference solutions, using only the prompts and pictures that it
receives. This does not test a model, but the path from a screen to an action. The exit status is 1 if an
episode ends differently from the reference agent's.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from garabench.agents.profile import AgentProfile
from garabench.agents.profiles import built_in
from garabench.campaign.planner import make_plan, parse_conditions
from garabench.campaign.run import run
from garabench.core.progress import Progress
from garabench.records.reader import Run
from garabench.records.results import Summary
from garabench.suite.suite import Suite
from garabench.testing.follower import Follower
from garabench.testing.screen_index import ScreenIndex
from garabench.testing.server import FakeModelServer

TASKS = (
    "amap-drive-summer-palace",
    "amazon-save-headphones",
    "bili-delete-history-line",
    "bili-like-song-live",
    "bili-switch-off-auto-play",
    "ctrip-sms-offers-off",
    "fb-comment-on-hike",
    "gmaps-home-address",
    "jd-follow-chair-shop",
    "weibo-forget-one-search",
)
"""Taps, texts, a long press and scrolls; no answers, since two of the dialects cannot express them."""
REFERENCE = "dismiss"
KEY_ENV = "GARABENCH_FAKE_KEY"


def run_agents(
    names: Sequence[str], tasks: Sequence[str], conditions: Sequence[str], out: Path, jobs: int
) -> tuple[Run, int]:
    """Run agents against the fake server, together with the reference agent.

    Returns:
        The run, and the number of replies of the server.
    """
    suite = Suite.load()
    follower = Follower(suite, ScreenIndex([out]), built_in())
    with FakeModelServer(follower, models=follower.models) as server:
        os.environ[KEY_ENV] = str(server.key)
        agents = [f"{name}-played={name}?base_url={server.base_url}&key_env={KEY_ENV}" for name in names]
        plan = make_plan([suite.tasks[task] for task in tasks], [REFERENCE, *agents], conditions=conditions)
        return run(plan, out, jobs=jobs, suite=suite, on_progress=_print_failure), len(server.requests)


def _print_failure(progress: Progress[Summary]) -> None:
    each = progress.result
    if each.outcome != "success":
        result = f"{each.outcome} ({each.reason}) {each.fault}"
        print(
            f"{progress.done}/{progress.total} {each.agent} {each.task} {each.condition}: {result}",
            flush=True,
        )


def rows(done: Run, names: Sequence[str], conditions: Sequence[str]) -> list[list[str]]:
    """Return a row per agent: its prompt settings, successes by condition, steps, requests, tokens."""
    known = built_in()
    found = []
    for name in (REFERENCE, *names):
        summaries = [each for each in done.summaries if each.agent.removesuffix("-played") == name]
        profile = known.get(name)
        usages = [each.usage for each in summaries if each.usage]
        found.append(
            [
                name,
                *(_settings(profile) if profile else ("", "", "", "")),
                *(_rate(summaries, condition) for condition in conditions),
                f"{sum(each.steps for each in summaries) / max(1, len(summaries)):.1f}",
                str(sum(each.requests for each in usages)) if usages else "",
                f"{sum(each.tokens for each in usages) / 1000:.0f}k" if usages else "",
            ]
        )
    return found


def _settings(profile: AgentProfile) -> tuple[str, str, str, str]:
    return profile.dialect, profile.input.value, profile.history.form.value, profile.form.value


def _rate(summaries: Sequence[Summary], condition: str) -> str:
    each = [one for one in summaries if one.condition == condition]
    return f"{sum(one.outcome == 'success' for one in each)}/{len(each)}"


def table(header: Sequence[str], lines: Sequence[Sequence[str]]) -> str:
    """Render a Markdown table."""
    widths = [max(len(line[at]) for line in (header, *lines)) for at in range(len(header))]
    rendered = [
        "| " + " | ".join(cell.ljust(widths[at]) for at, cell in enumerate(line)) + " |"
        for line in (header, ["-" * width for width in widths], *lines)
    ]
    return "\n".join(rendered)


def mismatches(done: Run) -> list[Summary]:
    """Return the episodes that ended differently from the reference agent's."""
    expected = {
        (each.task, each.condition): each.outcome for each in done.summaries if each.agent == REFERENCE
    }
    return [each for each in done.summaries if each.outcome != expected[each.task, each.condition]]


def main() -> int:
    """Run the agents named by the arguments."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.dialects", description=__doc__)
    parser.add_argument("--agents", default=",".join(built_in()), help="comma-separated list; default: all")
    parser.add_argument("--tasks", default=",".join(TASKS), help="comma-separated list")
    parser.add_argument("--conditions", default="clean,dual", help="comma-separated list")
    parser.add_argument(
        "--jobs", type=int, default=min(4, os.cpu_count() or 1), help="number of virtual phones"
    )
    parser.add_argument("--out", type=Path, default=Path("runs/dialects"), help="run folder")
    options = parser.parse_args()
    names, conditions = options.agents.split(","), parse_conditions(options.conditions)
    done, replies = run_agents(names, options.tasks.split(","), conditions, options.out, options.jobs)
    header = ["agent", "dialect", "input", "history", "form", *conditions, "steps", "requests", "tokens"]
    print(table(header, rows(done, names, conditions)))
    print(f"\n{replies} replies; {len(done.summaries)} episodes")
    wrong = mismatches(done)
    for each in wrong:
        print(f"differs from the reference agent: {each.agent} {each.task} {each.condition}: {each.outcome}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
