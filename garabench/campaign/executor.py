"""Perform the episodes of a run on several devices, each in its own thread."""

from __future__ import annotations

import contextlib
import logging
import queue
import threading
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import PurePosixPath

from garabench.agents.models.session import ModelSession
from garabench.agents.spec import AgentSpec
from garabench.campaign.device_care import DeviceExhaustedError, HealthCheck
from garabench.campaign.device_recovery import DeviceRecoveryPolicy
from garabench.campaign.device_worker import DeviceWorker, LocalWorker, local_label
from garabench.campaign.devices import Lease, RecoverableLease
from garabench.campaign.episode_queue import WHOLE, BlockQueue, Shard
from garabench.campaign.planner import episodes
from garabench.campaign.reported_usage import reported_usage, reports_usage
from garabench.campaign.resume import begun_blocks, remaining_episodes
from garabench.campaign.retirement import FaultTally, device_to_retire
from garabench.core import campaign_events as ev
from garabench.core.clock import Clock
from garabench.core.events import EpisodeEnded, FaultEvent
from garabench.core.progress import Progress
from garabench.device.health import read_health
from garabench.episode.runner import EpisodeStoppedError
from garabench.episode.spec import EpisodeSpec
from garabench.errors import DeviceError, RecordError
from garabench.records.campaign_log import CampaignLog
from garabench.records.event_reader import read_events
from garabench.records.plan import Plan
from garabench.records.reader import Run
from garabench.records.results import Summary, unknown_outcome
from garabench.records.run_log import episode_logged_as
from garabench.records.run_writer import RunWriter
from garabench.suite.suite import Suite

_LOG = logging.getLogger(__name__)
_JOIN_LIMIT = 30.0
"""Time for the threads to end after Ctrl-C, in seconds; device calls in flight end sooner."""


class DeviceRetiredError(DeviceError):
    """A device faults more often than the others, and performs no more episodes of this run."""


@dataclass(frozen=True, slots=True)
class _Idle:
    """A device's thread has ended because of an error, or because no episode is left."""

    error: BaseException | None


def perform_episodes(
    run: RunWriter,
    suite: Suite,
    agents: Sequence[AgentSpec],
    leases: Sequence[RecoverableLease],
    clock: Clock,
    *,
    session: ModelSession | None = None,
    before_episode: Callable[[EpisodeSpec, Lease], None] = lambda spec, lease: None,
    device_recovery: DeviceRecoveryPolicy | None = None,
    shard: Shard = WHOLE,
    check: HealthCheck = read_health,
    on_progress: Callable[[Progress[Summary]], None] = lambda progress: None,
    on_event: Callable[[ev.CampaignEvent], None] = lambda event: None,
) -> tuple[Summary, ...]:
    """Perform the remaining episodes of a run.

    Each device is checked before each episode, and recovered if necessary. If that fails, its episode returns
    to the queue, and the device pauses; the run continues on the other devices, and ends if every device has
    failed for too long. After Ctrl-C, or when a budget is used up, each device finishes its call in flight.
    The episodes in flight stay unfinished in the record and are repeated when the run is resumed.

    Args:
        run: The record of the run.
        suite: The suite of its plan.
        agents: The agents of its plan.
        leases: The leases of the devices.
        clock: The clock for all times and limits.
        session: The state shared by the run's models; default: a session without limits.
        before_episode: Called before each attempt at an episode, in the device's thread, before the device is
            restored for it, and again after a measure of device recovery.
        device_recovery: The limits of device recovery; default: those of `DeviceRecoveryPolicy`.
        shard: The part of the plan to perform.
        check: Reads the health of a device.
        on_progress: Called with the result of each ended episode, in the caller's thread.
        on_event: Called with each event of the campaign, one at a time, in the threads of the devices.

    Returns:
        The summaries of all ended episodes, in the plan's order.

    Raises:
        InputError: An agent cannot be created, or a record is corrupt.
        DeviceError: No device can be reached, or all were lost.
        ModelError: A model's endpoint has a fault that affects every later episode.
        BudgetExceededError: The budget is used up.
        RecordError: The record cannot be written.
    """
    session = session or ModelSession(clock=clock)
    named = {agent.name: agent for agent in agents}
    workers = [
        LocalWorker(
            local_label(lease, number),
            lease,
            run.folder,
            named,
            clock,
            session,
            device_recovery=device_recovery,
            before_episode=before_episode,
            check=check,
        )
        for number, lease in enumerate(leases, start=1)
    ]
    return perform_with(
        run,
        suite,
        agents,
        workers,
        clock,
        session,
        device_recovery=device_recovery,
        shard=shard,
        on_progress=on_progress,
        on_event=on_event,
    )


