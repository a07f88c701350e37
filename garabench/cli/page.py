"""``garabench tasks page``."""

from __future__ import annotations

from pathlib import Path

import click

from garabench.campaign.suite import Suite
from garabench.cli.errors import plainly
from garabench.report.suite_page import PICTURES, suite_page


@click.command()
@click.option(
    "--out",
    default=Path("docs/suite.md"),
    show_default=True,
    type=click.Path(path_type=Path, dir_okay=False),
    help="The page.",
)
@click.option("--pictures", is_flag=True, help="Draw the apps' pictures anew, too.")
@plainly
def page(out: Path, pictures: bool) -> None:
    """Write the page that tells what the suite is made of.

    \b
    Example:
        garabench tasks page --out suite.md
    """
    suite = Suite.load()
    out.parent.mkdir(parents=True, exist_ok=True)
    out.write_text(suite_page(suite), encoding="utf-8")
    drawn = 0
    if pictures:
        from garabench.campaign.thumbnails import write_thumbnails  # loads all apps, which takes long

        drawn = len(write_thumbnails(suite, out.parent / PICTURES))
    click.echo(f"{out} tells of {len(suite.tasks)} tasks" + (f", with {drawn} pictures" if pictures else ""))
