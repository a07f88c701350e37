"""Let an app not respond: its process stopped by a signal, which only root may send, and a key not taken.

Android asks five seconds after an input event that was not taken whether to close the app or to wait
(``InputDispatcher``, ``AppNotRespondingDialog``); before, it collects traces, which takes longer for a
process that is stopped. Such a one ends by SIGKILL as any other does, which is what ``am force-stop`` sends.
"""

from __future__ import annotations

from dataclasses import dataclass

from garabench.core.changes import Argv, Probe
from garabench.device.device import Device
from garabench.device.undo.change import read, read_until
from garabench.device.undo.entry import Entry, Scope
from garabench.errors import CommandFailed
from garabench.interruptions.system.parts import state_of

_ROOT: Argv = ("su", "0")
_STOPPED = "T"
_RUNNING = ("S", "R", "D", "I", "")
"""States of a process that goes on, or of one that is there no more."""
_KEY = "0"
"""``KEYCODE_UNKNOWN``, which no app does anything about when it gets it at last."""
_ASKS = Probe(("dumpsys", "window"), " Application Not Responding: ")
_SECONDS = 45
_KEY_LIMIT = 60.0
"""``input`` waits 30 s for an app to take what it sends."""


@dataclass(frozen=True, slots=True)
class Hung:
    """An app that does not respond.

    Attributes:
        pid: Its process.
        evidence: What was read that shows it.
    """

    pid: str
    evidence: tuple[str, ...]


def hang(device: Device, *, app: str, why: str) -> Hung:
    """Stop an app's process and press a key; noted in the device's journal before.

    Args:
        device: The device.
        app: The app in front.
        why: The anomaly's id.

    Returns:
        Its process, and what was read that shows it.

    Raises:
        CommandFailed: adb's shell may not become root, or Android does not ask.
        DeviceError: The device is gone.
        HarnessError: The journal cannot be written.
    """
    adb = device.adb
    if adb.shell([*_ROOT, "id", "-u"]).stdout.strip() != "0":
        raise CommandFailed(
            f"{why}: adb's shell may not become root here by su, as it may on emulators without Google Play"
        )
    pid = adb.shell(["pidof", app]).stdout.strip()
    if not pid.isdecimal():
        raise CommandFailed(f"{why}: {app} does not run in one process")
    if device.focus().package != app:
        raise CommandFailed(f"{why}: {app} is not in front")
    probe = state_of(pid)
    if read(adb, probe) not in _RUNNING[:-1]:
        raise CommandFailed(f"{why}: {app} is stopped already: nothing would change")
    back = (("am", "force-stop", app),)
    device.journal.open(Entry(f"the process of {app}", why, Scope.EPISODE, back, probe, _RUNNING))
    adb.shell([*_ROOT, "kill", "-19", pid]).check(f"bring about {why}")
    if (state := read_until(adb, probe, lambda reading: reading == _STOPPED)) != _STOPPED:
        raise CommandFailed(f"{why}: the process of {app} was not stopped: its state is {state!r}")
    adb.shell(["input", "keyevent", _KEY], timeout=_KEY_LIMIT)
    for _ in range(_SECONDS):
        if read(adb, _ASKS) == app:
            asked = f"dumpsys window: {_ASKS.after.strip()} {app}"
            return Hung(pid, (f"{' '.join(probe.argv)}: {state}", asked))
        adb.shell(["sleep", "1"])  # the device's time, in which it waits for the app
    raise CommandFailed(f"{why}: Android does not ask what to do about {app}")


def hangs(device: Device, hung: Hung) -> bool:
    """Whether an app's process is stopped still, whatever was answered to Android's question."""
    return read(device.adb, state_of(hung.pid)) == _STOPPED
