"""Anomalies of the battery, the storage and the clock.

Sources: ``BatteryService``, ``DeviceStorageMonitorService`` and ``AlarmManagerService`` of AOSP.
"""

from __future__ import annotations

from types import MappingProxyType

from garabench.core.anomalies.anomaly import (
    AnomalyRequest,
    ClockShift,
    Part,
    Precondition,
    TransientCommand,
)
from garabench.core.device_changes import Choice, Setting, StateQuery, Switch, SwitchState

_BATTERY = StateQuery(("dumpsys", "battery"), "(UPDATES ")
_UNITS = {"m": 60, "h": 3600, "d": 86_400}


def _held_battery(request: AnomalyRequest, *words: str) -> Switch:
    states = {
        "held": SwitchState(("STOPPED",), ("dumpsys", "battery", *words)),
        "its own": SwitchState(("",), ("dumpsys", "battery", "reset")),
    }
    return Switch("the battery's reading", _BATTERY, MappingProxyType(states), "held")


def battery_low(request: AnomalyRequest) -> tuple[Part, ...]:
    """Report a low battery without power; the readings stay as set."""
    level = TransientCommand(
        ("dumpsys", "battery", "set", "level", request.value),
        StateQuery(("dumpsys", "battery"), " level:"),
        (request.value,),
    )
    power = (TransientCommand(("dumpsys", "battery", "set", kind, "0")) for kind in ("ac", "usb"))
    return (_held_battery(request, "set", "level", request.value), *power, level)


def battery_saver(request: AnomalyRequest) -> tuple[Part, ...]:
    """Switch Battery Saver on, without power: Android switches it off on a charging device."""
    return (
        Precondition(_held_battery(request, "set", "ac", "0")),
        TransientCommand(("dumpsys", "battery", "set", "usb", "0")),
        Setting("global", "low_power", "1"),
    )


def low_storage(request: AnomalyRequest) -> tuple[Part, ...]:
    """Make the storage monitor report that storage is low."""
    states = {
        "low": SwitchState(("LOW",), ("cmd", "devicestoragemonitor", "force-low", "-f")),
        "enough": SwitchState(("NORMAL",), ("cmd", "devicestoragemonitor", "reset", "-f")),
    }
    query = StateQuery(("dumpsys", "devicestoragemonitor"), "level=")
    return (Switch("the storage's state", query, MappingProxyType(states), "low"),)


def time_zone(request: AnomalyRequest) -> tuple[Part, ...]:
    """Change the time zone."""
    query = StateQuery(("getprop", "persist.sys.timezone"))
    return (Choice("the time zone", query, ("cmd", "alarm", "set-timezone"), request.value),)


def clock(request: AnomalyRequest) -> tuple[Part, ...]:
    """Shift the clock, with automatic time off, which would correct it at once."""
    count, unit = int(request.value[:-1]), request.value[-1]
    return Precondition(Setting("global", "auto_time", "0")), ClockShift(count * _UNITS[unit])
