"""Build the graphs of runs and of files, and summarize them: the entry point of the package."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from garabench.errors import InputError
from garabench.graph.action_trajectory import ActionTrajectory, by_task
from garabench.graph.consensus import DEFAULT_OPTIONS, GraphOptions
from garabench.graph.detours import InterruptionState, PathDetour, interruption_states
from garabench.graph.stored_trajectories import load_trajectories
from garabench.graph.strategies import Strategy, strategy_counts
from garabench.graph.suite_tables import (
    AgreementRow,
    BinRow,
    GraphAgentRow,
    MergeRow,
    TaskAgreement,
    agent_rows,
    agreement_rows,
    attempt_rows,
    complexity_rows,
    kind_rows,
    length_rows,
    merge_row,
    phase_rows,
    step_rows,
    sum_rates,
    task_agreements,
)
from garabench.graph.task_analysis import TaskAnalysis, analyze_task
from garabench.graph.web_trajectories import Namer, read_web_trajectories
from garabench.records.plan import CLEAN
from garabench.records.reader import Run, load_run
from garabench.stats.rates import Rate


@dataclass(frozen=True, slots=True)
class LeftOut:
    """Episodes that are in no graph.

    Attributes:
        unfinished: Those that have not ended.
        errors: Those that ended in an error: they are neither successes nor failures.
        missed: Those in which no interruption could be shown: neither interrupted nor clean.
    """

    unfinished: int = 0
    errors: int = 0
    missed: int = 0


NOTHING = LeftOut()
"""No episode was left out."""


@dataclass(frozen=True)
class GraphAnalysis:
    """The graphs of all tasks, and what they say together.

    Attributes:
        tasks: One per task, in order of the ids.
        left_out: Episodes that are in no graph.
        options: How the graphs were built.
    """

    tasks: tuple[TaskAnalysis, ...]
    left_out: LeftOut
    options: GraphOptions

    @property
    def trajectories(self) -> tuple[ActionTrajectory, ...]:
        """All trajectories, by task."""
        return tuple(each for task in self.tasks for each in task.trajectories)

    @property
    def detours(self) -> tuple[PathDetour, ...]:
        """The detours of all tasks."""
        return tuple(detour for task in self.tasks for detour in task.view.detours)

    @cached_property
    def merging(self) -> MergeRow:
        """What merging did."""
        return merge_row(self.tasks)

    @cached_property
    def agents(self) -> tuple[GraphAgentRow, ...]:
        """Success, length, necessity, inflation and strategies by agent and condition."""
        return agent_rows(self.tasks)

    @cached_property
    def lengths(self) -> tuple[BinRow, ...]:
        """Success by length of the trajectory."""
        return length_rows(self.tasks)

    @cached_property
    def complexities(self) -> tuple[BinRow, ...]:
        """Success, necessity and inflation by complexity of the task."""
        return complexity_rows(self.tasks)

    @cached_property
    def kinds(self) -> tuple[BinRow, ...]:
        """Necessity by kind of action."""
        return kind_rows(self.tasks)

    @cached_property
    def steps(self) -> tuple[BinRow, ...]:
        """Necessity by number of the action."""
        return step_rows(self.tasks)

    @cached_property
    def phases(self) -> tuple[BinRow, ...]:
        """Necessity by third of the trajectory."""
        return phase_rows(self.tasks)

    @cached_property
    def attempts(self) -> tuple[BinRow, ...]:
        """Success and necessity by attempt: the learning curve."""
        return attempt_rows(self.tasks)

    @cached_property
    def agreement(self) -> tuple[AgreementRow, ...]:
        """The agents' agreement by condition."""
        return agreement_rows(self.tasks)

    @cached_property
    def task_agreement(self) -> tuple[TaskAgreement, ...]:
        """The agents' agreement by condition and task."""
        return task_agreements(self.tasks)

    @cached_property
    def strategies(self) -> dict[Strategy, int]:
        """Number of successes with each strategy."""
        return strategy_counts([each for task in self.tasks for each in task.paths.facts])

    @cached_property
    def common_beginning(self) -> Rate:
        """Share of the successes that begin as a success of another agent does."""
        return sum_rates(task.paths.common_beginning for task in self.tasks)

    @cached_property
    def early_ends(self) -> Rate:
        """Share of the failures, on tasks that were solved, that ended before the shortest success."""
        return sum_rates(row.early for row in self.agents)

    def interruptions(self, *, by_place: bool = True, by_mode: bool = False) -> tuple[InterruptionState, ...]:
        """Return what each interruption cost at each place, the most costly first.

        Args:
            by_place: Whether to count places apart.
            by_mode: Whether to count the modes apart.
        """
        clean = [each for each in self.trajectories if each.condition == CLEAN]
        return interruption_states(self.detours, clean, by_place=by_place, by_mode=by_mode)


