"""Bring a device to an episode's initial state: nothing of the previous episode is left."""

from __future__ import annotations

from collections.abc import Sequence

from garabench.core.companion_app import CLOSE, PACKAGE
from garabench.core.device_switches import held_by_a_run
from garabench.core.steps import DeviceStep
from garabench.device.device import Device
from garabench.device.undo.apply import read
from garabench.device.undo.entry import Scope
from garabench.device.undo.restore import restore_or_fail
from garabench.errors import CommandError, DeviceError
from garabench.interruptions import follow_up

_TRIES = 3


def missing_companion(serial: str) -> str:
    """Return the message about a device that cannot show interruptions."""
    return (
        f"the companion app {PACKAGE}, which shows the interruptions, is not installed on {serial}: "
        f"install it with garabench device setup {serial}, or run with --conditions clean"
    )


def prepare(device: Device, app: str, setup: Sequence[DeviceStep], *, interrupted: bool = False) -> None:
    """Reset the device and open the app.

    Args:
        device: The device.
        app: The task's app, which is stopped, cleared of its data, and opened on its first screen.
        setup: Additional steps of the task, performed before the app is opened.
        interrupted: Whether interruptions may be injected, which requires the companion app.

    Raises:
        DeviceError: The initial state could not be reached.
    """
    if not device.apps.installed(app):
        raise CommandError(f"{app} is not installed on {device.info.serial}")
    companion = device.apps.installed(PACKAGE)
    if interrupted and not companion:
        raise CommandError(missing_companion(device.info.serial))
    restore_or_fail(device.adb, device.journal, Scope.EPISODE)  # left by the previous episode
    device.revive()
    shell = device.adb.shell
    if companion:
        shell(CLOSE)
        device.apps.force_stop(PACKAGE)
    device.apps.force_stop(app)
    device.apps.clear(app)
    for change in held_by_a_run(device.info.sdk):  # an agent or a follow-up may have changed this setting
        if not change.is_in_effect(read(device.adb, change.probe)):
            for argv in change.commands:
                shell(argv)
    shell(["input", "keyevent", "224"])  # wake up
    shell(["input", "keyevent", "3"])  # home
    results = follow_up.perform(device, setup, app=app)
    if failed := [result for result in results if not result.ok]:
        raise CommandError(f"the set-up step {failed[0].what!r} failed: {failed[0].detail}")
    for _ in range(_TRIES):
        device.apps.open(app)
        device.settle()
        if device.focus().package == app:
            return
        # A dialog may report that an app crashed.
        shell(["am", "broadcast", "-a", "android.intent.action.CLOSE_SYSTEM_DIALOGS"])
    raise DeviceError(f"{app} did not come to the foreground; the foreground is {device.focus()}")
