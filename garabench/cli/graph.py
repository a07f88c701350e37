"""``garabench graph``."""

from __future__ import annotations

import json
from pathlib import Path

import click

from garabench.cli.command_classes import Command
from garabench.cli.completion import agent_names
from garabench.cli.episode_options import SELECTION_HINT, episode_options
from garabench.cli.error_exits import report_errors
from garabench.cli.local_path import RUN_FOLDER
from garabench.cli.number_range import NumberRange
from garabench.cli.output_files import write_file
from garabench.cli.tables import format_rate, render
from garabench.core.phrases import counted
from garabench.errors import InputError
from garabench.graph.analysis import GraphAnalysis, build_graphs, named_runs
from garabench.graph.consensus import DEFAULT_OPTIONS, GAMMA, GraphOptions
from garabench.graph.graph_formats import analysis_data, dot, graphml
from garabench.graph.graph_page import graph_page
from garabench.graph.merge import THETA
from garabench.graph.model_canonicalizer import model_namer
from garabench.graph.step_thumbnails import WIDTH, step_thumbnails
from garabench.graph.strategies import Strategy
from garabench.records.episode_selection import EpisodeSelection
from garabench.records.reader import load_run
from garabench.records.run_layout import EpisodeKey
from garabench.web.display_text import short_label

_MOST_TASKS = 20
_MOST_STATES = 10
_MOST_NAME = 80
"""Longer names are shortened in tables."""
_FILE = click.Path(path_type=Path, dir_okay=False)