def build_graphs(
    runs: Sequence[Run | Path | str] | Run | Path | str = (),
    files: Iterable[Path | str] = (),
    *,
    options: GraphOptions = DEFAULT_OPTIONS,
    select: Callable[[ActionTrajectory], bool] | None = None,
    name_action: Namer | None = None,
) -> GraphAnalysis:
    """Merge the trajectories of each task into a graph, over one or more runs.

    The trajectories of a run are stored in it, so that they are read from its records only once.

    Args:
        runs: Runs, or their folders.
        files: Files of web trajectories.
        options: How the graphs are built.
        select: Returns whether a trajectory is used; by default all are.
        name_action: Completes the actions that no rule understands, see
            `garabench.graph.model_canonicalizer`.

    Raises:
        InputError: Nothing was given, a record or a file cannot be read, or runs of a virtual and a real
            device are mixed.
    """
    given = [runs] if isinstance(runs, Run | Path | str) else list(runs)
    loaded = named_runs([run if isinstance(run, Run) else load_run(run) for run in given])
    paths = [Path(file) for file in files]
    if not loaded and not paths:
        raise InputError("no run and no file was given")
    if len({run.kind for _, run in loaded}) > 1:
        raise InputError(
            "runs of virtual and real devices cannot be merged",
            hint="Build their graphs separately.",
        )
    found: list[ActionTrajectory] = []
    unfinished = errors = missed = 0
    for name, run in loaded:
        read = load_trajectories(run)
        unfinished, errors, missed = (
            unfinished + read.unfinished,
            errors + read.errors,
            missed + read.missed,
        )
        found += [_completed(_renamed(each, name), name_action) for each in read.trajectories]
    found += read_web_trajectories(paths, name_action)
    return analyze(
        [each for each in found if select is None or select(each)],
        options,
        LeftOut(unfinished, errors, missed),
    )


def named_runs(runs: Sequence[Run]) -> list[tuple[str, Run]]:
    """Return the runs with their folders' names, numbered where two have the same."""
    names: list[tuple[str, Run]] = []
    for run in runs:
        taken = sum(run.folder.name == other.folder.name for _, other in names)
        names.append((f"{run.folder.name}-{taken + 1}" if taken else run.folder.name, run))
    return names


def _renamed(each: ActionTrajectory, source: str) -> ActionTrajectory:
    if each.source == source:
        return each
    return dataclasses.replace(each, id=f"{source}/{each.id.partition('/')[2]}", source=source)


def _completed(each: ActionTrajectory, name_action: Namer | None) -> ActionTrajectory:
    """Name the elements that are unknown, by what the agent said about them."""
    if name_action is None or not any(step.words for step in each.steps):
        return each
    steps = tuple(
        dataclasses.replace(step, action=name_action(step.action, step.words)) if step.words else step
        for step in each.steps
    )
    return dataclasses.replace(each, steps=steps)


def analyze(
    trajectories: Iterable[ActionTrajectory],
    options: GraphOptions = DEFAULT_OPTIONS,
    left_out: LeftOut = NOTHING,
) -> GraphAnalysis:
    """Analyze trajectories; pure.

    Args:
        trajectories: The trajectories, in any order.
        options: How the graphs are built.
        left_out: Episodes that are not among them.
    """
    numbered = _with_attempts(sorted(trajectories, key=lambda each: each.id))
    tasks = tuple(analyze_task(task, group, options) for task, group in by_task(numbered).items())
    return GraphAnalysis(tasks, left_out, options)


def _with_attempts(trajectories: Sequence[ActionTrajectory]) -> list[ActionTrajectory]:
    """Number the attempts over all runs, in order of the runs' names."""
    groups: dict[tuple[str, str, str], list[ActionTrajectory]] = {}
    for each in trajectories:
        groups.setdefault((each.task, each.agent, each.condition), []).append(each)
    found = []
    for group in groups.values():
        group.sort(key=lambda each: (each.source, each.attempt, each.id))
        for number, each in enumerate(group, start=1):
            found.append(each if each.attempt == number else dataclasses.replace(each, attempt=number))
    return found
