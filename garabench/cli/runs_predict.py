"""``garabench runs predict``."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path

import click

from garabench.campaign.fleet_simulation import MAX_EPISODES, episode_seconds
from garabench.campaign.fleet_simulation import predict as predict_fleet
from garabench.cli.campaign_damage import warn_of_damaged_lines
from garabench.cli.command_classes import Command
from garabench.cli.error_exits import report_errors
from garabench.cli.local_path import RUN_FOLDER
from garabench.cli.number_range import NumberRange
from garabench.core.phrases import counted
from garabench.errors import InputError
from garabench.records.campaign_log import read_campaign
from garabench.records.reader import load_run


@click.command(cls=Command)
@click.argument("folder", metavar="RUN", type=RUN_FOLDER)
@click.option(
    "--episodes",
    type=click.IntRange(1, MAX_EPISODES),
    default=45_600,
    show_default=True,
    help="Predict this number of episodes; 45600 = 152 tasks × 3 conditions × 5 seeds × 20 agents.",
)
@click.option(
    "--devices",
    default="1,8,64",
    show_default=True,
    help="Simulate these numbers of devices, separated by commas.",
)
@click.option(
    "--slowdown",
    type=NumberRange(min=0, min_open=True, max=10_000),
    default=1.0,
    show_default=True,
    help="Assume that an episode takes this many times as long as in RUN.",
)
@click.option("--seed", default=0, show_default=True, help="Set the random seed of the drawn times.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@report_errors
def predict(folder: Path, episodes: int, devices: str, slowdown: float, seed: int, as_json: bool) -> None:
    """Predict the time of a campaign from the episodes of RUN.

    The prediction is a simulation: each device takes the next episode when it is free, and the time of each
    episode is drawn from those of RUN.

    \b
    Example:
        garabench runs predict runs/first --episodes 1000 --devices 1,4
    """
    load_run(folder)
    warn_of_damaged_lines(folder)
    seconds = episode_seconds(read_campaign(folder))
    rows = [predict_fleet(seconds, episodes, n, seed=seed, slowdown=slowdown) for n in _numbers(devices)]
    if as_json:
        click.echo(json.dumps([dataclasses.asdict(row) for row in rows], indent=2))
        return
    mean = slowdown * sum(seconds) / len(seconds)
    click.echo(f"{counted(episodes, 'episode')} of {mean:.1f} s on average, by {len(seconds)} measured ones")
    click.echo(f"{'devices':>8} {'hours':>10} {'device-hours':>13} {'busy':>6}")
    for row in rows:
        click.echo(f"{row.devices:8} {row.hours:10.1f} {row.device_hours:13.1f} {row.busy:6.1%}")


def _numbers(text: str) -> list[int]:
    """Parse a comma list of numbers of devices.

    Raises:
        InputError: A part is not a positive number.
    """
    words = [word.strip() for word in text.split(",")]
    if any(not (word.isdecimal() and 0 < int(word) < MAX_EPISODES) for word in words):
        raise InputError(f"{text!r} is not a list of numbers", hint="Write, for example, --devices 1,8,64.")
    return [int(word) for word in words]
