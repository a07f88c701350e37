"""The switches of Android that GaraBench changes, and what a run keeps as it was."""

from __future__ import annotations

from types import MappingProxyType

from garabench.core.changes import Argv, Change, Probe, Setting, State, Switch

AIRPLANE_SDK = 30
"""``cmd connectivity airplane-mode`` is there since Android 11."""
AIRPLANE_BROADCAST_UNTIL_SDK = 23
"""Android 7 and newer let no shell send the broadcast that tells the radios of it."""
NOTIFICATION_SDK = 29
"""``cmd notification post`` is there since Android 10."""
_SHELL = "com.android.shell"
_AIRPLANE = "airplane_mode_on"
_AIRPLANE_ACTION = "android.intent.action.AIRPLANE_MODE"


def wifi(*, on: bool) -> Switch:
    """Wi-Fi; ``wifi_on`` is 2 while on in airplane mode, 3 while off for it, and unset without Wi-Fi."""
    states = {
        "on": State(("1", "2"), ("svc", "wifi", "enable")),
        "off": State(("0", "3", "null"), ("svc", "wifi", "disable")),
    }
    probe = Probe(("settings", "get", "global", "wifi_on"))
    return Switch("Wi-Fi", probe, MappingProxyType(states), "on" if on else "off")


def airplane(*, on: bool) -> Switch:
    """Airplane mode, since Android 11."""

    def argv(verb: str) -> Argv:
        return ("cmd", "connectivity", "airplane-mode", verb)

    states = {"on": State(("1",), argv("enable")), "off": State(("0", "null"), argv("disable"))}
    probe = Probe(("settings", "get", "global", _AIRPLANE))
    return Switch("airplane mode", probe, MappingProxyType(states), "on" if on else "off")


def airplane_by_broadcast(*, on: bool) -> Switch:
    """Airplane mode until Android 6: the setting, and the broadcast that tells the radios of it."""

    def state(value: str, told: str, *readings: str) -> State:
        broadcast = ("am", "broadcast", "-a", _AIRPLANE_ACTION, "--ez", "state", told)
        return State((value, *readings), ("settings", "put", "global", _AIRPLANE, value), (broadcast,))

    states = {"on": state("1", "true"), "off": state("0", "false", "null")}
    probe = Probe(("settings", "get", "global", _AIRPLANE))
    return Switch("airplane mode", probe, MappingProxyType(states), "on" if on else "off")


def airplane_of(sdk: int, *, on: bool) -> Switch | None:
    """Airplane mode as a device of that API level has it; None on Android 7 to 10, which let no shell."""
    if sdk >= AIRPLANE_SDK:
        return airplane(on=on)
    return airplane_by_broadcast(on=on) if sdk <= AIRPLANE_BROADCAST_UNTIL_SDK else None


def notification(title: str, text: str) -> Switch:
    """A notification of adb's shell; it has no command that takes one away, and its end takes them all."""
    states = {
        "posted": State(
            ("user=UserHandle",), ("cmd", "notification", "post", "-t", title, "garabench", text)
        ),
        "none": State(("",), ("am", "force-stop", _SHELL)),
    }
    # ``NotificationRecord(0x…: pkg=…`` is one that is there; the archive tells in another form of those gone.
    probe = Probe(("dumpsys", "notification"), f": pkg={_SHELL}")
    return Switch("the shell's notifications", probe, MappingProxyType(states), "posted")


def permission(app: str, name: str, *, granted: bool) -> Switch:
    """A permission that the user grants, since Android 6."""
    states = {
        "granted": State(("true",), ("pm", "grant", app, name)),
        "denied": State(("false",), ("pm", "revoke", app, name)),
    }
    return Switch(
        f"the permission {name} of {app}",
        Probe(("dumpsys", "package", app), f"{name}: granted="),
        MappingProxyType(states),
        "granted" if granted else "denied",
        unknown=f"{app} does not declare it, or it is none that a user grants",
    )


def held_by_a_run(sdk: int) -> tuple[Change, ...]:
    """What each episode begins with, in the state that episodes begin in."""
    rotation = (
        Setting("system", "accelerometer_rotation", "0"),
        Setting("system", "user_rotation", "0"),
    )
    plane: Change = airplane_of(sdk, on=False) or Setting("global", _AIRPLANE, "0")
    return (wifi(on=True), plane, Setting("global", "low_power", "0"), *rotation)
