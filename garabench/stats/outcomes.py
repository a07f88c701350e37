"""Outcomes aligned by task and seed, so that agents and conditions are compared pair by pair."""

from __future__ import annotations

import enum
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from garabench.records.results import Summary
from garabench.stats.excluded import Exclusion, exclusion_of

Bools = npt.NDArray[np.bool_]
Ints = npt.NDArray[np.int64]


class Unpaired(enum.StrEnum):
    """Why a task and seed are in no pair."""

    NO_PARTNER = "no partner"
    """Only one side has an episode."""
    ERROR = "error"
    """A side ended in error."""
    UNKNOWN = "unknown outcome"
    """It is not known whether a side succeeded."""
    NOT_SHOWN = "not shown"
    """No interruption of a side could be shown."""


_REASONS = {
    Exclusion.ERROR: Unpaired.ERROR,
    Exclusion.UNKNOWN: Unpaired.UNKNOWN,
    Exclusion.NOT_SHOWN: Unpaired.NOT_SHOWN,
}
_CODES = {reason: number for number, reason in enumerate(Unpaired)}
_VALID = len(_CODES)


@dataclass(frozen=True)
class OutcomeColumn:
    """The outcomes of one agent under one condition, in the order of the table's cells.

    Attributes:
        agent, condition, reference: The agent, its condition, whether it is a reference agent.
        solved: Whether it succeeded; False without a valid episode.
        shown: Whether an interruption was shown.
        status: A code for each cell: why it has no valid episode, or that it has one.
    """

    agent: str
    condition: str
    reference: bool
    solved: Bools
    shown: Bools
    status: npt.NDArray[np.int8]

    @property
    def valid(self) -> Bools:
        """Whether it has a valid episode."""
        return np.equal(self.status, _VALID)

    @property
    def begun(self) -> Bools:
        """Whether it has an ended episode, valid or not."""
        return np.not_equal(self.status, _CODES[Unpaired.NO_PARTNER])


@dataclass(frozen=True)
class OutcomeTable:
    """The outcomes of all agents and conditions on feasible tasks; a row (cell) is a task with a seed.

    Attributes:
        tasks: The tasks.
        task_of: The index of each cell's task.
        columns: The outcomes, by agent and condition, in order of first appearance.
    """

    tasks: tuple[str, ...]
    task_of: Ints
    columns: Mapping[tuple[str, str], OutcomeColumn]

    @property
    def agents(self) -> tuple[str, ...]:
        """The agents."""
        return tuple(dict.fromkeys(agent for agent, _ in self.columns))

    @property
    def conditions(self) -> tuple[str, ...]:
        """The conditions."""
        return tuple(dict.fromkeys(condition for _, condition in self.columns))

    def by_task(self, values: npt.NDArray[np.bool_ | np.int64]) -> npt.NDArray[np.float64]:
        """Return the sum of a value over the seeds of each task."""
        sums = np.bincount(self.task_of, weights=values, minlength=len(self.tasks))
        return sums.astype(np.float64)

    def left_out(self, *columns: OutcomeColumn) -> tuple[tuple[Unpaired, int], ...]:
        """Return why cells of any of these columns are not valid in all of them, with their number."""
        worst = np.min([column.status for column in columns], axis=0)
        begun = np.any([column.begun for column in columns], axis=0)
        counts = np.bincount(worst[begun], minlength=_VALID)
        return tuple((reason, int(counts[code])) for reason, code in _CODES.items() if counts[code])


def outcome_table(summaries: Iterable[Summary]) -> OutcomeTable:
    """Align the outcomes of feasible tasks by task and seed."""
    items = [item for item in summaries if not item.infeasible]
    tasks = {task: number for number, task in enumerate(dict.fromkeys(item.task for item in items))}
    cells = {
        cell: number
        for number, cell in enumerate(
            sorted({(item.task, item.seed) for item in items}, key=lambda cell: (tasks[cell[0]], cell[1]))
        )
    }
    groups: dict[tuple[str, str], list[Summary]] = {}
    for item in items:
        groups.setdefault((item.agent, item.condition), []).append(item)
    return OutcomeTable(
        tasks=tuple(tasks),
        task_of=np.array([tasks[task] for task, _ in cells], dtype=np.int64),
        columns={key: _column(group, cells) for key, group in groups.items()},
    )


def _column(group: list[Summary], cells: Mapping[tuple[str, int], int]) -> OutcomeColumn:
    solved, shown = np.zeros((2, len(cells)), dtype=np.bool_)
    status = np.full(len(cells), _CODES[Unpaired.NO_PARTNER], dtype=np.int8)
    for item in group:
        cell = cells[item.task, item.seed]
        reason = exclusion_of(item)
        status[cell] = _VALID if reason is None else _CODES[_REASONS[reason]]
        solved[cell] = reason is None and item.outcome == "success"
        shown[cell] = item.shown > 0
    first = group[0]
    return OutcomeColumn(first.agent, first.condition, first.reference, solved, shown, status)
