"""``garabench runs watch``."""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterable, Iterator
from pathlib import Path

import click
from rich.console import Console, Group
from rich.live import Live
from rich.text import Text

from garabench.campaign.live_state import LiveState, after, after_all, as_killed
from garabench.cli.campaign_damage import warn_of_damaged_lines
from garabench.cli.command_classes import Command
from garabench.cli.error_exits import report_errors
from garabench.cli.live_table import as_json, device_table, progress_line
from garabench.cli.number_range import NumberRange
from garabench.core import campaign_events as ev
from garabench.core.clock import Clock, SystemClock
from garabench.errors import InputError
from garabench.records.campaign_log import CampaignFollower
from garabench.records.lock import is_locked
from garabench.records.reader import load_run
from garabench.records.run_layout import LOCK, RUN_FILE

_EVERY_S = 1.0
_WAIT_S = 60.0
"""How long a run may take to begin; the devices of most are ready by then."""


@click.command(cls=Command)
@click.argument("folder", metavar="RUN", type=click.Path(path_type=Path, file_okay=False))
@click.option("--once", is_flag=True, help="Print the current state and exit.")
@click.option("--json", "as_json_", is_flag=True, help="Print the current state as JSON and exit.")
@click.option(
    "--wait",
    "wait_s",
    type=NumberRange(min=0),
    metavar="SECONDS",
    help=f"Wait this long for a run that is starting; default: {_WAIT_S:.0f}, or 0 with --once or --json.",
)
@report_errors
def watch(folder: Path, once: bool, as_json_: bool, wait_s: float | None) -> None:
    """Show the progress of RUN by device until it ends.

    It only reads the folder of the run, so it works from any computer with access to it. Unlike other
    commands it refuses a URL, since a copy does not change while it is watched. A run whose process was
    killed is shown as stopped. Without a terminal, a line is printed per attempt and per recovery.

    \b
    Example:
        garabench runs watch runs/first --once
    """
    clock = SystemClock()
    if wait_s is None:
        wait_s = 0 if once or as_json_ else _WAIT_S
    wait_until_begun(folder, wait_s, clock)
    load_run(folder)
    warn_of_damaged_lines(folder)
    watched = WatchedRun(folder)
    state = after_all(LiveState(), watched.events())
    console = Console()
    if as_json_:
        state = watched.checked(state)
        data = as_json(state) | {"resume": _resume_command(folder) if _is_unfinished(state) else None}
        click.echo(json.dumps(data, ensure_ascii=False, indent=2))
        return
    if state.started is None and not watched.performed:
        console.print("No campaign is recorded: the run is older, or has not begun.")
    elif once:
        state = watched.checked(state)
        _print(console, state, clock)
    elif console.is_terminal:
        state = _live(console, watched, state, clock)
    else:
        state = _lines(watched, state, clock)
    if _is_unfinished(state):
        click.echo(f"Resume: {_resume_command(folder)}")
        click.echo("Give its options of devices, models and --suite again, if it had any.")


def wait_until_begun(folder: Path, wait_s: float, clock: Clock) -> None:
    """Wait until a run has written its first file.

    Raises:
        InputError: It has not within this time: the folder is missing or has only the lock, as while the
            devices of a run are opened.
    """
    deadline = clock.monotonic() + wait_s
    if not _has_begun(folder) and wait_s > 0:
        click.echo(f"{folder} has not begun yet: waiting up to {wait_s:g} s for it", err=True)
    while not _has_begun(folder):
        if clock.monotonic() >= deadline:
            raise InputError(
                f"{folder} has not begun{f' within {wait_s:g} s' if wait_s else ''}, or is not a run: "
                f"it has no {RUN_FILE}",
                hint="Check the path. A run that is starting writes this file as soon as its devices are "
                "ready: --wait SECONDS waits longer.",
            )
        clock.sleep(min(_EVERY_S, wait_s))


def _has_begun(folder: Path) -> bool:
    """Whether there is something to read: a run, or files of something else."""
    if (folder / RUN_FILE).exists():
        return True
    return (
        folder.exists() and not is_locked(folder) and not {path.name for path in folder.iterdir()} <= {LOCK}
    )


def _is_unfinished(state: LiveState) -> bool:
    return state.finished and state.ended < state.planned


def _resume_command(folder: Path) -> str:
    return shlex.join(["garabench", "run", "--out", str(folder), "--resume"])


class WatchedRun:
    """A run that this process reads while another one may perform it.

    Attributes:
        performed: Whether a process performed it just before the last call of `events`.
    """

    def __init__(self, folder: Path) -> None:
        """Set up the reader.

        Args:
            folder: The run's folder.
        """
        self._folder = folder
        self._follower = CampaignFollower(folder)
        self.performed = True

    def events(self) -> Iterator[ev.CampaignEvent]:
        """Iterate over the events since the last call."""
        # Read before the events: the last one is written before the lock is released.
        self.performed = is_locked(self._folder)
        yield from self._follower.read()

    def checked(self, state: LiveState) -> LiveState:
        """Return the state after the last events; stopped, if no process performs the run any more."""
        return state if self.performed else as_killed(state)


def _print(console: Console, state: LiveState, clock: Clock) -> None:
    console.print(Text(progress_line(state)))
    console.print(device_table(state, clock.now()))


def _live(console: Console, watched: WatchedRun, state: LiveState, clock: Clock) -> LiveState:
    with Live(console=console, auto_refresh=False) as live:
        while True:
            state = watched.checked(state)
            live.update(Group(Text(progress_line(state)), device_table(state, clock.now())), refresh=True)
            if state.finished:
                return state
            clock.sleep(_EVERY_S)
            state = after_all(state, watched.events())


def _lines(watched: WatchedRun, state: LiveState, clock: Clock) -> LiveState:
    state = watched.checked(state)
    click.echo(progress_line(state))
    while not state.finished:
        clock.sleep(_EVERY_S)
        for event in watched.events():
            state = after(state, event)
            for line in event_lines(event):
                click.echo(f"{line}  ({progress_line(state)})")
        state = watched.checked(state)
        if state.detail == "killed":
            click.echo(progress_line(state))
    return state


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
