"""The health of a device: everything that an episode needs, read in one round trip and one UI tree.

`read_health` reads, `find_problems` decides; the decision is pure. The commands print what Android prints
since 4.4. Commands that start a virtual machine on old devices, which takes seconds there, are left out.
"""

from __future__ import annotations

import contextlib
import datetime as dt
import re
from collections.abc import Collection
from dataclasses import dataclass, replace

from garabench.core.campaign_events import HealthProblem, Symptom
from garabench.core.observation import Focus, TreeSource
from garabench.device import foreground
from garabench.device.device import Device
from garabench.device.focus import current_state
from garabench.device.free_space import parse_free
from garabench.errors import DeviceError, ScreenLockedError, TreeUnavailableError

MIN_FREE_BYTES = 50 * 1024**2
"""Space for screenshots, UI dumps and the apps' own data."""
TRIM_CACHES = "pm trim-caches 1G"
"""Shell command of a device that lets Android delete caches of apps until that much is free."""
SLOW_SECONDS = 2.0
"""Duration of a round trip from which adb counts as slow."""
_EARLIEST = 1_577_836_800  # 2020: for builds that do not record their date
_LIMIT_S = 10.0
SYSTEM_PACKAGE = "android"
"""The package of the system's dialogs about apps."""
_MARK = "@garabench@"
_BASE = (
    "getprop sys.boot_completed",
    "df /data",
    "date +%s",
    "getprop ro.build.date.utc",
    "dumpsys window",
    "ip route",
)
_FAST = ("settings get global airplane_mode_on", "settings get global wifi_on")
_ERROR_DIALOG = re.compile(r"Application (?:Error|Not Responding): (?P<package>[\w.]+)")
_SYSTEM_UI_PACKAGE, _SETTINGS = "com.android.systemui", "com.android.settings"
_SYSTEM_UI = (_SYSTEM_UI_PACKAGE, _SETTINGS)


@dataclass(frozen=True, slots=True)
class HealthReading:
    """What was read from a device; None and empty values are unknown.

    Attributes:
        seconds: Duration of the round trip.
        booted: Whether Android has finished booting.
        free_bytes: Free space for apps' data.
        time: The device's clock, in seconds since 1970.
        built: The date of its build, likewise.
        title: Title of the window in focus; empty if none has it.
        secure: Whether that window has ``FLAG_SECURE``.
        locked: Whether the lock screen is up.
        routed: Whether it has a network route.
        offline_by_choice: Whether airplane mode is on, or Wi-Fi is off.
        unreachable: Why it could not be read at all.
        lock: Why it could not be unlocked.
        tree: Why its UI tree could not be read.
        u2: Why uiautomator2's server did not deliver the tree.
    """

    seconds: float = 0.0
    booted: bool = True
    free_bytes: int | None = None
    time: int | None = None
    built: int | None = None
    title: str = ""
    secure: bool = False
    locked: bool = False
    routed: bool | None = None
    offline_by_choice: bool | None = None
    unreachable: str = ""
    lock: str = ""
    tree: str = ""
    u2: str = ""


def parse_health(output: str, seconds: float) -> HealthReading:
    """Parse the output of the round trip's commands, in the order of the script."""
    booted, free, now, built, window, route, *settings = [
        part.strip() for part in (output + _MARK * (len(_BASE) + len(_FAST))).split(_MARK)
    ]
    front = foreground.parse_foreground(current_state(window))
    airplane, wifi = settings[:2]
    return HealthReading(
        seconds=seconds,
        booted=booted == "1",
        free_bytes=parse_free(free),
        time=int(now) if now.isdecimal() else None,
        built=int(built) if built.isdecimal() else None,
        title=front.title,
        secure=front.secure,
        locked=front.locked,
        routed=None if "not found" in route else bool(route),
        offline_by_choice=(airplane == "1" or wifi == "0") if airplane or wifi else None,
    )


def read_health(device: Device, *, thorough: bool = False) -> HealthReading:
    """Read a device's health; wake and unlock it if necessary.

    Args:
        device: The device.
        thorough: Whether to read the UI tree even if only ``uiautomator dump`` can, which takes seconds.
    """
    clock = device.clock
    commands: tuple[str, ...] = _BASE
    start = clock.monotonic()
    try:
        if device.adb.starts_fast:
            commands = (*_BASE, *_FAST)
        script = f"; echo {_MARK}; ".join(f"{each} 2>&1" for each in commands)
        output = device.adb.shell(["sh", "-c", script], timeout=_LIMIT_S).stdout
        reading = parse_health(output, clock.monotonic() - start)
        lock = ""
        if reading.locked:
            try:
                device.unlock()
            except ScreenLockedError as error:
                lock = str(error)
        tree = u2 = ""
        if thorough or device.has_fast_trees:
            try:
                found = device.read_tree()
                u2 = found.reason if found.source is not TreeSource.U2 else ""
            except TreeUnavailableError as error:
                tree = str(error)
    except DeviceError as error:
        return HealthReading(seconds=clock.monotonic() - start, unreachable=str(error))
    return replace(reading, lock=lock, tree=tree, u2=u2)


