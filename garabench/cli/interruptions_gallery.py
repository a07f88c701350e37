"""``garabench interruptions gallery``: an HTML page with pictures of all interruptions."""

from __future__ import annotations

from pathlib import Path

import click

from garabench.cli.command_classes import Command
from garabench.cli.error_exits import report_errors
from garabench.cli.suite_option import suite_option
from garabench.core.clock import SystemClock
from garabench.core.suggestions import did_you_mean
from garabench.errors import InputError
from garabench.screens.anomaly_shots import AnomalyShot, anomaly_shots
from garabench.screens.gallery import SIZES, Shot, shots
from garabench.screens.gallery_page import gallery_anomalies, gallery_contents, gallery_page
from garabench.suite.suite import Suite

_FILE = click.Path(path_type=Path, dir_okay=False)


@click.command(
    cls=Command, context_settings={"help_option_names": ["-h", "--help"]}
)  # also invoked directly, without its group
@click.argument("names", metavar="[INTERRUPTION]...", nargs=-1)
@click.option("--out", type=_FILE, required=True, help="Write this HTML file.")
@suite_option
@click.option(
    "--width",
    type=click.IntRange(120, 720),
    default=240,
    show_default=True,
    help="Set the thumbnail width in pixels.",
)
@click.option(
    "--screen",
    "sizes",
    type=click.Choice(SIZES),
    multiple=True,
    help="Draw on this screen size; repeatable; default: all.",
)
@report_errors
def gallery(names: tuple[str, ...], out: Path, root: Path | None, width: int, sizes: tuple[str, ...]) -> None:
    """Draw interruptions on an HTML page.

    The pictures show every mode, theme, language and screen size, and are embedded in the page. Each
    INTERRUPTION is an id; the default is all, which takes some minutes. System anomalies are performed on
    virtual phones.

    \b
    Example:
        garabench interruptions gallery wifi-check crash --screen 720x1280 --out gallery.html
    """
    suite = Suite.load(root)
    library, system = suite.interruptions, gallery_anomalies(suite)
    for name in names:
        if name not in library and name not in system:
            known = [*library, *system]
            raise InputError(f"unknown interruption {name!r}", hint=did_you_mean(name, known))
    chosen = [each for each in library.values() if not names or each.id in names]
    anomalies = [each for each in system.values() if not names or each.name in names]
    pictures: dict[str, list[Shot]] = {each.id: [] for each in chosen}
    anomaly_pictures: dict[str, list[AnomalyShot]] = {each.name: [] for each in anomalies}
    drawn = sizes or SIZES
    if chosen:
        with click.progressbar(shots(chosen, width=width, sizes=drawn), label="Pictures") as each:
            for shot in each:
                pictures[shot.interruption].append(shot)
    if anomalies:
        on_phones = anomaly_shots(anomalies, SystemClock(), width=width, sizes=drawn)
        with click.progressbar(on_phones, label="Anomalies") as on_each:
            for anomaly_shot in on_each:
                anomaly_pictures[anomaly_shot.name].append(anomaly_shot)
    out.parent.mkdir(parents=True, exist_ok=True)
    out.write_text(
        gallery_page(chosen, pictures, anomalies, anomaly_pictures, everything=not names), encoding="utf-8"
    )
    count = sum(map(len, pictures.values())) + sum(
        bool(shot.jpeg) for shots in anomaly_pictures.values() for shot in shots
    )
    click.echo(f"{count} pictures of {gallery_contents(chosen, anomalies)} in {out}")
