"""A comparison as CSV: one number per line, with its interval and its denominator."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from dataclasses import dataclass, fields

from garabench.stats.breakdown import GroupedBy
from garabench.stats.intervals import Interval
from garabench.stats.means import Mean
from garabench.stats.measures import ConditionRow
from garabench.stats.rates import Rate
from garabench.stats.result_tables import ResultTables


@dataclass(frozen=True, slots=True)
class CsvLine:
    """A number; the names of the fields are the header of the file.

    Attributes:
        table: The table that it is from.
        agent, other_agent, condition: Whom it is about; `other_agent` only in comparisons.
        group: The group, in breakdowns; k, for pass@k and pass^k; the exit, for exits.
        measure: Its name.
        value: The number; None if it is not defined.
        low, high: Its 95% interval.
        numerator, denominator: The counts of a rate; of a mean, `denominator` is the number of its values.
        p_value, adjusted: The p-value, and after Holm's correction.
        tasks: Number of paired tasks; of repeated seeds, of tasks with so many seeds.
    """

    table: str
    agent: str
    condition: str
    measure: str
    value: float | None
    other_agent: str = ""
    group: str = ""
    low: float | None = None
    high: float | None = None
    numerator: int | None = None
    denominator: int | None = None
    p_value: float | None = None
    adjusted: float | None = None
    tasks: int | None = None


def comparison_csv(tables: ResultTables) -> str:
    """Return a comparison as CSV; model usage is in `--json` alone."""
    output = io.StringIO()
    names = [field.name for field in fields(CsvLine)]
    writer = csv.writer(output, lineterminator="\n")
    writer.writerow(names)
    for line in _lines(tables):
        writer.writerow(["" if (cell := getattr(line, name)) is None else cell for name in names])
    return output.getvalue()


def _rate(
    table: str,
    agent: str,
    condition: str,
    measure: str,
    rate: Rate,
    interval: Interval | None = None,
    group: str = "",
) -> CsvLine:
    low, high = interval or rate.interval() or (None, None)
    return CsvLine(
        table,
        agent,
        condition,
        measure,
        rate.value,
        group=group,
        low=low,
        high=high,
        numerator=rate.successes,
        denominator=rate.trials,
    )


def _mean(table: str, agent: str, condition: str, measure: str, mean: Mean) -> CsvLine:
    return CsvLine(table, agent, condition, measure, mean.value, denominator=mean.count)


def _lines(tables: ResultTables) -> Iterator[CsvLine]:
    for row in tables.conditions:
        yield from _condition(row)
    for drop in tables.drops:
        who = (drop.agent, drop.condition)
        low, high = drop.drop_interval or (None, None)
        yield CsvLine(
            "drops",
            *who,
            "drop",
            drop.drop,
            low=low,
            high=high,
            p_value=drop.p_value,
            denominator=drop.clean.trials,
        )
        yield _rate("drops", *who, "rsr", drop.rsr, drop.rsr_interval)
        yield _rate("drops", *who, "rsr_shown", drop.rsr_shown, drop.rsr_shown_interval)
    for each in tables.comparisons:
        low, high = each.interval or (None, None)
        yield CsvLine(
            f"comparisons of {each.contrast}",
            each.first,
            each.condition,
            "difference",
            each.difference,
            other_agent=each.second,
            low=low,
            high=high,
            denominator=each.pairs,
            p_value=each.p_value,
            adjusted=each.adjusted,
            tasks=each.tasks,
        )
    yield from _side_effects(tables)
    yield from _interruptions(tables)
    for repeat in tables.repeats:
        who = (repeat.agent, repeat.condition)
        yield CsvLine(
            "repeats", *who, "agreement", repeat.agreement, denominator=repeat.tasks, tasks=repeat.tasks
        )
        yield _rate("repeats", *who, "flips", repeat.flips)
        for k, (any_, all_) in enumerate(zip(repeat.pass_at, repeat.pass_hat, strict=True), start=1):
            tasks = repeat.tasks_of[k - 1]
            yield CsvLine("repeats", *who, "pass@k", any_, group=str(k), denominator=tasks, tasks=tasks)
            yield CsvLine("repeats", *who, "pass^k", all_, group=str(k), denominator=tasks, tasks=tasks)
    for by in GroupedBy:
        for part in tables.breakdown(by):
            name = f"breakdown by {by}"
            yield _rate(name, part.agent, part.condition, "success", part.success, group=part.group)
            yield _rate(name, part.agent, part.condition, "rsr", part.rsr, group=part.group)
    for item in tables.excluded:
        group = " ".join(filter(None, (item.exclusion.value, item.kind)))
        yield CsvLine(
            "excluded",
            item.agent,
            item.condition,
            "episodes",
            item.count,
            group=group,
            denominator=item.episodes,
        )
    for task in tables.infeasible:
        for measure in ("right", "unseen", "false_done", "harm", "false_give_up"):
            yield _rate("infeasible", task.agent, task.condition, measure, getattr(task, measure))


def _condition(row: ConditionRow) -> Iterator[CsvLine]:
    who = (row.agent, row.condition)
    yield _rate("conditions", *who, "success", row.success, row.interval)
    for measure in ("triggered", "false_done", "ambiguous", "missing_done", "loops"):
        yield _rate("conditions", *who, measure, getattr(row, measure))
    for measure in ("errors", "unknown"):
        yield CsvLine("conditions", *who, measure, getattr(row, measure))
    for measure in ("mean_steps", "inflation", "recovery"):
        yield _mean("conditions", *who, measure, getattr(row, measure))
    for exit_, count in row.exits:
        yield CsvLine("conditions", *who, "exits", count, group=exit_, denominator=row.interruptions)


def _side_effects(tables: ResultTables) -> Iterator[CsvLine]:
    for row in tables.side_effects:
        who = (row.agent, row.condition)
        yield _rate("side effects", *who, "strict", row.strict)
        yield _rate("side effects", *who, "side_effects", row.side_effects)
        yield CsvLine("side effects", *who, "unknown", row.unknown)
        for kind, count in row.kinds:
            yield CsvLine("side effects", *who, "kind", count, group=kind)
        for interruption, rate in row.damage_after:
            yield _rate("side effects", *who, "side_effects", rate, group=interruption)


def _interruptions(tables: ResultTables) -> Iterator[CsvLine]:
    for row in tables.recovery:
        who = (row.agent, row.condition)
        for measure in ("same", "another", "never", "drift", "text_gone", "target_gone"):
            yield _rate("recovery", *who, measure, getattr(row, measure))
        for measure in ("shown", "unknown", "drift_unknown"):
            yield CsvLine("recovery", *who, measure, getattr(row, measure))
        for measure in ("steps", "seconds"):
            yield _mean("recovery", *who, measure, getattr(row, measure))
