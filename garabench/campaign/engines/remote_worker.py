"""A worker whose device is held by a process of a cluster.

If that process or its computer is lost during an attempt, the attempt is recorded as an error of the harness,
and the executor repeats the episode like any other: here, if the cluster offers the device again, or on
another device.
"""

from __future__ import annotations

import contextlib
import importlib.metadata
import logging
import threading
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from garabench.agents.models.endpoint_errors import EndpointError
from garabench.campaign.device_care import DeviceExhaustedError
from garabench.campaign.device_kind import comparable_kind
from garabench.campaign.device_worker import RunControl
from garabench.campaign.engines.cluster import Cluster, DeviceActor, WorkerLostError
from garabench.campaign.engines.ray_resources import OfferedDevice
from garabench.campaign.engines.remote_device import (
    DeviceOptions,
    Message,
    OpenedDevice,
    ReadyDevice,
    RemoteAttempt,
    RemoteSetup,
)
from garabench.campaign.engines.run_engine import WorkerSetup
from garabench.campaign.engines.usage_ledger import UsageLedger
from garabench.campaign.preflight import ExaminedDevice
from garabench.core.clock import Clock
from garabench.core.events import EpisodeEnded
from garabench.device.device import DeviceInfo
from garabench.episode import attempt_bounds, event_builders
from garabench.episode.runner import EpisodeStoppedError
from garabench.episode.spec import EpisodeSpec
from garabench.errors import DeviceBusyError, GaraError, InputError, RecordError
from garabench.records.attempt_files import write_attempt
from garabench.records.episode_writer import EpisodeWriter

_LOG = logging.getLogger(__name__)
START_SECONDS = 180.0
"""Time for a node to start the process of a device."""
CLOSE_SECONDS = 30.0
"""Time for a device to be restored and released at the end."""


@dataclass(frozen=True, slots=True)
class _Job:
    """What a worker needs of its run."""

    setup: WorkerSetup
    remote: RemoteSetup
    ledger: UsageLedger


@dataclass(slots=True)
class HeldUnits:
    """The units of the cluster's devices that this run holds; thread-safe."""

    units: Counter[str] = field(default_factory=Counter)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def take(self, name: str, offered: int) -> bool:
        """Take a unit of a device; return False if the run holds all that are offered."""
        with self._lock:
            if self.units[name] >= offered:
                return False
            self.units[name] += 1
            return True

    def give_back(self, name: str) -> None:
        """Give a unit back."""
        with self._lock:
            self.units[name] -= 1


