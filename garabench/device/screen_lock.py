"""Wake a device and dismiss its lock screen, or say that it asks for a PIN, a pattern or a password.

Android knows the key WAKEUP since 4.4W. Before, the Power key wakes a sleeping device, but puts one that is
awake to sleep, so the state is read first. ``wm dismiss-keyguard`` exists since Android 6; before, the
Menu key unlocks.
"""

from __future__ import annotations

import re

from garabench.core.tree import UiTree
from garabench.device import foreground
from garabench.device.adb import Adb
from garabench.device.focus import current_state
from garabench.errors import DeviceError, ScreenLockedError

_POWER, _MENU, _WAKEUP = "26", "82", "224"
_FIRST_SDK_WITH_WAKEUP = 20
_FIRST_SDK_THAT_DISMISSES = 23
_LOOKS = 8
_PAUSE_S = 0.25
_WAKEFULNESS = re.compile(r"\bmWakefulness=(?P<state>\w+)")
_AWAKE = frozenset({"Awake", "1"})
_SCREEN = re.compile(r"\bmScreenOn=(?P<on>true|false)|^Display Power: state=(?P<state>\w+)", re.MULTILINE)
_SECRETS = {
    "keyguard_pin_view": "PIN",
    "pinEntry": "PIN",
    "keyguard_sim_pin_view": "SIM PIN",
    "keyguard_pattern_view": "pattern",
    "lockPatternView": "pattern",
    "keyguard_password_view": "password",
    "passwordEntry": "password",
}
"""The secret by the id of the lock screen's view."""


def is_awake(power: str) -> bool:
    """Return whether the device is awake, from ``dumpsys power``; True if the output does not say.

    A dreaming device shows a screen saver and needs waking.
    """
    if match := _WAKEFULNESS.search(power):
        return match["state"] in _AWAKE
    if match := _SCREEN.search(power):
        return "true" in (match["on"], str(match["state"] == "ON").lower())
    return True


def secret_of(tree: UiTree) -> str:
    """Return the kind of secret for which the lock screen on a tree asks; empty if it shows none."""
    found = (_SECRETS.get(node.entry) for node in tree.nodes)
    return next(filter(None, found), "")


def wake(adb: Adb, sdk: int) -> None:
    """Wake a sleeping device.

    Raises:
        DeviceError: It stays asleep, or is gone.
    """
    if _awake(adb):
        return
    key = _WAKEUP if sdk >= _FIRST_SDK_WITH_WAKEUP else _POWER
    adb.shell(["input", "keyevent", key]).check("wake the screen")
    for _ in range(_LOOKS):
        if _awake(adb):
            return
        adb.clock.sleep(_PAUSE_S)
    raise DeviceError(f"the screen of {adb.serial} is off, and does not wake up")


def dismiss(adb: Adb, sdk: int) -> bool:
    """Dismiss the lock screen of an awake device; return whether it is gone.

    Raises:
        DeviceError: The device is gone.
    """
    menu = ["input", "keyevent", _MENU]
    tries = [["wm", "dismiss-keyguard"], menu] if sdk >= _FIRST_SDK_THAT_DISMISSES else [menu, menu]
    if not _locked(adb):
        return True
    for words in tries:
        if adb.shell(words).failed:
            continue
        for _ in range(_LOOKS // 2):
            if not _locked(adb):
                return True
            adb.clock.sleep(_PAUSE_S)
    return False


def locked_error(serial: str, secret: str) -> ScreenLockedError:
    """Return the error about a screen that is locked with a secret, whose kind may be unknown."""
    secret = secret or "PIN, pattern or password"
    return ScreenLockedError(
        f"the screen of {serial} is locked with a {secret}: unlock it, and set the screen lock to None "
        "or Swipe in the device's security settings"
    )


def _awake(adb: Adb) -> bool:
    return is_awake(adb.shell(["dumpsys", "power"]).stdout)


def _locked(adb: Adb) -> bool:
    return foreground.parse_foreground(current_state(adb.shell(["dumpsys", "window"]).stdout)).locked
