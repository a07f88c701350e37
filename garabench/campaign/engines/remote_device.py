"""A device on another computer, as it is used there: the class of a Ray actor.

It holds the lease of one device and performs attempts by a `LocalWorker`, each recorded in a temporary run
folder. Methods return a `Reply`, whose error, events and log lines belong to the run. It imports no Ray; one
thread performs its methods, and another one `take_messages` and `stop` meanwhile.
"""

from __future__ import annotations

import contextlib
import importlib.metadata
import logging
import logging.handlers
import pickle
import platform
import queue
import tempfile
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Generic, TypeVar

from garabench.agents.models.endpoint_errors import EndpointError
from garabench.agents.models.session import ModelOptions, ModelSession
from garabench.agents.registry import resolve_all
from garabench.campaign.consent import real_devices
from garabench.campaign.device_recovery import DeviceRecoveryPolicy
from garabench.campaign.device_worker import LocalWorker
from garabench.campaign.devices import RecoverableLease, SerialLease, open_devices
from garabench.campaign.preflight import ExaminedDevice, examine
from garabench.core.campaign_events import CampaignEvent
from garabench.core.clock import SystemClock
from garabench.core.events import EpisodeEnded
from garabench.core.usage import Usage
from garabench.device.device import DeviceInfo
from garabench.episode.runner import EpisodeStoppedError
from garabench.episode.spec import EpisodeSpec
from garabench.errors import DeviceError, GaraError, HarnessError, InputError
from garabench.records.attempt_files import AttemptFiles, read_attempt
from garabench.records.plan import Plan
from garabench.records.run_log import episode_logged_as
from garabench.suite.suite import Suite

_T = TypeVar("_T")
Message = CampaignEvent | logging.LogRecord | str
"""An event of the campaign, a line of the log, or a message for the user."""


@dataclass(frozen=True, slots=True)
class DeviceOptions:
    """What a remote device needs to be opened.

    Attributes:
        name: Its name on its node, as of ``--device``.
        label: Its label in the run's events.
        seed: Random seed of a virtual phone.
        apps: App files on the node, which virtual phones install.
    """

    name: str
    label: str
    seed: int = 0
    apps: tuple[Path, ...] = ()


@dataclass(frozen=True, slots=True)
class RemoteSetup:
    """What a remote worker needs of its run.

    Attributes:
        agents: The agents of the plan, in the syntax of ``--agents``.
        models: The options of model agents.
        device_recovery: The limits of device recovery.
        alone: Whether the run has no other device, so that no agent can drive it by mistake.
    """

    agents: tuple[str, ...]
    models: ModelOptions
    device_recovery: DeviceRecoveryPolicy
    alone: bool


@dataclass(frozen=True, slots=True)
class OpenedDevice:
    """What a node reports about a device that it has opened.

    Attributes:
        version: Version of GaraBench on the node.
        node: Name of the node.
    """

    version: str
    node: str


@dataclass(frozen=True, slots=True)
class ReadyDevice:
    """A device that is ready for an episode.

    Attributes:
        kind: Its kind.
        info: Its properties.
    """

    kind: str
    info: DeviceInfo


@dataclass(frozen=True, slots=True)
class RemoteAttempt:
    """The result of an attempt.

    Attributes:
        end: How it ended; None if the run stopped it.
        record: Its record.
        usage: The usage of its models' replies.
        fatal_error: An error with which every later request to a model would fail.
    """

    end: EpisodeEnded | None
    record: AttemptFiles
    usage: tuple[Usage, ...] = ()
    fatal_error: GaraError | None = None


@dataclass(frozen=True, slots=True)
class Reply(Generic[_T]):
    """The result of a method: a value, or an error that is raised where the method was called.

    Attributes:
        value: The value; None with an error.
        error: The error.
        messages: What has happened since the last messages were taken.
    """

    value: _T | None = None
    error: Exception | None = None
    messages: tuple[Message, ...] = field(default=(), repr=False)