class RemoteWorker:
    """Performs attempts on a device of a cluster; see `garabench.campaign.device_worker.DeviceWorker`.

    Attributes:
        device: The device.
        label: Its label in the run's events.
        kind: The kind of device; empty if not known yet.
    """

    def __init__(
        self,
        device: OfferedDevice,
        options: DeviceOptions,
        cluster: Cluster,
        held: HeldUnits,
        clock: Clock,
        on_message: Callable[[str], None],
    ) -> None:
        """Set up a worker; nothing is started.

        Args:
            device: The device.
            options: What is needed to open it.
            cluster: The cluster.
            held: The units that the run holds.
            clock: The clock for all times and limits.
            on_message: Called with a message about each change of an earlier run.
        """
        self.device = device
        self.label = device.label
        self.kind = ""
        self._options = options
        self._cluster = cluster
        self._held = held
        self._clock = clock
        self._on_message = on_message
        self._actor: DeviceActor | None = None
        self._begun = False
        self._job: _Job | None = None
        self._run: RunControl | None = None
        self._info: DeviceInfo | None = None

    def open(self) -> None:
        """Start the process of the device, and open the device there.

        Raises:
            DeviceExhaustedError: No node offers it now, or its process does not start.
            InputError: The node has another version of GaraBench, or cannot open such a device.
            GaraError: The device cannot be opened.
        """
        if not self._held.take(self.device.name, self._cluster.units().get(self.device.name, 0)):
            raise DeviceExhaustedError(f"{self.label}: no node of the cluster offers it now")
        actor = self._actor = self._cluster.start(self._options)
        self._begun = False
        start = self._clock.monotonic()

        def until_running() -> None:
            if actor.is_running():
                return
            # A node that has just died is listed as alive for some seconds.
            if self._cluster.units().get(self.device.name, 0) < self._held.units[self.device.name]:
                raise WorkerLostError("no node of the cluster offers it any more")
            if self._clock.monotonic() - start > START_SECONDS:
                raise WorkerLostError(f"no node has started its process within {START_SECONDS:g} s")

        try:
            opened: OpenedDevice = self._call("open", waiting=until_running)
        except WorkerLostError as error:
            raise DeviceExhaustedError(f"{self.label}: {error}") from error
        except GaraError:
            self._release()
            raise
        ours = importlib.metadata.version("garabench")
        if opened.version != ours:
            self._release()
            raise InputError(
                f"{self.label}: the node {opened.node} has GaraBench {opened.version}, and this computer has "
                f"{ours}",
                hint="Install the same version on all nodes, and start them again.",
            )
        _LOG.info("%s: opened on the node %s", self.label, opened.node)

    def examine(self, plan: Any, suite: Any) -> ExaminedDevice:
        """Check whether the device can perform a plan.

        Args:
            plan: The plan, or a reference to it.
            suite: Its suite, or a reference to it.

        Raises:
            GaraError: It cannot be examined.
        """
        examined: ExaminedDevice = self._call("examine", plan, suite)
        found = examined.environment
        self.kind = comparable_kind(found.model, found.sdk, found.size)
        return examined

    def real_devices(self) -> tuple[str, ...]:
        """Return the label if an episode wipes data on the device that may be a person's."""
        return (self.label,) if self._call("real_devices") else ()

    def undo_leftovers(self) -> None:
        """Undo what an earlier run has left on the device.

        Raises:
            GaraError: It failed.
        """
        self._call("undo_leftovers")

    def prepare(self, setup: WorkerSetup, remote: RemoteSetup, ledger: UsageLedger) -> None:
        """Give the worker what it needs of its run; called before `begin`."""
        self._job = _Job(setup, remote, ledger)

    def begin(self, run: RunControl) -> None:
        """See `garabench.campaign.device_worker.DeviceWorker.begin`."""
        self._run = run

    def ready(self, spec: EpisodeSpec) -> None:
        """See `garabench.campaign.device_worker.DeviceWorker.ready`."""
        try:
            if self._actor is None:
                self._reopen()
            if not self._begun:
                self._current_job.ledger.forget(self.label)
                self._call("begin", self._current_job.remote)
                self._begun = True
            found: ReadyDevice = self._call("ready", spec)
        except (WorkerLostError, RecordError) as error:
            self._stop_if_required(spec)
            raise DeviceExhaustedError(f"{self.label}: {error}") from error
        self.kind, self._info = found.kind, found.info

    def attempt(self, spec: EpisodeSpec) -> EpisodeEnded:
        """See `garabench.campaign.device_worker.DeviceWorker.attempt`."""
        job = self._current_job
        start = self._clock.monotonic()
        try:
            done: RemoteAttempt = self._call("attempt", spec, job.ledger.news(self.label))
        except WorkerLostError as error:
            self._stop_if_required(spec)
            return self._record_loss(spec, error, self._clock.monotonic() - start)
        except RecordError as error:  # the disk of the node is full
            self._release()
            raise DeviceExhaustedError(f"{self.label}: {error}") from error
        job.ledger.add(self.label, done.usage)
        if isinstance(done.fatal_error, EndpointError):
            job.setup.session.report_fatal_error(done.fatal_error)
        if done.record.files:
            write_attempt(job.setup.folder, done.record)
        if done.end is None:
            raise EpisodeStoppedError(spec.name)
        return done.end

    def is_healthy(self) -> bool:
        """See `garabench.campaign.device_worker.DeviceWorker.is_healthy`."""
        if self._actor is None:
            return False
        try:
            return bool(self._call("is_healthy"))
        except WorkerLostError:
            return False

    def close(self) -> None:
        """See `garabench.campaign.device_worker.DeviceWorker.close`."""
        if self._actor is not None and self._begun:
            with contextlib.suppress(GaraError):
                self._call("disconnect")

    def end(self) -> None:
        """Restore the device to its state before the run, release it, and end its process."""
        if self._actor is None:
            return
        start = self._clock.monotonic()

        def until_late() -> None:
            if self._clock.monotonic() - start > CLOSE_SECONDS:
                raise WorkerLostError(f"it was not released within {CLOSE_SECONDS:g} s")

        self._run = None
        try:
            self._call("close", waiting=until_late)
        except GaraError as error:
            self._on_message(f"{self.label} was not restored: {error}")
        self._release()

    @property
    def _current_job(self) -> _Job:
        if self._job is None:
            raise RuntimeError("the worker was not prepared for a run")
        return self._job

    def _reopen(self) -> None:
        try:
            self.open()
        except (DeviceBusyError, DeviceExhaustedError, InputError):
            raise
        except GaraError as error:
            raise DeviceExhaustedError(f"{self.label}: {error}") from error

    def _call(self, method: str, *args: object, waiting: Callable[[], None] = lambda: None) -> Any:
        """Call a method of the remote device; return its value, or raise its error.

        Raises:
            WorkerLostError: The process is gone.
            GaraError: The method has raised it.
        """
        actor = self._actor
        if actor is None:
            raise WorkerLostError("its process is gone")

        def wait() -> None:
            waiting()
            if self._run is not None and self._run.must_stop():
                actor.stop(interrupted=self._run.is_interrupted())
            if actor.is_running():
                self._publish(actor.take_messages())

        try:
            reply = actor.call(method, *args, waiting=wait)
        except WorkerLostError:
            self._release()
            raise
        self._publish(reply.messages)
        if reply.error is not None:
            raise reply.error
        return reply.value

    def _publish(self, messages: tuple[Message, ...]) -> None:
        for message in messages:
            if isinstance(message, str):
                self._on_message(message)
            elif isinstance(message, logging.LogRecord):
                logging.getLogger(message.name).handle(message)
            elif self._run is not None:
                self._run.record(message)

    def _release(self) -> None:
        """End the process; the cluster can give its device to another one."""
        actor, self._actor = self._actor, None
        if actor is not None:
            actor.end()
            self._held.give_back(self.device.name)

    def _stop_if_required(self, spec: EpisodeSpec) -> None:
        if self._run is not None and self._run.must_stop():
            raise EpisodeStoppedError(spec.name)

    def _record_loss(self, spec: EpisodeSpec, error: WorkerLostError, seconds: float) -> EpisodeEnded:
        """Record an attempt whose process is gone, and its record with it."""
        if self._info is None:
            raise RuntimeError("an attempt needs a device that is ready")
        lost = WorkerLostError(f"the worker of {self.label} was lost during the attempt: {error}")
        _LOG.warning("%s: %s", self.label, lost)
        end = attempt_bounds.error_end(0, round(seconds, 3))
        with EpisodeWriter(self._current_job.setup.folder / spec.folder) as writer:
            writer.append(
                (
                    attempt_bounds.started(spec, self._info, writer.attempt),
                    event_builders.fault(0, end.t, lost),
                    end,
                )
            )
        return end
