"""``garabench verify``: judge the episodes of a run, or trajectories of other tools."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from decimal import Decimal
from pathlib import Path
from typing import Any

import click

from garabench.agents.models.cost import format_cost, load_prices
from garabench.cli.command_classes import Command, LazyGroup
from garabench.cli.completion import agent_names
from garabench.cli.cost_tables import format_tokens
from garabench.cli.episode_options import SELECTION_HINT, episode_options
from garabench.cli.error_exits import print_error, report_errors
from garabench.cli.model_options import Money
from garabench.cli.suite_option import suite_option
from garabench.cli.tables import render
from garabench.core.phrases import counted
from garabench.errors import InputError
from garabench.records.episode_selection import EpisodeSelection
from garabench.records.reader import Run, load_run
from garabench.stats.intervals import Interval
from garabench.suite.suite import Suite
from garabench.verifier.agreement import Agreement
from garabench.verifier.goal_comparison import GoalComparison, against_goals, against_results, comparison_data
from garabench.verifier.imports.catalog import IMPORTED, import_trajectories
from garabench.verifier.imports.imported_trajectory import ImportedTrajectory
from garabench.verifier.judge_budget import JudgeLimits
from garabench.verifier.judge_estimate import ASSUMPTIONS, estimate_judge
from garabench.verifier.judge_runner import JudgeOptions, JudgeResult, ReadTrajectory
from garabench.verifier.pipeline import PipelineOptions
from garabench.verifier.rubric import PROCESS_THRESHOLD
from garabench.verifier.selection import TOP_K
from garabench.verifier.trajectory import Trajectory, TrajectorySource
from garabench.verifier.verdict import TrajectoryVerdict, VerdictState
from garabench.verifier.verdict_rows import verdict_rows
from garabench.verifier.verdict_store import VERDICTS, VerdictStore
from garabench.verifier.verification import (
    DEFAULT_JUDGE,
    LOCAL_JUDGES,
    ResolvedJudge,
    recorded_effects_of,
    resolve_judge,
    run_readers,
    verify_trajectories,
)

_PICTURES = "pictures"
_MOST_SUSPECTS = 20
_MOST_ERRORS = 10
_DEFAULT = "run"
_FOLDER = click.Path(path_type=Path, file_okay=False)


class _VerifyGroup(LazyGroup):
    """Runs the command ``run`` if the first word is not a command."""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Return the command of the first word, or ``run`` with all words."""
        if args and self.get_command(ctx, args[0]) is None and not args[0].startswith("-"):
            args = [_DEFAULT, *args]
        return super().resolve_command(ctx, args)


@click.group(
    cls=_VerifyGroup,
    modules={"agreement": "garabench.cli.verify_agreement", "label": "garabench.cli.verify_label"},
)
def verify() -> None:
    """Judge the process and the outcome of episodes by a rubric.

    `garabench verify RUN` is short for `garabench verify run RUN`.

    \b
    Example:
        garabench verify runs/first --against goals
    """


def _judge_names(context: click.Context, parameter: click.Parameter, incomplete: str) -> list[str]:
    local = [name for name in LOCAL_JUDGES if name.startswith(incomplete)]
    return local + agent_names(context, parameter, incomplete)