class RemoteDevice:
    """A device that an actor holds."""

    def __init__(self, options: DeviceOptions) -> None:
        """Set up; nothing is opened.

        Args:
            options: What is needed to open it.
        """
        self._options = options
        self._clock = SystemClock()
        self._control = _Control()
        self._stack = contextlib.ExitStack()
        self._lease: RecoverableLease
        self._worker: LocalWorker
        self._session: ModelSession
        self._folder: Path
        self._usage: queue.SimpleQueue[Usage] = queue.SimpleQueue()

    def open(self) -> Reply[OpenedDevice]:
        """Open the device, or start the virtual phone or emulator."""
        return self._reply(self._open)

    def examine(self, plan: Plan, suite: Suite) -> Reply[ExaminedDevice]:
        """Check whether the device can perform a plan."""
        return self._reply(lambda: examine(self._lease, plan, suite, self._clock))

    def real_devices(self) -> Reply[tuple[str, ...]]:
        """Return the device's serial if an episode wipes data on it that may be a person's."""
        return self._reply(lambda: real_devices([self._options.name]))

    def undo_leftovers(self) -> Reply[None]:
        """Undo what an earlier run has left on the device."""
        return self._reply(self._undo_leftovers)

    def begin(self, setup: RemoteSetup) -> Reply[None]:
        """Begin to work for a run."""
        return self._reply(lambda: self._begin(setup))

    def ready(self, spec: EpisodeSpec) -> Reply[ReadyDevice]:
        """See `garabench.campaign.device_worker.DeviceWorker.ready`."""
        return self._reply(lambda: self._ready(spec), spec)

    def attempt(self, spec: EpisodeSpec, elsewhere: tuple[Usage, ...]) -> Reply[RemoteAttempt]:
        """Perform an attempt at an episode.

        Args:
            spec: The episode.
            elsewhere: Usage of models by other workers since the last attempt.
        """
        return self._reply(lambda: self._attempt(spec, elsewhere), spec)

    def is_healthy(self) -> Reply[bool]:
        """See `garabench.campaign.device_worker.DeviceWorker.is_healthy`."""
        return self._reply(lambda: self._worker.is_healthy())

    def disconnect(self) -> Reply[None]:
        """See `garabench.campaign.device_worker.DeviceWorker.close`."""
        return self._reply(lambda: self._worker.close())

    def close(self) -> Reply[None]:
        """Restore the device to its state before the run, and release it."""
        return self._reply(self._stack.close)

    def take_messages(self) -> tuple[Message, ...]:
        """Return what has happened since the last call; may be called during other methods."""
        return self._control.take_messages()

    def stop(self, interrupted: bool) -> None:
        """Stop the attempt in flight between two steps; may be called during other methods.

        Args:
            interrupted: Whether the run was interrupted, so that agents must stop, too.
        """
        self._control.stop(interrupted)

    def _reply(self, perform: Callable[[], _T], spec: EpisodeSpec | None = None) -> Reply[_T]:
        named = contextlib.nullcontext() if spec is None else episode_logged_as(str(spec.key))
        value, error = None, None
        try:
            with named:
                value = perform()
        except (GaraError, EpisodeStoppedError) as caught:
            error = _portable(caught)
        return Reply(value, error, self.take_messages())

    def _open(self) -> OpenedDevice:
        self._stack.enter_context(_log_to(self._control.messages))
        leases = self._stack.enter_context(
            open_devices(
                (self._options.name,),
                self._clock,
                seed=self._options.seed,
                apps=self._options.apps,
                on_message=self._control.messages.put,
            )
        )
        if len(leases) != 1:
            raise InputError(
                f"the resource of {self._options.name} stands for {len(leases)} devices",
                hint="Offer emulators:1 as often as emulators may run on the node.",
            )
        self._lease = leases[0]
        scratch = tempfile.TemporaryDirectory(prefix="garabench-worker-", ignore_cleanup_errors=True)
        self._folder = Path(self._stack.enter_context(scratch))
        return OpenedDevice(importlib.metadata.version("garabench"), platform.node())

    def _undo_leftovers(self) -> None:
        if isinstance(self._lease, SerialLease):
            self._lease.connect().close()

    def _begin(self, setup: RemoteSetup) -> None:
        # The time budget is the run's: it stops this worker when it is used up.
        models = replace(setup.models, budget=replace(setup.models.budget, seconds=None))
        self._session = ModelSession(models, self._clock, on_usage=self._usage.put)
        self._control.exceeded = self._session.meter.exceeded
        self._control.alone = setup.alone
        agents = {agent.name: agent for agent in resolve_all(setup.agents)}
        self._worker = LocalWorker(
            self._options.label,
            self._lease,
            self._folder / "run",
            agents,
            self._clock,
            self._session,
            device_recovery=setup.device_recovery,
        )
        self._worker.begin(self._control)

    def _ready(self, spec: EpisodeSpec) -> ReadyDevice:
        self._worker.ready(spec)
        if self._worker.info is None:
            raise DeviceError(f"{self._options.label} is not connected")
        return ReadyDevice(self._worker.kind, self._worker.info)

    def _attempt(self, spec: EpisodeSpec, elsewhere: tuple[Usage, ...]) -> RemoteAttempt:
        for usage in elsewhere:
            self._session.meter.add_earlier(usage)
        end: EpisodeEnded | None = None
        # A separate folder for each attempt, so that nothing of another one is sent.
        with tempfile.TemporaryDirectory(dir=self._folder) as scratch:
            self._worker.folder = Path(scratch)
            with contextlib.suppress(EpisodeStoppedError):
                end = self._worker.attempt(spec)
            record = read_attempt(Path(scratch), spec.key)
        fatal = self._session.fatal_error
        return RemoteAttempt(
            end, record, _drain(self._usage), None if fatal is None else _portable_error(fatal)
        )


