"""``garabench verify``: judge the episodes of a run, or trajectories of other tools."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from decimal import Decimal
from pathlib import Path

import click
from click.core import ParameterSource

from garabench.agents.models.cost import load_prices
from garabench.cli.command_classes import Command, LazyGroup
from garabench.cli.completion import agent_names
from garabench.cli.episode_options import SELECTION_HINT, episode_options
from garabench.cli.error_exits import print_error, report_errors
from garabench.cli.model_options import Money
from garabench.cli.verdict_tables import estimate_text, verification_text
from garabench.errors import InputError
from garabench.records.episode_selection import EpisodeSelection
from garabench.records.reader import load_run
from garabench.suite.suite import Suite
from garabench.verifier.imports.catalog import IMPORTED
from garabench.verifier.judge_budget import JudgeLimits
from garabench.verifier.judge_estimate import estimate_data, estimate_judge
from garabench.verifier.judge_runner import JudgeOptions
from garabench.verifier.judged_trajectories import (
    JudgedTrajectories,
    imported_trajectories,
    recorded_trajectories,
    verification_data,
)
from garabench.verifier.pipeline import PipelineOptions
from garabench.verifier.selection import TOP_K
from garabench.verifier.trajectory import TrajectorySource
from garabench.verifier.verdict import TrajectoryVerdict, VerdictState
from garabench.verifier.verdict_store import VERDICTS, VerdictStore
from garabench.verifier.verification import DEFAULT_JUDGE, LOCAL_JUDGES, ResolvedJudge, resolve_judge

_PICTURES = "pictures"
_DEFAULT = "run"
_MODEL_OPTIONS = frozenset(
    {
        *("votes", "top_k", "at_once", "cache", "cache_only"),
        *("max_cost", "max_tokens", "max_reply_tokens", "prices"),
    }
)
"""The parameters of ``run`` that only a judge with a model uses."""
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
    help="Use this judge: offline, which needs no model, or a model agent of `garabench agents list`.",
)
@click.option(
    "--from",
    "source",
    type=click.Choice([source.value for source in IMPORTED]),
    help="Read RUN as a folder with trajectories of this tool.",
)
@click.option(
    "--out",
    type=_FOLDER,
    metavar="DIR",
    help="Store the verdicts in DIR; default: RUN/verdicts. Required with --from.",
)
@episode_options
@click.option("--limit", type=click.IntRange(min=1), help="Judge at most this many trajectories.")
@click.option(
    "--votes",
    type=click.IntRange(min=1),
    default=1,
    show_default=True,
    help="Collect this number of votes per verdict; must be odd.",
)
@click.option(
    "--top-k",
    type=click.IntRange(min=1),
    default=TOP_K,
    show_default=True,
    help="Use this number of screens per criterion.",
)
@click.option(
    "--at-once",
    type=click.IntRange(1, 256),
    help="Send this number of concurrent calls; default: the agent's limit.",
)
@click.option(
    "--cache-replies",
    "cache",
    type=_FOLDER,
    metavar="DIR",
    help="Cache model replies in DIR; default: next to the verdicts.",
)
@click.option("--cache-only", is_flag=True, help="Use cached replies only; a missing one is an error.")
@click.option(
    "--max-cost",
    type=Money(),
    help="Send a call only if its estimated prompt and its longest reply stay within this cost, in US"
    " dollars.",
)
@click.option(
    "--max-tokens",
    type=click.IntRange(min=1),
    help="Send a call only if its estimated prompt and its longest reply stay within this number of tokens.",
)
@click.option(
    "--max-reply-tokens",
    type=click.IntRange(min=1),
    help="Limit each reply to this number of tokens; default: the agent's limit, else 4000 with --max-cost or"
    " --max-tokens.",
)
@click.option(
    "--prices",
    metavar="FILE",
    type=click.Path(path_type=Path),
    help="Read your own price table; its entries override the built-in ones.",
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
    max_reply_tokens: int | None,
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
    not reached, failed or undecided, or if a trajectory could not be read.

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
        reply_limit=max_reply_tokens,
        prices=prices,
        again=again,
    )
    judge = resolve_judge(judge_name)
    if judge.profile is None:
        _refuse_model_options(judge.name)
    verdict_folder = out or folder / VERDICTS
    if source is None:
        given = recorded_trajectories(load_run(folder), Suite.load(root), selection, limit=limit)
    else:
        if judge.profile is not None:  # else the judge itself is refused
            _refuse_searched_folder(folder, {"--out": verdict_folder, "--cache-replies": cache})
        pictures = verdict_folder / _PICTURES
        given = imported_trajectories(folder, TrajectorySource(source), judge, pictures, limit=limit)
    if not given.readers:
        raise InputError("no trajectory matches", hint=SELECTION_HINT)
    if estimate:
        _exit_if_broken(_print_estimate(given, judge, options, as_json=as_json))
        return
    store, verdicts = VerdictStore(verdict_folder, judge.name), list[TrajectoryVerdict]()
    result = given.judge(judge, store, options, verdicts.append)
    compared = None if against is None else given.compare(verdicts)
    if as_json:
        click.echo(json.dumps(verification_data(result, verdicts, compared), ensure_ascii=False, indent=2))
    else:
        click.echo(verification_text(result, verdicts, compared, store.judge_folder, given.references))
    if result.exceeded is not None:
        print_error(result.exceeded)
        raise click.exceptions.Exit(result.exceeded.exit_status)
    _exit_if_broken((*given.broken, *result.unreadable))
    if any(verdict.state is not VerdictState.COMPLETE for verdict in verdicts):
        raise click.exceptions.Exit(1)


def _exit_if_broken(broken: Sequence[InputError]) -> None:
    """Report the trajectories that cannot be read; exit with status 1 if there are any."""
    for error in broken:
        print_error(error)
    if broken:
        raise click.exceptions.Exit(1)


def _refuse_searched_folder(folder: Path, written: Mapping[str, Path | None]) -> None:
    """Refuse to write into the folder of another tool: the next search would read the verdicts.

    Raises:
        InputError: A folder of `written`, by its option, is in the searched one.
    """
    searched = folder.resolve()
    for option, place in written.items():
        if place is not None and place.resolve().is_relative_to(searched):
            raise InputError(
                f"{place} is in {folder}, where --from searches for trajectories",
                hint=f"Name another folder: {option} DIR.",
            )


def _refuse_model_options(judge: str) -> None:
    """Refuse options that a judge without a model would ignore.

    Raises:
        InputError: One was given.
    """
    context = click.get_current_context()
    given = [
        option.opts[0]
        for option in context.command.params
        if option.name in _MODEL_OPTIONS
        and context.get_parameter_source(option.name) is not ParameterSource.DEFAULT
    ]
    if given:
        raise InputError(
            f"the judge {judge!r} uses no model, so it accepts no {', '.join(given)}",
            hint="Name a model agent: --judge NAME.",
        )


def _print_estimate(
    given: JudgedTrajectories, judge: ResolvedJudge, options: JudgeOptions, *, as_json: bool
) -> Sequence[InputError]:
    """Print the estimate; return why trajectories cannot be read, which are left out of it.

    Raises:
        InputError: The judge uses no model, or the price file is invalid.
    """
    if judge.profile is None:
        raise InputError(f"the judge {judge.name!r} uses no model, so there is nothing to estimate")
    broken = list(given.broken)
    row = estimate_judge(
        given.readers, judge.profile, options.pipeline, load_prices(options.prices), broken.append
    )
    row = replace(row, unreadable=len(broken))
    if as_json:
        click.echo(json.dumps(estimate_data(row)))
    else:
        click.echo(estimate_text(judge.name, row))
    return broken
