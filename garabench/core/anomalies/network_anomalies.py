"""Anomalies of the network: airplane mode, and an emulator's delay and speed.

Sources: ``ConnectivityService`` of AOSP, and the emulator's console.
"""

from __future__ import annotations

from types import MappingProxyType

from garabench.core import device_switches
from garabench.core.anomalies.anomaly import (
    AnomalyRequest,
    Part,
)
from garabench.core.device_changes import StateQuery, Switch, SwitchState


def airplane(request: AnomalyRequest) -> tuple[Part, ...]:
    """Switch airplane mode on, by the method of the Android version."""
    plane = device_switches.airplane_switch_of(request.sdk, on=True)
    return () if plane is None else (plane,)


def delay(request: AnomalyRequest) -> tuple[Part, ...]:
    """Delay an emulator's network."""
    states = {
        "slow": SwitchState((request.value,), ("emu", "network", "delay", request.value)),
        "normal": SwitchState(("0",), ("emu", "network", "delay", "none")),
    }
    query = StateQuery(("emu", "network", "status"), "minimum latency:")
    return (Switch("the network's delay", query, MappingProxyType(states), "slow"),)


def speed(request: AnomalyRequest) -> tuple[Part, ...]:
    """Slow an emulator's network down."""
    states = {
        "slow": SwitchState(("14400",), ("emu", "network", "speed", "gsm")),
        "full": SwitchState(("0",), ("emu", "network", "speed", "full")),
    }
    query = StateQuery(("emu", "network", "status"), "download speed:")
    return (Switch("the network's speed", query, MappingProxyType(states), "slow"),)
