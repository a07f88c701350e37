"""``garabench rules replay``."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import click

from garabench.authoring.rule_replay import (
    ReplayResult,
    RuleReplay,
    recorded_screens,
    replay_rows,
    replay_rules,
)
from garabench.cli.command_classes import Command
from garabench.cli.completion import rule_name
from garabench.cli.error_exits import report_errors
from garabench.cli.suite_option import suite_option
from garabench.core.phrases import counted
from garabench.suite.rule_selection import select_rules
from garabench.suite.suite import Suite

_MOST_OVERLAPS = 10
_MOST_CURVES = 10
_PATH = click.Path(path_type=Path, exists=True)


@click.command(cls=Command)
@click.argument(
    "runs", metavar="RUN...", nargs=-1, required=True, type=click.Path(path_type=Path, exists=True)
)
@click.option(
    "--rule",
    "names",
    multiple=True,
    default=("all",),
    metavar="RULE",
    shell_complete=rule_name,
    help="Match these rules: an id, an app, a glob or all; repeatable; default: all.",
)
@suite_option
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@report_errors
def replay(runs: tuple[Path, ...], names: tuple[str, ...], root: Path | None, as_json: bool) -> None:
    """Match rules against the screens of recorded runs.

    Each RUN is the folder of a run or of an episode, or a UI tree. The table says on how many screens of its
    app each rule holds and in how many episodes it would have fired. It is followed by the rules that never
    hold, those that hold everywhere, those that hold together, and what other thresholds would change.

    \b
    Example:
        garabench rules replay runs/first --rule bilibili
    """
    chosen = select_rules(Suite.load(root), names)
    result = replay_rules(chosen, (screen for run in runs for screen in recorded_screens(run)))
    if as_json:
        data = {
            "screens": result.screens,
            "empty": result.empty,
            "trees": result.trees,
            "episodes": result.episodes,
            "rules": replay_rows(result),
            "overlaps": [{"rules": [one, other], "screens": n} for one, other, n in result.overlaps],
        }
        click.echo(json.dumps(data, ensure_ascii=False, indent=2))
        return
    click.echo("\n".join(_lines(result)))


def _lines(result: ReplayResult) -> Iterator[str]:
    head = f"{counted(result.screens, 'screen')} ({result.trees} different), "
    yield head + counted(result.episodes, "episode")
    if result.empty:
        yield f"Skipped: {counted(result.empty, 'screen')} without elements."
    seen = [each for each in result.rules if each.seen]
    width = max((len(each.rule) for each in seen), default=4)
    yield f"{'rule':{width}}  screens  holds  fires  first"
    for each in seen:
        first = "" if not each.fires else _first(*each.fires[0])
        yield f"{each.rule:{width}}  {each.seen:7}  {each.holds:5}  {len(each.fires):5}  {first}".rstrip()
    yield from _list("Never", [each for each in seen if each.never])
    yield from _list("On every screen of its app", [each for each in seen if each.everywhere])
    unseen = len(result.rules) - len(seen)
    if unseen:
        yield f"Not seen: the apps of {counted(unseen, 'rule')} are on no recorded screen."
    for one, other, number in result.overlaps[:_MOST_OVERLAPS]:
        yield f"Together on {counted(number, 'screen')}: {one}, {other}"
    if more := len(result.overlaps) - _MOST_OVERLAPS:
        yield f"… and {counted(more, 'more pair')}; --json lists them all" if more > 0 else ""
    curves = [each for each in seen if each.curve is not None]
    if len(curves) > _MOST_CURVES:
        curves = [each for each in curves if each.never or each.everywhere][:_MOST_CURVES]
    for each in curves:
        yield _curve(each)


def _first(episode: str, step: int | None) -> str:
    return episode if step is None else f"{episode} step {step}"


def _list(title: str, rules: list[RuleReplay]) -> Iterator[str]:
    if rules:
        yield f"{title}: {', '.join(each.rule for each in rules)}"


def _curve(each: RuleReplay) -> str:
    """Return the number of screens by the number of keywords that are required."""
    if each.curve is None:
        return ""
    total = each.curve.keywords
    points = [f"{number}/{total}: {screens}" for number, screens in enumerate(each.curve.screens, start=1)]
    return (
        f"{each.rule}, screens by keywords required (threshold {each.curve.threshold:g}): {', '.join(points)}"
    )
