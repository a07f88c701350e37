"""``garabench goals test``."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path

import click

from garabench.authoring.goal_test import bound_goal, check_goal_on
from garabench.authoring.screen_reading import read_named_screens
from garabench.cli.clause_lines import clause_lines, clause_row
from garabench.cli.command_classes import Command
from garabench.cli.completion import goal_name
from garabench.cli.error_exits import report_errors
from garabench.cli.suite_option import suite_option
from garabench.errors import InputError
from garabench.suite.suite import Suite

_HOLDS = {True: "holds", False: "does not hold", None: "unknown: not recorded"}


@click.command(cls=Command)
@click.argument(
    "trees", metavar="TREE...", nargs=-1, required=True, type=click.Path(path_type=Path, exists=True)
)
@click.option("--goal", "name", required=True, shell_complete=goal_name, help="Test the goal with this id.")
@click.option(
    "--with", "given", multiple=True, metavar="NAME=VALUE", help="Set a parameter of the goal; repeatable."
)
@click.option("--answer", help="Set the answer that the agent gives.")
@suite_option
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@report_errors
def test(
    trees: tuple[Path, ...],
    name: str,
    given: tuple[str, ...],
    answer: str | None,
    root: Path | None,
    as_json: bool,
) -> None:
    """Test a goal on recorded screens.

    Each TREE is a UI tree (.xml or .xml.gz) or the folder of an episode. Every part of the goal is listed
    with what was found; for a text that is not on the screen, the closest one is named.

    \b
    Example:
        garabench goals test screen.xml --goal bili-searched --with words=稻香
    """
    goal = bound_goal(Suite.load(root), name, _parameters(given))
    screens = tuple(read_named_screens(trees))
    results = [
        (each, check_goal_on(goal, dataclasses.replace(each.facts, answer=answer))) for each in screens
    ]
    if as_json:
        rows = [
            {"screen": each.name, "holds": result.holds, "condition": clause_row(result.clause)}
            for each, result in results
        ]
        click.echo(json.dumps(rows, ensure_ascii=False, indent=2))
        return
    for each, result in results:
        click.echo(f"{each.name}: {name} {_HOLDS[result.holds]}")
        click.echo("\n".join(clause_lines(result.clause, 2)))


def _parameters(given: tuple[str, ...]) -> dict[str, str]:
    """Return the parameters by name; each is given once."""
    found: dict[str, str] = {}
    for text in given:
        name, equals, value = text.partition("=")
        if not name or not equals or not value.strip():
            raise InputError(f"--with {text} is not of the form NAME=VALUE")
        if name in found:
            raise InputError(f"--with {name}=… is given twice", hint="Give each parameter once.")
        found[name] = value
    return found
