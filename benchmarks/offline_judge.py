"""The offline judge against the goals: agreement, order of near misses, side effects, speed.

``python -m benchmarks.offline_judge record DIR`` records every near miss and alternative of the suite as an
episode, and failures with known causes; ``measure --recorded DIR RUN…`` judges them and other runs. The
halves of `garabench.known_causes.cause` separate the tasks on which the rules were tuned from those held out.
"""

from __future__ import annotations

import argparse
import dataclasses
import math
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from scipy.stats import kendalltau

from garabench.campaign.planner import make_plan
from garabench.campaign.run import run
from garabench.core import events as ev
from garabench.core import steps
from garabench.core.steps import SolutionStep
from garabench.core.task import SolutionVariant
from garabench.known_causes.cause import Half, half_of
from garabench.known_causes.data_set import make_data_set
from garabench.records.episode import Episode
from garabench.records.reader import load_run
from garabench.suite.suite import Suite, SuiteTask
from garabench.verifier.agreement import LabelPair, agreement, bootstrap_interval, confusion_of
from garabench.verifier.offline.offline_judge import OfflineJudge
from garabench.verifier.recorded_trajectory import recorded_trajectory
from garabench.verifier.verdict import TrajectoryVerdict

KINDS = ("near_misses", "alternatives")
CAUSES = "causes"
DRAWS = 1000
_CONNECTING = (steps.BackStep, steps.HomeStep, steps.ScrollStep, steps.SwipeStep, steps.WaitForStep)


def record(folder: Path, episodes: int, phones: int) -> None:
    """Record the walks and the failures with known causes; finished runs are skipped.

    Args:
        folder: The folder of the runs.
        episodes: Number of episodes with known causes.
        phones: Number of virtual phones.
    """
    suite = Suite.load()
    for kind in KINDS:
        number = 0
        while chosen := _walks(suite, kind, number):
            out = folder / f"{kind}-{number}"
            walked = dataclasses.replace(
                suite,
                tasks={**suite.tasks, **{k: v for k, v in chosen.items() if v.task.infeasible is None}},
                infeasible={**suite.infeasible, **{k: v for k, v in chosen.items() if v.task.infeasible}},
            )
            plan = make_plan(list(chosen.values()), ("dismiss",), conditions=("clean",), seed=number)
            run(plan, out, jobs=phones, suite=walked, resume=out.exists())
            print(f"{out}: {len(chosen)} episodes", flush=True)
            number += 1
    failures = make_data_set(folder / CAUSES, episodes=episodes, phones=phones, seed=18)
    print(f"{folder / CAUSES}: {len(failures)} failures")


def _walks(suite: Suite, kind: str, number: int) -> dict[str, SuiteTask]:
    """Return the tasks that have a variant of this number, with its steps as the solution."""
    found = {}
    for name, item in suite.every_task.items():
        variants: Sequence[SolutionVariant] = getattr(item.task, kind)
        if number < len(variants):
            task = item.task.model_copy(update={"solution": _steps(item, variants[number]), "max_steps": 100})
            found[name] = dataclasses.replace(item, task=task)
    return found


def _steps(item: SuiteTask, variant: SolutionVariant) -> tuple[SolutionStep, ...]:
    if variant.steps:
        return variant.steps
    return (*item.task.solution[:-1], steps.AnswerStep(answer=variant.answer or ""))


def reached(item: SuiteTask, variant: SolutionVariant) -> float:
    """Return the share of the solution's steps that a variant repeats in order, by the suite's files alone.

    Scrolling, waiting and going back do not count.

    Args:
        item: The task.
        variant: The variant.
    """
    wanted, done = _counted(item.task.solution), _counted(_steps(item, variant))
    longest = [[0] * (len(done) + 1) for _ in range(len(wanted) + 1)]
    for at, one in enumerate(wanted):
        for place, other in enumerate(done):
            best = max(longest[at][place + 1], longest[at + 1][place])
            longest[at + 1][place + 1] = longest[at][place] + 1 if one == other else best
    return longest[-1][-1] / (len(wanted) or 1)


def _counted(path: Sequence[SolutionStep]) -> list[object]:
    found: list[object] = []
    for step in path:
        match step:
            case steps.TypeStep():
                found.append(("type", step.type.text))
            case steps.GiveUpStep():
                found.append("give up")
            case _ if not isinstance(step, _CONNECTING):
                found.append(step)
    return found