@click.command(cls=Command)
@click.argument("runs", metavar="[RUN...]", nargs=-1, type=RUN_FOLDER)
@click.option(
    "--from",
    "files",
    multiple=True,
    type=_FILE,
    metavar="FILE",
    help="Read web trajectories in the form of WebArena or BrowserGym from FILE (JSON or JSON Lines).",
)
@episode_options
@click.option(
    "--theta",
    type=NumberRange(0, 1, min_open=True),
    default=THETA,
    show_default=True,
    help="Merge actions whose wordings are at least this similar.",
)
@click.option(
    "--gamma",
    type=NumberRange(0, 1, max_open=True),
    default=GAMMA,
    show_default=True,
    help="Discount outcomes by this factor per step.",
)
@click.option(
    "--frequent",
    type=NumberRange(0, 100),
    default=DEFAULT_OPTIONS.frequent,
    show_default=True,
    metavar="PERCENTILE",
    help="Set the percentile of the edges' frequencies from which an edge is frequent.",
)
@click.option(
    "--rare",
    type=NumberRange(0, 100),
    default=DEFAULT_OPTIONS.rare,
    show_default=True,
    metavar="PERCENTILE",
    help="Set the percentile up to which an edge is rare.",
)
@click.option(
    "--trap",
    type=NumberRange(0, 1),
    default=DEFAULT_OPTIONS.trap,
    show_default=True,
    metavar="RATIO",
    help="Set the success ratio up to which a frequent edge is a trap.",
)
@click.option(
    "--critical",
    type=NumberRange(0, 1),
    default=DEFAULT_OPTIONS.critical,
    show_default=True,
    metavar="RATIO",
    help="Set the success ratio from which a rare edge is critical; a frequent one below it is a bottleneck.",
)
@click.option(
    "--least",
    type=click.IntRange(1),
    default=DEFAULT_OPTIONS.least,
    show_default=True,
    metavar="COUNT",
    help="Require this number of traversals to classify an edge.",
)
@click.option(
    "--page", type=_FILE, metavar="FILE", help="Write an interactive page, one file that works offline."
)
@click.option(
    "--thumbnails",
    type=click.IntRange(0, 400),
    default=WIDTH,
    show_default=True,
    help="Set the thumbnail width in pixels for --page; 0 leaves the screenshots out.",
)
@click.option("--graphml", "graphml_file", type=_FILE, metavar="FILE", help="Write the graphs as GraphML.")
@click.option("--dot", "dot_file", type=_FILE, metavar="FILE", help="Write the graphs for Graphviz.")
@click.option(
    "--model",
    default="",
    metavar="AGENT",
    shell_complete=agent_names,
    help="Let the model of AGENT name the actions that no rule understands.",
)
@click.option(
    "--cache-replies",
    type=click.Path(path_type=Path, file_okay=False),
    metavar="DIR",
    help="Cache the replies of --model in DIR.",
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@report_errors
def graph(
    runs: tuple[Path, ...],
    files: tuple[Path, ...],
    selection: EpisodeSelection,
    theta: float,
    gamma: float,
    frequent: float,
    rare: float,
    trap: float,
    critical: float,
    least: int,
    page: Path | None,
    thumbnails: int,
    graphml_file: Path | None,
    dot_file: Path | None,
    model: str,
    cache_replies: Path | None,
    as_json: bool,
) -> None:
    """Merge the trajectories of each task into a graph.

    Each RUN is the folder of a run. The graphs show what agents share, where they get lost, and how
    interruptions change their paths.

    \b
    Example:
        garabench graph runs/first --page graphs.html
    """
    if cache_replies is not None and not model:
        raise InputError("--cache-replies requires --model", hint="Add --model AGENT.")
    try:
        options = GraphOptions(theta, gamma, frequent, rare, trap, critical, least)
    except ValueError as error:
        raise InputError(str(error), hint="See garabench graph --help for the ranges.") from None
    loaded = [load_run(run) for run in runs]
    analysis = build_graphs(
        loaded,
        files,
        options=options,
        select=lambda each: selection(EpisodeKey(each.task, each.agent, each.condition, each.seed)),
        name_action=model_namer(model, cache_replies) if model else None,
    )
    if not analysis.tasks:
        left_out = "Episodes that ended in an error or whose outcome is unknown are left out."
        raise InputError("no trajectory matches", hint=f"{SELECTION_HINT} {left_out}")
    graphs = [task.graph for task in analysis.tasks]
    if graphml_file is not None:
        write_file(graphml_file, graphml(graphs))
    if dot_file is not None:
        write_file(dot_file, dot(graphs).encode())
    if page is not None:
        stores = {name: run.store for name, run in named_runs(loaded)} if thumbnails else {}
        pictures = step_thumbnails(analysis.trajectories, stores, thumbnails)
        write_file(page, graph_page(analysis, pictures, thumbnails).encode())
    if as_json:
        click.echo(json.dumps(analysis_data(analysis), ensure_ascii=False, indent=2, allow_nan=False))
        return
    click.echo(_text(analysis))
    for path in (page, graphml_file, dot_file):
        if path is not None:
            click.echo(f"\nWritten: {path}")


def _number(value: float | None, digits: int = 2) -> str:
    return "–" if value is None else f"{value:.{digits}f}"


def _text(analysis: GraphAnalysis) -> str:
    row = analysis.merging
    left = analysis.left_out
    parts = [
        f"{counted(row.tasks, 'task')}, {counted(row.trajectories, 'trajectory', 'trajectories')}, "
        f"{counted(row.actions, 'step')}: {counted(row.nodes, 'node')} and {counted(row.edges, 'edge')}; "
        f"{format_rate(row.shared_nodes)} of the nodes are shared by several trajectories",
        _agents(analysis),
        _tasks(analysis),
    ]
    if states := analysis.interruptions():
        parts.append(
            render(
                f"Most costly interruptions ({min(len(states), _MOST_STATES)} of {len(states)})",
                ("interruption", "over", "shown", "lost pairs", "extra", "depth", "returned"),
                [
                    (
                        short_label(state.interruption, _MOST_NAME),
                        short_label(state.place.rpartition(".")[2], _MOST_NAME) or "–",
                        str(state.shown),
                        f"{state.lost}/{state.pairs}",
                        _number(state.extra, 1),
                        _number(state.depth, 1),
                        f"{state.returned.successes}/{state.returned.trials}",
                    )
                    for state in states[:_MOST_STATES]
                ],
                [
                    "lost pairs: success clean, failure here; a pair has the same agent, task and seed",
                    "extra: additional actions of the pairs that succeeded in both",
                    "depth: actions from the interruption until the path is back on the clean graph",
                ],
            )
        )
    for count, reason in (
        (left.unfinished, "not ended"),
        (left.errors, "ended in error"),
        (left.missed, "without an interruption, because none could be shown"),
    ):
        if count:
            parts.append(f"Left out: {counted(count, 'episode')} {reason}")
    return "\n\n".join(parts)


def _agents(analysis: GraphAnalysis) -> str:
    return render(
        "Agents",
        (
            "agent",
            "condition",
            "success",
            "actions",
            "necessary",
            "inflation",
            "direct",
            "hybrid",
            "exploratory",
        ),
        [
            (
                f"{short_label(row.agent, _MOST_NAME)}{'*' if row.reference else ''}",
                short_label(row.condition, _MOST_NAME) or "–",
                f"{row.success.successes}/{row.success.trials}",
                _number(row.mean_actions, 1),
                "–" if row.necessity.value is None else f"{row.necessity.value:.1%}",
                _number(row.inflation),
                *(str(count) for count in _ordered(row.strategies)),
            )
            for row in analysis.agents
        ],
        [
            "inflation: actions of a success over those of the shortest success of the task",
            "direct, hybrid, exploratory: successes by strategy",
            *(
                ["* reference agent: follows the reference solution"]
                if any(r.reference for r in analysis.agents)
                else []
            ),
        ],
    )


def _ordered(strategies: dict[Strategy, int]) -> tuple[int, int, int]:
    return strategies[Strategy.DIRECT], strategies[Strategy.HYBRID], strategies[Strategy.EXPLORATORY]


def _tasks(analysis: GraphAnalysis) -> str:
    shown = sorted(analysis.tasks, key=lambda task: -task.graph.complexity)[:_MOST_TASKS]
    more = len(analysis.tasks) - len(shown)
    return render(
        "Tasks, the most complex graphs first",
        ("task", "success", "nodes", "edges", "complexity", "diversity", "clusters", "shortest"),
        [
            (
                short_label(task.task, _MOST_NAME),
                f"{task.graph.successful}/{task.graph.trajectories}",
                str(len(task.graph.nodes)),
                str(len(task.graph.edges)),
                _number(task.graph.complexity, 1),
                _number(task.diversity.normalized),
                str(len(task.clusters.clusters)),
                "–" if task.paths.shortest is None else str(task.paths.shortest),
            )
            for task in shown
        ],
        [f"and {counted(more, 'task')} more"] if more else [],
    )
