"""GaraBench: how well a GUI agent on Android keeps going when the real world interrupts it.

What is listed in ``__all__`` is the public interface. It is loaded when it is first used: importing the
package opens nothing and starts nothing.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from garabench.agents.chat.budget import Budget
    from garabench.agents.chat.desk import ModelOptions
    from garabench.agents.interface import Agent, Brief, Decision, Turn
    from garabench.campaign.plan import Plan, make_plan
    from garabench.campaign.run import Run, load_run, run
    from garabench.campaign.suite import Suite
    from garabench.core.spending import Spent
    from garabench.device.device import Device
    from garabench.errors import GaraError
    from garabench.testing.server import FakeModelServer
    from garabench.virtual.launcher import VirtualPhone

_HOMES = {
    "Agent": "garabench.agents.interface",
    "Brief": "garabench.agents.interface",
    "Budget": "garabench.agents.chat.budget",
    "Decision": "garabench.agents.interface",
    "Device": "garabench.device.device",
    "FakeModelServer": "garabench.testing.server",
    "GaraError": "garabench.errors",
    "ModelOptions": "garabench.agents.chat.desk",
    "Plan": "garabench.campaign.plan",
    "Run": "garabench.campaign.run",
    "Spent": "garabench.core.spending",
    "Suite": "garabench.campaign.suite",
    "Turn": "garabench.agents.interface",
    "VirtualPhone": "garabench.virtual.launcher",
    "load_run": "garabench.campaign.run",
    "make_plan": "garabench.campaign.plan",
    "run": "garabench.campaign.run",
}

__all__ = [
    "Agent",
    "Brief",
    "Budget",
    "Decision",
    "Device",
    "FakeModelServer",
    "GaraError",
    "ModelOptions",
    "Plan",
    "Run",
    "Spent",
    "Suite",
    "Turn",
    "VirtualPhone",
    "load_run",
    "make_plan",
    "run",
]


def __getattr__(name: str) -> Any:
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module 'garabench' has no attribute {name!r}")
    return getattr(importlib.import_module(home), name)


def __dir__() -> list[str]:
    return sorted(__all__)
