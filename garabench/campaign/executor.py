"""Perform the episodes of a run on several devices, each in its own thread."""

from __future__ import annotations

import contextlib
import logging
import queue
import threading
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath

from garabench.agents.context import AgentContext
from garabench.agents.external.autonomous import AutonomousAgent
from garabench.agents.metered import MeteredAgent
from garabench.agents.models.catalog import ModelAgentMaker
from garabench.agents.models.session import ModelSession
from garabench.agents.registry import make_agent
from garabench.agents.spec import AgentSpec
from garabench.campaign.devices import Lease, is_lost, ready_device
from garabench.campaign.planner import episodes
from garabench.campaign.usage import reported_usage
from garabench.core.clock import Clock
from garabench.core.progress import Progress
from garabench.device.device import Device
from garabench.episode.runner import EpisodeStoppedError, run_episode
from garabench.episode.spec import EpisodeSpec
from garabench.errors import (
    DeviceError,
)
from garabench.records.plan import Plan
from garabench.records.reader import Run
from garabench.records.results import Summary
from garabench.records.run_log import episode_logged_as
from garabench.records.run_writer import RunWriter
from garabench.suite.suite import Suite

_LOG = logging.getLogger(__name__)
_JOIN_LIMIT = 30.0
"""Time for the threads to end after Ctrl-C, in seconds; device calls in flight end sooner."""


@dataclass(frozen=True, slots=True)
class _Idle:
    """A device's thread has ended because of an error, or because no episode is left."""

    error: BaseException | None


def perform(
    run: RunWriter,
    suite: Suite,
    agents: Sequence[AgentSpec],
    leases: Sequence[Lease],
    clock: Clock,
    *,
    session: ModelSession | None = None,
    before_episode: Callable[[EpisodeSpec, Lease], None] = lambda spec, lease: None,
    on_progress: Callable[[Progress[Summary]], None] = lambda progress: None,
) -> tuple[Summary, ...]:
    """Perform the remaining episodes of a run.

    If a device is lost, its episode returns to the queue; the run continues on the other devices, and ends if
    none is left. After Ctrl-C, or when a budget is used up, each device finishes its call in flight. The
    episodes in flight stay unfinished in the record and are repeated when the run is resumed.

    Args:
        run: The record of the run.
        suite: The suite of its plan.
        agents: The agents of its plan.
        leases: The leases of the devices.
        clock: The clock for all times and limits.
        session: The state executor by the run's models; default: a session without limits.
        before_episode: Called before each attempt at an episode, in the device's thread, before the device is
            restored for it.
        on_progress: Called with the result of each ended episode, in the caller's thread.

    Returns:
        The summaries of all ended episodes, in the plan's order.

    Raises:
        InputError: An agent cannot be created, or a record is corrupt.
        DeviceError: No device can be reached, or all were lost.
        ModelError: A model's endpoint has a fault that affects every later episode.
        BudgetExceededError: The budget is used up.
        RecordError: The record cannot be written.
    """
    plan = run.file.plan
    session = session or ModelSession(clock=clock)
    left_out = run.file.device.left_out or {}
    specs = episodes(plan, suite, [agent.name for agent in agents], left_out=left_out)
    # After a kill, a result may be missing or truncated.
    ended = {summary.key for summary in run.rebuild() if summary.outcome != "error"}
    reporting = {agent.name for agent in agents if _reports_usage(agent)}
    for usage in reported_usage(Run(run.folder, run.file), reporting):
        session.meter.add_earlier(usage)
    pending = deque(spec for spec in specs if spec.key not in ended)
    done = done_before = len(specs) - len(pending)
    named = {agent.name: agent for agent in agents}
    executor = _Executor(run, plan, named, clock, pending, session, before_episode)
    threads = [
        threading.Thread(target=executor.run_on, args=(lease,), name=f"device-{number}", daemon=True)
        for number, lease in enumerate(leases)
    ]
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
    fatal = [error for error in errors if not isinstance(error, DeviceError)]
    if fatal:
        raise fatal[0]
    summaries = run.rebuild()  # the last attempt of an episode on a lost device ended in error
    if errors and pending:
        raise errors[0]
    if session.fatal_error is not None:
        raise session.fatal_error
    if (pending or executor.stopped_early) and (
        stopped := session.meter.limit_error(progressed=done > done_before)
    ):
        raise stopped
    return summaries


