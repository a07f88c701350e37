"""Perform a run on the devices at hand, each in a thread of its own, episode after episode."""

from __future__ import annotations

import contextlib
import queue
import threading
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath

from garabench.agents.chat.desk import Desk
from garabench.agents.chat.entries import ModelMaker
from garabench.agents.counted import CountedAgent
from garabench.agents.own.owner import Owner
from garabench.agents.registry import check_agents, make_agent
from garabench.agents.setting import Setting
from garabench.agents.spec import AgentSpec
from garabench.campaign.devices import Lease
from garabench.campaign.plan import Plan, episodes
from garabench.campaign.store import RunStore
from garabench.campaign.suite import Suite
from garabench.campaign.told import told_in
from garabench.core.clock import Clock
from garabench.device.device import Device
from garabench.episode.runner import EpisodeBrokenOff, run_episode
from garabench.episode.spec import EpisodeSpec
from garabench.errors import DeviceError, DeviceLost, DeviceOffline, DeviceUnreachable, GaraError
from garabench.stats.measures import Summary

_JOIN_LIMIT = 30.0
"""Seconds for the threads to end after a break: a step's device calls are over by then."""


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a run is.

    Attributes:
        done: Episodes that have ended.
        total: Of how many.
        spec: The one that has just ended.
        summary: What it came to.
    """

    done: int
    total: int
    spec: EpisodeSpec
    summary: Summary


@dataclass(frozen=True, slots=True)
class _Idle:
    """A worker has ended: by an error, or because nothing is left to do."""

    error: BaseException | None


def perform(
    store: RunStore,
    suite: Suite,
    leases: Sequence[Lease],
    clock: Clock,
    *,
    desk: Desk | None = None,
    tell: Callable[[Progress], None] = lambda progress: None,
) -> tuple[Summary, ...]:
    """Perform what is left of a run.

    A device that is lost gives its episode back; the run goes on with the others and ends when none is left.
    A break (ctrl-C) lets each device finish the call in flight and leaves the record as it stands, and so
    does a budget that is used up: the episodes in flight have no end, and are repeated when the run is gone
    on with.

    Args:
        store: The run.
        suite: The suite that it was planned with.
        leases: The devices.
        clock: For every time and limit.
        desk: What the run's models share; one without limits unless given.
        tell: Called after each episode, in the caller's thread.

    Returns:
        The summaries of all ended episodes, in the plan's order.

    Raises:
        InputError: An agent of the plan cannot be found or used (any more).
        DeviceError: No device can be reached (any more).
        ModelError: A model's endpoint has a fault that every further episode would meet.
        RunStopped: The budget is used up.
        RecordError: The record cannot be written.
    """
    plan = store.run.plan
    desk = desk or Desk(clock=clock)
    agents = {spec.named.text: spec for spec in check_agents(plan.agents)}
    specs = episodes(plan, suite)
    # After a kill, a result may be missing, or cut off in the middle of its line.
    store.rebuild(specs)
    telling = {text for text, spec in agents.items() if _tells(spec)}
    for spent in told_in(store.folder, (spec for spec in specs if spec.agent_named in telling)):
        desk.meter.add_earlier(spent)
    waiting = deque(spec for spec in specs if not store.has_ended(spec))
    done = before = len(specs) - len(waiting)
    work = _Work(store, plan, agents, clock, waiting, desk)
    threads = [
        threading.Thread(target=work.on, args=(lease,), name=f"device-{number}", daemon=True)
        for number, lease in enumerate(leases)
    ]
    errors: list[BaseException] = []
    idle = 0
    try:
        for thread in threads:
            thread.start()
        while idle < len(threads):
            message = work.messages.get()
            if isinstance(message, _Idle):
                idle += 1
                if message.error is not None:
                    errors.append(message.error)
                    if not isinstance(message.error, DeviceError):
                        work.end()  # the others would meet the same
                continue
            summary = store.summarize(message)
            if summary is not None:
                done += 1
                store.append_result(summary)
                tell(Progress(done, len(specs), message, summary))
    finally:
        work.end()
        for thread in threads:
            if thread.ident is not None:
                thread.join(_JOIN_LIMIT)
    fatal = [error for error in errors if not isinstance(error, DeviceError)]
    if fatal:
        raise fatal[0]
    summaries = store.rebuild(specs)  # an episode that a lost device gave back may have ended by that fault
    if errors and waiting:
        raise errors[0]
    if desk.fatal is not None:
        raise desk.fatal
    if (waiting or work.broken_off) and (stopped := desk.meter.stopped(got_on=done > before)):
        raise stopped
    return summaries


def _tells(spec: AgentSpec) -> bool:
    """Whether an agent tells by itself what it took; GaraBench's models count each reply as it comes."""
    return not isinstance(spec.make, ModelMaker)


