"""Every configured agent against the fake model server: ``python -m benchmarks.dialects``.

Each agent of a model solves ten tasks of all eight apps in its own dialect, clean and interrupted, on virtual
phones. Its endpoint is the fake model server, which follows the solutions from the prompt and the picture
that it is sent: what is measured is not a model, but that nothing is lost between a screen and an action. The
status is 1 when an episode ends otherwise than the reference agent's.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from garabench.agents.profile import AgentProfile
from garabench.agents.profiles import built_in
from garabench.campaign.local import Progress
from garabench.campaign.plan import make_plan, parse_conditions
from garabench.campaign.run import Run, run
from garabench.campaign.suite import Suite
from garabench.stats.measures import Summary
from garabench.testing.follower import Follower
from garabench.testing.screens import KnownScreens
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
"""Taps, texts, a long press and scrolls; no answers, which two of the dialects have no word for."""
REFERENCE = "dismiss"
KEY_ENV = "GARABENCH_FAKE_KEY"


def play(
    names: Sequence[str], tasks: Sequence[str], conditions: Sequence[str], out: Path, jobs: int
) -> tuple[Run, int]:
    """Run agents against the fake server, and the reference agent beside them.

    Returns:
        The run, and how many replies the server gave.
    """
    suite = Suite.load()
    follower = Follower(suite, KnownScreens([out]), built_in())
    with FakeModelServer(follower, models=follower.models) as server:
        os.environ[KEY_ENV] = str(server.key)
        agents = [f"{name}-played={name}?base_url={server.base_url}&key_env={KEY_ENV}" for name in names]
        plan = make_plan([suite.tasks[task] for task in tasks], [REFERENCE, *agents], conditions=conditions)
        return run(plan, out, jobs=jobs, suite=suite, tell=_tell), len(server.asked)


def _tell(progress: Progress) -> None:
    each = progress.summary
    if each.outcome != "success":
        what = f"{each.outcome} ({each.reason}) {each.fault}"
        print(
            f"{progress.done}/{progress.total} {each.agent} {each.task} {each.condition}: {what}", flush=True
        )


def rows(done: Run, names: Sequence[str], conditions: Sequence[str]) -> list[list[str]]:
    """A row for each agent: how it is asked, successes by condition, steps, requests, tokens."""
    known = built_in()
    found = []
    for name in (REFERENCE, *names):
        mine = [each for each in done.summaries if each.agent.removesuffix("-played") == name]
        profile = known.get(name)
        asked = [each.spent for each in mine if each.spent]
        found.append(
            [
                name,
                *(_how(profile) if profile else ("", "", "", "")),
                *(_rate(mine, condition) for condition in conditions),
                f"{sum(each.steps for each in mine) / max(1, len(mine)):.1f}",
                str(sum(each.requests for each in asked)) if asked else "",
                f"{sum(each.tokens for each in asked) / 1000:.0f}k" if asked else "",
            ]
        )
    return found


def _how(profile: AgentProfile) -> tuple[str, str, str, str]:
    return profile.dialect, profile.input.value, profile.history.form.value, profile.form.value


def _rate(summaries: Sequence[Summary], condition: str) -> str:
    each = [one for one in summaries if one.condition == condition]
    return f"{sum(one.outcome == 'success' for one in each)}/{len(each)}"


def table(header: Sequence[str], lines: Sequence[Sequence[str]]) -> str:
    """A Markdown table."""
    wide = [max(len(line[at]) for line in (header, *lines)) for at in range(len(header))]
    shown = [
        "| " + " | ".join(cell.ljust(wide[at]) for at, cell in enumerate(line)) + " |"
        for line in (header, ["-" * width for width in wide], *lines)
    ]
    return "\n".join(shown)


def differing(done: Run) -> list[Summary]:
    """The episodes that ended otherwise than the reference agent's."""
    usual = {(each.task, each.condition): each.outcome for each in done.summaries if each.agent == REFERENCE}
    return [each for each in done.summaries if each.outcome != usual[each.task, each.condition]]


def main() -> int:
    """Run what the arguments name."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.dialects", description=__doc__)
    parser.add_argument("--agents", default=",".join(built_in()), help="a comma list; all unless given")
    parser.add_argument("--tasks", default=",".join(TASKS), help="a comma list")
    parser.add_argument("--conditions", default="clean,dual", help="a comma list")
    parser.add_argument(
        "--jobs", type=int, default=min(4, os.cpu_count() or 1), help="virtual phones at once"
    )
    parser.add_argument("--out", type=Path, default=Path("runs/dialects"), help="the run's folder")
    options = parser.parse_args()
    names, conditions = options.agents.split(","), parse_conditions(options.conditions)
    done, replies = play(names, options.tasks.split(","), conditions, options.out, options.jobs)
    header = ["agent", "dialect", "input", "history", "form", *conditions, "steps", "requests", "tokens"]
    print(table(header, rows(done, names, conditions)))
    print(f"\n{replies} replies; {len(done.summaries)} episodes")
    wrong = differing(done)
    for each in wrong:
        print(f"not as the reference agent: {each.agent} {each.task} {each.condition}: {each.outcome}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
