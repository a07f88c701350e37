"""Read what is in the foreground, to diagnose why an expected window is not visible.

The sources are ``dumpsys window``, ``dumpsys activity activities``, ``dumpsys power`` and logcat, whose
formats depend on the Android version (AOSP: ``WindowState.dump``, ``LayoutParams.toString``,
``PhoneWindowManager.dump``, ``KeyguardController.dump``, ``ActivityStarter``).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from garabench.core.observation import Focus
from garabench.device import focus
from garabench.device.adb import Adb
from garabench.device.logs import LogLine, parse_threadtime

_FLAG_SECURE = 0x2000  # android.view.WindowManager.LayoutParams.FLAG_SECURE
_FOCUS = re.compile(r"mCurrentFocus=Window\{(?P<hash>\S+) (?:u\d+ )?(?P<title>[^}]*)\}")
_WINDOW = re.compile(r"^ *Window #\d+ Window\{(?P<hash>\S+) [^}]*\}:? *$", re.MULTILINE)
_FLAGS = re.compile(r"\bfl=(?:#(?P<bits>[0-9a-fA-F]+)|(?P<names>[A-Z_]+(?:[ |][A-Z_]+)*))")
_LOCKED = re.compile(
    r"\b(?:mShowingLockscreen|isKeyguardShowing|mKeyguardShowing|isStatusBarKeyguard(?:\(\))?)=true"
    r"|KeyguardServiceDelegate\s+showing=true"
)
_OCCLUDED = re.compile(r"\b(?:mKeyguardOccluded|mOccluded|occluded)=true")
_ASLEEP = re.compile(r"\bmWakefulness=(?:Asleep|Dozing|0|3)\b")
_REFUSED = re.compile(
    r"Background activity (?:start|launch blocked)|Abort background activity start"
    r"|Permission Denied Activity|Permission Denial: starting",
    re.IGNORECASE,
)
_LOG_TAGS = ("ActivityTaskManager", "ActivityManager", "ActivityStarter")
"""The tags since Android 10, before Android 10, and on some vendors' phones."""


@dataclass(frozen=True, slots=True)
class Foreground:
    """What is in the foreground.

    Attributes:
        title: Title of the window in focus: ``package/activity`` for an app, else the system's name for it
            (``NotificationShade``, ``Application Error: com.a``); empty while no window has the focus.
        secure: Whether that window has ``FLAG_SECURE``.
        resumed: The resumed activity, which another window may cover.
        locked: Whether the lock screen is up and not covered.
        awake: Whether the screen is on.
    """

    title: str = ""
    secure: bool = False
    resumed: Focus | None = None
    locked: bool = False
    awake: bool = True


def parse_foreground(window: str, activities: str = "", power: str = "") -> Foreground:
    """Parse what is in the foreground.

    Args:
        window: Output of ``dumpsys window``.
        activities: Output of ``dumpsys activity activities``.
        power: Output of ``dumpsys power``.
    """
    match = _FOCUS.search(window)
    title = match["title"].strip() if match else ""
    both = f"{window}\n{activities}"
    return Foreground(
        title="" if title == "null" else title,
        secure=match is not None and _secure(window, match["hash"]),
        resumed=focus.parse_activities(activities),
        locked=_LOCKED.search(both) is not None and _OCCLUDED.search(both) is None,
        awake=_ASLEEP.search(power) is None,
    )


def _secure(window: str, token: str) -> bool:
    """Return whether the window with that hash has the flag, by number (until Android 8) or by name."""
    found = list(_WINDOW.finditer(window))
    for index, match in enumerate(found):
        if match["hash"] == token:
            end = found[index + 1].start() if index + 1 < len(found) else len(window)
            flags = _FLAGS.search(window, match.end(), end)
            if flags is not None and flags["bits"]:
                return bool(int(flags["bits"], 16) & _FLAG_SECURE)
            return flags is not None and "SECURE" in re.split(r"[ |]", flags["names"])
    return False


def refusal(lines: Sequence[LogLine], component: str) -> str:
    """Return the activity manager's log message about a start that it refused; empty if it refused none.

    Lines before the last start of the component are ignored.

    Args:
        lines: Lines of the activity manager's tags, oldest first.
        component: ``package/activity``.
    """
    package, _, activity = component.partition("/")
    names = (f"{package}/{activity}", f"{package}/{activity.removeprefix(package)}")
    message = ""
    for line in lines:
        if any(name in line.message for name in names):
            if line.message.startswith("START "):
                message = ""
            elif _REFUSED.search(line.message):
                message = line.message.strip()
    return message


def read_foreground(adb: Adb) -> Foreground:
    """Read what is in the foreground on a device.

    Raises:
        DeviceError: The device is gone.
    """
    window, activities, power = (
        adb.shell(words).stdout
        for words in (["dumpsys", "window"], ["dumpsys", "activity", "activities"], ["dumpsys", "power"])
    )
    return parse_foreground(window, activities, power)


def read_refusal(adb: Adb, component: str) -> str:
    """Return what a device logged about a start that it refused; see `refusal`.

    Raises:
        DeviceError: The device is gone.
    """
    tags = [f"{tag}:V" for tag in _LOG_TAGS]
    result = adb.shell(["logcat", "-d", "-v", "threadtime", "-s", *tags])
    return refusal(parse_threadtime(result.stdout), component)
