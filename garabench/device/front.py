"""What is in front on a device and what keeps other windows from it: for telling why a window is not seen.

Read from ``dumpsys window``, ``dumpsys activity activities``, ``dumpsys power`` and logcat, whose forms
change with Android's version (sources: AOSP ``WindowState.dump``, ``LayoutParams.toString``,
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
"""Since Android 10, before it, and on some makers' phones."""


@dataclass(frozen=True, slots=True)
class Front:
    """What is in front.

    Attributes:
        title: Of the window in focus: ``package/activity`` of an app's, else the system's own name for it
            (``NotificationShade``, ``Application Error: com.a``); empty while none has the focus.
        secure: Whether that window has ``FLAG_SECURE``.
        resumed: The activity that is resumed, which a window of another may cover.
        locked: Whether the lock screen is up, with nothing over it.
        awake: Whether the screen is on.
    """

    title: str = ""
    secure: bool = False
    resumed: Focus | None = None
    locked: bool = False
    awake: bool = True


def parse(window: str, activities: str = "", power: str = "") -> Front:
    """Read what is in front.

    Args:
        window: Output of ``dumpsys window``.
        activities: Output of ``dumpsys activity activities``.
        power: Output of ``dumpsys power``.
    """
    match = _FOCUS.search(window)
    title = match["title"].strip() if match else ""
    both = f"{window}\n{activities}"
    return Front(
        title="" if title == "null" else title,
        secure=match is not None and _secure(window, match["hash"]),
        resumed=focus.parse_activities(activities),
        locked=_LOCKED.search(both) is not None and _OCCLUDED.search(both) is None,
        awake=_ASLEEP.search(power) is None,
    )


def _secure(window: str, token: str) -> bool:
    """Whether the window of that hash has the flag, by number (until Android 8) or by name."""
    found = list(_WINDOW.finditer(window))
    for place, match in enumerate(found):
        if match["hash"] == token:
            end = found[place + 1].start() if place + 1 < len(found) else len(window)
            flags = _FLAGS.search(window, match.end(), end)
            if flags is not None and flags["bits"]:
                return bool(int(flags["bits"], 16) & _FLAG_SECURE)
            return flags is not None and "SECURE" in re.split(r"[ |]", flags["names"])
    return False


def refusal(lines: Sequence[LogLine], component: str) -> str:
    """What the activity manager logged of a start that it refused, or empty.

    Only what was logged after the last start of that component counts: the log keeps older ones.

    Args:
        lines: Of the activity manager's tags, oldest first.
        component: ``package/activity``.
    """
    package, _, activity = component.partition("/")
    names = (f"{package}/{activity}", f"{package}/{activity.removeprefix(package)}")
    told = ""
    for line in lines:
        if any(name in line.message for name in names):
            if line.message.startswith("START "):
                told = ""
            elif _REFUSED.search(line.message):
                told = line.message.strip()
    return told


def read(adb: Adb) -> Front:
    """Ask a device what is in front.

    Raises:
        DeviceError: The device is gone.
    """
    window, activities, power = (
        adb.shell(words).stdout
        for words in (["dumpsys", "window"], ["dumpsys", "activity", "activities"], ["dumpsys", "power"])
    )
    return parse(window, activities, power)


def read_refusal(adb: Adb, component: str) -> str:
    """What a device logged of a start that it refused, or empty; see `refusal`.

    Raises:
        DeviceError: The device is gone.
    """
    tags = [f"{tag}:V" for tag in _LOG_TAGS]
    result = adb.shell(["logcat", "-d", "-v", "threadtime", "-s", *tags])
    return refusal(parse_threadtime(result.stdout), component)