@dataclass(frozen=True, slots=True)
class Judged:
    """A judged episode.

    Attributes:
        group: What it is: a run's name, near misses, alternatives or a kind of known cause.
        task: Its task.
        pair: The judge's outcome and the goal's; an undecided verdict is not a success.
        by_actions: The outcome by the actions alone.
        decided: Whether the judge decided.
        score: The process score.
        reached: For a near miss, the share of the solution's steps that it repeats.
        side_effects: Whether the judge found a side effect, and whether one is recorded; None if unknown.
        reason: The episode and why the judge decided so.
    """

    group: str
    task: str
    pair: LabelPair
    by_actions: bool
    decided: bool
    score: float
    reached: float | None
    side_effects: LabelPair | None
    reason: str


def judge_all(folder: Path | None, runs: Sequence[Path], suite: Suite) -> tuple[list[Judged], float]:
    """Judge the recorded episodes.

    Args:
        folder: The folder of `record`; None for none.
        runs: Other runs.
        suite: The suite with which they were recorded.

    Returns:
        The episodes, and the processor time for reading and judging them.
    """
    judge = OfflineJudge(suite)
    found: list[Judged] = []
    begun = time.process_time()
    for group, path in _runs(folder, runs):
        for episode in load_run(path).episodes:
            if episode.outcome not in ("success", "failure") or episode.key.task not in suite.every_task:
                continue
            verdict = judge(recorded_trajectory(dataclasses.replace(episode)))
            found.append(_judged(group, path, episode, verdict, suite))
    return found, time.process_time() - begun


def _runs(folder: Path | None, runs: Sequence[Path]) -> Iterator[tuple[str, Path]]:
    for path in runs:
        yield "suite runs", path
    if folder is None:
        return
    for kind in KINDS:
        for path in sorted(folder.glob(f"{kind}-*")):
            yield kind.replace("_", " "), path
    for path in sorted((folder / CAUSES / "runs").glob("*")):
        yield (
            {"a": "defects", "d": "defects", "b": "agent faults", "c": "agent faults"}.get(
                path.name, "suite runs"
            ),
            path,
        )


def _judged(group: str, path: Path, episode: Episode, verdict: TrajectoryVerdict, suite: Suite) -> Judged:
    task, holds = episode.key.task, episode.outcome == "success"
    item = suite.every_task[task]
    assert verdict.rubric is not None
    items = [each for each in verdict.rubric.items if not each.criterion.penalty]
    near = group == "near misses"
    share = reached(item, item.task.near_misses[int(path.name.rpartition("-")[2])]) if near else None
    unasked = next((event.unasked for event in episode.events if isinstance(event, ev.Effects)), None)
    return Judged(
        group=group,
        task=task,
        pair=(bool(verdict.outcome), holds),
        by_actions=all(each.earned_points >= each.criterion.max_points for each in items if each.applies),
        decided=verdict.outcome is not None,
        score=verdict.process_score or 0,
        reached=share,
        side_effects=None
        if unasked is None or unasked.unknown
        else (bool(verdict.side_effects), bool(unasked.effects)),
        reason=f"{path.name}/{episode.key}: {verdict.outcome_reason}",
    )


def _value(value: float | None, interval: object = None) -> str:
    if value is None or math.isnan(value):
        return "–"
    low, high = getattr(interval, "low", None), getattr(interval, "high", None)
    return f"{value:.3f}" + (f" [{low:.3f}–{high:.3f}]" if low is not None and high is not None else "")


def print_agreement(rows: Sequence[Judged], title: str) -> None:
    """Print kappa and rates with bootstrap intervals over tasks, by group and over all.

    Args:
        rows: The episodes.
        title: Name of the part.
    """
    print(f"\n{title}")
    for group in (*dict.fromkeys(row.group for row in rows), "all"):
        chosen = [row for row in rows if group in (row.group, "all")]
        pairs, tasks = [row.pair for row in chosen], [row.task for row in chosen]
        counts = confusion_of(pairs)
        cells = [
            (name, _value(getattr(counts, name), _interval(pairs, tasks, name)))
            for name in ("kappa", "false_positive_rate", "false_negative_rate")
        ]
        by_actions = [(row.by_actions, row.pair[1]) for row in chosen]
        actions = confusion_of(by_actions)
        undecided = sum(not row.decided for row in chosen)
        print(
            f"  {group:14} {len(chosen):5} episodes, {len(set(tasks)):3} tasks, "
            f"TP {counts.true_positive}, FP {counts.false_positive}, "
            f"FN {counts.false_negative}, TN {counts.true_negative}, undecided {undecided}; "
            + "; ".join(f"{name} {text}" for name, text in cells)
            + f"; by actions alone kappa {_value(actions.kappa, _interval(by_actions, tasks, 'kappa'))}"
            + f", FPR {_value(actions.false_positive_rate)}"
        )