class _Work:
    """What the threads share."""

    def __init__(
        self,
        store: RunStore,
        plan: Plan,
        agents: Mapping[str, AgentSpec],
        clock: Clock,
        waiting: deque[EpisodeSpec],
        desk: Desk,
    ) -> None:
        self.store = store
        self.plan = plan
        self.agents = agents
        self.clock = clock
        self.waiting = waiting
        self.desk = desk
        self.broken_off = False
        self._driving: dict[PurePosixPath, bool] = {}  # of those that drive a device: whether alone so far
        self._flying = 0
        self._changed = threading.Condition()
        self.messages: queue.SimpleQueue[EpisodeSpec | _Idle] = queue.SimpleQueue()
        self.stop = threading.Event()

    def end(self) -> None:
        """Let each device finish the call in flight, and begin nothing more."""
        with self._changed:
            self.stop.set()
            self._changed.notify_all()

    def on(self, lease: Lease) -> None:
        """Perform episodes on one device until none is left."""
        error: BaseException | None = None
        try:
            self._serve(lease)
        except EpisodeBrokenOff:
            self.broken_off = True
        except BaseException as caught:  # noqa: BLE001  # raised again in the caller's thread
            error = caught
        self.messages.put(_Idle(error))

    def _serve(self, lease: Lease) -> None:
        device: Device | None = None
        try:
            while (spec := self._next()) is not None:
                given_back: EpisodeSpec | None = None
                try:
                    device = self._episode(spec, lease, device)
                except DeviceError:
                    given_back = spec  # another device may still perform it
                    raise
                finally:
                    self._landed(given_back)
                self.messages.put(spec)
        finally:
            if device is not None and not _lost(device):
                device.close()

    def _next(self) -> EpisodeSpec | None:
        """The next episode; while others are being performed, one of them may still be given back."""
        with self._changed:
            while not self.waiting and self._flying and not self._is_over():
                self._changed.wait()
            if self._is_over() or not self.waiting:
                return None
            self._flying += 1
            return self.waiting.popleft()

    def _is_cut(self) -> bool:
        """Whether episodes in flight are broken off between two steps: a break, or a budget that is used up.

        A reply that is being waited for is still taken in when a budget is used up: it is paid for.
        """
        return self.stop.is_set() or bool(self.desk.meter.exceeded())

    def _is_over(self) -> bool:
        """Whether no further episode begins, since an endpoint is of no use any more, either."""
        return self._is_cut() or self.desk.fatal is not None

    def _landed(self, given_back: EpisodeSpec | None) -> None:
        with self._changed:
            self._flying -= 1
            if given_back is not None:
                self.waiting.appendleft(given_back)
            self._changed.notify_all()

    @contextlib.contextmanager
    def _among_drivers(self, spec: EpisodeSpec, drives: bool) -> Iterator[Callable[[], bool]]:
        """Know an episode whose agent drives its device; gives whether no other did so meanwhile."""
        if drives:
            with self._changed:
                for other in self._driving:
                    self._driving[other] = False
                self._driving[spec.folder] = not self._driving
        try:
            yield lambda: self._driving.get(spec.folder, True)
        finally:
            if drives:
                with self._changed:
                    del self._driving[spec.folder]

    def _episode(self, spec: EpisodeSpec, lease: Lease, device: Device | None) -> Device | None:
        for _ in range(self.plan.retries + 1):
            device = _ready(lease, device)
            setting = Setting(
                name=spec.agent,
                folder=self.store.folder / spec.folder,
                seconds=spec.decision_seconds,
                start_seconds=spec.start_seconds,
                clock=self.clock,
                stop=self.stop.is_set,
                desk=self.desk,
            )
            agent = make_agent(self.agents[spec.agent_named], setting, spec.task)
            if _tells(self.agents[spec.agent_named]) and not isinstance(agent, Owner):
                agent = CountedAgent(agent, self.desk.meter.add)
            with self._among_drivers(spec, isinstance(agent, Owner)) as alone:
                end = run_episode(
                    spec, device, agent, self.store.folder, self.clock, stop=self._is_cut, alone=alone
                )
            if end.outcome != "error" or self._is_over():
                break
            if _lost(device):
                device = None
        return device


def _ready(lease: Lease, device: Device | None) -> Device:
    """The device in its first state, connected anew where it has gone since the episode before."""
    if device is not None:
        try:
            lease.restore()
            return device
        except DeviceLost:
            pass
    device = lease.connect()
    lease.restore()
    return device


def _lost(device: Device) -> bool:
    try:
        return device.adb.state() != "device"
    except (DeviceLost, DeviceOffline, DeviceUnreachable):
        return True
    except GaraError:
        return False
