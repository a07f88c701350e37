"""The graphs as JSON-compatible data, GraphML and DOT."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from lxml import etree

from garabench.core.xml_text import replace_invalid
from garabench.graph.analysis import GraphAnalysis
from garabench.graph.canonical_action import CanonicalAction
from garabench.graph.consensus import ConsensusGraph, EdgeKind
from garabench.graph.detours import InterruptionState, InterruptionView
from garabench.graph.strategies import TrajectoryFacts
from garabench.graph.suite_tables import BinRow
from garabench.graph.task_analysis import TaskAnalysis
from garabench.stats.rates import Rate
from garabench.web.display_text import display_text

FORMAT_VERSION = 1
_MOST_LABEL = 200
"""Longer labels are shortened in DOT, whose drawings show all of a label; GraphML and JSON have all."""
_GRAPHML = "http://graphml.graphdrawing.org/xmlns"
_NODE_KEYS = {
    "task": "string",
    "label": "string",
    "kind": "string",
    "place": "string",
    "target": "string",
    "argument": "string",
    "wording": "string",
    "visits": "int",
    "trajectories": "int",
    "successful": "int",
    "starts": "int",
    "value": "double",
    "importance": "double",
    "mean_step": "double",
}
_EDGE_KEYS = {
    "count": "int",
    "successes": "int",
    "edge_trajectories": "int",
    "edge_successful": "int",
    "ratio": "double",
    "weight": "double",
    "class": "string",
}
_COLOURS = {
    EdgeKind.TRAP: "#c14a00",
    EdgeKind.BOTTLENECK: "#7a6400",
    EdgeKind.CRITICAL: "#00805c",
    EdgeKind.NORMAL: "#525a66",
}
SUCCESS, FAIL = "SUCCESS", "FAIL"


def analysis_data(analysis: GraphAnalysis) -> dict[str, Any]:
    """Return everything as JSON-compatible data; values that are not defined are null, never NaN."""
    left = analysis.left_out
    row = analysis.merging
    return {
        "version": FORMAT_VERSION,
        "options": {
            name: getattr(analysis.options, name)
            for name in ("theta", "gamma", "frequent", "rare", "trap", "critical", "least")
        },
        "left_out": {"unfinished": left.unfinished, "errors": left.errors, "missed": left.missed},
        "suite": {
            "merging": {
                "tasks": row.tasks,
                "trajectories": row.trajectories,
                "steps": row.actions,
                "nodes": row.nodes,
                "edges": row.edges,
                "step_nodes": row.step_nodes,
                "shared_nodes": _rate(row.shared_nodes),
                "tasks_with_shared": _rate(row.tasks_with_shared),
                "worded": _rate(row.worded),
                "mean_nodes": row.mean_nodes,
                "mean_edges": row.mean_edges,
                "mean_diversity": row.mean_diversity,
                "mean_clusters": row.mean_clusters,
            },
            "agents": [
                {
                    "agent": agent.agent,
                    "condition": agent.condition,
                    "reference": agent.reference,
                    "success": _rate(agent.success),
                    "mean_actions": agent.mean_actions,
                    "necessity": _rate(agent.necessity),
                    "inflation": agent.inflation,
                    "strategies": {strategy.value: count for strategy, count in agent.strategies.items()},
                    "early_ends": _rate(agent.early),
                }
                for agent in analysis.agents
            ],
            "by_length": _bins(analysis.lengths),
            "by_complexity": _bins(analysis.complexities),
            "by_kind": _bins(analysis.kinds),
            "by_step": _bins(analysis.steps),
            "by_phase": _bins(analysis.phases),
            "by_attempt": _bins(analysis.attempts),
            "agreement": [
                {
                    "condition": each.condition,
                    "agents": each.agents,
                    "solved_by_all": each.solved_by_all,
                    "solved_by_none": each.solved_by_none,
                    "solved_by_some": each.solved_by_some,
                }
                for each in analysis.agreement
            ],
            "task_agreement": [
                {
                    "task": each.task,
                    "condition": each.condition,
                    "agents": list(each.agents),
                    "solvers": list(each.solvers),
                    "solved_by": each.solved_by,
                }
                for each in analysis.task_agreement
            ],
            "strategies": {strategy.value: count for strategy, count in analysis.strategies.items()},
            "common_beginning": _rate(analysis.common_beginning),
            "early_ends": _rate(analysis.early_ends),
            "interruptions": [_state(state) for state in analysis.interruptions()],
        },
        "tasks": [_task(task) for task in analysis.tasks],
    }


def _rate(rate: Rate) -> dict[str, Any]:
    interval = rate.interval()
    return {
        "successes": rate.successes,
        "trials": rate.trials,
        "value": rate.value,
        "interval": list(interval) if interval is not None else None,
    }


def _bins(rows: Sequence[BinRow]) -> list[dict[str, Any]]:
    return [
        {
            "name": row.name,
            "count": row.count,
            "success": _rate(row.success),
            "necessity": _rate(row.necessity),
            "inflation": row.inflation,
        }
        for row in rows
    ]


def _state(state: InterruptionState) -> dict[str, Any]:
    return {
        "interruption": state.interruption,
        "place": state.place,
        "mode": state.mode,
        "shown": state.shown,
        "success": _rate(state.success),
        "pairs": state.pairs,
        "lost": state.lost,
        "won": state.won,
        "cost": state.cost,
        "extra_actions": state.extra,
        "recovery_depth": state.depth,
        "returned": _rate(state.returned),
        "exits": [{"exit": each.exit, "success": _rate(each.success)} for each in state.exits],
    }


def _action(action: CanonicalAction) -> dict[str, str]:
    return {
        "kind": action.kind,
        "place": action.place,
        "target": action.target,
        "argument": action.argument,
        "wording": action.wording,
    }


def _task(task: TaskAnalysis) -> dict[str, Any]:
    graph = task.graph
    return {
        "task": task.task,
        "trajectories": graph.trajectories,
        "success": _rate(graph.success),
        "complexity": graph.complexity,
        "limits": list(task.limits),
        "shortest_success": task.paths.shortest,
        "one_step_successes": task.paths.one_step,
        "diversity": {
            "paths": task.diversity.paths,
            "distinct": task.diversity.distinct,
            "entropy_bits": task.diversity.entropy,
            "corrected_bits": task.diversity.corrected,
            "normalized": task.diversity.normalized,
        },
        "clusters": {
            "members": [
                [task.trajectories[index].id for index in cluster] for cluster in task.clusters.clusters
            ],
            "silhouette": task.clusters.silhouette,
            "left_out": task.clusters.left_out,
        },
        "beginnings": [
            {
                "actions": [action.label for action in each.actions],
                "successes": each.successes,
                "failures": each.failures,
                "agents": each.agents,
            }
            for each in task.paths.beginnings
        ],
        **graph_data(graph),
        "paths": [_path(facts, graph) for facts in task.paths.facts],
        "interruptions": _view(task.view),
    }


def graph_data(graph: ConsensusGraph) -> dict[str, Any]:
    """Return nodes, edges and ends of a graph as JSON-compatible data."""
    return {
        "nodes": [
            {
                "id": node.id,
                "action": _action(node.action),
                "members": [_action(member) for member in node.members],
                "visits": node.visits,
                "trajectories": node.trajectories,
                "successful": node.successful,
                "starts": node.starts,
                "steps": {str(step): count for step, count in node.steps},
                "agents": dict(node.agents),
                "conditions": dict(node.conditions),
                "value": node.value,
                "importance": node.importance,
                "picture": node.picture or None,
            }
            for node in graph.nodes
        ],
        "edges": [
            {
                "source": edge.source,
                "target": edge.target,
                "count": edge.count,
                "successes": edge.successes,
                "trajectories": edge.trajectories,
                "successful": edge.successful,
                "ratio": edge.ratio,
                "weight": edge.weight,
                "interval": list(edge.interval),
                "class": edge.kind.value,
                "conditions": dict(edge.conditions),
            }
            for edge in graph.edges
        ],
        "ends": [{"node": end.node, SUCCESS: end.successes, FAIL: end.failures} for end in graph.ends],
    }


def _path(facts: TrajectoryFacts, graph: ConsensusGraph) -> dict[str, Any]:
    one = facts.trajectory
    return {
        "id": one.id,
        "agent": one.agent,
        "condition": one.condition,
        "attempt": one.attempt,
        "success": one.success,
        "reason": one.reason,
        "nodes": [graph.nodes[node].id for node in facts.path],
        "necessary": list(facts.necessary),
        "inflation": facts.inflation,
        "strategy": facts.strategy.value if facts.strategy is not None else None,
        "early_end": facts.early,
    }


def _view(view: InterruptionView) -> dict[str, Any]:
    return {
        "has_clean": view.has_clean,
        "recovery_depth": view.depth,
        "conditions": [
            {
                "condition": row.condition,
                "success": _rate(row.success),
                "mean_actions": row.mean_actions,
                "nodes": list(row.nodes),
                "edges": [list(edge) for edge in row.edges],
                "new_nodes": list(row.new_nodes),
                "new_edges": [list(edge) for edge in row.new_edges],
                "missing_edges": [list(edge) for edge in row.missing_edges],
                "ends_off_clean": dict(row.ends),
            }
            for row in view.conditions
        ],
        "detours": [
            {
                "trajectory": each.trajectory.id,
                "interruption": each.encounter.interruption,
                "mode": each.encounter.mode,
                "place": each.encounter.place,
                "exit": each.encounter.exit_name,
                "nodes": list(each.nodes),
                "returned_at": each.returned,
                "recovery_depth": each.depth,
            }
            for each in view.detours
        ],
        "returns": dict(view.returns),
    }


def graphml(graphs: Sequence[ConsensusGraph]) -> bytes:
    """Return graphs as one GraphML document; the ids of nodes begin with the number of their task.

    Args:
        graphs: The graphs, each of one task.
    """
    namespaces = {None: _GRAPHML}  # the default one, which the stubs do not know
    top = etree.Element(f"{{{_GRAPHML}}}graphml", nsmap=namespaces)  # type: ignore[arg-type]
    for domain, keys in (("node", _NODE_KEYS), ("edge", _EDGE_KEYS)):
        for name, kind in keys.items():
            _append(top, "key", {"id": name, "for": domain, "attr.name": name, "attr.type": kind})
    whole = _append(top, "graph", {"id": "trajectories", "edgedefault": "directed"})
    for number, graph in enumerate(graphs, start=1):
        prefix = f"t{number}"
        sinks = [(SUCCESS, 1.0), (FAIL, -1.0)]
        for node in graph.nodes:
            values = {
                "task": graph.task,
                "label": node.action.label,
                **_action(node.action),
                "visits": node.visits,
                "trajectories": node.trajectories,
                "successful": node.successful,
                "starts": node.starts,
                "value": node.value,
                "importance": node.importance,
                "mean_step": node.mean_step,
            }
            _element(whole, "node", {"id": f"{prefix}.{node.id}"}, values)
        for name, value in sinks:
            _element(
                whole, "node", {"id": f"{prefix}.{name}"}, {"task": graph.task, "label": name, "value": value}
            )
        for edge in graph.edges:
            values = {
                "count": edge.count,
                "successes": edge.successes,
                "edge_trajectories": edge.trajectories,
                "edge_successful": edge.successful,
                "ratio": edge.ratio,
                "weight": edge.weight,
                "class": edge.kind.value,
            }
            ends = {"source": f"{prefix}.{edge.source}", "target": f"{prefix}.{edge.target}"}
            _element(whole, "edge", ends, values)
        for end in graph.ends:
            for name, count in ((SUCCESS, end.successes), (FAIL, end.failures)):
                if count:
                    ends = {"source": f"{prefix}.{end.node}", "target": f"{prefix}.{name}"}
                    _element(whole, "edge", ends, {"count": count})
    return etree.tostring(top, encoding="utf-8", xml_declaration=True, pretty_print=True)


def _append(parent: etree._Element, name: str, attributes: dict[str, str]) -> etree._Element:
    return etree.SubElement(parent, f"{{{_GRAPHML}}}{name}", attributes)


def _element(parent: etree._Element, name: str, attributes: dict[str, str], values: dict[str, Any]) -> None:
    element = _append(parent, name, attributes)
    for key, value in values.items():
        _append(element, "data", {"key": key}).text = replace_invalid(str(value), "�")


def dot(graphs: Sequence[ConsensusGraph]) -> str:
    """Return graphs as one DOT document, each in a separate cluster, with layout from left to right."""
    lines = [
        "digraph trajectories {",
        "  rankdir=LR;",
        '  node [shape=box, style="rounded,filled", fillcolor=white];',
    ]
    for number, graph in enumerate(graphs, start=1):
        prefix = f"t{number}_"
        lines += [
            f"  subgraph cluster_{number} {{",
            f"    label={_quoted(display_text(graph.task, _MOST_LABEL))};",
        ]
        for node in graph.nodes:
            label = f"{display_text(node.action.label, _MOST_LABEL)}\n{node.visits}x, value {node.value:.2f}"
            place = display_text(node.action.place, _MOST_LABEL)
            lines.append(f"    {prefix}{node.id} [label={_quoted(label)}, tooltip={_quoted(place)}];")
        for name in (SUCCESS, FAIL):
            lines.append(f"    {prefix}{name} [label={name}, shape=ellipse];")
        for edge in graph.edges:
            width = 1 + edge.weight * 8
            lines.append(
                f'    {prefix}{edge.source} -> {prefix}{edge.target} [label="{edge.count}", '
                f'penwidth={width:.2f}, color="{_COLOURS[edge.kind]}", tooltip="{edge.kind.value}"];'
            )
        for end in graph.ends:
            for name, count in ((SUCCESS, end.successes), (FAIL, end.failures)):
                if count:
                    lines.append(f'    {prefix}{end.node} -> {prefix}{name} [label="{count}", style=dotted];')
        lines.append("  }")
    return "\n".join([*lines, "}", ""])


def _quoted(text: str) -> str:
    """Return a text as a quoted string of DOT."""
    clean = replace_invalid(text, "�").replace("\\", "\\\\").replace('"', '\\"')
    return f'"{clean}"'.replace("\r", " ").replace("\n", "\\n")