@verify.command(cls=Command)
@click.argument("folder", metavar="RUN", type=click.Path(path_type=Path, file_okay=False, exists=True))
@click.option(
    "--judge",
    "judge_name",
    default=DEFAULT_JUDGE,
    show_default=True,
    metavar="NAME",
    shell_complete=_judge_names,
    help="Judge: offline, which needs no model, or a model agent of `garabench agents list`.",
)
@click.option(
    "--from",
    "source",
    type=click.Choice([source.value for source in IMPORTED]),
    help="RUN is a folder with trajectories of this tool.",
)
@click.option("--out", type=_FOLDER, metavar="DIR", help="Store the verdicts in DIR; default: RUN/verdicts.")
@episode_options
@suite_option
@click.option("--limit", type=click.IntRange(min=1), help="Judge at most this many trajectories.")
@click.option(
    "--votes",
    type=click.IntRange(min=1),
    default=1,
    show_default=True,
    help="Number of votes per verdict; must be odd.",
)
@click.option(
    "--top-k",
    type=click.IntRange(min=1),
    default=TOP_K,
    show_default=True,
    help="Number of screens per criterion.",
)
@click.option(
    "--at-once", type=click.IntRange(1, 256), help="Number of concurrent calls; default: the agent's limit."
)
@click.option(
    "--cache-replies",
    "cache",
    type=_FOLDER,
    metavar="DIR",
    help="Cache model replies in DIR; default: beside the verdicts.",
)
@click.option("--cache-only", is_flag=True, help="Use cached replies only; a missing one is an error.")
@click.option("--max-cost", type=Money(), help="Send no call that could exceed this cost, in US dollars.")
@click.option(
    "--max-tokens", type=click.IntRange(min=1), help="Send no call that could exceed this number of tokens."
)
@click.option(
    "--prices",
    metavar="FILE",
    type=click.Path(path_type=Path),
    help="Your own price table; its entries override the built-in ones.",
)
@click.option("--again", is_flag=True, help="Replace up-to-date verdicts.")
@click.option("--estimate", is_flag=True, help="Print the estimated calls, tokens and cost, and exit.")
@click.option(
    "--against",
    type=click.Choice(["goals"]),
    help="List where the verdicts disagree with the goals: these goals may be wrong.",
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@report_errors
def run(
    folder: Path,
    judge_name: str,
    source: str | None,
    out: Path | None,
    selection: EpisodeSelection,
    root: Path | None,
    limit: int | None,
    votes: int,
    top_k: int,
    at_once: int | None,
    cache: Path | None,
    cache_only: bool,
    max_cost: Decimal | None,
    max_tokens: int | None,
    prices: Path | None,
    again: bool,
    estimate: bool,
    against: str | None,
    as_json: bool,
) -> None:
    """Judge the episodes of RUN.

    Without --judge, the offline judge reads the recorded screens and actions and needs no model.

    Verdicts are stored in the folder of RUN and appear in its report. To resume after an interruption, repeat
    the command: stored verdicts and replies are not requested again. The exit status is 1 if a verdict was
    not reached.

    \b
    Example:
        garabench verify run runs/first --judge gpt-4o --estimate
    """
    if votes % 2 == 0:
        raise InputError("--votes must be odd: an even number can tie")
    options = JudgeOptions(
        pipeline=PipelineOptions(votes=votes, top_k=top_k),
        at_once=at_once,
        cache=cache,
        cache_only=cache_only,
        limits=JudgeLimits(max_cost, max_tokens),
        prices=prices,
        again=again,
    )
    judge = resolve_judge(judge_name)
    verdicts: list[TrajectoryVerdict] = []
    imported: dict[str, ImportedTrajectory] = {}
    loaded: Run | None = None
    suite: Suite | None = None
    if source is None:
        loaded = load_run(folder)
        readers = run_readers(loaded, suite := Suite.load(root), selection)[:limit]
    else:
        if judge.profile is None:
            raise InputError(
                f"the {judge.name} judge needs typed goals, which trajectories of {source} do not have",
                hint="Name a model agent: --judge NAME.",
            )
        pictures = (out or folder / VERDICTS) / _PICTURES
        found = list(import_trajectories(folder, TrajectorySource(source), pictures))[:limit]
        imported = {each.trajectory.key: each for each in found}
        readers = [_reader(each) for each in found]
    if not readers:
        raise InputError("no trajectory matches", hint=SELECTION_HINT)
    if estimate:
        _print_estimate(readers, judge, options, as_json=as_json)
        return
    store = VerdictStore(out or folder / VERDICTS, judge.name)
    finish = recorded_effects_of(loaded) if loaded is not None else _unchanged
    result = verify_trajectories(
        readers, judge, store, options=options, suite=suite, finish=finish, on_verdict=verdicts.append
    )
    compared = None
    if against is not None:
        compared = (
            against_goals(loaded, verdicts)
            if loaded is not None
            else against_results(verdicts, {key: each.outcome for key, each in imported.items()})
        )
    if as_json:
        click.echo(json.dumps(_data(result, verdicts, compared), ensure_ascii=False, indent=2))
    else:
        click.echo(_text(result, verdicts, compared, store))
    if result.exceeded is not None:
        print_error(result.exceeded)
        raise click.exceptions.Exit(result.exceeded.exit_status)
    if result.failed:
        raise click.exceptions.Exit(1)


def _unchanged(_: Trajectory, verdict: TrajectoryVerdict) -> TrajectoryVerdict:
    return verdict


def _reader(each: ImportedTrajectory) -> ReadTrajectory:
    return lambda: each.trajectory


def _print_estimate(
    readers: Sequence[ReadTrajectory], judge: ResolvedJudge, options: JudgeOptions, *, as_json: bool
) -> None:
    if judge.profile is None:
        raise InputError(f"the judge {judge.name!r} uses no model, so there is nothing to estimate")
    row = estimate_judge(
        (reader() for reader in readers), judge.profile, options.pipeline, load_prices(options.prices)
    )
    if as_json:
        click.echo(json.dumps({**asdict(row), "cost": _decimal(row.cost), "assumptions": ASSUMPTIONS}))
        return
    click.echo(
        render(
            "Estimated model usage",
            ("judge", "trajectories", "calls", "sent", "received", "cost"),
            [
                (
                    judge.name,
                    str(row.trajectories),
                    str(row.calls),
                    format_tokens(row.sent),
                    format_tokens(row.received),
                    format_cost(row.cost),
                )
            ],
            ASSUMPTIONS,
        )
    )


def _decimal(value: Decimal | None) -> float | None:
    return None if value is None else float(value)


def _interval(interval: Interval | None) -> str:
    return "–" if interval is None else f"[{interval.low:.2f}–{interval.high:.2f}]"


def _share(value: float | None) -> str:
    return "–" if value is None else f"{value:.2f}"


def agreement_rows(found: Agreement) -> list[tuple[str, str, str]]:
    """Return the measures of an agreement: name, value, 95% interval.

    Args:
        found: The agreement.
    """
    counts = found.confusion
    return [
        ("accuracy", _share(counts.accuracy), _interval(found.accuracy)),
        ("Cohen's kappa", _share(counts.kappa), _interval(found.kappa)),
        ("false positive rate", _share(counts.false_positive_rate), _interval(found.false_positive_rate)),
        ("false negative rate", _share(counts.false_negative_rate), _interval(found.false_negative_rate)),
        ("F1", _share(counts.f1), "–"),
    ]


def _data(
    result: JudgeResult, verdicts: Sequence[TrajectoryVerdict], compared: GoalComparison | Agreement | None
) -> dict[str, Any]:
    data: dict[str, Any] = {
        "judged": result.judged,
        "skipped": result.skipped,
        "failed": result.failed,
        "usage": result.usage.model_dump(mode="json"),
        "verdicts": [
            {
                "trajectory": verdict.trajectory,
                "state": verdict.state.value,
                "process_score": verdict.process_score,
                "outcome": verdict.outcome,
                "first_failure_step": verdict.first_failure_step,
                "failure_codes": [point.error_code.value for point in verdict.failure_points],
                "errors": [error.message for error in verdict.errors],
            }
            for verdict in verdicts
        ],
    }
    if compared is not None:
        data |= comparison_data(compared)
    return data


def _text(
    result: JudgeResult,
    verdicts: Sequence[TrajectoryVerdict],
    compared: GoalComparison | Agreement | None,
    store: VerdictStore,
) -> str:
    parts = [_scores(verdicts)]
    if failed := [verdict for verdict in verdicts if verdict.state is VerdictState.FAILED]:
        parts.append(_failed(failed))
    if undecided := [verdict for verdict in verdicts if verdict.state is VerdictState.UNDECIDED]:
        one = undecided[0]
        parts.append(f"{len(undecided)} undecided, such as {one.trajectory}: {one.outcome_reason}")
    found = compared.agreement if isinstance(compared, GoalComparison) else compared
    if found is not None:
        title = (
            "Outcomes against goals" if isinstance(compared, GoalComparison) else "Outcomes against results"
        )
        parts.append(render(title, ("measure", "value", "95%"), agreement_rows(found), []))
    if isinstance(compared, GoalComparison) and compared.suspects:
        parts.append(_suspects(compared))
    usage = result.usage
    summary = f"{counted(result.judged, 'trajectory', 'trajectories')} judged"
    if result.skipped:
        summary += f", {result.skipped} already had a verdict"
    if usage.requests:
        summary += (
            f"; {counted(usage.requests, 'call')}, {usage.from_cache} of them cached, "
            f"{format_tokens(usage.tokens)} tokens, {format_cost(usage.cost)}"
        )
    parts.append(f"{summary}\nVerdicts: {store.judge_folder}")
    return "\n\n".join(parts)


def _scores(verdicts: Sequence[TrajectoryVerdict]) -> str:
    rows = [
        (
            row.agent or "–",
            row.condition or "–",
            str(row.verdicts),
            _share(row.process),
            f"{row.process_passed.successes}/{row.process_passed.trials}",
            f"{row.done.successes}/{row.done.trials}",
            str(row.failed),
        )
        for row in verdict_rows(verdicts)
    ]
    return render(
        "Verdicts",
        ("agent", "condition", "judged", "process", f"process ≥ {PROCESS_THRESHOLD}", "outcome", "failed"),
        rows,
        ["process: mean score; outcome: done in the user's eyes; failed verdicts count in neither"],
    )


def _failed(verdicts: Sequence[TrajectoryVerdict]) -> str:
    lines = [f"No verdict on {counted(len(verdicts), 'trajectory', 'trajectories')}:"]
    for verdict in verdicts[:_MOST_ERRORS]:
        first = verdict.errors[0]
        detail = f", {first.detail}" if first.detail else ""
        lines.append(f"  {verdict.trajectory}: {first.stage.value}{detail}: {first.message}")
    if len(verdicts) > _MOST_ERRORS:
        lines.append(f"  and {len(verdicts) - _MOST_ERRORS} more")
    return "\n".join(lines)


def _suspects(compared: GoalComparison) -> str:
    lines = ["Suspected goals: verdict and goal disagree"]
    for suspect in compared.suspects[:_MOST_SUSPECTS]:
        lines.append(
            f"  {suspect.task}: {len(suspect.disagreements)} of {counted(suspect.episodes, 'episode')}"
        )
        one = suspect.disagreements[0]
        lines.append(
            f"    {one.key}: the goal is {one.fault.value.replace('-', ' ')} if the verdict is right"
        )
        lines.append(f"      goal:    {one.goal_reason}")
        lines.append(f"      verdict: {one.verdict_reason}")
    return "\n".join(lines)
