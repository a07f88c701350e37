"""Compare agents and conditions over runs: the rows of every table, from records alone."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

from garabench.core.end_criterion import EndCriterion
from garabench.errors import InputError
from garabench.records.device_environment import DeviceKind
from garabench.records.reader import Run, load_run
from garabench.records.results import Summary  # noqa: F401  # resolves the annotation of an inherited field
from garabench.stats.bootstrap import DRAWS
from garabench.stats.comparability import Difference, Incomparable, incomparable_reasons
from garabench.stats.completeness import Completeness, completeness, no_effect_text
from garabench.stats.result_tables import ResultTables

_SAME_AGENT = (Difference.SAME_EPISODE, Difference.MODEL)
"""Differences that do not matter between runs with names: their agents are different ones."""


@dataclass(frozen=True, kw_only=True)
class Comparison(ResultTables):
    """Runs that may be compared, and the rows of their tables.

    Attributes:
        runs: At least one.
        names: The name of each run, with which its agents are called; empty without names.
        tasks: Ids of the only compared tasks; None for all.
        warnings: Why the runs are not fully comparable; empty if they are.
    """

    runs: tuple[Run, ...]
    names: tuple[str, ...]
    tasks: frozenset[str] | None = None
    warnings: tuple[Incomparable, ...] = ()

    @property
    def kind(self) -> DeviceKind:
        """Kind of device on which all runs were performed."""
        return self.runs[0].kind

    @property
    def suite_hash(self) -> str:
        """Hash of the first run's suite; `warnings` says if the others have another one."""
        return self.runs[0].file.suite_hash

    @property
    def stress_level(self) -> int | None:
        """Requested interruptions per episode; None if the rules alone decide."""
        return self.runs[0].plan.interruptions

    @property
    def end(self) -> EndCriterion:
        """When the episodes of all runs ended."""
        return self.runs[0].plan.end

    @cached_property
    def completeness(self) -> Completeness:
        """How many of the planned episodes of the compared tasks have a result."""
        return completeness(((run, run.summaries) for run in self.runs), self.tasks)

    @cached_property
    def notes(self) -> tuple[str, ...]:
        """What the tables do not show: missing results, and what cannot be compared."""
        notes = list(self.completeness.sentences)
        if self.summaries:
            conditions = {name for run in self.runs for name in run.plan.conditions}
            if not any(each.difference is not None for each in self.comparisons):
                notes.append("There is nothing to compare: no two agents or conditions have a valid pair.")
            if text := no_effect_text(conditions, self.comparisons):
                notes.append(text)
        return tuple(notes)


def compare(
    runs: Sequence[Run | Path | str] | Mapping[str, Run | Path | str] | Run | Path | str,
    *,
    strict: bool = False,
    draws: int = DRAWS,
    tasks: Collection[str] | None = None,
) -> Comparison:
    """Compare agents and conditions over one or more runs.

    Args:
        runs: Runs, or their folders. With names, as in ``{"before": …, "after": …}``, the same agent may be
            in several runs with the same seeds: it is called ``before/AGENT`` and ``after/AGENT``.
        strict: Refuse runs that are not fully comparable, instead of listing the reasons as
            `Comparison.warnings`.
        draws: Number of bootstrap draws.
        tasks: Ids of the only tasks to compare; None for all.

    Raises:
        InputError: There is no run, one cannot be read, they may not be compared (see
            `garabench.stats.comparability`), or no episode of them is for one of the tasks.
    """
    named: list[tuple[str, Run | Path | str]]
    if isinstance(runs, Mapping):
        named = list(runs.items())
    else:
        named = [("", run) for run in ([runs] if isinstance(runs, Run | Path | str) else runs)]
    loaded = tuple(run if isinstance(run, Run) else load_run(run) for _, run in named)
    if not loaded:
        raise InputError("no run was given to compare")
    reasons = tuple(
        reason
        for reason in incomparable_reasons(loaded)
        if not isinstance(runs, Mapping) or reason.difference not in _SAME_AGENT
    )
    for reason in reasons:
        if strict or reason.difference.refused:
            raise InputError(reason.message, hint=reason.hint)
    summaries = tuple(
        replace(summary, agent=named_agent(name, summary.agent))
        for (name, _), run in zip(named, loaded, strict=True)
        for summary in run.summaries
        if tasks is None or summary.task in tasks
    )
    if tasks is not None and not summaries and any(run.summaries for run in loaded):
        raise InputError("no episode of the runs is for one of these tasks")
    return Comparison(
        runs=loaded,
        names=tuple(name for name, _ in named),
        tasks=None if tasks is None else frozenset(tasks),
        summaries=summaries,
        draws=draws,
        warnings=reasons,
    )


def named_agent(run_name: str, agent: str) -> str:
    """Return what an agent is called in a comparison of runs with names, as in ``before/dismiss``.

    Args:
        run_name: The run's name; empty if it has none.
        agent: The agent's name in the run.
    """
    return f"{run_name}/{agent}" if run_name else agent