def _interval(pairs: Sequence[LabelPair], tasks: Sequence[str], name: str) -> object:
    statistic: Callable[[object], float | None] = lambda counts: getattr(counts, name)  # noqa: E731
    found = bootstrap_interval(pairs, statistic, clusters=tasks, draws=DRAWS)
    # Without an error there is nothing to resample; a rate still has Wilson's interval over tasks.
    return found or getattr(agreement(pairs, clusters=tasks, draws=0), name, None)


def print_order(rows: Sequence[Judged]) -> None:
    """Print Kendall's tau-b of the process score with the steps reached, over the near misses.

    Args:
        rows: The episodes.
    """
    near: dict[str, list[tuple[float, float]]] = defaultdict(list)
    for row in rows:
        if row.reached is not None and not row.pair[1]:
            near[row.task].append((row.reached, round(row.score, 6)))
    if len(near) < 2:
        return
    groups = list(near.values())
    generator = np.random.default_rng(0)
    draws = []
    for _ in range(DRAWS // 4):
        chosen = [groups[at] for at in generator.integers(0, len(groups), len(groups))]
        draws.append(_tau([pair for group in chosen for pair in group]))
    low, high = np.nanpercentile(draws, [2.5, 97.5])
    pooled = _tau([pair for group in groups for pair in group])
    within = [_tau(group) for group in groups if len({first for first, _ in group}) > 1]
    mean = sum(0.0 if math.isnan(value) else value for value in within) / (len(within) or 1)
    print(
        f"  process score of {sum(map(len, groups))} near misses against the steps reached: "
        f"tau {pooled:.3f} [{low:.3f}–{high:.3f}]; mean within {len(within)} tasks {mean:.3f}"
    )


def _tau(pairs: Sequence[tuple[float, float]]) -> float:
    return float(kendalltau([first for first, _ in pairs], [second for _, second in pairs]).statistic)


def print_side_effects(rows: Sequence[Judged]) -> None:
    """Print how well the judge finds the recorded side effects without seeing the record.

    Args:
        rows: The episodes.
    """
    for group in (*dict.fromkeys(row.group for row in rows), "all"):
        pairs = [row.side_effects for row in rows if group in (row.group, "all") and row.side_effects]
        counts = confusion_of(pairs)
        true = counts.true_positive + counts.false_negative
        tasks = [row.task for row in rows if group in (row.group, "all") and row.side_effects]
        found = ", ".join(
            f"{name} {_value(getattr(counts, name), _interval(pairs, tasks, name))}"
            for name in ("precision", "recall")
        )
        print(f"  side effects, {group:14} {found} ({true} recorded)")


def measure(folder: Path | None, runs: Sequence[Path], suite: Suite, shown: int, half: str) -> None:
    """Judge and print every figure, for each half of the tasks.

    Args:
        folder: The folder of `record`; None for none.
        runs: Other runs.
        suite: The suite with which they were recorded.
        shown: Number of disagreements to list.
        half: The half to print; ``both`` for both.
    """
    rows, seconds = judge_all(folder, runs, suite)
    parts: list[tuple[str, Half | None]] = [(f"{each.value} half", each) for each in Half]
    for title, each in [*parts, ("whole suite", None)]:
        if half == "both" or (each is not None and half == each.value):
            chosen = [row for row in rows if each is None or half_of(row.task) is each]
            print_agreement(chosen, title)
            print_order(chosen)
            print_side_effects(chosen)
            wrong = [row for row in chosen if each is not None and row.pair[0] is not row.pair[1]]
            for row in wrong[:shown]:
                print(f"  goal {row.pair[1]}: {row.reason}")
    for_456 = 456 * seconds / (len(rows) or 1)
    print(f"\n{len(rows)} episodes in {seconds:.1f} s of processor time: {for_456:.1f} s for 456")


def main() -> int:
    """Run the command."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.offline_judge", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    recording = commands.add_parser("record")
    recording.add_argument("folder", type=Path)
    recording.add_argument("--episodes", type=int, default=420)
    recording.add_argument("--phones", type=int, default=1)
    measuring = commands.add_parser("measure")
    measuring.add_argument("runs", nargs="*", type=Path)
    measuring.add_argument("--recorded", type=Path, help="folder of `record`")
    measuring.add_argument("--suite", type=Path, help="the suite with which the runs were recorded")
    measuring.add_argument("--half", choices=["tuning", "held-out", "both"], default="both")
    measuring.add_argument("--disagreements", type=int, default=20)
    given = parser.parse_args()
    if given.command == "record":
        record(given.folder, given.episodes, given.phones)
    else:
        suite = Suite.load(given.suite)
        measure(given.recorded, given.runs, suite, given.disagreements, given.half)
    return 0


if __name__ == "__main__":
    sys.exit(main())
