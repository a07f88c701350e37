"""``garabench runs watch``."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path

import click
from rich.console import Console, Group
from rich.live import Live
from rich.text import Text

from garabench.campaign.live_state import LiveState, after, after_all
from garabench.cli.command_classes import Command
from garabench.cli.error_exits import report_errors
from garabench.cli.live_table import as_json, device_table, progress_line
from garabench.core import campaign_events as ev
from garabench.core.clock import Clock, SystemClock
from garabench.records.campaign_log import CampaignFollower
from garabench.records.reader import load_run

_EVERY_S = 1.0


@click.command(cls=Command)
@click.argument("folder", metavar="RUN", type=click.Path(path_type=Path, file_okay=False))
@click.option("--once", is_flag=True, help="Print the current state and exit.")
@click.option("--json", "as_json_", is_flag=True, help="Print the current state as JSON and exit.")
@report_errors
def watch(folder: Path, once: bool, as_json_: bool) -> None:
    """Show the progress of RUN by device until it ends.

    It only reads the folder of the run, so it works from any computer with access to it. Without a terminal,
    it prints a line per attempt and per recovery.

    \b
    Example:
        garabench runs watch runs/first --once
    """
    load_run(folder)
    clock, follower = SystemClock(), CampaignFollower(folder)
    state = after_all(LiveState(), follower.read())
    console = Console()
    if as_json_:
        click.echo(json.dumps(as_json(state), ensure_ascii=False, indent=2))
    elif once:
        _print(console, state, clock)
    elif console.is_terminal:
        _live(console, follower, state, clock)
    else:
        _lines(follower, state, clock)


def _print(console: Console, state: LiveState, clock: Clock) -> None:
    if state.begun is None:
        console.print("No campaign is recorded: the run is older, or has not begun.")
        return
    console.print(Text(progress_line(state)))
    console.print(device_table(state, clock.now()))


def _live(console: Console, follower: CampaignFollower, state: LiveState, clock: Clock) -> None:
    with Live(console=console, auto_refresh=False) as live:
        while True:
            live.update(Group(Text(progress_line(state)), device_table(state, clock.now())), refresh=True)
            if state.finished:
                return
            clock.sleep(_EVERY_S)
            state = after_all(state, follower.read())


def _lines(follower: CampaignFollower, state: LiveState, clock: Clock) -> None:
    click.echo(progress_line(state))
    while not state.finished:
        clock.sleep(_EVERY_S)
        for event in follower.read():
            state = after(state, event)
            for line in event_lines(event):
                click.echo(f"{line}  ({progress_line(state)})")


def event_lines(event: ev.CampaignEvent) -> Iterable[str]:
    """Yield what a person wants to read about an event; nothing for most."""
    match event:
        case ev.AttemptEnded():
            yield f"{event.device}: {event.episode}: {event.known_outcome} ({event.unknown or event.reason})"
        case ev.RungPerformed():
            left = ", ".join(symptom.value for symptom in event.remaining) or "recovered"
            yield f"{event.device}: {event.rung.value}: {left}"
        case ev.DevicePaused():
            yield f"{event.device}: pauses for {event.seconds:.0f} s: {event.reason}"
        case ev.DeviceRetired():
            yield f"{event.device}: retired: {event.reason}"
        case ev.TaskBudgetSpent():
            yield f"{event.task}: {event.faults} faults on healthy devices: its episodes are not repeated"
        case ev.RunEnded():
            yield "the run has ended"
        case _:
            return
