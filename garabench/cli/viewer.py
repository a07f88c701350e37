"""``garabench view``."""

from __future__ import annotations

from pathlib import Path

import click

from garabench.cli.command_classes import Command
from garabench.cli.error_exits import report_errors
from garabench.cli.local_path import RUN_FOLDER
from garabench.cli.number_range import NumberRange
from garabench.cli.suite_option import suite_option


@click.command(cls=Command)
@click.argument("runs", metavar="RUN...", nargs=-1, required=True, type=RUN_FOLDER)
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    default=0,
    help="Serve the page on this port; 0 picks a free one.",
)
@suite_option
@click.option("--browser/--no-browser", default=True, help="Open a browser, or only print the address.")
@click.option("--stop-after", type=NumberRange(min=0), metavar="SECONDS", help="Stop after this time.")
@report_errors
def view(
    runs: tuple[Path, ...], port: int, root: Path | None, browser: bool, stop_after: float | None
) -> None:
    """View the episodes of runs in the browser.

    The pages show screens with actions, trees, prompts and interruptions, and episodes side by side. Each RUN
    is the folder of a run, or a folder that contains runs. The pages are served on 127.0.0.1 until Ctrl-C,
    and follow runs in progress. Nothing is written to the runs.

    \b
    Example:
        garabench view runs/first --no-browser --stop-after 0.5
    """
    # Imported here: a web server takes longer to import than all other commands.
    from garabench.report.viewer.viewer_app import create_viewer
    from garabench.web.server import serve

    def ready(address: str) -> None:
        click.echo(f"Viewing at {address} (Ctrl-C ends)")
        if browser:
            click.launch(address)

    serve(create_viewer(runs, suite=root), port=port, on_ready=ready, stop_after=stop_after)
