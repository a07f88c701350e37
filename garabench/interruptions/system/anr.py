"""Make an app stop responding: stop its process by a signal, which requires root, and press a key.

Five seconds after an unhandled input event Android asks whether to close the app or to wait
(``InputDispatcher``, ``AppNotRespondingDialog``). Before that it collects traces, which takes longer for a
stopped process. SIGKILL, which ``am force-stop`` sends, ends a stopped process like any other.
"""

from __future__ import annotations

from dataclasses import dataclass

from garabench.core.anomalies.app_anomalies import process_state
from garabench.core.device_changes import Argv, StateQuery
from garabench.device.device import Device
from garabench.device.undo.apply import read_query, read_until
from garabench.device.undo.entry import Scope, UndoEntry
from garabench.errors import CommandError

_ROOT: Argv = ("su", "0")
_STOPPED = "T"
_RUNNING = ("S", "R", "D", "I", "")
"""States of a running process; empty for one that has ended."""
_KEY = "0"
"""``KEYCODE_UNKNOWN``, which apps ignore when they finally receive it."""
_ANR_DIALOG = StateQuery(("dumpsys", "window"), " Application Not Responding: ")
_DIALOG_SECONDS = 45
_KEY_LIMIT = 60.0
"""``input`` waits 30 s for an app to handle the event."""


@dataclass(frozen=True, slots=True)
class HungApp:
    """An app that does not respond.

    Attributes:
        pid: Its process id.
        evidence: The readings that show it.
    """

    pid: str
    evidence: tuple[str, ...]


def hang(device: Device, *, app: str, purpose: str) -> HungApp:
    """Stop an app's process and press a key; recorded in the device's journal first.

    Args:
        device: The device.
        app: The app in the foreground.
        purpose: The anomaly's id.

    Returns:
        The process and the evidence.

    Raises:
        CommandError: adb's shell cannot become root, or Android shows no dialog.
        DeviceError: The device is gone.
        HarnessError: The journal cannot be written.
    """
    adb = device.adb
    if adb.shell([*_ROOT, "id", "-u"]).stdout.strip() != "0":
        raise CommandError(
            f"{purpose}: requires root, and `su 0` does not give it on this device; use an emulator image "
            "without Google Play"
        )
    pid = adb.shell(["pidof", app]).stdout.strip()
    if not pid.isdecimal():
        raise CommandError(f"{purpose}: {app} is not running in exactly one process")
    if device.focus().package != app:
        raise CommandError(f"{purpose}: {app} is not in the foreground")
    query = process_state(pid)
    if read_query(adb, query) not in _RUNNING[:-1]:
        raise CommandError(f"{purpose}: {app} is already stopped, so nothing would change")
    back = (("am", "force-stop", app),)
    device.journal.open(UndoEntry(f"the process of {app}", purpose, Scope.EPISODE, back, query, _RUNNING))
    adb.shell([*_ROOT, "kill", "-19", pid]).check(f"bring about {purpose}")
    if (state := read_until(adb, query, lambda reading: reading == _STOPPED)) != _STOPPED:
        raise CommandError(f"{purpose}: the process of {app} was not stopped: its state is {state!r}")
    adb.shell(["input", "keyevent", _KEY], timeout=_KEY_LIMIT).check(f"bring about {purpose}")
    for _ in range(_DIALOG_SECONDS):
        if read_query(adb, _ANR_DIALOG) == app:
            dialog = f"dumpsys window: {_ANR_DIALOG.after.strip()} {app}"
            return HungApp(pid, (f"{' '.join(query.argv)}: {state}", dialog))
        adb.shell(["sleep", "1"])  # by the device's clock, which Android's own timeout uses
    raise CommandError(f"{purpose}: Android shows no dialog that {app} is not responding")


def is_still_hung(device: Device, hung: HungApp) -> bool:
    """Return whether an app's process is still stopped, regardless of the choice in Android's dialog."""
    return read_query(device.adb, process_state(hung.pid)) == _STOPPED
