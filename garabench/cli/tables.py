"""The tables of a comparison, as text of at most 100 columns; every share states its denominator."""

from __future__ import annotations

import io
from collections.abc import Iterable, Sequence

from rich import box
from rich.cells import cell_len
from rich.console import Console
from rich.table import Table

from garabench.stats.infeasible import InfeasibleRow
from garabench.stats.measures import ConditionRow, DropRow, Summary
from garabench.stats.rates import Rate

WIDTH = 100
_MOST_ERRORS = 10
_NONE = "–"
_LEFT = ("agent", "condition")
_REFERENCE = "* a reference agent: it follows the tasks' solutions"


def show_rate(rate: Rate) -> str:
    """A rate with its counts and its 95 % interval: ``36/38 94.7% [83–99]``."""
    interval = rate.interval()
    if interval is None:
        return show_share(rate)
    low, high = interval
    return f"{show_share(rate)} [{low * 100:.0f}–{high * 100:.0f}]"


def show_share(rate: Rate) -> str:
    """A rate with its counts: ``36/38 94.7%``."""
    counts = f"{rate.successes}/{rate.trials}"
    if rate.value is None:
        return f"{counts} {_NONE}"
    return f"{counts} {rate.value:.0%}" if rate.value in (0, 1) else f"{counts} {rate.value:.1%}"


def _counts(rate: Rate) -> str:
    return f"{rate.successes}/{rate.trials}"


def _agent(name: str, reference: bool) -> str:
    return f"{name}*" if reference else name


def _number(value: float | None) -> str:
    return _NONE if value is None else f"{value:.1f}"


def render(title: str, columns: Sequence[str], rows: Iterable[Sequence[str]], notes: Sequence[str]) -> str:
    """A table with a title above and notes below."""
    console = Console(file=io.StringIO(), width=WIDTH, color_system=None)
    told = [tuple(row) for row in rows]
    widest = sum(max(map(cell_len, texts)) for texts in zip(columns, *told, strict=True)) + len(columns) + 1
    padding = 1 if widest + 2 * len(columns) <= WIDTH else 0
    table = Table(box=box.SQUARE_DOUBLE_HEAD, padding=(0, padding), pad_edge=padding > 0)
    for name in columns:
        # Figures never wrap; a long name does.
        table.add_column(
            name,
            justify="left" if name in _LEFT else "right",
            no_wrap=name != "agent",
            overflow="fold",
        )
    for row in told:
        table.add_row(*row)
    console.print(table)
    text = console.file.getvalue() if isinstance(console.file, io.StringIO) else ""
    lines = [title, *(line.rstrip() for line in text.splitlines()), *(f"  {note}" for note in notes)]
    return "\n".join(lines)


def condition_table(rows: Sequence[ConditionRow], kind: str) -> str:
    """The success rate and its company, by agent and condition, and how interruptions were left.

    Args:
        rows: One for each agent and condition.
        kind: ``virtual`` or ``real``: results of the two are never mixed.
    """
    notes = [
        "n/N rate [95% Wilson interval]; N: episodes that did not end in error, which are counted apart",
        "shown: an interruption was really seen on the screen; steps and ×ref: means, ×ref of the successes",
    ]
    notes += [
        f"left out: {sum(count for _, count in row.missed)} of {row.agent}, {row.condition}, whose "
        f"interruption could not be shown ({', '.join(f'{kind} {count}' for kind, count in row.missed)})"
        for row in rows
        if row.missed
    ]
    success = render(
        f"Success by condition, on a {kind} device",
        ("agent", "condition", "SR", "errors", "shown", "false done", "steps", "×ref"),
        (
            (
                _agent(row.agent, row.reference),
                row.condition,
                show_rate(row.success),
                str(row.errors),
                show_share(row.triggered) if row.condition != "clean" else _NONE,
                show_share(row.false_done),
                _number(row.mean_steps),
                _number(row.inflation),
            )
            for row in rows
        ),
        [*notes, *([_REFERENCE] if any(row.reference for row in rows) else [])],
    )
    return "\n\n".join(filter(None, (success, _exit_table(rows))))