def find_problems(reading: HealthReading, *, had_network: bool = False) -> tuple[HealthProblem, ...]:
    """Decide what is wrong with a device; pure.

    Args:
        reading: What was read.
        had_network: Whether it had a network route when the run began.
    """
    if reading.unreachable:
        return (HealthProblem(symptom=Symptom.UNREACHABLE, detail=reading.unreachable),)
    if not reading.booted:
        return (HealthProblem(symptom=Symptom.BOOTING, detail="sys.boot_completed is not 1"),)
    found: list[tuple[Symptom, str]] = []
    if reading.lock:
        found.append((Symptom.LOCKED, reading.lock))
    if dialog_package(reading.title):
        found.append((Symptom.DIALOG, reading.title))
    elif reading.secure and _is_of_system(reading.title):
        found.append((Symptom.COVERED, f"{reading.title or 'a window'} is secure"))
    elif not reading.title:
        found.append((Symptom.NO_FOCUS, "mCurrentFocus is null"))
    if reading.tree:
        found.append((Symptom.EMPTY_TREE, reading.tree))
    elif reading.u2:
        found.append((Symptom.U2_FAILED, reading.u2))
    if reading.free_bytes is not None and reading.free_bytes < MIN_FREE_BYTES:
        free, needed = reading.free_bytes // 1024**2, MIN_FREE_BYTES // 1024**2
        found.append((Symptom.LOW_STORAGE, f"{free} MB are free on /data, {needed} MB are needed"))
    if reading.time is not None and reading.time < max(_EARLIEST, reading.built or 0):
        shown = dt.datetime.fromtimestamp(reading.time, dt.UTC)
        found.append((Symptom.WRONG_TIME, f"its clock says {shown:%Y-%m-%d %H:%M} UTC, before its build"))
    if had_network and reading.routed is False and not reading.offline_by_choice:
        found.append((Symptom.NO_NETWORK, "it has no network route any more"))
    if reading.seconds > SLOW_SECONDS:
        found.append((Symptom.SLOW_ADB, f"a round trip took {reading.seconds:.1f} s"))
    return tuple(HealthProblem(symptom=symptom, detail=detail) for symptom, detail in found)


def dialog_package(title: str) -> str:
    """Return the app about which a system dialog reports, by the title of its window; empty for others."""
    match = _ERROR_DIALOG.match(title)
    return match["package"] if match else ""


def may_be_foreign(focus: Focus) -> bool:
    """Return whether a window in focus may be one of the system's with which no episode has to deal."""
    if focus.package == _SETTINGS:
        return "Confirm" in focus.activity  # asks for the secret, before Android 10
    return focus.package in (SYSTEM_PACKAGE, _SYSTEM_UI_PACKAGE) and not focus.activity


def foreign_window(device: Device, own: Collection[str]) -> str:
    """Describe a window in focus with which an episode has nothing to do; empty if there is none.

    Args:
        device: The device.
        own: The apps of the episode: their crashes may be its doing, but not that they stop responding.

    Raises:
        DeviceError: The device is gone.
    """
    front = foreground.parse_foreground(current_state(device.adb.shell(["dumpsys", "window"]).stdout))
    package = dialog_package(front.title)
    if package and (package not in own or "Not Responding" in front.title):
        return f"the dialog {front.title!r}"
    if front.locked:
        return "the lock screen"
    if front.secure and _is_of_system(front.title):
        return f"the secure window {front.title!r}"
    return ""


def _is_of_system(title: str) -> bool:
    """Return whether a window is the system's: apps' windows are titled ``package/activity``."""
    package, slash, _ = title.partition("/")
    return not slash or package in _SYSTEM_UI


def close_dialogs(device: Device, app: str) -> None:
    """Close the system's dialogs, stop an app, and go to the home screen.

    Raises:
        DeviceError: The device is gone.
    """
    shell = device.adb.shell
    title = ""
    with contextlib.suppress(DeviceError):
        title = foreground.parse_foreground(current_state(shell(["dumpsys", "window"]).stdout)).title
    closing = shell(["am", "broadcast", "-a", "android.intent.action.CLOSE_SYSTEM_DIALOGS"])
    closing.check("close the system's dialogs")
    for package in dict.fromkeys(filter(None, (dialog_package(title), app))):
        device.apps.force_stop(package)
    shell(["input", "keyevent", "3"]).check("press Home")