def perform_with(
    run: RunWriter,
    suite: Suite,
    agents: Sequence[AgentSpec],
    workers: Sequence[DeviceWorker],
    clock: Clock,
    session: ModelSession,
    *,
    device_recovery: DeviceRecoveryPolicy | None = None,
    shard: Shard = WHOLE,
    on_progress: Callable[[Progress[Summary]], None] = lambda progress: None,
    on_event: Callable[[ev.CampaignEvent], None] = lambda event: None,
) -> tuple[Summary, ...]:
    """Perform the remaining episodes of a run with workers, wherever the devices are; see `perform_episodes`.

    Args:
        run: The record of the run.
        suite: The suite of its plan.
        agents: The agents of its plan.
        workers: The workers, one per device.
        clock: The clock for all times and limits.
        session: The state shared by the run's models.
        device_recovery: The limits of device recovery; default: those of `DeviceRecoveryPolicy`.
        shard: The part of the plan to perform.
        on_progress: Called with the result of each ended episode, in the caller's thread.
        on_event: Called with each event of the campaign, one at a time.

    Returns:
        The summaries of all ended episodes, in the plan's order.

    Raises:
        GaraError: As `perform_episodes`.
    """
    plan = run.file.plan
    left_out = run.file.device.left_out or {}
    specs = shard.part(episodes(plan, suite, [agent.name for agent in agents], left_out=left_out))
    remaining = remaining_episodes(run, specs)
    pending = BlockQueue.of(remaining, begun_blocks(run, remaining))
    reporting = {agent.name for agent in agents if reports_usage(agent)}
    for usage in reported_usage(Run(run.folder, run.file), reporting):
        session.meter.add_earlier(usage)
    done = done_before = len(specs) - len(pending)
    labels = [worker.label for worker in workers]
    executor = _Executor(
        run, plan, clock, pending, session, device_recovery or DeviceRecoveryPolicy(), on_event
    )
    executor.tallies = dict.fromkeys(labels, FaultTally())
    # Before any thread starts: else the first device takes a block of a kind whose device is about to start.
    executor.kinds = {worker.label: worker.kind or worker.label for worker in workers}
    threads = [
        threading.Thread(target=executor.run_on, args=(worker,), name=f"device-{number}", daemon=True)
        for number, worker in enumerate(workers)
    ]
    executor.record(
        ev.RunBegun(
            time=clock.now(),
            planned=len(specs),
            ended=done_before,
            devices=tuple(labels),
            shard="" if shard == WHOLE else str(shard),
        )
    )
    errors: list[BaseException] = []
    idle = 0
    try:
        for thread in threads:
            thread.start()
        while idle < len(threads):
            message = executor.messages.get()
            if isinstance(message, _Idle):
                idle += 1
                if message.error is not None:
                    errors.append(message.error)
                    if not isinstance(message.error, DeviceError):
                        executor.end()  # the other devices would fail in the same way
                continue
            summary = run.summarize(message.key)
            if summary is not None:
                done += 1
                run.append_result(summary)
                on_progress(Progress(done, len(specs), summary))
    finally:
        executor.end()
        for thread in threads:
            if thread.ident is not None:
                thread.join(_JOIN_LIMIT)
        detail = str(errors[0]) if errors and len(pending) else ""
        with contextlib.suppress(RecordError):  # it is raised already
            executor.record(
                ev.RunEnded(time=clock.now(), ended=done, remaining=len(specs) - done, detail=detail)
            )
    fatal = [error for error in errors if not isinstance(error, DeviceError)]
    if fatal:
        raise fatal[0]
    summaries = run.rebuild()  # the last attempt of an episode on a lost device ended in error
    if errors and len(pending):
        raise errors[0]
    if session.fatal_error is not None:
        raise session.fatal_error
    if (len(pending) or executor.stopped_early) and (
        stopped := session.meter.limit_error(progressed=done > done_before)
    ):
        raise stopped
    return summaries


