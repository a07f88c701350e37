"""``garabench rules``."""

from __future__ import annotations

import json
from pathlib import Path

import click

from garabench.cli.command_classes import LazyGroup
from garabench.cli.completion import app_name
from garabench.cli.error_exits import report_errors
from garabench.cli.suite_option import suite_option
from garabench.suite.rule_selection import select_rules
from garabench.suite.suite import Suite


@click.group(
    cls=LazyGroup,
    modules={
        "check": "garabench.cli.rules_check",
        "explain": "garabench.cli.rules_explain",
        "new": "garabench.cli.rules_new",
        "replay": "garabench.cli.rules_replay",
        "try": "garabench.cli.rules_try:try_",
        "watch": "garabench.cli.rules_watch",
    },
)
def rules() -> None:
    """List, check and explain rules.

    A rule injects an interruption when the screen meets its conditions.

    \b
    Example:
        garabench rules list
    """


@rules.command("list")
@click.argument("selector", default="all", shell_complete=app_name)
@suite_option
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@report_errors
def list_(selector: str, root: Path | None, as_json: bool) -> None:
    """List the rules that SELECTOR selects.

    SELECTOR is a rule's id, an app, a glob or `all`.

    \b
    Example:
        garabench rules list bilibili --json
    """
    chosen = select_rules(Suite.load(root), (selector,))
    if as_json:
        rows = [{**each.rule.model_dump(mode="json", include=_LISTED), "app": each.app} for each in chosen]
        click.echo(json.dumps(rows, ensure_ascii=False, indent=2))
        return
    for each in chosen:
        click.echo(f"{each.rule.id:32} {' + '.join(each.rule.inject):24} {each.rule.description}")


_LISTED = {"id", "description", "inject", "probability", "once", "priority"}