class _Control:
    """What the worker of a remote device needs of its run; see `garabench.campaign.device_worker.RunControl`.

    Attributes:
        messages: The messages that were not taken yet.
        exceeded: Describes the budget that is used up; empty if none is.
        alone: Whether the run has no other device.
    """

    def __init__(self) -> None:
        self.messages: queue.SimpleQueue[Message] = queue.SimpleQueue()
        self.exceeded: Callable[[], str] = str
        self.alone = False
        self._stopped = threading.Event()
        self._interrupted = False

    def record(self, event: CampaignEvent) -> None:
        self.messages.put(event)

    def take_messages(self) -> tuple[Message, ...]:
        return _drain(self.messages)

    def stop(self, interrupted: bool) -> None:
        self._interrupted = self._interrupted or interrupted
        self._stopped.set()

    def wait(self, seconds: float) -> None:
        if self._stopped.wait(seconds):
            raise EpisodeStoppedError("recovery")

    def must_stop(self) -> bool:
        return self._stopped.is_set() or bool(self.exceeded())

    def is_interrupted(self) -> bool:
        return self._interrupted

    @contextlib.contextmanager
    def track_autonomous(self, spec: EpisodeSpec, autonomous: bool) -> Iterator[Callable[[], bool]]:
        yield lambda: self.alone


def _drain(messages: queue.SimpleQueue[_T]) -> tuple[_T, ...]:
    found: list[_T] = []
    with contextlib.suppress(queue.Empty):
        while True:
            found.append(messages.get_nowait())
    return tuple(found)


@contextlib.contextmanager
def _log_to(messages: queue.SimpleQueue[Message]) -> Iterator[None]:
    """Put the lines of GaraBench's log among the messages within the block."""
    logger = logging.getLogger("garabench")
    handler = logging.handlers.QueueHandler(messages)  # makes the records fit to be sent
    before = logger.level
    logger.addHandler(handler)
    logger.setLevel(logging.DEBUG)
    try:
        yield
    finally:
        logger.removeHandler(handler)
        logger.setLevel(before)


def _portable(error: Exception) -> Exception:
    """Return an error that can be sent to another process: the same, or one with its message."""
    return error if isinstance(error, EpisodeStoppedError) else _portable_error(error)


def _portable_error(error: Exception) -> GaraError:
    with contextlib.suppress(Exception):  # an error may hold anything
        copy = pickle.loads(pickle.dumps(error))  # noqa: S301  # our own bytes
        if isinstance(copy, GaraError):
            return copy
    if isinstance(error, EndpointError):
        return EndpointError(str(error))
    return DeviceError(str(error)) if isinstance(error, DeviceError) else HarnessError(str(error))
