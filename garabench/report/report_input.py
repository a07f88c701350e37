"""What a report is made from: runs of one kind of device, and the summaries of their episodes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from garabench.errors import InputError
from garabench.records.reader import Run, load_run
from garabench.records.results import Summary
from garabench.records.run_layout import EpisodeKey
from garabench.stats.comparability import incomparable_reasons
from garabench.stats.completeness import Completeness, completeness
from garabench.stats.result_tables import ResultTables


@dataclass(frozen=True)
class ReportInput:
    """The runs of a report.

    Attributes:
        runs: At least one.
        summaries: One for each ended episode of all runs.
        caveats: What a reader has to know before the figures: differences between the runs.
    """

    runs: tuple[Run, ...]
    summaries: tuple[Summary, ...]
    caveats: tuple[str, ...]

    @cached_property
    def tables(self) -> ResultTables:
        """The rows of all tables, each computed on first use."""
        return ResultTables(summaries=self.summaries)

    @property
    def planned(self) -> int:
        """Number of planned episodes of all runs."""
        return self.completeness.planned

    @property
    def unfinished(self) -> tuple[EpisodeKey, ...]:
        """The episodes that have begun and have no result."""
        return self.completeness.unfinished

    @cached_property
    def completeness(self) -> Completeness:
        """How many of the planned episodes of all runs have a result."""
        return completeness((run, self.summaries) for run in self.runs)

    @cached_property
    def agents(self) -> tuple[str, ...]:
        """The agents of all runs: contenders first, then reference agents, each in the plans' order."""
        return _agents(self.runs)

    @cached_property
    def conditions(self) -> tuple[str, ...]:
        """The conditions of all runs, in the plans' order."""
        return tuple(dict.fromkeys(name for run in self.runs for name in run.plan.conditions))

    @cached_property
    def tasks(self) -> tuple[str, ...]:
        """The tasks of all runs, in the plans' order."""
        return tuple(dict.fromkeys(task for run in self.runs for task in run.plan.tasks))

    @cached_property
    def _runs_by_key(self) -> dict[EpisodeKey, Run]:
        return {summary.key: run for run in self.runs for summary in run.summaries}

    def run_of(self, summary: Summary) -> Run:
        """Return the run that an episode belongs to."""
        return self._runs_by_key[summary.key]


def read_input(runs: Sequence[Run | Path | str], *, strict: bool = False) -> ReportInput:
    """Read the runs of a report.

    Args:
        runs: Runs, or their folders.
        strict: Whether to refuse runs that are not comparable, instead of a caveat.

    Raises:
        InputError: There is no run, one or its results cannot be read, some are of virtual and others of real
            devices, or two have the same episode.
    """
    loaded = tuple(run if isinstance(run, Run) else load_run(run) for run in runs)
    if not loaded:
        raise InputError("no run was given to report")
    summaries = [summary for run in loaded for summary in run.summaries]
    caveats: list[str] = []
    for reason in incomparable_reasons(loaded) if len(loaded) > 1 else ():
        if strict or reason.difference.refused:
            raise InputError(reason.message, hint=reason.hint)
        caveats.append(f"Not comparable: {reason.message}. {reason.hint}")
    return ReportInput(loaded, _ordered(loaded, summaries), tuple(caveats))


def _ordered(runs: Sequence[Run], summaries: Sequence[Summary]) -> tuple[Summary, ...]:
    """Return the summaries in the order of the tables: contenders first, then by the plans' order.

    Several phones finish episodes in any order.
    """
    agents = _planned(_agents(runs))
    tasks = _planned(task for run in runs for task in run.plan.tasks)
    conditions = _planned(name for run in runs for name in run.plan.conditions)

    def place(summary: Summary) -> tuple[int, int, int, int]:
        return (
            agents.get(summary.agent, len(agents)),
            conditions.get(summary.condition, len(conditions)),
            tasks.get(summary.task, len(tasks)),
            summary.seed,
        )

    return tuple(sorted(summaries, key=place))


def _planned(names: Iterable[str]) -> dict[str, int]:
    return {name: number for number, name in enumerate(dict.fromkeys(names))}


def _agents(runs: Sequence[Run]) -> tuple[str, ...]:
    """Return the agents of runs: contenders first, then reference agents, each in the plans' order."""
    found = {agent.name: agent.reference for run in runs for agent in run.agents}
    return tuple(sorted(found, key=lambda name: found[name]))


def episode_groups(summaries: Sequence[Summary]) -> Iterator[tuple[tuple[str, str], tuple[Summary, ...]]]:
    """Iterate over the feasible episodes by agent and condition, in order of first appearance."""
    groups: dict[tuple[str, str], list[Summary]] = {}
    for summary in summaries:
        if not summary.infeasible:
            groups.setdefault((summary.agent, summary.condition), []).append(summary)
    for key, group in groups.items():
        yield key, tuple(group)