def _exit_table(rows: Sequence[ConditionRow]) -> str:
    """How the interruptions that were shown were left; empty when none was."""
    ways = sorted({way for row in rows for way, _ in row.exits})
    if not ways:
        return ""
    return render(
        "How interruptions were left",
        ("agent", "condition", "N", "episodes", *ways, "steps"),
        (
            (
                _agent(row.agent, row.reference),
                row.condition,
                str(row.interruptions),
                str(row.triggered.successes),
                *(str(dict(row.exits).get(way, 0)) for way in ways),
                _number(row.recovery),
            )
            for row in rows
            if row.exits
        ),
        [
            "N: interruptions that were shown, in so many episodes; those that ended in error are left out",
            "the N, counted by the role of the pressed button, or by the way; open: still there at the end",
            "steps: from an interruption to its end, mean of those that were left",
        ],
    )


def drop_table(rows: Sequence[DropRow]) -> str:
    """What interruptions cost, on the same tasks and seeds, and how robust the agents are."""
    names = [(_agent(row.agent, row.reference), row.condition) for row in rows]
    drop = render(
        "Clean against interrupted, paired by task and seed",
        ("agent", "condition", "SR clean", "SR interrupted", "drop", "McNemar p"),
        (
            (
                *name,
                show_rate(row.clean),
                show_rate(row.interrupted),
                _NONE if row.drop is None else f"{row.drop * 100:+.1f} pp",
                f"{row.paired.p_value:.2g}",
            )
            for name, row in zip(names, rows, strict=True)
        ),
        ["N: pairs of which neither ended in error; p: McNemar's exact test, two-sided"],
    )
    robust = render(
        "Robust success rate (RSR): of what was solved clean, what is solved interrupted, too",
        ("agent", "condition", "RSR", "RSR where shown"),
        (
            (*name, show_rate(row.rsr), show_rate(row.rsr_shown))
            for name, row in zip(names, rows, strict=True)
        ),
        [
            "N: pairs that were solved clean; where shown: those of them whose interruption was really seen",
        ],
    )
    return f"{drop}\n\n{robust}"


def infeasible_table(rows: Sequence[InfeasibleRow], kind: str) -> str:
    """What agents make of tasks that cannot be done; these are in no other table.

    Args:
        rows: One for each agent and condition.
        kind: ``virtual`` or ``real``.
    """
    return render(
        f"Tasks that cannot be done, on a {kind} device",
        ("agent", "condition", "right", "errors", "shown", "unseen", "false done", "harm", "gave up else"),
        (
            (
                _agent(row.agent, row.reference),
                row.condition,
                show_rate(row.right),
                str(row.errors),
                _counts(row.triggered) if row.condition != "clean" else _NONE,
                *map(_counts, (row.unseen, row.false_done, row.harm, row.gave_up_elsewhere)),
            )
            for row in rows
        ),
        [
            "in no other table; right: found out, no harm done, and given up; N: those without error",
            "unseen: given up without what shows it; harm: something was done all the same",
            "gave up else: of the same agent's tasks that can be done",
        ],
    )


def error_list(failed: Sequence[Summary]) -> str:
    """The episodes that ended in error and why, at most ten of them; they are in no table's rates."""
    return _episodes_and_why("Ended in error, and counted in no rate", failed)


def agent_fault_list(failed: Sequence[Summary]) -> str:
    """The episodes in which the agent itself failed and how, at most ten of them; they count as failures."""
    return _episodes_and_why("The agent itself failed, which counts as a failure", failed)


def _episodes_and_why(title: str, failed: Sequence[Summary]) -> str:
    lines = [f"{title} ({len(failed)}):"]
    for item in failed[:_MOST_ERRORS]:
        name = f"{item.task} {_agent(item.agent, item.reference)} {item.condition}"
        lines.append(f"  {name}: {item.fault or item.reason}")
    if len(failed) > _MOST_ERRORS:
        lines.append(f"  and {len(failed) - _MOST_ERRORS} more")
    return "\n".join(lines)
