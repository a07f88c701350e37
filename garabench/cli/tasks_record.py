"""``garabench tasks record`` and ``garabench tasks new``."""

from __future__ import annotations

import contextlib
import shlex
import sys
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from garabench.cli.command_classes import Command
from garabench.cli.confirm import ask_to_wipe
from garabench.cli.error_exits import INTERRUPTED, report_errors
from garabench.cli.suite_option import suite_option
from garabench.core.clock import SystemClock
from garabench.core.phrases import counted
from garabench.errors import InputError
from garabench.suite.files import suite_words
from garabench.suite.suite import Suite

if TYPE_CHECKING:
    from garabench.authoring.recording.by_hand import HandRecorder
    from garabench.authoring.recording.person_session import PersonSession
    from garabench.authoring.recording.record_task import FinishedRecording
    from garabench.authoring.recording.recording_file import RecordingFile

_LANGUAGES = ("zh", "en")


def _instruction(values: tuple[str, ...]) -> dict[str, str]:
    found: dict[str, str] = {}
    for value in values:
        lang, equals, text = value.partition("=")
        if not equals or lang not in _LANGUAGES or not text.strip():
            raise InputError(f"{value!r} is not an instruction", hint="Write, for example, en='Order a tea'.")
        found[lang] = text.strip()
    return found


@click.command(cls=Command)
@click.argument("task", metavar="TASK")
@click.option("--package", metavar="PACKAGE", required=True, help="Set the app's package.")
@click.option(
    "--instruction",
    "instructions",
    multiple=True,
    metavar="LANG=TEXT",
    help="Add an instruction in a language, such as en='Order a tea'; repeatable.",
)
@suite_option
@report_errors
def new(task: str, package: str, instructions: tuple[str, ...], root: Path | None) -> None:
    """Write a template of TASK and its goal into a suite.

    `garabench tasks record` adds the solution.

    \b
    Example:
        garabench tasks new order-a-tea --package org.example.teashop --suite my-suite
    """
    from garabench.authoring.new_names import check_package
    from garabench.authoring.recording.task_draft import TaskDraft
    from garabench.authoring.recording.task_files import check_writable, write_draft
    from garabench.cli.entry_files import write_app_schema

    if root is None:
        raise InputError("a new task needs your own suite", hint="Give its folder with --suite.")
    check_writable(root, task)
    check_package(package)
    for path in write_draft(root, TaskDraft(task, package, _instruction(instructions))):
        click.echo(f"{path} written.")
    write_app_schema(root)
    click.echo(f"Next: garabench tasks record {task} --device virtual {suite_words(root)}")


@click.command(cls=Command)
@click.argument("task", metavar="TASK")
@click.option(
    "--device",
    "name",
    metavar="DEVICE",
    default="virtual",
    show_default=True,
    help="Use this device: virtual, virtual:PROFILE or a serial.",
)
@click.option("--package", default="", metavar="PACKAGE", help="Set the app's package; default: the task's.")
@click.option(
    "--instruction",
    "instructions",
    multiple=True,
    metavar="LANG=TEXT",
    help="Add an instruction in a language; repeatable.",
)
@suite_option
@click.option(
    "--app",
    "own_apps",
    multiple=True,
    metavar="PATH",
    type=click.Path(path_type=Path),
    help="Install your own app on the virtual phone, from an app file or its folder; repeatable.",
)
@click.option(
    "--out",
    metavar="DIR",
    type=click.Path(path_type=Path),
    help="Write the recording into this folder; default: recordings/TASK.",
)
@click.option("--resume", is_flag=True, help="Repeat the recorded steps, and continue after them.")
@click.option("--terminal", is_flag=True, help="Read commands from standard input instead of serving a page.")
@click.option("--by-hand", is_flag=True, help="Record the touches on the phone itself, with getevent.")
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    default=0,
    help="Serve the page on this port; 0 picks a free one.",
)
@click.option("--browser/--no-browser", default=True, help="Open a browser, or only print the address.")
@click.option("--yes", is_flag=True, help="Allow wiping the data of the app on a real device.")
@report_errors
def record(
    task: str,
    name: str,
    package: str,
    instructions: tuple[str, ...],
    root: Path | None,
    own_apps: tuple[Path, ...],
    out: Path | None,
    resume: bool,
    terminal: bool,
    by_hand: bool,
    port: int,
    browser: bool,
    yes: bool,
) -> None:
    """Record TASK while a person uses the phone.

    Each touch becomes a step with the selector that finds its element again: by id, text, description or
    relations, never by pixels. The page mirrors the phone and shows the next step's element before it is
    touched. At the end, the task with its solution and a proposed goal are written into the suite of --suite,
    or else into the recording's folder. The recording is a run that all commands for runs read.

    \b
    Example:
        garabench tasks record like-a-video --package tv.danmaku.bili --device SERIAL --terminal --yes
    """
    # Imported here: devices and a web server take longer to import than the other commands.
    from garabench.authoring.new_names import check_new_id
    from garabench.authoring.recording.record_task import open_recording, record_task
    from garabench.authoring.recording.task_files import check_writable
    from garabench.campaign.consent import real_device
    from garabench.campaign.devices import open_devices

    if terminal and by_hand:
        raise InputError("give --terminal or --by-hand, not both")
    check_new_id(task)
    folder = out or Path("recordings") / task
    suite = Suite.load(root)
    known = suite.every_task.get(task)
    instruction = _instruction(instructions) or (dict(known.task.instruction) if known else {})
    package = package or (known.app if known else "")
    if not package and not resume:
        raise InputError(f"the suite has no task {task!r} yet", hint="Give the app with --package.")
    recording = open_recording(folder, task, package, instruction, resume=resume)
    target = root or folder / "suite"
    check_writable(target, task, complete=True)
    clock = SystemClock()
    mode = "--terminal" if terminal else "--by-hand" if by_hand else ""
    again = _resume_command(task, folder, root, name, own_apps, mode)
    apps = (*suite.app_files, *own_apps)
    with contextlib.ExitStack() as stack:
        leases = stack.enter_context(open_devices((name,), clock, apps=apps, on_message=_note))
        device = stack.enter_context(leases[0].connect())  # before the question: it fails if there is none
        ask_to_wipe(real_device(device), (recording.app,), yes=yes)
        on_session: Callable[[PersonSession], None]
        if by_hand:
            from garabench.authoring.recording.by_hand import HandRecorder

            hand = stack.enter_context(HandRecorder(device, _note))
            device, on_session = hand.device, hand.drive
            click.echo("Use the phone, and wait for each step to be printed before the next touch.")
            click.echo("Press Enter here when the task is done.")
            threading.Thread(target=_finish_on_enter, args=(hand,), daemon=True).start()
        elif terminal:
            on_session = _in_terminal(stack)
        else:
            on_session = _on_page(stack, recording, port=port, browser=browser)
        try:
            done = record_task(recording, device, folder, clock, on_session=on_session)
        except KeyboardInterrupt as error:
            click.echo(f"\nInterrupted. Resume: {again}", err=True)
            raise click.exceptions.Exit(INTERRUPTED) from error
    _report(done, target, task, again)


