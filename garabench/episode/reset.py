"""Bring a device to an episode's initial state: nothing of the previous episode is left."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence

from garabench.core.companion_app import PACKAGE
from garabench.core.device_switches import run_settings
from garabench.core.steps import DeviceStep
from garabench.device.adb_command import adb_command
from garabench.device.device import Device
from garabench.device.settle import Settled
from garabench.device.undo.entry import Scope
from garabench.device.undo.restore import recorded_user_settings, restore_or_fail, restore_user_settings
from garabench.device.undo.state_reader import StateReader
from garabench.errors import CommandError, DeviceError
from garabench.interruptions import follow_up

_TRIES = 3


def missing_companion(serial: str) -> str:
    """Return the message about a device that cannot show interruptions."""
    enable = f"{adb_command()} -s {serial} shell pm enable {PACKAGE}"
    return (
        f"the companion app {PACKAGE}, which shows the interruptions, is not installed or is disabled "
        f"on {serial}: install it with garabench device setup {serial}, enable it with {enable}, "
        f"or run with --conditions clean"
    )


def prepare(device: Device, app: str, setup: Sequence[DeviceStep], *, interrupted: bool = False) -> Settled:
    """Reset the device and open the app.

    On a slow phone each command of the framework takes seconds, so nothing is read or stopped twice: clearing
    an app also stops it, and a missing one cannot be cleared.

    Args:
        device: The device.
        app: The task's app, which is stopped, cleared of its data, and opened on its first screen.
        setup: Additional steps of the task, performed before the app is opened.
        interrupted: Whether interruptions may be injected, which requires the companion app.

    Returns:
        The still screen of the app.

    Raises:
        DeviceError: The initial state could not be reached.
    """
    if interrupted and not device.apps.once_installed(PACKAGE):
        raise CommandError(missing_companion(device.info.serial))
    restore_or_fail(device.adb, device.journal, Scope.EPISODE)  # left by the previous episode
    device.revive()
    device.unlock()
    shell, settings = device.adb.shell, run_settings(device.info.sdk)
    with contextlib.closing(StateReader(device.adb)) as state, _stopping_companion(device):
        of_user = recorded_user_settings(device.journal)
        state.start((*(change.query for change in settings), *of_user))
        _clear(device, app)
        for change in settings:  # an agent or a follow-up may have changed this setting
            if not change.is_in_effect(state.read(change.query)):
                for argv in change.commands:
                    shell(argv).check("set the screen and the network as at the start of a run")
        if of_user:  # an agent may have changed these: the dark theme hides what later screens look like
            restore_user_settings(device.adb, device.journal, state)
    shell(["input", "keyevent", "3"]).check("press Home")
    results = follow_up.perform_follow_up(device, setup, app=app)
    if failed := [result for result in results if not result.ok]:
        raise CommandError(f"the set-up step {failed[0].description!r} failed: {failed[0].detail}")
    for _ in range(_TRIES):
        device.apps.open(app)
        settled = device.settle()
        window = settled.window or device.apps.window()
        if window.focus.package == app:
            return settled
        # A dialog may report that an app crashed.
        closing = shell(["am", "broadcast", "-a", "android.intent.action.CLOSE_SYSTEM_DIALOGS"])
        closing.check("close the system's dialogs")
    raise DeviceError(f"{app} did not come to the foreground; the foreground is {device.focus()}")


@contextlib.contextmanager
def _stopping_companion(device: Device) -> Iterator[None]:
    """Stop the companion app, if it may show a window or a notification, while the block runs.

    Android removes an app's windows and notifications when it is stopped (``forceStopPackage`` in AOSP's
    ActivityManagerService).

    Raises:
        CommandError: Android refused.
    """
    listed = device.adb.shell(["dumpsys", "notification"]).stdout
    if not device.apps.running(PACKAGE) and PACKAGE not in listed:
        yield
        return
    with contextlib.closing(device.adb.start_shell(["am", "force-stop", PACKAGE])) as stopping:
        yield
        stopping.result().check("stop the companion app")


def _clear(device: Device, app: str) -> None:
    """Clear an app's data, which also stops it.

    Raises:
        CommandError: It is not installed, or Android refused.
    """
    try:
        device.apps.clear(app)
    except CommandError as error:
        if not device.apps.installed(app):
            raise CommandError(f"{app} is not installed on {device.info.serial}") from error
        raise
