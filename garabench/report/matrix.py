"""The matrix of task x condition x agent: the cells of its table, and the episodes behind each cell."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from garabench.records.plan import CLEAN
from garabench.records.results import Summary
from garabench.report.report_input import ReportInput
from garabench.report.wording import reason_words
from garabench.stats.excluded import Exclusion, exclusion_of
from garabench.web.display_text import display_text

MAX_TEXT = 400
"""Longest text of an episode in the page's data."""

MARKS = {
    "success": ("✓", "success"),
    "failure": ("✗", "failure"),
    "error": ("!", "error"),
    "excluded": ("–", "excluded: the interruption could not be shown"),
    "unknown": ("?", "unknown: it could not be established whether the goal was met"),
    "mixed": ("±", "some seeds succeeded"),
    "missing": ("", "not run"),
}
"""Sign and words of each state of a cell."""
_EXCLUDED = {Exclusion.ERROR: "error", Exclusion.UNKNOWN: "unknown", Exclusion.NOT_SHOWN: "excluded"}


@dataclass(frozen=True, slots=True)
class MatrixCell:
    """An agent's episodes on a task under a condition, over all seeds.

    Attributes:
        column: Number of its column.
        state: A key of `MARKS`.
        text: What it shows: a sign, or for several seeds the number of successes among the valid episodes.
        shown: Whether an interruption was shown in at least one of the episodes.
    """

    column: int
    state: str
    text: str
    shown: bool

    @property
    def words(self) -> str:
        """Its state in words."""
        return MARKS[self.state][1]


@dataclass(frozen=True, slots=True)
class MatrixColumn:
    """An agent under a condition."""

    agent: str
    condition: str
    reference: bool


@dataclass(frozen=True, slots=True)
class MatrixRow:
    """A task.

    Attributes:
        task: Its id.
        group: The package of its app; if that is not recorded, the part of the id before the first hyphen.
        cells: One for each column.
    """

    task: str
    group: str
    cells: tuple[MatrixCell, ...]


@dataclass(frozen=True, slots=True)
class Matrix:
    """The matrix.

    Attributes:
        columns: An agent and condition each.
        rows: A task each.
        seeds: The highest number of episodes behind a cell.
    """

    columns: tuple[MatrixColumn, ...]
    rows: tuple[MatrixRow, ...]
    seeds: int

    @property
    def agents(self) -> tuple[tuple[str, bool, int], ...]:
        """Each agent, whether it is a reference agent, and the number of its columns."""
        names = dict.fromkeys((column.agent, column.reference) for column in self.columns)
        return tuple((name, ref, sum(column.agent == name for column in self.columns)) for name, ref in names)

    @property
    def conditions(self) -> tuple[str, ...]:
        """The conditions."""
        return tuple(dict.fromkeys(column.condition for column in self.columns))

    @property
    def groups(self) -> tuple[str, ...]:
        """The groups of tasks, sorted."""
        return tuple(sorted({row.group for row in self.rows}))


def make_matrix(given: ReportInput) -> Matrix:
    """Return the matrix of the runs: all planned tasks, agents and conditions, with or without episodes."""
    reference = {agent.name for run in given.runs for agent in run.agents if agent.reference}
    columns = tuple(
        MatrixColumn(agent, condition, agent in reference)
        for agent in given.agents
        for condition in given.conditions
    )
    cells: dict[tuple[str, str, str], list[Summary]] = {}
    for summary in given.summaries:
        cells.setdefault((summary.task, summary.agent, summary.condition), []).append(summary)
    apps = {summary.task: summary.app for summary in given.summaries if summary.app}
    seeds = max(map(len, cells.values()), default=0)
    rows = []
    for task in given.tasks:
        found = tuple(
            _cell(number, cells.get((task, column.agent, column.condition), ()), seeds)
            for number, column in enumerate(columns)
        )
        rows.append(MatrixRow(task, apps.get(task) or task.partition("-")[0], found))
    return Matrix(columns, tuple(rows), seeds)


def _cell(column: int, episodes: Sequence[Summary], seeds: int) -> MatrixCell:
    valid = [each for each in episodes if each.counts]
    solved = sum(each.outcome == "success" for each in valid)
    if valid:
        state = "success" if solved == len(valid) else "mixed" if solved else "failure"
    elif episodes:
        reasons = [exclusion_of(each) for each in episodes]
        state = next(name for reason, name in _EXCLUDED.items() if reason in reasons)
    else:
        state = "missing"
    text = f"{solved}/{len(valid)}" if valid and seeds > 1 else MARKS[state][0]
    return MatrixCell(column, state, text, any(each.shown for each in episodes))


def matrix_data(given: ReportInput, matrix: Matrix, clean_text: Callable[[str], str] = str) -> dict[str, Any]:
    """Return the episodes behind each cell, for the page's script.

    Args:
        given: The runs.
        matrix: The matrix.
        clean_text: Applied to every text, for redaction.
    """
    tasks = {row.task: number for number, row in enumerate(matrix.rows)}
    columns = {(column.agent, column.condition): number for number, column in enumerate(matrix.columns)}
    episodes: dict[str, list[dict[str, Any]]] = {}
    for summary in given.summaries:
        row, column = tasks.get(summary.task), columns.get((summary.agent, summary.condition))
        if row is not None and column is not None:
            data = {name: _text(value, clean_text) for name, value in _episode(given, summary) if value}
            episodes.setdefault(f"{row}.{column}", []).append(data)
    return {
        "tasks": [_text(row.task, clean_text) for row in matrix.rows],
        "columns": [
            [_text(column.agent, clean_text), _text(column.condition, clean_text)]
            for column in matrix.columns
        ],
        "clean": [columns.get((column.agent, CLEAN)) for column in matrix.columns],
        "episodes": episodes,
    }


def _episode(given: ReportInput, summary: Summary) -> Iterator[tuple[str, Any]]:
    """Yield what the page shows of an episode."""
    yield "outcome", summary.known_outcome
    yield "reason", reason_words(summary.reason)
    yield "seed", str(summary.seed)
    yield "actions", str(summary.steps)
    yield "seconds", f"{summary.seconds:.1f}"
    yield "shown", ", ".join(each.interruption for each in summary.interruptions if each.shown)
    yield "exits", ", ".join(summary.exits)
    yield "missed", ", ".join(summary.missed)
    yield "fault", summary.fault
    yield "unknown", summary.unknown
    if not summary.counts:
        yield "excluded", "in no rate"
    run = given.run_of(summary)
    yield "record", f"{run.folder.name}/{summary.key.folder.as_posix()}"


def _text(text: str, clean_text: Callable[[str], str]) -> str:
    return display_text(clean_text(text), MAX_TEXT)
