"""``garabench tasks replay``, and the contact sheet of ``garabench tasks show``."""

from __future__ import annotations

import dataclasses
import json
import tempfile
from pathlib import Path

import click

from garabench.cli.command_classes import Command
from garabench.cli.completion import task_name
from garabench.cli.confirm import ask_to_wipe
from garabench.cli.error_exits import report_errors
from garabench.cli.suite_option import suite_option
from garabench.core.clock import SystemClock
from garabench.errors import InputError
from garabench.suite.suite import Suite, SuiteTask

FAILED = 1


def one_task(suite: Suite, name: str) -> SuiteTask:
    """Return the only task that a selector selects, if it has a solution.

    Raises:
        InputError: It selects several, or the task has no solution.
    """
    chosen = suite.select(name)
    if len(chosen) != 1:
        raise InputError(f"{name!r} selects {len(chosen)} tasks instead of one", hint="Give an id.")
    if not chosen[0].task.solution:
        raise InputError(
            f"the task {name!r} has no solution yet",
            hint=f"Record it: garabench tasks record {chosen[0].task.id}{suite.command_option}",
        )
    return chosen[0]


@click.command(cls=Command)
@click.argument("name", metavar="TASK", shell_complete=task_name)
@click.option(
    "--device",
    "devices",
    multiple=True,
    metavar="DEVICE",
    default=("virtual",),
    show_default=True,
    help="Use this device: virtual, virtual:PROFILE or a serial; repeatable.",
)
@click.option(
    "--recording",
    metavar="DIR",
    type=click.Path(path_type=Path, exists=True, file_okay=False),
    help="Require the replay to reach the last screen of this recording.",
)
@suite_option
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.option("--yes", is_flag=True, help="Allow wiping the data of the app on a real device.")
@report_errors
def replay(
    name: str, devices: tuple[str, ...], recording: Path | None, root: Path | None, as_json: bool, yes: bool
) -> None:
    """Replay the solution of TASK on devices of any version and size.

    The goal must hold at the end. With --recording, the last screen must also have the structure of the
    recording's last screen. The exit status is 1 if a replay ends elsewhere. A device that cannot perform the
    task, for example because its screen is too low for the goal, ends the command with status 3.

    \b
    Example:
        garabench tasks replay bili-like-song-live --device SERIAL --yes
    """
    from garabench.authoring.recording.replay_task import recorded_end, replay_task
    from garabench.campaign.device_kind import VIRTUAL
    from garabench.campaign.devices import open_devices

    suite = Suite.load(root)
    item = one_task(suite, name)
    wanted = None if recording is None else recorded_end(recording)
    clock = SystemClock()
    found = []
    for each in devices:
        if each.partition(":")[0] != VIRTUAL:
            ask_to_wipe((each,), (item.app,), yes=yes)
        with (
            tempfile.TemporaryDirectory() as folder,
            open_devices((each,), clock, apps=suite.app_files) as leases,
            leases[0].connect() as device,
        ):
            found.append(replay_task(item, suite, device, Path(folder), wanted))
        if not as_json:
            result = found[-1]
            alike = "" if result.similarity is None else f", last screen {result.similarity:.0%} alike"
            verdict = (
                "reached the same end" if result.ok else f"ended elsewhere ({result.reason or 'screen'})"
            )
            click.echo(f"{item.task.id} on {result.device}: {verdict}: {result.steps} steps{alike}")
    if as_json:
        rows = [{**dataclasses.asdict(each), "ok": each.ok} for each in found]
        click.echo(json.dumps(rows, ensure_ascii=False, indent=2))
    if not all(each.ok for each in found):
        raise click.exceptions.Exit(FAILED)


def write_sheet(
    item: SuiteTask, suite: Suite, path: Path, device_name: str, recording: Path | None, *, yes: bool
) -> int:
    """Write the contact sheet of a task, from a recording or by performing its solution.

    Args:
        item: The task.
        suite: Its suite.
        path: The page to write.
        device_name: The device on which the solution is performed.
        recording: The recording to show instead, or None.
        yes: Whether consent to wipe the app's data was given on the command line.

    Returns:
        The number of screens.

    Raises:
        InputError: The recording is broken, or there is no consent.
        DeviceError: The device cannot be reached.
    """
    from garabench.authoring.recording.contact_sheet import contact_sheet, sheet_screens
    from garabench.authoring.recording.replay_task import REPLAYER
    from garabench.campaign.devices import open_devices
    from garabench.campaign.single_episode import run_episode
    from garabench.cli.output_files import write_file
    from garabench.records.content_store import ContentStore
    from garabench.records.episode import Attempt
    from garabench.records.reader import load_run
    from garabench.records.run_layout import EVENTS

    about = next(iter(item.task.instruction.values()))
    with tempfile.TemporaryDirectory() as scratch:
        if recording is not None:
            episode: Attempt | None = next(iter(load_run(recording).episodes), None)
        else:
            with (
                open_devices((device_name,), SystemClock(), apps=suite.app_files) as leases,
                leases[0].connect() as device,
            ):
                run_episode(
                    item.task.id,
                    REPLAYER,
                    device,
                    out=scratch,
                    end="done",
                    suite=suite,
                    wipe=lambda serials: ask_to_wipe(serials, (item.app,), yes=yes),
                )
            log = next(Path(scratch).rglob(EVENTS))
            episode = Attempt(log.parent, ContentStore.of_episode(log.parent))
        if episode is None:
            raise InputError(f"{recording} contains no episode")
        write_file(path, contact_sheet(episode, item.task.id, about).encode())
        return sum(1 for _ in sheet_screens(episode))