def _reports_usage(spec: AgentSpec) -> bool:
    """Return whether an agent reports its own usage; that of GaraBench's models is counted per reply."""
    return not isinstance(spec.make, ModelAgentMaker)


class _Executor:
    """The state that the devices' threads share."""

    def __init__(
        self,
        run: RunWriter,
        plan: Plan,
        agents: Mapping[str, AgentSpec],
        clock: Clock,
        pending: deque[EpisodeSpec],
        session: ModelSession,
        before_episode: Callable[[EpisodeSpec, Lease], None],
    ) -> None:
        self.before_episode = before_episode
        self.writer = run
        self.plan = plan
        self.agents = agents
        self.clock = clock
        self.pending = pending
        self.session = session
        self.stopped_early = False
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

    def run_on(self, lease: Lease) -> None:
        """Perform episodes on one device until none is left."""
        error: BaseException | None = None
        try:
            self._serve(lease)
        except EpisodeStoppedError:
            self.stopped_early = True
        except BaseException as caught:  # noqa: BLE001  # raised again in the caller's thread
            error = caught
        self.messages.put(_Idle(error))

    def _serve(self, lease: Lease) -> None:
        device: Device | None = None
        try:
            while (spec := self._next()) is not None:
                returned: EpisodeSpec | None = None
                try:
                    with episode_logged_as(str(spec.key)):
                        device = self._perform_episode(spec, lease, device)
                except DeviceError as error:
                    _LOG.warning(
                        "%s: the device failed, and the episode returns to the queue: %s", spec.folder, error
                    )
                    returned = spec  # another device may still perform it
                    raise
                finally:
                    self._finish(returned)
                self.messages.put(spec)
        finally:
            if device is not None and not is_lost(device):
                device.close()

    def _next(self) -> EpisodeSpec | None:
        """Return the next episode; wait while an episode in flight may still return to the queue.

        Returns:
            None if the run must end, or no episode is left.
        """
        with self._changed:
            while not self.pending and self._in_flight and not self._must_end():
                self._changed.wait()
            if self._must_end() or not self.pending:
                return None
            self._in_flight += 1
            return self.pending.popleft()

    def _must_stop(self) -> bool:
        """Return whether episodes in flight must stop: after Ctrl-C, or when a budget is used up.

        They stop between two steps. A reply in flight is awaited, since it is billed anyway.
        """
        return self.stop.is_set() or bool(self.session.meter.exceeded())

    def _must_end(self) -> bool:
        """Return whether no more episodes may start: also if an endpoint is unusable."""
        return self._must_stop() or self.session.fatal_error is not None

    def _finish(self, returned: EpisodeSpec | None) -> None:
        with self._changed:
            self._in_flight -= 1
            if returned is not None:
                self.pending.appendleft(returned)
            self._changed.notify_all()

    @contextlib.contextmanager
    def _track_autonomous(self, spec: EpisodeSpec, autonomous: bool) -> Iterator[Callable[[], bool]]:
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

    def _perform_episode(self, spec: EpisodeSpec, lease: Lease, device: Device | None) -> Device | None:
        for attempt in range(1, self.plan.retries + 2):
            self.before_episode(spec, lease)
            device = ready_device(lease, device)
            context = AgentContext(
                name=spec.agent,
                folder=self.writer.folder / spec.folder,
                seconds=spec.decision_seconds,
                start_seconds=spec.start_seconds,
                clock=self.clock,
                stop=self.stop.is_set,
                models=self.session,
            )
            agent = make_agent(self.agents[spec.agent], context, spec.task)
            if _reports_usage(self.agents[spec.agent]) and not isinstance(agent, AutonomousAgent):
                agent = MeteredAgent(agent, self.session.meter.add)
            with self._track_autonomous(spec, isinstance(agent, AutonomousAgent)) as alone:
                end = run_episode(
                    spec, device, agent, self.writer.folder, self.clock, stop=self._must_stop, alone=alone
                )
            _LOG.info("%s: %s after %d steps, attempt %d", end.outcome, end.reason, end.steps, attempt)
            if end.outcome != "error" or self._must_end():
                break
            if is_lost(device):
                device = None
        return device
