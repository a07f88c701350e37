"""The settings of a user that an agent may change and a run restores before the next episode.

These are the settings whose changes the effects report, without those that are the same at the start of every
episode (`garabench.core.device_switches.run_settings`), such as Wi-Fi and the rotation of the screen.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from garabench.core.device_changes import Argv, Change, Namespace, Setting, StateQuery, Switch, SwitchState

NIGHT_SDK = 29
"""First API level with ``cmd uimode night`` (Android 10)."""
BLUETOOTH_SDK = 26
"""First API level with ``svc bluetooth`` (Android 8)."""
LOCATION_SDK = 30
"""First API level with ``cmd location set-location-enabled`` (Android 11); before, the setting is enough."""
_ON_OFF: Mapping[str, tuple[str, ...]] = MappingProxyType({"on": ("1", "2"), "off": ("0", "3", "null")})
_LOCATION: Mapping[str, tuple[str, ...]] = MappingProxyType({"on": ("3", "2", "1"), "off": ("0", "null")})
_NIGHT: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {"no": ("1", "null"), "yes": ("2",), "auto": ("0",), "custom": ("3",)}
)

_PLAIN: tuple[tuple[Namespace, str], ...] = (
    ("system", "font_scale"),
    ("system", "ringtone"),
    ("system", "screen_brightness_mode"),
    ("system", "screen_off_timeout"),
    ("system", "time_12_24"),
    ("system", "volume_alarm"),
    ("system", "volume_music"),
    ("system", "volume_notification"),
    ("system", "volume_ring"),
    ("system", "volume_voice"),
    ("secure", "accessibility_enabled"),
    ("secure", "enabled_accessibility_services"),
    ("secure", "default_input_method"),
    ("secure", "enabled_input_methods"),
    ("global", "auto_time"),
    ("global", "auto_time_zone"),
    ("global", "low_power_trigger_level"),
    ("global", "zen_mode"),
)
"""Settings that Android observes, so that writing them is enough. They are undone last to first: a keyboard
is enabled before it is selected."""


_SERVICES: tuple[tuple[Namespace, str], ...] = (
    ("global", "mobile_data"),
    ("global", "bluetooth_on"),
    ("secure", "location_mode"),
    ("secure", "ui_night_mode"),
)
"""Settings of services that have a command."""
USER_SETTING_QUERIES: frozenset[Argv] = frozenset(
    ("settings", "get", *setting) for setting in (*_PLAIN, *_SERVICES)
)
"""The commands that read them."""


def user_settings(sdk: int) -> tuple[Change, ...]:
    """Return the settings that are restored before each episode; only their queries and undos are used.

    Args:
        sdk: Android's API level.
    """
    plain = (Setting(namespace, key, "") for namespace, key in _PLAIN)
    data = _switch("mobile data", "global", "mobile_data", _ON_OFF, _svc("data"))
    services = [data]
    if sdk >= BLUETOOTH_SDK:
        services.append(_switch("Bluetooth", "global", "bluetooth_on", _ON_OFF, _svc("bluetooth")))
    if sdk >= LOCATION_SDK:
        command = ("cmd", "location", "set-location-enabled")
        commands = {"on": (*command, "true"), "off": (*command, "false")}
        location: Change = _switch("the location", "secure", "location_mode", _LOCATION, commands)
    else:
        location = Setting("secure", "location_mode", "")
    if sdk >= NIGHT_SDK:
        commands = {name: ("cmd", "uimode", "night", name) for name in _NIGHT}
        night: Change = _switch("the dark theme", "secure", "ui_night_mode", _NIGHT, commands)
    else:
        night = Setting("secure", "ui_night_mode", "")
    return (*plain, *services, location, night)


def _switch(
    subject: str,
    namespace: Namespace,
    key: str,
    readings: Mapping[str, tuple[str, ...]],
    commands: Mapping[str, Argv],
) -> Switch:
    states = {name: SwitchState(values, commands[name]) for name, values in readings.items()}
    query = StateQuery(("settings", "get", namespace, key))
    return Switch(subject, query, MappingProxyType(states), next(iter(states)))


def _svc(service: str) -> dict[str, Argv]:
    return {"on": ("svc", service, "enable"), "off": ("svc", service, "disable")}
