"""Tables of a comparison: success, behaviour, exits, drops, infeasible tasks, errors."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from garabench.cli.table_formats import Grid, TextList, make_grid
from garabench.records.results import INCOMPLETE, Summary
from garabench.stats.follow_ups import FollowUpRow
from garabench.stats.infeasible import InfeasibleRow
from garabench.stats.intervals import Interval
from garabench.stats.means import Mean
from garabench.stats.measures import ConditionRow, DropRow
from garabench.stats.rates import Rate
from garabench.web.display_text import display_text

_MOST_ERRORS = 10
_LONGEST_REASON = 500
_NONE = "–"
REFERENCE_NOTE = "* reference agent: follows the reference solution"
"""What the star of `format_agent` means."""


def format_rate(rate: Rate, interval: Interval | None = None) -> str:
    """Format a rate with its counts and 95% interval: ``36/38 94.7% [83–99]``.

    Args:
        rate: The rate.
        interval: Its interval; default: the rate's own.
    """
    interval = interval or rate.interval()
    if interval is None:
        return format_share(rate)
    low, high = interval
    return f"{format_share(rate)} [{low * 100:.0f}–{high * 100:.0f}]"


def format_share(rate: Rate) -> str:
    """Format a rate with its counts: ``36/38 94.7%``."""
    counts = f"{rate.successes}/{rate.trials}"
    if rate.value is None:
        return f"{counts} {_NONE}"
    return f"{counts} {rate.value:.0%}" if rate.value in (0, 1) else f"{counts} {rate.value:.1%}"


def _counts(rate: Rate) -> str:
    return f"{rate.successes}/{rate.trials}"


def _one_line(text: str) -> str:
    """Return a text of a device or a model on one line, of limited length, with control characters named."""
    return display_text(" ".join(text.split()), _LONGEST_REASON)


def format_agent(name: str, reference: bool) -> str:
    """Return an agent's name, with a star for a reference agent."""
    return f"{name}*" if reference else name


def format_mean(mean: Mean) -> str:
    """Format a mean with the number of its values: ``7.4 (38)``.

    Args:
        mean: The mean.
    """
    return f"{_NONE if mean.value is None else f'{mean.value:.1f}'} ({mean.count})"


def render(title: str, columns: Sequence[str], rows: Iterable[Sequence[str]], notes: Sequence[str]) -> str:
    """Return a table with a title above and notes below, as text."""
    return str(make_grid(title, columns, rows, notes))


def headline_table(rows: Sequence[ConditionRow], drops: Sequence[DropRow], kind: str) -> Grid:
    """Return success, drop and RSR by agent and condition.

    Args:
        rows: One per agent and condition.
        drops: One per agent and interrupted condition that is paired with clean.
        kind: ``virtual`` or ``real``; results of the two are never mixed.
    """
    paired = {(row.agent, row.condition): row for row in drops}
    notes = [
        "n/N rate [95% interval]; N: valid episodes (see errors and excluded)",
        "shown: episodes in which an interruption was on screen",
        *(
            ["drop: SR(clean) - SR; RSR: share of the tasks solved clean that are also solved here"]
            if drops
            else []
        ),
    ]
    notes += [
        f"excluded: {row.unknown} of {row.agent}, {row.condition}: it is not known whether the goal was met"
        for row in rows
        if row.unknown
    ]
    notes += [
        f"excluded: {sum(count for _, count in row.missed)} of {row.agent}, {row.condition}: "
        f"interruption could not be shown ({', '.join(f'{kind} {count}' for kind, count in row.missed)})"
        for row in rows
        if row.missed
    ]
    if any(row.reference for row in rows):
        notes.append(REFERENCE_NOTE)
    return make_grid(
        f"Success by agent and condition ({kind} device)",
        ("agent", "condition", "SR", "errors", "shown", "drop", "RSR"),
        (
            (
                format_agent(row.agent, row.reference),
                row.condition,
                format_rate(row.success, row.interval),
                str(row.errors),
                _counts(row.triggered) if row.condition != "clean" else _NONE,
                *_drop_and_rsr(paired.get((row.agent, row.condition))),
            )
            for row in rows
        ),
        notes,
    )


