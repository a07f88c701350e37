"""The interface of an engine, which opens the devices of a run and makes their workers."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from garabench.agents.models.session import ModelOptions, ModelSession
from garabench.agents.spec import AgentSpec
from garabench.campaign.device_recovery import DeviceRecoveryPolicy
from garabench.campaign.device_worker import DeviceWorker
from garabench.campaign.preflight import ExaminedDevice
from garabench.core.clock import Clock
from garabench.errors import DeviceError
from garabench.records.plan import Plan
from garabench.suite.suite import Suite


@dataclass(frozen=True, slots=True)
class DeviceRequest:
    """The devices that a run requests.

    Attributes:
        names: Each ``virtual``, ``virtual:PROFILE``, ``emulators:COUNT`` or a serial; empty for the default.
        phones: Maximum number of virtual phones; None for the default.
        plan: The plan.
        suite: Its suite.
        apps: App files, which virtual phones install.
        clock: The clock for all times and limits.
        on_message: Called with a message about each change of an earlier run.
    """

    names: tuple[str, ...]
    phones: int | None
    plan: Plan
    suite: Suite
    apps: tuple[Path, ...]
    clock: Clock
    on_message: Callable[[str], None]


@dataclass(frozen=True, slots=True)
class WorkerSetup:
    """What all workers of a run need.

    Attributes:
        folder: The run's folder.
        agents: The agents of the plan, by name.
        session: The state shared by the run's models.
        models: The options of the session.
        device_recovery: The limits of device recovery.
    """

    folder: Path
    agents: Mapping[str, AgentSpec]
    session: ModelSession
    models: ModelOptions
    device_recovery: DeviceRecoveryPolicy


class OpenedDevices(Protocol):
    """The devices of a run."""

    def examine(self) -> Sequence[ExaminedDevice | DeviceError]:
        """Check whether devices that differ can perform the plan; an error stands for an unreachable one."""
        ...

    def real_devices(self) -> tuple[str, ...]:
        """Return the devices on which an episode wipes data that may be a person's."""
        ...

    def undo_leftovers(self) -> None:
        """Undo what an earlier run has left on the first device.

        Raises:
            DeviceError: It failed.
        """
        ...

    def make_workers(self, setup: WorkerSetup) -> Sequence[DeviceWorker]:
        """Make a worker for each device."""
        ...


class Engine(Protocol):
    """Opens the devices of a run."""

    def open(self, request: DeviceRequest) -> AbstractContextManager[OpenedDevices]:
        """Open devices, and release them at the end.

        Raises:
            InputError: A device is unknown or duplicated, or virtual and real devices are mixed.
            GaraError: A device cannot be used.
        """
        ...
