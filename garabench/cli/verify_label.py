"""``garabench verify label``."""

from __future__ import annotations

from pathlib import Path

import click

from garabench.cli.command_classes import Command
from garabench.cli.episode_options import episode_options
from garabench.cli.error_exits import report_errors
from garabench.cli.number_range import NumberRange
from garabench.records.episode_selection import EpisodeSelection


@click.command(cls=Command)
@click.argument("run", metavar="RUN", type=click.Path(path_type=Path, file_okay=False, exists=True))
@click.option(
    "--judge",
    metavar="NAME",
    help="Show the rubric of this judge; default: the only one that has judged RUN.",
)
@episode_options
@click.option(
    "--sample",
    type=click.IntRange(min=1),
    metavar="N",
    help="Label only N of these episodes, drawn at random.",
)
@click.option("--seed", type=int, default=0, show_default=True, help="Set the random seed of --sample.")
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    default=0,
    help="Serve the page on this port; 0 picks a free one.",
)
@click.option("--browser/--no-browser", default=True, help="Open a browser, or only print the address.")
@click.option("--stop-after", type=NumberRange(min=0), metavar="SECONDS", help="Stop after this time.")
@report_errors
def label(
    run: Path,
    judge: str | None,
    selection: EpisodeSelection,
    sample: int | None,
    seed: int,
    port: int,
    browser: bool,
    stop_after: float | None,
) -> None:
    """Label the episodes of RUN in the browser.

    Each person labels an episode blind first, then with the findings of the judge. Labels are stored with
    every change in RUN/verdicts/labels.sqlite. The page is served on 127.0.0.1 until Ctrl-C.

    \b
    Example:
        garabench verify label runs/first --no-browser --stop-after 0.5
    """
    # Imported here: a web server takes longer to import than the other commands.
    from garabench.records.reader import load_run
    from garabench.verifier.labelling.label_app import create_label_app
    from garabench.verifier.verdict_store import only_judge
    from garabench.web.server import serve

    def ready(address: str) -> None:
        click.echo(f"Labelling at {address} (Ctrl-C ends)")
        if browser:
            click.launch(address)

    app, store = create_label_app(
        load_run(run), judge or only_judge(run), select=selection, sample=sample, seed=seed
    )
    try:
        serve(app, port=port, on_ready=ready, stop_after=stop_after)
    finally:
        store.close()
