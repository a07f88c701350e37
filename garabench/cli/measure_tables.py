"""Tables of the measures other than success: what is established, recovery, seeds, breakdowns, power."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from garabench.cli.table_formats import Grid, TextList, make_grid
from garabench.cli.tables import format_mean, format_rate, format_share
from garabench.core.phrases import counted
from garabench.stats.breakdown import BreakdownRow, GroupedBy
from garabench.stats.comparability import Incomparable
from garabench.stats.excluded import ExcludedRow
from garabench.stats.paired_comparisons import Contrast
from garabench.stats.power_analysis import PowerRow
from garabench.stats.recovery import RecoveryRow
from garabench.stats.repeats import RepeatRow
from garabench.stats.side_effects import SideEffectRow
from garabench.stats.statements import Statement

_MOST_STATEMENTS = 15
_NONE = "–"


def warning_list(warnings: Sequence[Incomparable]) -> TextList:
    """List why runs are not fully comparable."""
    return TextList(
        "These runs are not fully comparable (--strict refuses them)",
        tuple(each.message for each in warnings),
    )


def statement_lists(statements: Sequence[Statement]) -> list[TextList]:
    """List what is established and what is not; each list is cut after some lines."""
    established = [each.text for each in statements if each.established]
    others = [each.text for each in statements if not each.established]
    return [
        _cut(title, texts)
        for title, texts in (("Established differences", established), ("Not established", others))
        if texts
    ]


def _cut(title: str, texts: Sequence[str]) -> TextList:
    lines = list(texts[:_MOST_STATEMENTS])
    if len(texts) > _MOST_STATEMENTS:
        lines.append(f"and {len(texts) - _MOST_STATEMENTS} more, which --json lists")
    return TextList(f"{title} ({len(texts)})", tuple(lines), wrapped=True)


def older_results() -> str:
    """Explain why nothing is known about recovery."""
    return (
        "Recovery, loops and breakdowns are not known: an older GaraBench wrote these results.\n"
        "To compute them from the records: garabench runs rebuild RUN"
    )


def recovery_table(rows: Sequence[RecoveryRow]) -> Grid:
    """Return what followed interruptions, by agent and condition."""
    notes = [
        "N: interruptions shown; same, another, never: the screen of the app that came back",
        "steps, s: means from shown to that screen (of N that came back)",
        "drift: an action that refers to what is gone",
    ]
    unknown = sum(row.unknown for row in rows)
    if unknown:
        notes.append(
            f"left out: {counted(unknown, 'interruption')} whose record does not show what followed"
            f" ({sum(row.drift_unknown for row in rows)} for drift)"
        )
    return make_grid(
        "Recovery from interruptions",
        ("agent", "condition", "N", "same", "another", "never", "steps", "s", "drift"),
        (
            (
                _agent(row),
                row.condition,
                str(row.shown),
                *map(format_share, (row.same, row.another, row.never)),
                format_mean(row.steps),
                format_mean(row.seconds),
                format_share(row.drift),
            )
            for row in rows
        ),
        notes,
    )


_MOST_KINDS = 6


def side_effect_tables(rows: Sequence[SideEffectRow]) -> list[Grid | TextList]:
    """Return strict success and side effects by agent and condition, and the kinds of side effects."""
    unknown = sum(row.unknown for row in rows)
    notes = [
        "strict SR: goal met and nothing changed that the task does not ask for",
        "side effects: episodes with such a change, regardless of their outcome",
        "new, gone: pairs with one only under interruption, only clean",
        "p: exact sign-flip test over tasks, two-sided; with one seed it is McNemar's",
    ]
    if unknown:
        notes.append(f"left out: {counted(unknown, 'episode')} whose side effects are unknown")
    table = make_grid(
        "Side effects",
        ("agent", "condition", "SR", "strict SR", "side effects", "new", "gone", "p"),
        (
            (
                _agent(row),
                row.condition,
                format_share(row.success),
                format_share(row.strict),
                format_rate(row.side_effects),
                *_changed(row),
            )
            for row in rows
        ),
        notes,
    )
    kinds = tuple(f"{_agent(row)}, {row.condition}: {_kinds(row)}" for row in rows if row.kinds)
    return [table, TextList("Kinds of side effects", kinds, wrapped=True)] if kinds else [table]


def _changed(row: SideEffectRow) -> tuple[str, str, str]:
    if row.paired is None or row.p_value is None:
        return _NONE, _NONE, _NONE
    return str(row.paired.only_second), str(row.paired.only_first), f"{row.p_value:.3f}"


def _kinds(row: SideEffectRow) -> str:
    shown = ", ".join(f"{kind} {count}" for kind, count in row.kinds[:_MOST_KINDS])
    more = len(row.kinds) - _MOST_KINDS
    return f"{shown}, and {counted(more, 'more kind')}" if more > 0 else shown


def repeat_table(rows: Sequence[RepeatRow]) -> Grid:
    """Return agreement, flips, pass@k and pass^k over seeds."""
    numbers = range(2, 1 + max(row.seeds for row in rows))
    return make_grid(
        "Repeated seeds",
        (
            "agent",
            "condition",
            "tasks",
            "agree",
            "flips",
            *(f"{name}{k}" for k in numbers for name in ("@", "^")),
        ),
        (
            (
                _agent(row),
                row.condition,
                str(row.tasks),
                _percent(row.agreement),
                format_share(row.flips),
                *(
                    _percent(values[k - 1]) if k <= row.seeds else _NONE
                    for k in numbers
                    for values in (row.pass_at, row.pass_hat)
                ),
            )
            for row in rows
        ),
        [
            "tasks: those with several valid seeds; agree: pairs of seeds with the same outcome",
            "flips: tasks whose outcomes differ; @k: at least one of k attempts solves it; ^k: all of k",
            *(
                f"{_agent(row)}, {row.condition}: @{k} and ^{k} are over {row.tasks_of[k - 1]} of "
                f"{counted(row.tasks_of[0], 'task')}; the others have fewer than {k} valid seeds"
                for row in rows
                for k in numbers
                if k <= row.seeds and row.left_out[k - 1]
            ),
        ],
    )


def breakdown_table(rows: Sequence[BreakdownRow], by: GroupedBy) -> Grid:
    """Return success by app, category, mode, depth, interruption or exit."""
    return make_grid(
        f"Success by {by}",
        ("agent", "condition", "group", "SR", "RSR", "interruptions", "recovered"),
        (
            (
                _agent(row),
                row.condition,
                row.group,
                format_rate(row.success),
                format_share(row.rsr),
                str(row.interruptions),
                format_share(row.recovered),
            )
            for row in rows
        ),
        ["an episode is in the group of each of its interruptions, so groups do not add up"]
        if by is not GroupedBy.APP
        else [],
    )


def excluded_table(rows: Sequence[ExcludedRow]) -> Grid:
    """Return the episodes that are in no rate, by kind."""
    return make_grid(
        "Episodes in no rate",
        ("agent", "condition", "why", "kind", "episodes", "of"),
        (
            (
                _agent(row),
                row.condition,
                row.exclusion.value,
                row.kind or _NONE,
                str(row.count),
                str(row.episodes),
            )
            for row in rows
        ),
        ["of: all ended episodes of the agent under the condition"],
    )


def power_table(rows: Sequence[PowerRow], difference: float, reference: Collection[str]) -> Grid:
    """Return how many tasks or seeds a difference of success rates needs; `reference` agents are marked."""

    def agent(name: str) -> str:
        return f"{name}*" if name in reference else name

    return make_grid(
        f"Power: what it takes to find a difference of {difference * 100:g} points",
        ("agent", "other agent", "condition", "tasks", "seeds", "detectable", "tasks needed", "seeds needed"),
        (
            (
                agent(row.first),
                "clean" if row.contrast is Contrast.INTERRUPTED else agent(row.second),
                row.condition,
                str(row.tasks),
                f"{row.seeds:.3g}",
                _NONE if row.detectable is None else f"{row.detectable * 100:.1f} pp",
                _NONE if row.tasks_needed is None else str(row.tasks_needed),
                _seeds(row),
            )
            for row in rows
        ),
        [
            "detectable: smallest difference found with 80% power at p ≤ .05 with these tasks and seeds",
            "needed: tasks with as many seeds, or seeds with as many tasks, by the observed variance",
            "seeds needed: ? without a task of several seeds; none if no number suffices",
        ],
    )


def _seeds(row: PowerRow) -> str:
    if not row.seeds_known:
        return "?"
    return "none" if row.seeds_needed is None else str(row.seeds_needed)


def _agent(row: RecoveryRow | RepeatRow | BreakdownRow | ExcludedRow | SideEffectRow) -> str:
    return f"{row.agent}*" if row.reference else row.agent


def _percent(value: float | None) -> str:
    return _NONE if value is None else f"{value:.0%}"
