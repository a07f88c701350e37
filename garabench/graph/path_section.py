"""An episode's path through the graph of its task, for the episode's page."""

from __future__ import annotations

from garabench.core.sections import CellFormat, Paragraph, Section, Table, TableColumn
from garabench.graph.task_analysis import TaskAnalysis


def path_section(task: TaskAnalysis, index: int) -> Section:
    """Return the steps of a trajectory with what all trajectories of its task say about them.

    Args:
        task: Analysis of the task.
        index: Index of the trajectory in it, from 0.
    """
    facts = task.paths.facts[index]
    graph = task.graph
    words = [f"The graph of this task has {len(graph.nodes)} nodes from {graph.trajectories} trajectories."]
    if facts.inflation is not None and facts.strategy is not None:
        words.append(f"Inflation {facts.inflation:.2f}, strategy {facts.strategy.value}.")
    words += [
        f"{detour.encounter.interruption}: "
        + (
            f"back on the clean graph after {detour.depth} actions."
            if detour.depth is not None
            else "never back."
        )
        for detour in task.view.detours
        if detour.trajectory.id == facts.trajectory.id and task.view.has_clean
    ]
    labels = {True: "yes", False: "no", None: "–"}
    rows = tuple(
        (
            step.number,
            step.action.label,
            labels[necessary],
            graph.nodes[node].value,
            graph.nodes[node].success.value,
            graph.nodes[node].trajectories,
        )
        for step, node, necessary in zip(facts.trajectory.steps, facts.path, facts.necessary, strict=True)
    )
    return Section(
        "graph",
        "Path through the graph",
        (
            Paragraph(" ".join(words)),
            Table(
                "Its steps, with what all trajectories say about them",
                (
                    TableColumn("Step", CellFormat.INTEGER),
                    TableColumn("Action"),
                    TableColumn("Necessary"),
                    TableColumn("Value", CellFormat.NUMBER, "Propagated outcome, from -1 to 1."),
                    TableColumn(
                        "Success", CellFormat.PERCENT, "Share of the trajectories through this node."
                    ),
                    TableColumn("Trajectories", CellFormat.INTEGER),
                ),
                rows,
            ),
        ),
    )
