"""The interruptions: how often they were shown, and what agents did with them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

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
from garabench.records.episode import Episode
from garabench.records.plan import CLEAN
from garabench.records.results import INCOMPLETE, Summary
from garabench.report.report_input import ReportInput, episode_groups
from garabench.report.wording import agent_label, interval_text, mean_text, rate_text, reason_words
from garabench.stats.breakdown import UNRECORDED, BreakdownRow, GroupedBy
from garabench.stats.rates import Rate
from garabench.stats.recovery import RecoveryRow

MAX_PICTURES = 24
"""Pictures of interruptions; each is read from one episode's log."""


def interruption_section(given: ReportInput, *, pictures: bool = True) -> Section:
    """Return the section.

    Args:
        given: The runs.
        pictures: Whether to show a picture of each interruption, which reads some logs.
    """
    return Section("interruptions", "Interruptions", tuple(_blocks(given, pictures)))


def _blocks(given: ReportInput, pictures: bool) -> Iterator[Block]:
    valid = [each for each in given.summaries if each.counts and each.condition != CLEAN]
    if set(given.conditions) <= {CLEAN}:
        yield Paragraph("Every episode was clean: no interruption was planned.")
        return
    if not any(each.shown for each in valid):
        yield Paragraph("No interruption was shown in a valid episode.")
        if missed := Counter(kind for each in given.summaries for kind in each.missed):
            yield _missed_table(missed)
        return
    yield Paragraph(
        "An interruption ends by an exit: a button, whose role is dismiss, accept or exit, or leaving it "
        "(back, home, another app). It is open if it was still on screen at the end of the episode."
    )
    yield _exit_chart(given.summaries)
    yield _exit_table(given)
    yield _recovery_table(given.tables.recovery)
    yield _by_interruption(valid)
    yield from _breakdowns(given)
    if follow_ups := given.tables.follow_ups:
        yield Table(
            "Follow-ups that the device could not perform in full",
            (
                TableColumn("Agent"),
                TableColumn("Condition"),
                TableColumn("Interruption"),
                TableColumn("Shown", CellFormat.INTEGER),
                TableColumn("Incomplete", CellFormat.INTEGER),
                TableColumn("First step that failed, and why"),
            ),
            tuple(
                (
                    agent_label(row.agent, row.reference),
                    row.condition,
                    row.interruption,
                    row.shown,
                    row.incomplete,
                    "; ".join(f"{reason} ({count})" for reason, count in row.reasons),
                )
                for row in follow_ups
            ),
            "Such an exit costs an agent less than it should.",
        )
    if missed := Counter(kind for each in given.summaries for kind in each.missed):
        yield _missed_table(missed)
    if pictures and (shots := tuple(_pictures(given, valid))):
        yield Details(f"What they look like ({len(shots)})", shots)


def _exit_name(exit_: str) -> str:
    return f"{exit_.removesuffix(INCOMPLETE)}, follow-up incomplete" if exit_.endswith(INCOMPLETE) else exit_


def _exits(group: Sequence[Summary]) -> Counter[str]:
    return Counter(_exit_name(exit_) for each in group if each.counts for exit_ in each.exits)


def _exit_chart(summaries: Sequence[Summary]) -> Chart:
    groups = {
        key: exits
        for key, group in episode_groups(summaries)
        if key[1] != CLEAN and (exits := _exits(group)).total()
    }
    names = [name for name, _ in sum(groups.values(), Counter[str]()).most_common()]
    return Chart(
        "Exits that agents chose, as shares of the interruptions shown",
        ChartKind.BARS,
        "Agent and condition",
        "Share of interruptions",
        tuple(
            ChartSeries(
                name,
                tuple(
                    ChartPoint(f"{agent}, {condition}", exits[name] / exits.total())
                    for (agent, condition), exits in groups.items()
                    if exits[name] or name == names[0]  # so that the rows keep their order
                ),
            )
            for name in names
        ),
        CellFormat.PERCENT,
        stacked=True,
    )


def _exit_table(given: ReportInput) -> Table:
    rows = [row for row in given.tables.conditions if row.condition != CLEAN]
    exits = {key: _exits(group) for key, group in episode_groups(given.summaries)}
    names = [name for name, _ in sum(exits.values(), Counter[str]()).most_common()]
    return Table(
        "Exits and recovery by agent and condition, over valid episodes",
        (
            TableColumn("Agent"),
            TableColumn("Condition"),
            TableColumn("Interrupted", help="Trigger rate: valid episodes in which one was shown."),
            TableColumn("Shown", CellFormat.INTEGER, "Interruptions shown; an episode can show several."),
            *(TableColumn(name, CellFormat.INTEGER) for name in names),
            TableColumn(
                "Steps to exit",
                help="Mean steps from an interruption to its end (of so many that ended before the episode).",
            ),
        ),
        tuple(
            (
                agent_label(row.agent, row.reference),
                row.condition,
                rate_text(row.triggered),
                row.interruptions,
                *(exits[row.agent, row.condition][name] for name in names),
                mean_text(row.recovery),
            )
            for row in rows
        ),
    )


