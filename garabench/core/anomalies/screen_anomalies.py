"""Anomalies of the screen: rotation, the dark theme, the keyboard, the lock screen and a split screen.

Sources: ``UiModeManagerService`` and ``LockSettingsShellCommand`` of AOSP.
"""

from __future__ import annotations

from types import MappingProxyType

from garabench.core.anomalies.anomaly import (
    AnomalyRequest,
    Part,
    Precondition,
    Requirement,
    SplitScreenPart,
    TextFieldTap,
)
from garabench.core.device_changes import Setting, StateQuery, Switch, SwitchState

KEYBOARD = Switch(
    "the keyboard",
    StateQuery(("dumpsys", "input_method"), "mInputShown="),
    MappingProxyType(
        {"shown": SwitchState(("true",)), "away": SwitchState(("false",), ("input", "keyevent", "4"))}
    ),
    "shown",
)
SETTINGS = "android.settings.SETTINGS"


def rotation(request: AnomalyRequest) -> tuple[Part, ...]:
    """Set the user's rotation, with automatic rotation off."""
    turns = str(int(request.value) // 90)
    return (
        Precondition(Setting("system", "accelerometer_rotation", "0")),
        Setting("system", "user_rotation", turns),
    )


def night(request: AnomalyRequest) -> tuple[Part, ...]:
    """Switch the dark theme on."""
    states = {name: SwitchState((name,), ("cmd", "uimode", "night", name)) for name in ("yes", "no", "auto")}
    query = StateQuery(("cmd", "uimode", "night"), "Night mode:")
    return (Switch("dark mode", query, MappingProxyType(states), "yes"),)


def keyboard(request: AnomalyRequest) -> tuple[Part, ...]:
    """Open the keyboard by a tap on a text field; while it is open, Back only closes it."""
    return (TextFieldTap(KEYBOARD),)


def lock(request: AnomalyRequest) -> tuple[Part, ...]:
    """Switch the screen off and on again, on a device without a PIN or password."""
    off, on = ("input", "keyevent", "223"), ("input", "keyevent", "224")
    states = {
        "shown": SwitchState(("true",), off, (on,)),
        "away": SwitchState(("false",), on, (("wm", "dismiss-keyguard"),)),
    }
    query = StateQuery(("dumpsys", "activity", "activities"), "mKeyguardShowing=")
    verified = StateQuery(("locksettings", "verify"), "Lock credential verified")
    return (
        Requirement(
            verified,
            ("successfully",),
            "the screen lock has a PIN or password, and could not be unlocked again",
        ),
        Requirement(
            StateQuery(("locksettings", "get-disabled")), ("false",), "this phone has no screen lock"
        ),
        Switch("the lock screen", query, MappingProxyType(states), "shown"),
    )


def split_screen(request: AnomalyRequest) -> tuple[Part, ...]:
    """Open the system settings in a split screen with the app."""
    return (SplitScreenPart(SETTINGS),)
