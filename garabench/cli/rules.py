"""``garabench rules``."""

from __future__ import annotations

import dataclasses
import fnmatch
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

from garabench.campaign.suite import Suite
from garabench.cli.check import rules_counted
from garabench.cli.complete import app_name, rule_name
from garabench.cli.errors import plainly
from garabench.cli.kept import KeptScreen, read_screens
from garabench.core.names import did_you_mean
from garabench.errors import InputError
from garabench.rules.engine import BoundRule
from garabench.rules.explain import Explanation, KeptFacts, KeywordShare, Part, explain

_FOLDER = click.Path(path_type=Path, exists=True, file_okay=False)
_SAID = {True: "yes", False: "no", None: "?"}
_FIRES = {True: "fires", False: "does not fire", None: "cannot be told from what was kept"}


@click.group()
def rules() -> None:
    """Anomaly rules: when the screen looks like this, inject that.

    \b
    Example:
        garabench rules list
    """


@rules.command()
@click.argument("root", required=False, type=_FOLDER)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@plainly
def check(root: Path | None, as_json: bool) -> None:
    """Check the rules of a suite, the one in ROOT or GaraBench's own, and tell which no task uses.

    \b
    Example:
        garabench rules check
    """
    suite = Suite.load(root)
    used = {name for item in suite.every_task.values() for name in item.task.rules}
    idle = [name for name in suite.rules if name not in used]
    if as_json:
        counts = {name: len(getattr(suite, name)) for name in ("rules", "interruptions", "anomalies")}
        row = {**counts, "unused": idle}
        click.echo(json.dumps(row, ensure_ascii=False, indent=2))
        return
    click.echo(f"{rules_counted(suite)} are in order.")
    if idle:
        click.echo(f"No task uses: {', '.join(idle)}")


@rules.command("list")
@click.argument("selector", default="all", shell_complete=app_name)
@click.option("--suite", "root", type=_FOLDER, help="A suite of your own.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@plainly
def list_(selector: str, root: Path | None, as_json: bool) -> None:
    """List rules: all, those of an app, one, or those that a glob fits.

    \b
    Example:
        garabench rules list bilibili --json
    """
    chosen = choose(Suite.load(root), (selector,))
    if as_json:
        rows = [{**each.rule.model_dump(mode="json", include=_LISTED), "app": each.app} for each in chosen]
        click.echo(json.dumps(rows, ensure_ascii=False, indent=2))
        return
    for each in chosen:
        click.echo(f"{each.rule.id:32} {' + '.join(each.rule.inject):24} {each.rule.description}")


_LISTED = {"id", "description", "inject", "probability", "once", "priority"}


@rules.command("explain")
@click.argument("names", nargs=-1, required=True, metavar="RULE...", shell_complete=rule_name)
@click.argument("where", type=click.Path(path_type=Path))
@click.option("--suite", "root", type=_FOLDER, help="A suite of your own.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@plainly
def explain_(names: tuple[str, ...], where: Path, root: Path | None, as_json: bool) -> None:
    """Tell why rules fire on kept screens, or why not.

    WHERE is a UI tree (.xml or .xml.gz, as `garabench device dump` prints them) or the folder of a recorded
    episode, whose every tree is asked. A RULE is an id, an app, a glob, or all.

    \b
    Example:
        garabench rules explain bili-video-data-usage screen.xml
    """
    chosen = choose(Suite.load(root), names)
    screens = read_screens(where)
    told = [(screen, bound, _ask(bound, screen)) for bound in chosen for screen in screens]
    if as_json:
        rows = [_row(screen, bound, result) for screen, bound, result in told]
        click.echo(json.dumps(rows, ensure_ascii=False, indent=2))
        return
    shown = ""
    for screen, bound, result in told:
        if bound.rule.id != shown:
            shown = bound.rule.id
            click.echo(f"{shown}: {bound.rule.description}")
        click.echo(f"  {_place(screen)}: {_fires(result)}{_injected(screen, result)}")
        for part in result.parts:
            click.echo("\n".join(_lines(part, 4)))


def choose(suite: Suite, selectors: tuple[str, ...]) -> tuple[BoundRule, ...]:
    """The rules that an id, an app's package or nickname, a glob or ``all`` select, in the suite's order.

    Raises:
        InputError: One of them selects nothing.
    """
    apps = {item.group: item.app for item in suite.tasks.values()}
    chosen: set[str] = set()
    for word in selectors:
        found = {
            name
            for name, bound in suite.rules.items()
            if word in ("all", name, bound.app)
            or apps.get(word) == bound.app
            or fnmatch.fnmatchcase(name, word)
        }
        if not found:
            known = {*suite.rules, *apps, *(bound.app for bound in suite.rules.values())}
            raise InputError(f"no rule or app is called {word!r}", hint=did_you_mean(word, known))
        chosen |= found
    return tuple(bound for name, bound in suite.rules.items() if name in chosen)


def _place(screen: KeptScreen) -> str:
    return screen.name if screen.step is None else f"step {screen.step}, {screen.name}"


def _ask(bound: BoundRule, screen: KeptScreen) -> Explanation:
    facts = KeptFacts(screen.tree, screen.focus)
    name = bound.rule.id
    since = screen.actions_since(name)
    return explain(bound, facts, screen.step, fired=name in screen.before, actions=since)


def _fires(result: Explanation) -> str:
    said = _FIRES[result.fires]
    return said if result.probability >= 1 or not result.fires else f"{said} at {result.probability:.0%}"


def _injected(screen: KeptScreen, result: Explanation) -> str:
    if screen.injected == result.rule:
        return "; it injected here"
    if screen.injected and result.fires:
        return f"; {screen.injected} injected here instead"
    return ""


def _lines(part: Part, indent: int) -> Iterator[str]:
    name = part.name if part.needed == "all" else f"or {part.name}"
    why = part.why if part.keywords is None else _share(part.keywords)
    yield f"{'':{indent}}{_SAID[part.holds]:4}{name:12} {why}"
    for each in part.parts:
        yield from _lines(each, indent + 2)


def _share(share: KeywordShare) -> str:
    number = len(share.found) + len(share.missing)
    text = f"{len(share.found)}/{number} = {share.share:.0%}, needs {share.threshold:.0%}"
    found = f"; found {', '.join(share.found)}" if share.found else ""
    missing = f"; missing {', '.join(share.missing)}" if share.missing else ""
    return text + found + missing


def _row(screen: KeptScreen, bound: BoundRule, result: Explanation) -> dict[str, Any]:
    return {
        "rule": result.rule,
        "app": bound.app,
        "tree": screen.name,
        "step": screen.step,
        "fires": result.fires,
        "probability": result.probability,
        "injected": result.rule == screen.injected,
        "parts": [_part_row(part) for part in result.parts],
    }


def _part_row(part: Part) -> dict[str, Any]:
    row: dict[str, Any] = {"name": part.name, "holds": part.holds, "needed": part.needed, "why": part.why}
    if part.keywords is not None:
        row["keywords"] = dataclasses.asdict(part.keywords) | {"share": round(part.keywords.share, 4)}
    if part.parts:
        row["parts"] = [_part_row(each) for each in part.parts]
    return row
