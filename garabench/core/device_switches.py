"""The Android switches that GaraBench changes, and the state in which each episode begins."""

from __future__ import annotations

from types import MappingProxyType

from garabench.core.device_changes import Argv, Change, Setting, StateQuery, Switch, SwitchState

AIRPLANE_SDK = 30
"""First API level with ``cmd connectivity airplane-mode`` (Android 11)."""
AIRPLANE_BROADCAST_UNTIL_SDK = 23
"""Last API level whose shell may send the broadcast that switches the radios (Android 6)."""
NOTIFICATION_SDK = 29
"""First API level with ``cmd notification post`` (Android 10)."""
WIFI = "Wi-Fi"
"""Name of the switch for Wi-Fi."""
_SHELL = "com.android.shell"
_AIRPLANE = "airplane_mode_on"
_AIRPLANE_ACTION = "android.intent.action.AIRPLANE_MODE"


def wifi_switch(*, on: bool) -> Switch:
    """Return the switch for Wi-Fi.

    ``wifi_on`` is 2 while on in airplane mode, 3 while off for it, and unset without Wi-Fi.
    """
    states = {
        "on": SwitchState(("1", "2"), ("svc", "wifi", "enable")),
        "off": SwitchState(("0", "3", "null"), ("svc", "wifi", "disable")),
    }
    query = StateQuery(("settings", "get", "global", "wifi_on"))
    return Switch(WIFI, query, MappingProxyType(states), "on" if on else "off")


def airplane_switch(*, on: bool) -> Switch:
    """Return the switch for airplane mode, since Android 11."""

    def argv(verb: str) -> Argv:
        return ("cmd", "connectivity", "airplane-mode", verb)

    states = {"on": SwitchState(("1",), argv("enable")), "off": SwitchState(("0", "null"), argv("disable"))}
    query = StateQuery(("settings", "get", "global", _AIRPLANE))
    return Switch("airplane mode", query, MappingProxyType(states), "on" if on else "off")


def airplane_broadcast_switch(*, on: bool) -> Switch:
    """Return the switch for airplane mode up to Android 6: the setting, and a broadcast for the radios."""

    def state(value: str, extra: str, *readings: str) -> SwitchState:
        broadcast = ("am", "broadcast", "-a", _AIRPLANE_ACTION, "--ez", "state", extra)
        return SwitchState((value, *readings), ("settings", "put", "global", _AIRPLANE, value), (broadcast,))

    states = {"on": state("1", "true"), "off": state("0", "false", "null")}
    query = StateQuery(("settings", "get", "global", _AIRPLANE))
    return Switch("airplane mode", query, MappingProxyType(states), "on" if on else "off")


def airplane_switch_of(sdk: int, *, on: bool) -> Switch | None:
    """Return the switch for airplane mode; None on Android 7 to 10, where the shell cannot switch it."""
    if sdk >= AIRPLANE_SDK:
        return airplane_switch(on=on)
    return airplane_broadcast_switch(on=on) if sdk <= AIRPLANE_BROADCAST_UNTIL_SDK else None


def notification_switch(title: str, text: str) -> Switch:
    """Return the switch for a notification of adb's shell.

    Only stopping the shell's package removes it; no command does.
    """
    states = {
        "posted": SwitchState(
            ("user=UserHandle",), ("cmd", "notification", "post", "-t", title, "garabench", text)
        ),
        "none": SwitchState(("",), ("am", "force-stop", _SHELL)),
    }
    # ``NotificationRecord(0x…: pkg=…`` is a posted one; removed ones are archived in a different format.
    query = StateQuery(("dumpsys", "notification"), f": pkg={_SHELL}")
    return Switch("the shell's notifications", query, MappingProxyType(states), "posted")


def permission_switch(app: str, name: str, *, granted: bool) -> Switch:
    """Return the switch for a runtime permission, since Android 6."""
    states = {
        "granted": SwitchState(("true",), ("pm", "grant", app, name)),
        "denied": SwitchState(("false",), ("pm", "revoke", app, name)),
    }
    return Switch(
        f"the permission {name} of {app}",
        StateQuery(("dumpsys", "package", app), f"{name}: granted="),
        MappingProxyType(states),
        "granted" if granted else "denied",
        unknown=f"{app} does not declare it, or it is not a runtime permission",
    )


def run_settings(sdk: int) -> tuple[Change, ...]:
    """Return the settings that a run restores, in the state in which each episode begins."""
    rotation = (Setting("system", "accelerometer_rotation", "0"), UPRIGHT)
    plane: Change = airplane_switch_of(sdk, on=False) or Setting("global", _AIRPLANE, "0")
    return (wifi_switch(on=True), plane, Setting("global", "low_power", "0", unset="0"), *rotation)


UPRIGHT = Setting("system", "user_rotation", "0", unset="0")
"""The screen in its natural orientation."""


def unattended_settings() -> tuple[Setting, ...]:
    """Return the settings of an unattended device: no animations, and a screen that stays on."""
    scales = ("window_animation_scale", "transition_animation_scale", "animator_duration_scale")
    # It stays on while it charges: the sum of the power sources mains, USB and wireless.
    stay_awake = Setting("global", "stay_on_while_plugged_in", "7")
    return (stay_awake, *(Setting("global", name, "0") for name in scales))
