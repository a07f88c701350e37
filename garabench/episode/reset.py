"""Bring a device to an episode's first state, and verify it: nothing of the episode before is left."""

from __future__ import annotations

from collections.abc import Sequence

from garabench.core.steps import DeviceStep
from garabench.core.switches import held_by_a_run
from garabench.device.device import Device
from garabench.device.undo.change import read
from garabench.device.undo.entry import Scope
from garabench.device.undo.restore import restore_or_fail
from garabench.errors import CommandFailed, DeviceError
from garabench.interruptions import followup
from garabench.interruptions.plan import CLOSE, PACKAGE

_TRIES = 3


def missing_companion(serial: str) -> str:
    """What is said of a device that cannot show interruptions."""
    return (
        f"the companion app {PACKAGE}, which shows the interruptions, is not installed on {serial}: "
        f"garabench device setup {serial}, or run under --conditions clean"
    )


def prepare(device: Device, app: str, setup: Sequence[DeviceStep], *, interrupted: bool = False) -> None:
    """Reset the device and open the app.

    Args:
        device: The device.
        app: The task's app: stopped, its data wiped, opened on its first screen.
        setup: Further steps of the task, performed before the app is opened.
        interrupted: Whether interruptions may be injected, which needs the companion app.

    Raises:
        DeviceError: The first state could not be reached; nothing may be concluded from the episode.
    """
    if not device.apps.installed(app):
        raise CommandFailed(f"{app} is not installed on {device.info.serial}")
    companion = device.apps.installed(PACKAGE)
    if interrupted and not companion:
        raise CommandFailed(missing_companion(device.info.serial))
    restore_or_fail(device.adb, device.journal, Scope.EPISODE)  # what the episode before could not put back
    device.revive()
    shell = device.adb.shell
    if companion:
        shell(CLOSE)
        device.apps.force_stop(PACKAGE)
    device.apps.force_stop(app)
    device.apps.clear(app)
    for change in held_by_a_run(device.info.sdk):  # what an agent or a follow-up can have changed
        if not change.is_so(read(device.adb, change.probe)):
            for argv in change.on:
                shell(argv)
    shell(["input", "keyevent", "224"])  # wake up
    shell(["input", "keyevent", "3"])  # home
    results = followup.perform(device, setup, app=app)
    if bad := [result for result in results if not result.ok]:
        raise CommandFailed(f"the set-up step {bad[0].what!r} failed: {bad[0].detail}")
    for _ in range(_TRIES):
        device.apps.open(app)
        device.settle()
        if device.focus().package == app:
            return
        shell(["am", "broadcast", "-a", "android.intent.action.CLOSE_SYSTEM_DIALOGS"])  # that an app crashed
    raise DeviceError(f"{app} did not come to the front; {device.focus()} is there")
