"""Failures and errors by kind, with the last screens of some."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from garabench.core import events as ev
from garabench.core.sections import (
    Block,
    CellFormat,
    Chart,
    ChartKind,
    ChartPoint,
    ChartSeries,
    Details,
    Paragraph,
    Picture,
    Section,
    Table,
    TableColumn,
)
from garabench.errors import InputError
from garabench.records.results import Summary
from garabench.report.report_input import ReportInput, episode_groups
from garabench.report.wording import agent_label, reason_words
from garabench.stats.excluded import ExcludedRow, Exclusion
from garabench.web.display_text import short_label

EXAMPLES = 4
"""Pictures of each kind of failure."""
MAX_KINDS = 8
"""Kinds of failure with pictures."""
MAX_FAULTS = 20
"""Rows of the tables of faults."""


def failure_section(given: ReportInput, *, pictures: bool = True) -> Section:
    """Return the section.

    Args:
        given: The runs.
        pictures: Whether to show last screens, which reads some logs.
    """
    return Section("failures", "Failures and errors", tuple(_blocks(given, pictures)))


def _blocks(given: ReportInput, pictures: bool) -> Iterator[Block]:
    failed = [each for each in given.summaries if each.outcome == "failure" and each.counts]
    errors = [each for each in given.summaries if each.outcome == "error"]
    if not given.summaries:
        yield Paragraph("No episode has ended yet.")
        return
    if failed:
        yield Paragraph("How the episodes ended that count as failures of the agent.")
        yield _chart(given.summaries)
        yield _table(given.summaries)
        if pictures:
            yield from _examples(given, failed)
    else:
        yield Paragraph("No valid episode failed.")
    if infeasible := [each for each in given.summaries if each.infeasible]:
        yield _infeasible(infeasible)
    if own := Counter((each.agent, each.reason, each.fault) for each in failed if each.fault):
        yield Table(
            "Faults of the agents themselves",
            (
                TableColumn("Agent"),
                TableColumn("Reason"),
                TableColumn("Fault"),
                TableColumn("Episodes", CellFormat.INTEGER),
            ),
            tuple(
                (agent, reason_words(reason), fault, count)
                for (agent, reason, fault), count in own.most_common(MAX_FAULTS)
            ),
            _cut_note(len(own)),
        )
    if rows := given.tables.excluded:
        yield _excluded_table(rows)
    if not errors:
        yield Paragraph("No episode ended in error.")


def _excluded_table(rows: Sequence[ExcludedRow]) -> Table:
    words = {
        Exclusion.ERROR: "error",
        Exclusion.UNKNOWN: "unknown outcome",
        Exclusion.NOT_SHOWN: "interruption not shown",
    }
    return Table(
        f"Episodes in no rate: {sum(row.count for row in rows):,}",
        (
            TableColumn("Agent"),
            TableColumn("Condition"),
            TableColumn("Why"),
            TableColumn("Kind", help="For an error, who is at fault and the class of the error."),
            TableColumn("Episodes", CellFormat.INTEGER),
            TableColumn("of", CellFormat.INTEGER, "All ended episodes of the agent under the condition."),
            TableColumn("Example", help="The message of the first of them."),
        ),
        tuple(
            (
                agent_label(row.agent, row.reference),
                row.condition,
                words[row.exclusion],
                row.kind,
                row.count,
                row.episodes,
                row.example,
            )
            for row in rows[:MAX_FAULTS]
        ),
        "An error is a fault of the device, the model or GaraBench, and says nothing about the agent."
        + _cut_note(len(rows)),
    )


def _cut_note(count: int) -> str:
    return f" The {MAX_FAULTS} most frequent of {count} are listed." if count > MAX_FAULTS else ""


def _reasons(group: Sequence[Summary]) -> Counter[str]:
    return Counter(each.reason for each in group if each.counts and each.outcome == "failure")


def _chart(summaries: Sequence[Summary]) -> Chart:
    groups = dict(episode_groups(summaries))
    valid = {key: sum(each.counts for each in group) for key, group in groups.items()}
    reasons = {key: found for key, group in groups.items() if (found := _reasons(group))}
    names = [name for name, _ in sum(reasons.values(), Counter[str]()).most_common()]
    return Chart(
        "Failures as shares of the valid episodes, by the reason of the end",
        ChartKind.BARS,
        "Agent and condition",
        "Share of valid episodes",
        tuple(
            ChartSeries(
                reason_words(name),
                tuple(
                    ChartPoint(f"{agent}, {condition}", counts[name] / max(1, valid[agent, condition]))
                    for (agent, condition), counts in reasons.items()
                    if counts[name] or (name == names[0] and valid[agent, condition])
                ),
            )
            for name in names
        ),
        CellFormat.PERCENT,
        stacked=True,
    )


def _table(summaries: Sequence[Summary]) -> Table:
    groups = dict(episode_groups(summaries))
    reasons = {key: _reasons(group) for key, group in groups.items()}
    names = [name for name, _ in sum(reasons.values(), Counter[str]()).most_common()]
    return Table(
        "Failures by agent, condition and reason",
        (
            TableColumn("Agent"),
            TableColumn("Condition"),
            TableColumn("Valid episodes", CellFormat.INTEGER),
            TableColumn("Failures", CellFormat.INTEGER),
            *(TableColumn(reason_words(name), CellFormat.INTEGER) for name in names),
        ),
        tuple(
            (
                agent_label(agent, groups[agent, condition][0].reference),
                condition,
                sum(each.counts for each in groups[agent, condition]),
                counts.total(),
                *(counts[name] for name in names),
            )
            for (agent, condition), counts in reasons.items()
        ),
    )


def _infeasible(group: Sequence[Summary]) -> Table:
    counts = Counter((each.agent, each.condition, each.outcome, each.reason) for each in group)
    return Table(
        "Tasks that cannot be done: giving up without harm is right. They are in no other table",
        (
            TableColumn("Agent"),
            TableColumn("Condition"),
            TableColumn("Outcome"),
            TableColumn("Reason"),
            TableColumn("Episodes", CellFormat.INTEGER),
        ),
        tuple(
            (agent, condition, outcome, reason_words(reason), count)
            for (agent, condition, outcome, reason), count in counts.items()
        ),
    )


def _examples(given: ReportInput, failed: Sequence[Summary]) -> Iterator[Details]:
    """Yield the last screens of some failures of each kind: of different agents and conditions first."""
    kinds = Counter(each.reason for each in failed)
    for reason, count in kinds.most_common(MAX_KINDS):
        ours = [each for each in failed if each.reason == reason]
        seen: Counter[tuple[str, str]] = Counter()
        ranks = []
        for each in ours:
            ranks.append(seen[each.agent, each.condition])
            seen[each.agent, each.condition] += 1
        order = sorted(range(len(ours)), key=lambda index: ranks[index])
        pictures = tuple(
            picture for index in order[:EXAMPLES] if (picture := _last_screen(given, ours[index])) is not None
        )
        if pictures:
            title = f"{reason_words(reason).capitalize()}: last screens of {len(pictures)} of {count:,}"
            yield Details(title, pictures)


def _last_screen(given: ReportInput, summary: Summary) -> Picture | None:
    episode = given.run_of(summary).episode(summary.key)
    if episode is None:
        return None
    try:
        events = episode.events
    except InputError:
        return None  # a damaged log has no last screen; `garabench runs fsck` names it
    screens = [event.screen for event in events if isinstance(event, ev.Observed | ev.FinalObserved)]
    reason = next((event.reason for event in reversed(events) if isinstance(event, ev.GoalChecked)), "")
    words = f"{summary.task}, {summary.agent}, {summary.condition}. {short_label(reason, 120)}"
    return Picture(screens[-1], f"Last screen of {summary.task}", words.strip()) if screens else None