def _recovery_table(rows: Sequence[RecoveryRow]) -> Table:
    return Table(
        "After the interruption: recovery and perception drift, by agent and condition",
        (
            TableColumn("Agent"),
            TableColumn("Condition"),
            TableColumn("Shown", CellFormat.INTEGER, "Interruptions shown in valid episodes."),
            TableColumn("Same screen", help="The interrupted screen came back."),
            TableColumn("Another", help="Another screen of the app came."),
            TableColumn("Never", help="The app did not come back."),
            TableColumn("Steps", help="Mean steps from shown to back on the path (of so many)."),
            TableColumn("Seconds", help="Mean time from shown to back on the path (of so many)."),
            TableColumn("Drift", help="Followed by an action that refers to what the interruption removed."),
            TableColumn("Not known", CellFormat.INTEGER, "Their records do not show what followed."),
        ),
        tuple(
            (
                agent_label(row.agent, row.reference),
                row.condition,
                row.shown,
                rate_text(row.same),
                rate_text(row.another),
                rate_text(row.never),
                mean_text(row.steps),
                mean_text(row.seconds),
                rate_text(row.drift),
                row.unknown,
            )
            for row in rows
        ),
    )


def _breakdowns(given: ReportInput) -> Iterator[Details]:
    """Yield success by app, category and so on; of contenders, if there are any."""
    for dimension in GroupedBy:
        rows = [row for row in given.tables.breakdown(dimension) if row.condition != CLEAN]
        rows = [row for row in rows if not row.reference] or rows
        recorded = any(row.group != UNRECORDED for row in rows)
        if recorded and dimension is not GroupedBy.INTERRUPTION:  # which has a separate table
            yield Details(f"Success by {dimension.value}", (_breakdown_table(rows, dimension),))


def _breakdown_table(rows: Sequence[BreakdownRow], dimension: GroupedBy) -> Table:
    return Table(
        f"Success of interrupted episodes by {dimension.value}",
        (
            TableColumn(dimension.value.capitalize()),
            TableColumn("Agent"),
            TableColumn("Condition"),
            TableColumn("Success rate", CellFormat.PERCENT),
            TableColumn("95% interval", help="Wilson's interval."),
            TableColumn("Episodes", CellFormat.INTEGER, "Valid episodes of the group."),
            TableColumn("RSR", help="Solved here, of the pairs solved clean."),
            TableColumn("Interruptions", CellFormat.INTEGER),
            TableColumn("Recovered", help="Interruptions after which the app came back."),
        ),
        tuple(
            (
                row.group,
                agent_label(row.agent, row.reference),
                row.condition,
                row.success.value,
                interval_text(row.success.interval()),
                row.success.trials,
                rate_text(row.rsr),
                row.interruptions,
                rate_text(row.recovered),
            )
            for row in sorted(rows, key=lambda row: row.group)
        ),
        "An episode with interruptions of several groups is in each of them.",
    )


def _by_interruption(valid: Sequence[Summary]) -> Table:
    groups: dict[tuple[str, str], dict[str, list[Summary]]] = {}
    agents = {each.agent: each.reference for each in valid}
    for each in valid:
        for name, category in dict.fromkeys(
            (i.interruption, i.category) for i in each.interruptions if i.shown
        ):
            groups.setdefault((name, category), {}).setdefault(each.agent, []).append(each)
    rows = []
    for (name, category), by_agent in sorted(groups.items()):
        episodes = [each for group in by_agent.values() for each in group]
        cells = [_rate_text(by_agent.get(agent, [])) for agent in agents]
        rows.append((name, category, len(episodes), *cells))
    return Table(
        "Success of the valid episodes that showed an interruption, by interruption",
        (
            TableColumn("Interruption"),
            TableColumn("Category"),
            TableColumn("Episodes", CellFormat.INTEGER),
            *(TableColumn(agent_label(*agent)) for agent in agents.items()),
        ),
        tuple(rows),
        "An episode that showed several interruptions is counted in several rows.",
    )


def _rate_text(group: Sequence[Summary]) -> str | None:
    solved = Rate(sum(each.outcome == "success" for each in group), len(group))
    return f"{solved.successes}/{solved.trials}" if group else None


def _missed_table(missed: Counter[str]) -> Table:
    return Table(
        "Interruptions that could not be shown, by reason",
        (TableColumn("Reason"), TableColumn("Interruptions", CellFormat.INTEGER)),
        tuple((kind.replace("_", " "), count) for kind, count in missed.most_common()),
        "An episode in which none could be shown is in no rate.",
    )


def _pictures(given: ReportInput, valid: Sequence[Summary]) -> Iterator[Picture]:
    """Yield one picture of each interruption, from the first episode that showed it."""
    found: set[str] = set()
    for summary in valid:
        names = {each.interruption for each in summary.interruptions if each.shown} - found
        if not names or len(found) >= MAX_PICTURES:
            continue
        episode = given.run_of(summary).episode(summary.key)
        if episode is None:
            continue
        for name, picture in _shown(episode):
            if name in names and name not in found:
                found.add(name)
                words = (
                    f"{summary.task}, {summary.agent}, {summary.condition}: {reason_words(summary.reason)}"
                )
                yield Picture(picture, f"Screen with the interruption {name}", f"{name}. {words}.")


def _shown(episode: Episode) -> Iterator[tuple[str, str]]:
    """Yield the interruptions that an episode showed, each with the picture of that moment."""
    try:
        observations, interruptions = episode.observations, episode.interruptions
    except InputError:
        return  # a damaged log has no pictures; `garabench runs fsck` names it
    for each in interruptions:
        if each.shown is not None:
            time = each.shown.t
            seen = [observation.event for observation in observations if observation.event.t <= time]
            if seen:
                yield each.id, seen[-1].screen
