"""``garabench tasks page``."""

from __future__ import annotations

from pathlib import Path

import click

from garabench.cli.command_classes import Command
from garabench.cli.error_exits import report_errors
from garabench.cli.suite_option import suite_option
from garabench.core.phrases import counted
from garabench.report.suite_page import PICTURES, suite_page
from garabench.suite.suite import Suite


@click.command(cls=Command)
@click.option(
    "--out",
    default=Path("docs/suite.md"),
    show_default=True,
    type=click.Path(path_type=Path, dir_okay=False),
    help="Write FILE.",
)
@click.option("--pictures", is_flag=True, help="Also draw the pictures of the apps.")
@suite_option
@report_errors
def page(out: Path, pictures: bool, root: Path | None) -> None:
    """Write an overview of the suite as a Markdown page.

    \b
    Example:
        garabench tasks page --out suite.md
    """
    suite = Suite.load(root)
    out.parent.mkdir(parents=True, exist_ok=True)
    out.write_text(suite_page(suite), encoding="utf-8")
    drawn = 0
    if pictures:
        from garabench.screens.thumbnails import write_thumbnails  # slow: loads all apps

        drawn = len(write_thumbnails(suite, out.parent / PICTURES))
    drawn_too = f", {counted(drawn, 'picture')}" if pictures else ""
    click.echo(f"{out}: {counted(len(suite.tasks), 'task')}{drawn_too}")
