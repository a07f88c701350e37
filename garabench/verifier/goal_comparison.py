"""Compare verdicts with the goals of the tasks, or another tool's results: agreement, suspected goals."""

from __future__ import annotations

import enum
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from garabench.core.events import GoalChecked
from garabench.core.phrases import counted
from garabench.records.reader import Run
from garabench.records.run_layout import EpisodeKey
from garabench.verifier.agreement import DRAWS, Agreement, agreement, agreement_data
from garabench.verifier.verdict import TrajectoryVerdict


class SuspectedFault(enum.StrEnum):
    """What a disagreement suggests about the goal, if the verdict is right."""

    TOO_STRICT = "too-strict"
    """The goal rejects what the verdict accepts."""
    TOO_LENIENT = "too-lenient"
    """The goal accepts what the verdict rejects."""


@dataclass(frozen=True, slots=True)
class GoalDisagreement:
    """A verdict and a goal that disagree.

    Attributes:
        key: The episode.
        fault: What it suggests about the goal.
        goal_reason: Why the goal holds or not.
        verdict_reason: Why the verdict was reached.
        first_failure_step: The first step of any failure point; None without one.
    """

    key: EpisodeKey
    fault: SuspectedFault
    goal_reason: str
    verdict_reason: str
    first_failure_step: int | None


@dataclass(frozen=True, slots=True)
class SuspectedGoal:
    """A task whose goal disagrees with verdicts.

    Attributes:
        task: The task's id.
        episodes: Its episodes with a verdict.
        disagreements: Those in which goal and verdict disagree.
    """

    task: str
    episodes: int
    disagreements: tuple[GoalDisagreement, ...]


@dataclass(frozen=True, slots=True)
class GoalComparison:
    """Verdicts compared with goals.

    Attributes:
        agreement: The agreement; the goal is the reference.
        suspects: The tasks with a disagreement, most disagreements first.
        undecided: Verdicts without an outcome, which are left out.
        without_goal: Episodes without a result of the goal, which are left out.
        warnings: What makes the comparison doubtful.
    """

    agreement: Agreement
    suspects: tuple[SuspectedGoal, ...]
    undecided: int
    without_goal: int
    warnings: tuple[str, ...] = ()

    @property
    def extent(self) -> str:
        """How many of the judged episodes were compared, and why the others were not."""
        compared = self.agreement.confusion.items
        judged = compared + self.undecided + self.without_goal
        return (
            f"Compared: {compared:,} of {counted(judged, 'judged episode')}."
            f" Left out: {self.undecided:,} without an outcome of the judge,"
            f" {self.without_goal:,} without a result of the goal."
        )


def against_goals(
    run: Run, verdicts: Iterable[TrajectoryVerdict], *, suite_digest: str | None = None, draws: int = DRAWS
) -> GoalComparison:
    """Compare the verdicts on a run with its goals.

    Args:
        run: The run.
        verdicts: The verdicts of one judge on it.
        suite_digest: Digest of the suite by which they were reached; None if it is not at hand.
        draws: Number of resamples for intervals; whole tasks are resampled.
    """
    by_key: Mapping[str, TrajectoryVerdict] = {verdict.trajectory: verdict for verdict in verdicts}
    pairs: list[tuple[bool, bool]] = []
    tasks: list[str] = []
    found: dict[str, list[GoalDisagreement]] = {}
    undecided = without_goal = 0
    for episode in run.episodes:
        verdict = by_key.get(str(episode.key))
        if verdict is None:
            continue
        if verdict.outcome is None:
            undecided += 1
            continue
        if episode.outcome not in ("success", "failure"):
            without_goal += 1
            continue
        holds = episode.outcome == "success"
        pairs.append((verdict.outcome, holds))
        tasks.append(episode.key.task)
        if verdict.outcome is not holds:
            fault = SuspectedFault.TOO_STRICT if verdict.outcome else SuspectedFault.TOO_LENIENT
            reason = _goal_reason(episode.events)
            found.setdefault(episode.key.task, []).append(
                GoalDisagreement(
                    episode.key, fault, reason, verdict.outcome_reason, verdict.first_failure_step
                )
            )
    suspects = [SuspectedGoal(task, tasks.count(task), tuple(rows)) for task, rows in found.items()]
    return GoalComparison(
        agreement(pairs, clusters=tasks, draws=draws),
        tuple(sorted(suspects, key=lambda each: (-len(each.disagreements), each.task))),
        undecided,
        without_goal,
        _suite_warnings(run, suite_digest),
    )


def _suite_warnings(run: Run, digest: str | None) -> tuple[str, ...]:
    recorded = run.file.suite_hash
    if digest is None or recorded == digest:
        return ()
    return (
        f"Warning: the run was recorded with another version of the suite ({recorded[:12]}, now"
        f" {digest[:12]}): the goals that were checked may differ from the present ones.",
    )


def against_results(
    verdicts: Iterable[TrajectoryVerdict], results: Mapping[str, bool | None], *, draws: int = DRAWS
) -> Agreement:
    """Compare the verdicts on imported trajectories with the other tool's own results.

    Args:
        verdicts: The verdicts.
        results: The result of each trajectory, by its key; those that are unknown are left out.
        draws: Number of resamples for intervals.
    """
    pairs = [(verdict.outcome, results.get(verdict.trajectory)) for verdict in verdicts]
    known = [(judged, result) for judged, result in pairs if judged is not None and result is not None]
    return agreement(known, draws=draws)


def goal_comparison_data(compared: GoalComparison | Agreement) -> dict[str, Any]:
    """Return a comparison with goals or results as JSON values.

    Args:
        compared: The comparison.
    """
    if isinstance(compared, Agreement):
        return {"agreement": agreement_data(compared)}
    return {
        "agreement": agreement_data(compared.agreement),
        "warnings": list(compared.warnings),
        "suspected_goals": [
            {
                "task": suspect.task,
                "episodes": suspect.episodes,
                "disagreements": [
                    {
                        "episode": str(one.key),
                        "fault": one.fault.value,
                        "goal": one.goal_reason,
                        "verdict": one.verdict_reason,
                    }
                    for one in suspect.disagreements
                ],
            }
            for suspect in compared.suspects
        ],
    }


def _goal_reason(events: Sequence[object]) -> str:
    """Return the reason of the last check of the goal."""
    checks = [event for event in events if isinstance(event, GoalChecked)]
    return checks[-1].reason if checks else ""