@dataclass(slots=True)
class _DeviceHistory:
    """What the episodes on a device have shown about it.

    Attributes:
        faults_in_a_row: Number of consecutive episodes that a fault of the device has ended.
        pauses: Its pauses since its last episode without such a fault, in seconds.
    """

    faults_in_a_row: int = 0
    pauses: list[float] = field(default_factory=list)


class _Executor:
    """The state that the devices' threads share."""

    def __init__(
        self,
        run: RunWriter,
        plan: Plan,
        clock: Clock,
        pending: BlockQueue,
        session: ModelSession,
        device_recovery: DeviceRecoveryPolicy,
        on_event: Callable[[ev.CampaignEvent], None],
    ) -> None:
        self.writer = run
        self.plan = plan
        self.clock = clock
        self.pending = pending
        self.session = session
        self.device_recovery = device_recovery
        self.stopped_early = False
        self.tallies: dict[str, FaultTally] = {}
        self.kinds: dict[str, str] = {}
        self._on_event = on_event
        self._log = CampaignLog(run.folder)
        self._recording = threading.Lock()
        self._failed: Counter[str] = Counter()  # attempts that ended in error, by episode
        self._task_faults: Counter[str] = Counter()
        self._autonomous: dict[
            PurePosixPath, bool
        ] = {}  # episodes of autonomous agents: whether alone so far
        self._in_flight = 0
        self._changed = threading.Condition()
        self.messages: queue.SimpleQueue[EpisodeSpec | _Idle] = queue.SimpleQueue()
        self.stop = threading.Event()

    def end(self) -> None:
        """Stop after the calls in flight."""
        with self._changed:
            self.stop.set()
            self._changed.notify_all()

    def record(self, event: ev.CampaignEvent) -> None:
        """Write an event, and report it.

        Raises:
            RecordError: It cannot be written.
        """
        with self._recording:
            self._log.append(event)
            self._on_event(event)

    def run_on(self, worker: DeviceWorker) -> None:
        """Perform episodes with one worker until none is left."""
        error: BaseException | None = None
        label = worker.label
        try:
            worker.begin(self)
            self._serve(worker)
        except EpisodeStoppedError:
            self.stopped_early = True
        except BaseException as caught:  # noqa: BLE001  # raised again in the caller's thread
            error = caught
        finally:
            with self._changed:
                del self.kinds[label]
                self.tallies.pop(label, None)
                self._changed.notify_all()
        self.messages.put(_Idle(error))

    def _serve(self, worker: DeviceWorker) -> None:
        history = _DeviceHistory()
        try:
            while (spec := self._next(worker)) is not None:
                returned: EpisodeSpec | None = None
                retired: DeviceRetiredError | None = None
                try:
                    with episode_logged_as(str(spec.key)):
                        retired = self._perform_episode(spec, worker, history)
                except DeviceError as error:
                    _LOG.warning(
                        "%s: the device failed, and the episode returns to the queue: %s", spec.folder, error
                    )
                    returned = spec  # another device may still perform it
                    if isinstance(error, DeviceRetiredError) or not isinstance(error, DeviceExhaustedError):
                        raise
                    failed = error
                finally:
                    self._finish(returned)
                if returned is None:
                    self.messages.put(spec)
                    if retired is not None:
                        raise retired
                    if history.faults_in_a_row >= self.device_recovery.faults_in_a_row:
                        times = history.faults_in_a_row
                        failed = DeviceExhaustedError(f"{worker.label} failed in {times} episodes in a row")
                    else:
                        continue
                self._pause(worker.label, history, failed)
        finally:
            worker.close()

    def _pause(self, label: str, history: _DeviceHistory, error: DeviceExhaustedError) -> None:
        """Give a device that keeps failing no episodes for a while.

        Raises:
            DeviceExhaustedError: It has failed for too long.
        """
        pause = self.device_recovery.pause_of_device(history.pauses)
        if pause is None:
            if self._left():
                self.record(ev.DeviceRetired(time=self.clock.now(), device=label, reason=str(error)))
                raise error
            return
        history.pauses.append(pause)
        total = sum(history.pauses)
        self.record(
            ev.DevicePaused(
                time=self.clock.now(), device=label, seconds=pause, total=total, reason=str(error)
            )
        )
        _LOG.warning("%s: pauses for %g s: %s", label, pause, error)
        with self._changed:
            self._changed.wait_for(lambda: self._must_end() or not self._left(), pause)

    def _left(self) -> bool:
        """Return whether an episode remains that is not in flight on another device, or may return."""
        return bool(len(self.pending) or self._in_flight)

    def wait(self, seconds: float) -> None:
        """Wait, or stop.

        Raises:
            EpisodeStoppedError: The run stops.
        """
        if self.stop.wait(seconds):
            raise EpisodeStoppedError("recovery")

    def is_interrupted(self) -> bool:
        """See `RunControl.is_interrupted`."""
        return self.stop.is_set()

    def _next(self, worker: DeviceWorker) -> EpisodeSpec | None:
        """Return the next episode; wait while an episode in flight may still return to the queue.

        Returns:
            None if the run must end, or no episode is left.
        """
        kind = worker.kind or worker.label
        with self._changed:
            self.kinds[worker.label] = kind
            while not self._must_end():
                spec = self.pending.take(kind, frozenset(self.kinds.values()))
                if spec is not None:
                    self._in_flight += 1
                    return spec
                if not self._left():
                    return None
                self._changed.wait()
            return None

    def must_stop(self) -> bool:
        """Return whether episodes in flight must stop: after Ctrl-C, or when a budget is used up.

        They stop between two steps. A reply in flight is awaited, since it is billed anyway.
        """
        return self.stop.is_set() or bool(self.session.meter.exceeded())

    def _must_end(self) -> bool:
        """Return whether no more episodes may start: also if an endpoint is unusable."""
        return self.must_stop() or self.session.fatal_error is not None

    def _finish(self, returned: EpisodeSpec | None) -> None:
        with self._changed:
            self._in_flight -= 1
            if returned is not None:
                self.pending.put_back(returned)
            self._changed.notify_all()

    @contextlib.contextmanager
    def track_autonomous(self, spec: EpisodeSpec, autonomous: bool) -> Iterator[Callable[[], bool]]:
        """Track an episode of an autonomous agent.

        Yields:
            A function that returns whether no other such episode has overlapped it.
        """
        if autonomous:
            with self._changed:
                for other in self._autonomous:
                    self._autonomous[other] = False
                self._autonomous[spec.folder] = not self._autonomous
        try:
            yield lambda: self._autonomous.get(spec.folder, True)
        finally:
            if autonomous:
                with self._changed:
                    del self._autonomous[spec.folder]

    def _perform_episode(
        self, spec: EpisodeSpec, worker: DeviceWorker, history: _DeviceHistory
    ) -> DeviceRetiredError | None:
        """Perform an episode, and repeat it while it ends in error and a repetition is allowed.

        Returns:
            Why the device performs no episode after this one, which has ended; None if it may.

        Raises:
            DeviceExhaustedError: The device could not be recovered.
            DeviceRetiredError: The device faults more often than the others, and the episode is to be
                repeated.
            EpisodeStoppedError: The run stops.
        """
        key = str(spec.key)
        device_fault = False
        while True:
            start = self.clock.monotonic()
            worker.ready(spec)
            number = self._failed[key] + 1
            self.record(
                ev.AttemptBegun(time=self.clock.now(), device=worker.label, episode=key, attempt=number)
            )
            end = worker.attempt(spec)
            _LOG.info("%s: %s after %d steps, attempt %d", end.outcome, end.reason, end.steps, number)
            fault, repeat, unknown = None, False, ""
            if end.outcome == "failure":
                unknown = unknown_outcome(read_events(self.writer.folder / spec.folder))
            if end.outcome == "error":
                fault = self._fault_of(spec)
                repeat = self._may_repeat(spec, worker, fault)
            device_fault = fault is not None and fault.at_fault == "device"
            self._ended(
                worker.label,
                key,
                number,
                end,
                fault,
                self.clock.monotonic() - start,
                unknown=unknown,
                last=not repeat,
            )
            retired = self._tally(worker.label, device_fault)
            if not repeat:
                break
            if retired is not None:
                raise retired
            if fault is None or fault.at_fault != "model":  # the client of a model has paused already
                self.wait(self.device_recovery.pause_before_retry(self._failed[key]))
        history.faults_in_a_row = history.faults_in_a_row + 1 if device_fault else 0
        if not device_fault:
            history.pauses.clear()
        return retired

    def _fault_of(self, spec: EpisodeSpec) -> FaultEvent | None:
        """Return the fault that ended the last attempt at an episode, from its record."""
        events = read_events(self.writer.folder / spec.folder)
        return next((event for event in reversed(events) if isinstance(event, FaultEvent)), None)

    def _may_repeat(self, spec: EpisodeSpec, worker: DeviceWorker, fault: FaultEvent | None) -> bool:
        """Count an attempt that ended in error, and return whether another one is allowed.

        A fault on a device that is healthy right afterwards counts against the task: something in it may
        cause the fault again and again. A fault of the model counts against neither.
        """
        key, task = str(spec.key), spec.task.id
        of_model = fault is not None and fault.at_fault == "model"
        healthy = not of_model and worker.is_healthy()
        with self._changed:
            self._failed[key] += 1
            spent_before = self._task_faults[task] >= self.device_recovery.task_faults
            self._task_faults[task] += healthy
            spent = self._task_faults[task] >= self.device_recovery.task_faults
        if spent and not spent_before:
            faults = self._task_faults[task]
            self.record(ev.TaskBudgetSpent(time=self.clock.now(), task=task, faults=faults))
            _LOG.warning("%s: %d faults on healthy devices: no more retries", task, faults)
        return self._failed[key] <= self.plan.retries and not spent and not self._must_end()

    def _ended(
        self,
        label: str,
        key: str,
        number: int,
        end: EpisodeEnded,
        fault: FaultEvent | None,
        seconds: float,
        *,
        unknown: str,
        last: bool,
    ) -> None:
        self.record(
            ev.AttemptEnded(
                time=self.clock.now(),
                device=label,
                episode=key,
                attempt=number,
                outcome=end.outcome,
                reason=end.reason,
                steps=end.steps,
                seconds=round(seconds, 3),
                at_fault=fault.at_fault if fault else "",
                message=fault.message if fault else "",
                unknown=unknown,
                last=last,
            )
        )

    def _tally(self, label: str, device_fault: bool) -> DeviceRetiredError | None:
        """Count an attempt; if its device now faults more often than the others, record that it is retired.

        Returns:
            Why it is retired; None if it is not.
        """
        with self._changed:
            self.tallies[label] = self.tallies[label].after(fault=device_fault)
            retirement = device_to_retire(self.tallies) if device_fault else None
        if retirement is None or retirement.device != label:
            return None
        self.record(
            ev.DeviceRetired(
                time=self.clock.now(), device=label, reason=retirement.reason, p_value=retirement.p_value
            )
        )
        return DeviceRetiredError(f"{label} is retired: {retirement.reason}")