def _finish_on_enter(hand: HandRecorder) -> None:
    while sys.stdin.readline():
        try:
            hand.finish()
        except InputError as error:
            _note(str(error))
        else:
            return


def _note(text: str) -> None:
    click.echo(text, err=True)


def _on_page(
    stack: contextlib.ExitStack, recording: RecordingFile, *, port: int, browser: bool
) -> Callable[[PersonSession], None]:
    """Serve the page until the end of a stack."""
    from garabench.authoring.recording.recorder_app import SessionHolder, create_recorder_app
    from garabench.web.server import serving

    holder = SessionHolder()
    instruction = next(iter(recording.instruction.values()), "")
    app = create_recorder_app(holder, recording.task, recording.app, instruction)
    address = stack.enter_context(serving(app, port=port))
    click.echo(f"Recording at {address} (Ctrl-C stops; --resume continues)")
    if browser:
        click.launch(address)
    return holder.use


def _in_terminal(stack: contextlib.ExitStack) -> Callable[[PersonSession], None]:
    """Read commands from standard input."""
    from garabench.authoring.recording.terminal_recorder import HELP, TerminalRecorder

    interactive = sys.stdin.isatty()
    recorder = TerminalRecorder(iter(sys.stdin), click.echo, strict=not interactive)
    if interactive:
        click.echo(f"Commands, one per line:\n{HELP}")

    def check() -> None:
        if recorder.failed:
            raise InputError(f"the recording stopped: {recorder.failed}", hint="Resume it with --resume.")

    stack.callback(check)
    return lambda session: threading.Thread(target=recorder.drive, args=(session,), daemon=True).start()


def _resume_command(
    task: str, folder: Path, root: Path | None, device: str, apps: Sequence[Path], mode: str
) -> str:
    """Return the command that continues a recording with the same suite, device, apps and mode."""
    from garabench.campaign.device_kind import VIRTUAL

    words = ["garabench", "tasks", "record", task, "--out", str(folder), "--resume"]
    words += [] if root is None else ["--suite", str(root)]
    words += [] if device == VIRTUAL else ["--device", device]
    words += [word for app in apps for word in ("--app", str(app))]
    return shlex.join([*words, mode] if mode else words)


def _report(done: FinishedRecording, target: Path, task: str, again: str) -> None:
    """Write the draft of a finished recording, and print where everything is."""
    from garabench.authoring.recording.task_files import write_draft
    from garabench.cli.entry_files import write_app_schema

    click.echo(f"{counted(len(done.file.steps), 'step')} recorded in {done.folder}")
    if done.draft is None:
        click.echo(f"Resume: {again}")
        return
    for path in write_draft(target, done.draft):
        click.echo(f"{path} written.")
    write_app_schema(target)
    click.echo("Next: complete the goal and the near misses in these files, then")
    own = suite_words(target)
    click.echo(f"  garabench tasks replay {task} {own} --recording {shlex.quote(str(done.folder))}")
    click.echo(f"  garabench tasks prove {task} {own}")