def _drop_and_rsr(row: DropRow | None) -> tuple[str, str]:
    return (
        (_NONE, _NONE)
        if row is None
        else (_percentage_points(row.drop), format_rate(row.rsr, row.rsr_interval))
    )


def _points(interval: Interval) -> str:
    return "…".join(f"{bound * 100:+.1f}" for bound in interval)


def _percentage_points(drop: float | None) -> str:
    return _NONE if drop is None else f"{drop * 100:+.1f} pp"


def condition_tables(rows: Sequence[ConditionRow]) -> list[Grid]:
    """Return the behaviour of agents by condition, and their exits from interruptions.

    Args:
        rows: One per agent and condition.
    """
    loops = any(row.loops.successes for row in rows)
    missing = any(row.missing_done.trials for row in rows)
    behaviour = make_grid(
        "Behaviour by condition",
        (
            *("agent", "condition", "shown", "false done", "ambiguous", "steps", "×ref"),
            *(["missing done"] if missing else []),
            *(["loops"] if loops else []),
        ),
        (
            (
                format_agent(row.agent, row.reference),
                row.condition,
                format_share(row.triggered) if row.condition != "clean" else _NONE,
                format_share(row.false_done),
                format_share(row.ambiguous),
                format_mean(row.mean_steps),
                format_mean(row.inflation),
                *([format_share(row.missing_done)] if missing else []),
                *([format_share(row.loops)] if loops else []),
            )
            for row in rows
        ),
        [
            "false done: wrongly reported success; ambiguous: ended with an ambiguous answer",
            "steps: mean (of N episodes); ×ref: mean ratio to the reference solution (of N successes)",
            *(["missing done: reached the goal, and did not say done while it was met"] if missing else []),
            *(["loops: an action three times or more on the same screen"] if loops else []),
        ],
    )
    return [behaviour, *_exits_table(rows)]


def _exits_table(rows: Sequence[ConditionRow]) -> list[Grid]:
    """Return the exits from interruptions; empty if no interruption was shown."""
    roles = sorted({role for row in rows for role, _ in row.exits})
    if not roles:
        return []
    table = make_grid(
        "Exits from interruptions",
        ("agent", "condition", "N", "episodes", *roles, "steps"),
        (
            (
                format_agent(row.agent, row.reference),
                row.condition,
                str(row.interruptions),
                str(row.triggered.successes),
                *(str(dict(row.exits).get(role, 0)) for role in roles),
                format_mean(row.recovery),
            )
            for row in rows
            if row.exits
        ),
        [
            "N: interruptions shown, in this many valid episodes",
            "exits by the role of the pressed button, or by key; open: still on screen at the end",
            *(
                ["incomplete: the button's follow-up could not be performed in full"]
                if any(role.endswith(INCOMPLETE) for role in roles)
                else []
            ),
            "steps: mean from an interruption to its exit (of N that ended before the episode)",
        ],
    )
    return [table]


def follow_up_list(rows: Sequence[FollowUpRow]) -> TextList:
    """List at most ten interruptions whose follow-up could not be performed, with the main reason.

    Args:
        rows: One per agent, condition and interruption.
    """
    total = sum(row.incomplete for row in rows)
    lines = []
    for row in rows[:_MOST_ERRORS]:
        name = f"{row.interruption} {format_agent(row.agent, row.reference)} {row.condition}"
        lines.append(f"{name}: {row.incomplete} of {row.shown} shown: {_one_line(row.reasons[0][0])}")
    if len(rows) > _MOST_ERRORS:
        lines.append(f"and {len(rows) - _MOST_ERRORS} more")
    title = f"Follow-ups that could not be performed in full ({total}), counted as incomplete exits"
    return TextList(title, tuple(lines))


