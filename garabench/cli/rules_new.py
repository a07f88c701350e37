"""``garabench rules new``."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import click

from garabench.authoring.new_names import check_interruption, check_unused_id, suite_around
from garabench.authoring.rule_proposal import NamedScreen, propose_rule
from garabench.authoring.screen_reading import other_screens, read_device_screen, read_screen_of
from garabench.authoring.suite_file_edits import require_folder
from garabench.cli.command_classes import Command
from garabench.cli.entry_files import write_entry
from garabench.cli.error_exits import report_errors
from garabench.cli.suite_option import suite_option
from garabench.core.clock import SystemClock
from garabench.core.phrases import counted
from garabench.device.device import Device
from garabench.errors import InputError
from garabench.lint.screen_texts import ScreenTexts
from garabench.rules.engine import foreground

_NOT_UNDER_TEST = re.compile(r"launcher|permissioncontroller|packageinstaller|\.home$")
"""Home screens and permission dialogs, which come in front of the app that was meant."""
_PATH = click.Path(path_type=Path, exists=True)


@click.command(cls=Command)
@click.option("--device", "serial", metavar="SERIAL", help="Read the screen from this device.")
@click.option(
    "--tree",
    metavar="PATH",
    type=_PATH,
    help="Read the screen from a UI tree, as `garabench device dump` prints it, or from an "
    "episode with --step.",
)
@click.option(
    "--step",
    metavar="N",
    type=click.IntRange(min=0),
    help="Use the screen of this step of the episode, from 0.",
)
@click.option(
    "--not",
    "others",
    multiple=True,
    type=_PATH,
    metavar="PATH",
    help="Give a screen on which the rule must not fire: a UI tree, an episode, or a run; repeatable.",
)
@click.option("--id", "rule", default="new-rule", show_default=True, help="Set the id of the rule.")
@click.option(
    "--inject", default="low-battery", show_default=True, help="Inject the interruption with this id."
)
@suite_option
@click.option(
    "--out",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Add the rule to this file; default: print it.",
)
@report_errors
def new(
    serial: str | None,
    tree: Path | None,
    step: int | None,
    others: tuple[Path, ...],
    rule: str,
    inject: str,
    root: Path | None,
    out: Path | None,
) -> None:
    """Propose a rule for a screen.

    The rule fires on the screen of --device or --tree, and on none of the screens of --not. Its keywords are
    texts that tell them apart; numbers, dates and counts are avoided. The interruption of --inject is one of
    --suite, by default of the suite that --out is in, or a built-in one. Read the comments, then try the
    rule: `garabench check FILE`, `garabench rules explain`, `garabench rules try`. In a suite, the check
    reports it as unused until a task names it.

    \b
    Example:
        garabench rules new --tree screen.xml
    """
    if out is not None:
        require_folder(out, "rules")
    suite = root or suite_around(out)
    check_interruption(suite, inject)
    check_unused_id(suite, "rule", rule)
    screen = _screen(serial, tree, step)
    rivals, left_out = other_screens(screen, others)
    if left_out:
        click.echo(f"Left out as the same page: {counted(left_out, 'screen')}", err=True)
    shown = ScreenTexts.load(suite)
    for warning in _warnings(screen, rivals, others):
        click.echo(f"Warning: {warning}", err=True)
    proposal = propose_rule(screen, rivals, rule=rule, inject=inject, is_known=shown.shows)
    if out is None:
        click.echo(f"app: {proposal.bound.app}\nrules:\n{proposal.text}", nl=False)
        return
    write_entry(out, "rules", proposal.bound.app, proposal.text, read_from=screen.name)
    click.echo(f"{out}: added the rule {rule}, which fires on {screen.name}")
    if proposal.closest is not None:
        name, count = proposal.closest
        click.echo(f"The most similar other screen has {count} of its keywords: {name}")


def _warnings(
    screen: NamedScreen,
    rivals: list[NamedScreen],
    others: tuple[Path, ...],
) -> Iterator[str]:
    """Yield what makes the proposed rule differ from what its author probably wants."""
    app = foreground(screen.facts)
    if not app:
        return  # refused
    if _NOT_UNDER_TEST.search(app):
        yield f"{screen.name} shows {app}, not an app of a suite; open the app and repeat the command"
    if others and all(foreground(each.facts) != app for each in rivals):
        yield f"--not has no other screen of {app}, so that it excludes nothing"


def _screen(serial: str | None, tree: Path | None, step: int | None) -> NamedScreen:
    if (serial is None) is (tree is None):
        raise InputError("give the screen: --device SERIAL, --tree FILE or --tree EPISODE --step N")
    if tree is not None:
        return read_screen_of(tree, step)
    if step is not None:
        raise InputError("--step needs --tree with an episode")
    with Device.connect(serial or "", SystemClock()) as device:
        return read_device_screen(device)
