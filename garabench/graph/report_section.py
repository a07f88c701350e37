"""The sections of a report that trajectory graphs contribute, if ``garabench graph`` has read the runs."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from garabench.core.sections import (
    Block,
    CellFormat,
    Chart,
    ChartKind,
    ChartPoint,
    ChartSeries,
    Details,
    Paragraph,
    Section,
    Table,
    TableColumn,
)
from garabench.graph.analysis import GraphAnalysis, analyze, build_graphs
from garabench.graph.interruption_blocks import interruption_blocks
from garabench.graph.path_section import path_section
from garabench.graph.rate_cells import counts_text, rate_points
from garabench.graph.stored_trajectories import is_stored, load_trajectories
from garabench.graph.strategies import Strategy
from garabench.graph.suite_tables import AgreementRow, BinRow, GraphAgentRow
from garabench.records.episode import Episode
from garabench.records.reader import Run
from garabench.stats.rates import Rate

_MOST_TASKS = 20
_AGREEMENT: tuple[tuple[str, Callable[[AgreementRow], int]], ...] = (
    ("solved by all", lambda row: row.solved_by_all),
    ("solved by some", lambda row: row.solved_by_some),
    ("solved by none", lambda row: row.solved_by_none),
)


def sections(runs: Sequence[Run]) -> tuple[Section, ...]:
    """Return the sections; none if no run has stored trajectories.

    Raises:
        InputError: A record is broken or of a newer version.
    """
    stored = [run for run in runs if is_stored(run)]
    if not stored:
        return ()
    return analysis_sections(build_graphs(stored))


def episode_sections(run: Run, episode: Episode) -> tuple[Section, ...]:
    """Return the section of an episode's page: its path through the graph of its task.

    Raises:
        InputError: A record is broken or of a newer version.
    """
    if not is_stored(run):
        return ()
    analysis = analyze(load_trajectories(run, episode.key.task).trajectories)
    for task in analysis.tasks:
        for index, trajectory in enumerate(task.trajectories):
            if trajectory.id == f"{run.folder.name}/{episode.key}":
                return (path_section(task, index),)
    return ()


def analysis_sections(analysis: GraphAnalysis) -> tuple[Section, ...]:
    """Return the sections of an analysis; none without a trajectory."""
    if not analysis.tasks:
        return ()
    made = [
        Section("graph-agents", "Trajectories: agents", tuple(_agents(analysis))),
        Section("graph-structure", "Trajectories: graphs", tuple(_structure(analysis))),
        Section("graph-necessity", "Trajectories: necessary actions", tuple(_necessity(analysis))),
        Section("graph-behaviour", "Trajectories: strategies and agreement", tuple(_behaviour(analysis))),
    ]
    if analysis.detours:
        made.append(
            Section(
                "graph-interruptions", "Trajectories: interruptions", tuple(interruption_blocks(analysis))
            )
        )
    return tuple(made)


def _agent_name(row: GraphAgentRow) -> str:
    return f"{row.agent}*" if row.reference else row.agent


def _agents(analysis: GraphAnalysis) -> Iterator[Block]:
    rows = analysis.agents
    yield Table(
        "Agents by condition",
        (
            TableColumn("Agent"),
            TableColumn("Condition"),
            TableColumn("Success"),
            TableColumn("Success rate", CellFormat.PERCENT),
            TableColumn("Actions", CellFormat.NUMBER, "Mean number of actions."),
            TableColumn(
                "Necessary",
                CellFormat.PERCENT,
                "Share of the actions that were in no loop and changed something.",
            ),
            TableColumn(
                "Inflation",
                CellFormat.NUMBER,
                "Mean of the actions of a success over those of the task's shortest success.",
            ),
            TableColumn(
                "Early ends",
                CellFormat.PERCENT,
                "Share of the failures on solved tasks with fewer actions than the shortest success.",
            ),
        ),
        tuple(
            (
                _agent_name(row),
                row.condition or "unknown",
                counts_text(row.success),
                row.success.value,
                row.mean_actions,
                row.necessity.value,
                row.inflation,
                row.early.value,
            )
            for row in rows
        ),
        "* follows the reference solution. " + _left_out(analysis),
    )
    conditions = list(dict.fromkeys(row.condition for row in rows))
    yield Chart(
        "Necessary actions by agent",
        ChartKind.INTERVALS,
        "Agent",
        "Share of necessary actions",
        tuple(
            ChartSeries(
                condition or "unknown",
                tuple(
                    point
                    for row in rows
                    if row.condition == condition
                    for point in rate_points(_agent_name(row), row.necessity)
                ),
            )
            for condition in conditions
        ),
        CellFormat.PERCENT,
    )
    if len(analysis.attempts) > 1:
        yield Chart(
            "Learning curve: necessary actions and success by attempt",
            ChartKind.LINES,
            "Attempt at the same task",
            "Share",
            (
                ChartSeries(
                    "necessary actions",
                    tuple(
                        point for row in analysis.attempts for point in rate_points(row.name, row.necessity)
                    ),
                ),
                ChartSeries(
                    "success",
                    tuple(point for row in analysis.attempts for point in rate_points(row.name, row.success)),
                ),
            ),
            CellFormat.PERCENT,
        )
    else:
        yield Paragraph(
            "Each agent has tried each task once under each condition: there is no learning curve."
        )


def _left_out(analysis: GraphAnalysis) -> str:
    left = analysis.left_out
    parts = [
        f"{count} {reason}"
        for count, reason in (
            (left.unfinished, "not ended"),
            (left.errors, "ended in error"),
            (left.missed, "in which no interruption could be shown"),
        )
        if count
    ]
    return f"Left out, in episodes: {', '.join(parts)}." if parts else "No episode was left out."


def _structure(analysis: GraphAnalysis) -> Iterator[Block]:
    row = analysis.merging
    share = f"{row.shared_nodes.value:.1%}" if row.shared_nodes.value is not None else "none"
    yield Paragraph(
        f"{row.trajectories} trajectories of {row.tasks} tasks with {row.actions} steps became {row.nodes} "
        f"nodes and {row.edges} edges: {row.mean_nodes:.1f} nodes and {row.mean_edges:.1f} edges per task. "
        f"{share} of the nodes are shared by several trajectories; {row.tasks_with_shared.successes} of "
        f"{row.tasks} tasks have such a node."
    )
    yield _bins(
        "Tasks by complexity of the graph: nodes times edges over trajectories, in quarters",
        "Complexity",
        "Tasks",
        analysis.complexities,
    )
    yield Chart(
        "Success by complexity",
        ChartKind.INTERVALS,
        "Complexity",
        "Success rate",
        (
            ChartSeries(
                "success",
                tuple(point for one in analysis.complexities for point in rate_points(one.name, one.success)),
            ),
        ),
        CellFormat.PERCENT,
    )
    yield Chart(
        "Inflation by complexity",
        ChartKind.BARS,
        "Complexity",
        "Actions of a success over those of the shortest one",
        (
            ChartSeries(
                "mean inflation",
                tuple(
                    ChartPoint(one.name, one.inflation)
                    for one in analysis.complexities
                    if one.inflation is not None
                ),
            ),
        ),
    )
    yield _bins(
        "Trajectories by length",
        "Actions",
        "Trajectories",
        analysis.lengths,
        "Long trajectories fail more often also because a step limit ends them.",
    )
    yield Chart(
        "Success by length of the trajectory",
        ChartKind.INTERVALS,
        "Actions",
        "Success rate",
        (
            ChartSeries(
                "success",
                tuple(point for one in analysis.lengths for point in rate_points(one.name, one.success)),
            ),
        ),
        CellFormat.PERCENT,
    )
    yield Details("The most complex graphs", (_tasks(analysis),))


def _tasks(analysis: GraphAnalysis) -> Table:
    shown = sorted(analysis.tasks, key=lambda task: -task.graph.complexity)[:_MOST_TASKS]
    return Table(
        f"{len(shown)} of {len(analysis.tasks)} tasks",
        (
            TableColumn("Task"),
            TableColumn("Success"),
            TableColumn("Nodes", CellFormat.INTEGER),
            TableColumn("Edges", CellFormat.INTEGER),
            TableColumn("Complexity", CellFormat.NUMBER),
            TableColumn(
                "Diversity",
                CellFormat.NUMBER,
                "Normalized entropy of the paths: 0 all equal, 1 all different.",
            ),
            TableColumn("Clusters", CellFormat.INTEGER),
            TableColumn("Shortest success", CellFormat.INTEGER),
        ),
        tuple(
            (
                task.task,
                counts_text(task.graph.success),
                len(task.graph.nodes),
                len(task.graph.edges),
                task.graph.complexity,
                task.diversity.normalized,
                len(task.clusters.clusters),
                task.paths.shortest,
            )
            for task in shown
        ),
    )


def _bins(caption: str, name: str, count: str, rows: Sequence[BinRow], note: str = "") -> Table:
    return Table(
        caption,
        (
            TableColumn(name),
            TableColumn(count, CellFormat.INTEGER),
            TableColumn("Success"),
            TableColumn("Success rate", CellFormat.PERCENT),
            TableColumn("Necessary", CellFormat.PERCENT),
            TableColumn("Inflation", CellFormat.NUMBER),
        ),
        tuple(
            (
                row.name,
                row.count,
                counts_text(row.success),
                row.success.value,
                row.necessity.value,
                row.inflation,
            )
            for row in rows
        ),
        note,
    )


def _necessity(analysis: GraphAnalysis) -> Iterator[Block]:
    total = Rate(
        sum(row.necessity.successes for row in analysis.kinds),
        sum(row.necessity.trials for row in analysis.kinds),
    )
    if total.value is not None:
        yield Paragraph(
            f"{total.value:.1%} of {total.trials} actions were necessary. An action is unnecessary if it "
            "changed nothing, or if it is in a loop that led back to an earlier state. done and give_up "
            "are not among them: they end a trajectory. No model judges it."
        )
    for caption, name, rows in (
        ("By kind of action", "Kind", analysis.kinds),
        ("By number of the action", "Number", analysis.steps),
        ("By third of the trajectory", "Third", analysis.phases),
    ):
        yield Table(
            caption,
            (
                TableColumn(name),
                TableColumn("Actions", CellFormat.INTEGER),
                TableColumn("Necessary", CellFormat.PERCENT),
            ),
            tuple((row.name, row.count, row.necessity.value) for row in rows),
        )
    yield Chart(
        "Necessary actions by kind",
        ChartKind.INTERVALS,
        "Kind of action",
        "Share of necessary actions",
        (
            ChartSeries(
                "actions", tuple(p for row in analysis.kinds for p in rate_points(row.name, row.necessity))
            ),
        ),
        CellFormat.PERCENT,
    )
    for title, name, rows in (
        ("Necessary actions by third of the trajectory", "Third", analysis.phases),
        ("Necessary actions by number of the action", "Number of the action", analysis.steps),
    ):
        yield Chart(
            title,
            ChartKind.INTERVALS,
            name,
            "Share of necessary actions",
            (ChartSeries("actions", tuple(p for row in rows for p in rate_points(row.name, row.necessity))),),
            CellFormat.PERCENT,
        )
    yield Chart(
        "Necessary actions by complexity of the task",
        ChartKind.INTERVALS,
        "Complexity",
        "Share of necessary actions",
        (
            ChartSeries(
                "actions",
                tuple(p for row in analysis.complexities for p in rate_points(row.name, row.necessity)),
            ),
        ),
        CellFormat.PERCENT,
    )


def _behaviour(analysis: GraphAnalysis) -> Iterator[Block]:
    conditions = list(dict.fromkeys(row.condition for row in analysis.agents))
    yield Table(
        "Strategies of the successes",
        (
            TableColumn("Agent"),
            TableColumn("Condition"),
            *(TableColumn(strategy.value, CellFormat.INTEGER) for strategy in Strategy),
        ),
        tuple(
            (
                _agent_name(row),
                row.condition or "unknown",
                *(row.strategies[strategy] for strategy in Strategy),
            )
            for row in analysis.agents
        ),
        "direct: at most 1.25 times the shortest success, and at most 10% unnecessary actions; exploratory: "
        "at least twice the shortest success, or at least 30% unnecessary actions; hybrid: between the two.",
    )
    yield Chart(
        "Strategies by condition",
        ChartKind.BARS,
        "Condition",
        "Successes",
        tuple(
            ChartSeries(
                strategy.value,
                tuple(
                    ChartPoint(
                        condition or "unknown",
                        float(
                            sum(
                                row.strategies[strategy]
                                for row in analysis.agents
                                if row.condition == condition
                            )
                        ),
                    )
                    for condition in conditions
                ),
            )
            for strategy in Strategy
        ),
        CellFormat.INTEGER,
    )
    if any(row.agents > 1 for row in analysis.agreement):
        yield Table(
            "Agreement: tasks that all agents have tried",
            (
                TableColumn("Condition"),
                TableColumn("Agents", CellFormat.INTEGER),
                TableColumn("Tasks", CellFormat.INTEGER),
                TableColumn("Solved by all", CellFormat.INTEGER),
                TableColumn("Solved by some", CellFormat.INTEGER),
                TableColumn("Solved by none", CellFormat.INTEGER),
            ),
            tuple(
                (
                    row.condition or "unknown",
                    row.agents,
                    row.tasks,
                    row.solved_by_all,
                    row.solved_by_some,
                    row.solved_by_none,
                )
                for row in analysis.agreement
            ),
            "Reference agents are left out unless there are no two others: they know the solution.",
        )
        yield Chart(
            "Agreement of the agents by condition",
            ChartKind.BARS,
            "Condition",
            "Tasks",
            tuple(
                ChartSeries(
                    name,
                    tuple(
                        ChartPoint(row.condition or "unknown", float(number(row)))
                        for row in analysis.agreement
                    ),
                )
                for name, number in _AGREEMENT
            ),
            CellFormat.INTEGER,
            stacked=True,
        )
        yield Details("Agreement by task", (_task_agreement(analysis),))
    common, early = analysis.common_beginning, analysis.early_ends
    words = []
    if common.value is not None:
        words.append(
            f"{common.value:.1%} of the successes ({counts_text(common)}) begin with the same three actions "
            "as a success of another agent."
        )
    if early.value is not None:
        words.append(
            f"{early.value:.1%} of the failures ({counts_text(early)}), on tasks that were solved, ended "
            "with fewer actions than the shortest success."
        )
    words.append(
        f"Mean diversity of the paths {analysis.merging.mean_diversity:.2f}, mean number of clusters "
        f"{analysis.merging.mean_clusters:.1f}."
    )
    yield Paragraph(" ".join(words))


def _task_agreement(analysis: GraphAnalysis) -> Table:
    return Table(
        "Which agents solved each task: more than half of their trajectories succeeded",
        (
            TableColumn("Condition"),
            TableColumn("Task"),
            TableColumn("Agents", CellFormat.INTEGER),
            TableColumn("Solved by"),
            TableColumn("Which"),
        ),
        tuple(
            (
                each.condition or "unknown",
                each.task,
                len(each.agents),
                each.solved_by,
                ", ".join(each.solvers) or "–",
            )
            for each in analysis.task_agreement
        ),
    )
