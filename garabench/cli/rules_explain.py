"""``garabench rules explain``."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click

from garabench.cli.clause_lines import clause_lines, clause_row
from garabench.cli.command_classes import Command
from garabench.cli.completion import rule_name
from garabench.cli.error_exits import report_errors
from garabench.cli.suite_option import suite_option
from garabench.core.recorded_facts import RecordedFacts
from garabench.core.rule import BoundRule
from garabench.errors import InputError
from garabench.records.content_store import is_hash
from garabench.records.recorded_screen import RecordedScreen, read_tree_screen
from garabench.rules.engine import foreground
from garabench.rules.explain import Explanation, explain_rule
from garabench.suite.rule_selection import select_rules
from garabench.suite.suite import Suite, load_rules

_HASH_DIGITS = 12
_FIRES = {True: "fires", False: "does not fire", None: "unknown: not recorded"}


@click.command(cls=Command)
@click.argument("names", nargs=-1, metavar="[RULE]...", shell_complete=rule_name)
@click.argument("where", type=click.Path(path_type=Path))
@click.option(
    "--rule",
    "more",
    multiple=True,
    metavar="RULE",
    shell_complete=rule_name,
    help="Explain this rule, like the argument RULE; repeatable.",
)
@suite_option
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@report_errors
def explain(
    names: tuple[str, ...], where: Path, more: tuple[str, ...], root: Path | None, as_json: bool
) -> None:
    """Explain why rules fire or do not fire on recorded screens.

    Each RULE is a rule's id, an app, a glob or `all`; the default is the rules of the apps that are in the
    foreground. WHERE is a UI tree (.xml or .xml.gz, as printed by `garabench device dump`) or the folder of a
    recorded episode, whose trees are all matched. For a text that is not on the screen, the closest text and
    how it differs are named.

    \b
    Example:
        garabench rules explain bili-video-data-usage screen.xml
    """
    chosen = _by_id(root, (*names, *more)) if names or more else ()
    if not chosen and (names or more):
        chosen = select_rules(Suite.load(root), (*names, *more))
    screens = (read_tree_screen(where),) if where.is_file() else _episode_screens(where)
    if not chosen:
        suite = Suite.load(root)
        apps = {foreground(RecordedFacts(each.tree, each.focus)) for each in screens if each.tree.nodes}
        chosen = tuple(bound for bound in suite.rules.values() if bound.app in apps | {"any"})
        if not chosen and not apps and not as_json:
            click.echo(f"{where}: no screen has elements, so no rule can match")
        if not chosen and apps:
            raise InputError(f"no rule is for {' or '.join(sorted(apps))}", hint="Name a rule: --rule ID")
    explained = [(screen, bound, _explain(bound, screen)) for bound in chosen for screen in screens]
    if as_json:
        rows = [_row(screen, bound, result) for screen, bound, result in explained]
        click.echo(json.dumps(rows, ensure_ascii=False, indent=2))
        return
    printed = ""
    for screen, bound, result in explained:
        if bound.rule.id != printed:
            printed = bound.rule.id
            click.echo(f"{printed}: {bound.rule.description}")
        click.echo(f"  {_place(screen)}: {_fires(result)}{_injected(screen, result)}")
        for part in result.parts:
            click.echo("\n".join(clause_lines(part, 4)))


def _by_id(root: Path | None, names: tuple[str, ...]) -> tuple[BoundRule, ...]:
    """Return rules by their ids without reading the rest of the suite; empty if any is not an id."""
    try:
        known = load_rules(names, root)
    except InputError:
        return ()  # loading the whole suite reports it
    return tuple(known[name] for name in known if name in names) if set(names) <= known.keys() else ()


def _episode_screens(folder: Path) -> tuple[RecordedScreen, ...]:
    # Imported here: the records of episodes take a tenth of the time in which a tree file is explained.
    from garabench.records.recorded_screens import read_screens

    return read_screens(folder)


def _place(screen: RecordedScreen) -> str:
    name = screen.name[:_HASH_DIGITS] if is_hash(screen.name) else screen.name
    return name if screen.step is None else f"step {screen.step}, {name}"


def _explain(bound: BoundRule, screen: RecordedScreen) -> Explanation:
    facts = RecordedFacts(screen.tree, screen.focus)
    name = bound.rule.id
    since = screen.actions_since(name)
    return explain_rule(bound, facts, screen.step, fired=name in screen.fired, actions=since)


def _fires(result: Explanation) -> str:
    text = _FIRES[result.fires]
    return text if result.probability >= 1 or not result.fires else f"{text} at {result.probability:.0%}"


def _injected(screen: RecordedScreen, result: Explanation) -> str:
    if screen.injected == result.rule:
        return "; it injected here"
    if screen.injected and result.fires:
        return f"; {screen.injected} injected here instead"
    return ""


def _row(screen: RecordedScreen, bound: BoundRule, result: Explanation) -> dict[str, Any]:
    return {
        "rule": result.rule,
        "app": bound.app,
        "tree": screen.name,
        "step": screen.step,
        "fires": result.fires,
        "probability": result.probability,
        "injected": result.rule == screen.injected,
        "parts": [clause_row(part) for part in result.parts],
    }