def left_out_list(left_out: Mapping[str, str], run: str = "") -> str:
    """List the rules that were never injected because the device could not perform them, by reason.

    Args:
        left_out: The reasons by rule.
        run: Name of the run, if there are several.
    """
    by_reason: dict[str, list[str]] = {}
    for rule, reason in left_out.items():
        by_reason.setdefault(reason, []).append(rule)
    where = f" in {run}" if run else ""
    return "\n".join(
        f"Left out{where}, since the device could not perform them: {', '.join(rules)} ({reason})"
        for reason, rules in by_reason.items()
    )


def drop_tables(rows: Sequence[DropRow]) -> list[Grid]:
    """Return the drop in success under interruptions, paired by task and seed, and the RSR."""
    names = [(format_agent(row.agent, row.reference), row.condition) for row in rows]
    drop = make_grid(
        "Clean against interrupted, paired by task and seed",
        ("agent", "condition", "SR clean", "SR interrupted", "drop", "95%", "p"),
        (
            (
                *name,
                format_rate(row.clean),
                format_rate(row.interrupted),
                _percentage_points(row.drop),
                _NONE if row.drop_interval is None else _points(row.drop_interval),
                _NONE if row.p_value is None else f"{row.p_value:.2g}",
            )
            for name, row in zip(names, rows, strict=True)
        ),
        [
            "N: pairs of two valid episodes (see left out)",
            "95%: of the drop, by the bootstrap over tasks, or Newcombe's if fewer than ten tasks differ",
            "p: exact sign-flip test over tasks, two-sided; with one seed it is McNemar's",
            *(
                f"left out of {row.agent}, {row.condition}: "
                + ", ".join(f"{reason} {count}" for reason, count in row.left_out)
                for row in rows
                if row.left_out
            ),
        ],
    )
    robust = make_grid(
        "Robust success rate (RSR): share of the tasks solved clean that are also solved interrupted",
        ("agent", "condition", "RSR", "RSR where shown"),
        (
            (
                *name,
                format_rate(row.rsr, row.rsr_interval),
                format_rate(row.rsr_shown, row.rsr_shown_interval),
            )
            for name, row in zip(names, rows, strict=True)
        ),
        [
            "N: pairs solved clean; where shown: only pairs whose interruption was on screen",
        ],
    )
    return [drop, robust]


def infeasible_table(rows: Sequence[InfeasibleRow], kind: str) -> Grid:
    """Return the results of infeasible tasks, which are in no other table.

    Args:
        rows: One per agent and condition.
        kind: ``virtual`` or ``real``.
    """
    return make_grid(
        f"Infeasible tasks ({kind} device)",
        ("agent", "condition", "right", "errors", "shown", "unseen", "false done", "harm", "false give-up"),
        (
            (
                format_agent(row.agent, row.reference),
                row.condition,
                format_rate(row.right),
                str(row.errors),
                _counts(row.triggered) if row.condition != "clean" else _NONE,
                *map(_counts, (row.unseen, row.false_done, row.harm, row.false_give_up)),
            )
            for row in rows
        ),
        [
            "right: saw why the task is infeasible, did no harm, and gave up; N excludes errors",
            "unseen: gave up without seeing the reason; harm: made a harmful change",
            "false give-up: feasible tasks that the agent gave up",
        ],
    )


def error_list(failed: Sequence[Summary]) -> TextList:
    """List at most ten of the episodes that ended in error, with reasons; no rate counts them."""
    return _reason_list("Ended in error, excluded from all rates", failed)


def agent_fault_list(failed: Sequence[Summary]) -> TextList:
    """List at most ten of the episodes in which the agent itself failed, which count as failures."""
    return _reason_list("Agent faults, counted as failures", failed)


def _reason_list(title: str, failed: Sequence[Summary]) -> TextList:
    lines = []
    for item in failed[:_MOST_ERRORS]:
        name = f"{item.task} {format_agent(item.agent, item.reference)} {item.condition}"
        lines.append(f"{name}: {_one_line(item.fault or item.reason)}")
    if len(failed) > _MOST_ERRORS:
        lines.append(f"and {len(failed) - _MOST_ERRORS} more")
    return TextList(f"{title} ({len(failed)})", tuple(lines))
