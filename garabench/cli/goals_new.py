"""``garabench goals new``."""

from __future__ import annotations

from pathlib import Path

import click

from garabench.authoring.goal_proposal import propose_goal
from garabench.authoring.new_names import check_unused_id, suite_around
from garabench.authoring.screen_reading import read_named_screens
from garabench.authoring.suite_file_edits import require_folder
from garabench.cli.command_classes import Command
from garabench.cli.entry_files import write_entry
from garabench.cli.error_exits import report_errors
from garabench.cli.suite_option import suite_option
from garabench.core.yaml_text import flow

_TREE = click.Path(path_type=Path, exists=True, dir_okay=False)


@click.command(cls=Command)
@click.argument("before", type=_TREE)
@click.argument("after", type=_TREE)
@click.option("--id", "goal", default="new-goal", show_default=True, help="Set the id of the goal.")
@click.option(
    "--object",
    "named",
    multiple=True,
    metavar="TEXT",
    help="Mark a text of AFTER that names an object; repeatable.",
)
@suite_option
@click.option(
    "--out",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Add the goal to this file; default: print it.",
)
@report_errors
def new(
    before: Path, after: Path, goal: str, named: tuple[str, ...], root: Path | None, out: Path | None
) -> None:
    """Propose a goal from the screens before and after a task.

    BEFORE and AFTER are UI trees, as `garabench device dump` prints them. The goal consists of what changed,
    and of the names of its objects, which become parameters. It holds on AFTER and not on BEFORE. Its id must
    be new in --suite, by default the suite that --out is in.

    \b
    Example:
        garabench goals new before.xml after.xml --id page-open
    """
    if out is not None:
        require_folder(out, "goal_schemas")
    check_unused_id(root or suite_around(out), "goal", goal)
    first, second = read_named_screens((before, after))
    proposal = propose_goal(first.facts, second.facts, goal=goal, named=named)
    if out is None:
        click.echo(f"app: {proposal.app}\ngoals:\n{proposal.text}", nl=False)
    else:
        write_entry(out, "goals", proposal.app, proposal.text, read_from=second.name)
        click.echo(f"{out}: added the goal {goal}")
    if proposal.values:
        values = flow({"use": goal, "with": dict(proposal.values)})
        click.echo(f"Use it in a task: goal: {values}", err=out is None)
