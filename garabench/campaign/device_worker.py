"""What performs the attempts at episodes on one device: in this process, or elsewhere.

`garabench.campaign.executor` decides which episode is attempted where and how often; a `DeviceWorker`
prepares its device and performs one attempt at a time. `LocalWorker` does so in the calling thread.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from functools import partial
from pathlib import Path
from typing import Protocol

from garabench.agents.context import AgentContext
from garabench.agents.external.autonomous import AutonomousAgent
from garabench.agents.metered import MeteredAgent
from garabench.agents.models.session import ModelSession
from garabench.agents.registry import make_agent
from garabench.agents.spec import AgentSpec
from garabench.campaign.device_care import DeviceCare, HealthCheck
from garabench.campaign.device_recovery import DeviceRecoveryPolicy
from garabench.campaign.devices import Lease, RecoverableLease, SerialLease, is_lost
from garabench.campaign.reported_usage import reports_usage
from garabench.core.campaign_events import CampaignEvent
from garabench.core.clock import Clock
from garabench.core.events import EpisodeEnded
from garabench.device.device import DeviceInfo
from garabench.device.health import read_health
from garabench.episode.runner import perform_episode
from garabench.episode.spec import EpisodeSpec
from garabench.errors import DeviceError


class RunControl(Protocol):
    """What a worker needs of the run that it works for."""

    def record(self, event: CampaignEvent) -> None:
        """Write an event of the campaign, and report it.

        Raises:
            RecordError: It cannot be written.
        """
        ...

    def wait(self, seconds: float) -> None:
        """Wait, or stop.

        Raises:
            EpisodeStoppedError: The run stops.
        """
        ...

    def must_stop(self) -> bool:
        """Return whether episodes in flight must stop between two steps."""
        ...

    def is_interrupted(self) -> bool:
        """Return whether the run was interrupted, so that agents must stop, too."""
        ...

    def track_autonomous(
        self, spec: EpisodeSpec, autonomous: bool
    ) -> AbstractContextManager[Callable[[], bool]]:
        """Track an episode of an autonomous agent.

        Yields:
            A function that returns whether no other such episode has overlapped it.
        """
        ...


class DeviceWorker(Protocol):
    """Performs attempts at episodes on one device, one at a time."""

    @property
    def label(self) -> str:
        """The label of the device in the run's events."""
        ...

    @property
    def kind(self) -> str:
        """The kind of device; see `garabench.campaign.devices.RecoverableLease.kind`."""
        ...

    def begin(self, run: RunControl) -> None:
        """Begin to work for a run; called once, before anything else."""
        ...

    def ready(self, spec: EpisodeSpec) -> None:
        """Make the device ready for an episode; recover it if necessary.

        Raises:
            DeviceExhaustedError: It could not be recovered, but may come back.
            DeviceError: It can never be used.
            EpisodeStoppedError: The run stops.
        """
        ...

    def attempt(self, spec: EpisodeSpec) -> EpisodeEnded:
        """Perform an attempt at an episode; its record is in the run's folder afterwards.

        Raises:
            EpisodeStoppedError: The run stops.
            RecordError: The record cannot be written.
        """
        ...

    def is_healthy(self) -> bool:
        """Return whether the device is connected and shows no symptom that prevents episodes."""
        ...

    def close(self) -> None:
        """Close the connection of a device that is not lost."""
        ...


class LocalWorker:
    """Performs attempts on a device of this computer, in the calling thread.

    Attributes:
        label: The label of the device in the run's events.
        folder: The run's folder, below which attempts are recorded.
    """

    def __init__(
        self,
        label: str,
        lease: RecoverableLease,
        folder: Path,
        agents: Mapping[str, AgentSpec],
        clock: Clock,
        session: ModelSession,
        *,
        device_recovery: DeviceRecoveryPolicy | None = None,
        before_episode: Callable[[EpisodeSpec, Lease], None] = lambda spec, lease: None,
        check: HealthCheck = read_health,
    ) -> None:
        """Set up a worker; nothing is connected.

        Args:
            label: The label of the device.
            lease: Its lease.
            folder: The run's folder, below which attempts are recorded.
            agents: The agents of the plan, by name.
            clock: The clock for all times and limits.
            session: The state shared by the run's models.
            device_recovery: The limits of device recovery; default: those of `DeviceRecoveryPolicy`.
            before_episode: See `garabench.campaign.executor.perform_episodes`.
            check: Reads the health of a device.
        """
        self.label = label
        self._lease = lease
        self.folder = folder
        self._agents = agents
        self._clock = clock
        self._session = session
        self._device_recovery = device_recovery or DeviceRecoveryPolicy()
        self._before_episode = before_episode
        self._check = check
        self._run: RunControl
        self._care: DeviceCare

    @property
    def kind(self) -> str:
        """See `DeviceWorker.kind`."""
        return self._lease.kind

    @property
    def info(self) -> DeviceInfo | None:
        """The properties of the device; None if it is not connected."""
        return None if self._care.device is None else self._care.device.info

    def begin(self, run: RunControl) -> None:
        """See `DeviceWorker.begin`."""
        self._run = run
        self._care = DeviceCare(
            self.label, self._lease, self._clock, self._device_recovery, run.record, run.wait, self._check
        )

    def ready(self, spec: EpisodeSpec) -> None:
        """See `DeviceWorker.ready`."""
        self._care.ready(spec.app, str(spec.key), partial(self._before_episode, spec, self._lease))

    def attempt(self, spec: EpisodeSpec) -> EpisodeEnded:
        """See `DeviceWorker.attempt`."""
        device = self._care.device
        if device is None:
            raise DeviceError(f"{self.label} is not connected")
        context = AgentContext(
            name=spec.agent,
            folder=self.folder / spec.folder,
            seconds=spec.decision_seconds,
            start_seconds=spec.start_seconds,
            clock=self._clock,
            stop=self._run.is_interrupted,
            models=self._session,
        )
        agent = make_agent(self._agents[spec.agent], context, spec.task)
        autonomous = isinstance(agent, AutonomousAgent)
        if reports_usage(self._agents[spec.agent]) and not isinstance(agent, AutonomousAgent):
            agent = MeteredAgent(agent, self._session.meter.add)
        with self._run.track_autonomous(spec, autonomous) as alone:
            end = perform_episode(
                spec, device, agent, self.folder, self._clock, stop=self._run.must_stop, alone=alone
            )
        if end.outcome == "error" and is_lost(device):
            self._care.drop()
        return end

    def is_healthy(self) -> bool:
        """See `DeviceWorker.is_healthy`."""
        return self._care.is_healthy()

    def close(self) -> None:
        """See `DeviceWorker.close`."""
        device = self._care.device
        if device is not None and not is_lost(device):
            self._care.close()


def local_label(lease: RecoverableLease, number: int) -> str:
    """Return the label of a device of this computer: the serial of a virtual phone may change.

    Args:
        lease: Its lease.
        number: Its number in the run, from 1.
    """
    return lease.serial if isinstance(lease, SerialLease) else f"phone-{number}"
