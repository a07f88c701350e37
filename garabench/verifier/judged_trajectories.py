"""The trajectories that a judge is given: those of a run, or those of another tool's folder; its result."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from garabench.errors import InputError
from garabench.records.episode_selection import SelectEpisode, every_episode
from garabench.records.reader import Run
from garabench.suite.suite import Suite
from garabench.verifier.agreement import Agreement
from garabench.verifier.goal_comparison import (
    GoalComparison,
    against_goals,
    against_results,
    goal_comparison_data,
)
from garabench.verifier.imports.catalog import import_trajectories
from garabench.verifier.imports.imported_trajectory import ImportedTrajectory
from garabench.verifier.judge_runner import JudgeOptions, JudgeResult, OnVerdict, ReadTrajectory
from garabench.verifier.trajectory import Trajectory, TrajectorySource
from garabench.verifier.verdict import TrajectoryVerdict
from garabench.verifier.verdict_store import VerdictStore
from garabench.verifier.verification import (
    FinishVerdict,
    ResolvedJudge,
    recorded_effects_of,
    run_readers,
    verify_trajectories,
)

CompareVerdicts = Callable[[Sequence[TrajectoryVerdict]], GoalComparison | Agreement]
"""Compares verdicts with what is known about their trajectories: goals, or another tool's results."""


@dataclass(frozen=True, slots=True)
class JudgedTrajectories:
    """Trajectories, with what is known about them.

    Attributes:
        readers: Read the trajectories.
        suite: The suite of their tasks; None for another tool's.
        finish: Adds to a verdict what the record knows.
        compare: Compares the verdicts with the goals or results.
        broken: Why trajectories of another tool could not be read; they are left out.
        references: Names of the reference agents among their agents.
    """

    readers: Sequence[ReadTrajectory]
    suite: Suite | None
    finish: FinishVerdict
    compare: CompareVerdicts
    broken: tuple[InputError, ...] = ()
    references: frozenset[str] = frozenset()

    def judge(
        self, judge: ResolvedJudge, store: VerdictStore, options: JudgeOptions, on_verdict: OnVerdict
    ) -> JudgeResult:
        """Judge the trajectories and store the verdicts.

        Args:
            judge: The judge.
            store: Stores the verdicts.
            options: The options.
            on_verdict: Called with each verdict.

        Raises:
            InputError: The judge is unusable.
            RecordError: A verdict cannot be written.
        """
        return verify_trajectories(
            self.readers,
            judge,
            store,
            options=options,
            suite=self.suite,
            finish=self.finish,
            on_verdict=on_verdict,
        )


def recorded_trajectories(
    run: Run, suite: Suite, select: SelectEpisode = every_episode, *, limit: int | None = None
) -> JudgedTrajectories:
    """Return the trajectories of a run.

    Args:
        run: The run.
        suite: The suite of its tasks.
        select: Returns whether to judge an episode.
        limit: Maximum number of trajectories.
    """
    return JudgedTrajectories(
        run_readers(run, suite, select)[:limit],
        suite,
        recorded_effects_of(run),
        lambda verdicts: against_goals(run, verdicts, suite_digest=suite.digest),
        references=frozenset(agent.name for agent in run.agents if agent.reference),
    )


def imported_trajectories(
    folder: Path, source: TrajectorySource, judge: ResolvedJudge, pictures: Path, *, limit: int | None = None
) -> JudgedTrajectories:
    """Return the trajectories in a folder of another tool.

    Args:
        folder: The folder.
        source: The tool.
        judge: The judge that will judge them.
        pictures: Where pictures that are encoded in a file are written.
        limit: Maximum number of trajectories.

    Raises:
        InputError: The judge needs typed goals, the folder has no trajectory, or none can be read.
    """
    if judge.profile is None:
        raise InputError(
            f"the {judge.name} judge needs typed goals, which trajectories of {source.value} do not have",
            hint="Name a model agent: --judge NAME.",
        )
    broken: list[InputError] = []
    found = list(import_trajectories(folder, source, pictures, broken.append))[:limit]
    outcomes = {each.trajectory.key: each.outcome for each in found}
    return JudgedTrajectories(
        [_reader(each) for each in found],
        None,
        _unchanged,
        lambda verdicts: against_results(verdicts, outcomes),
        tuple(broken),
    )


def verification_data(
    result: JudgeResult, verdicts: Sequence[TrajectoryVerdict], compared: GoalComparison | Agreement | None
) -> dict[str, Any]:
    """Return the result of a judge as JSON values.

    Args:
        result: What was judged.
        verdicts: The verdicts.
        compared: Their comparison with goals or results, if one was requested.
    """
    data: dict[str, Any] = {
        "judged": result.judged,
        "skipped": result.skipped,
        "failed": result.failed,
        "unreplaced": result.unreplaced,
        "unreadable": [str(error) for error in result.unreadable],
        "usage": result.usage.model_dump(mode="json"),
        "usage_when_requested": result.when_requested.model_dump(mode="json"),
        "verdicts": [
            {
                "trajectory": verdict.trajectory,
                "state": verdict.state.value,
                "process_score": verdict.process_score,
                "missing_frames": len(verdict.missing_frames),
                "outcome": verdict.outcome,
                "first_failure_step": verdict.first_failure_step,
                "failure_codes": [point.error_code.value for point in verdict.failure_points],
                "errors": [error.message for error in verdict.errors],
            }
            for verdict in verdicts
        ],
    }
    if compared is not None:
        data |= goal_comparison_data(compared)
    return data


def _reader(each: ImportedTrajectory) -> ReadTrajectory:
    return lambda: each.trajectory


def _unchanged(_: Trajectory, verdict: TrajectoryVerdict) -> TrajectoryVerdict:
    return verdict
