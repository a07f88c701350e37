from __future__ import annotations

import contextlib
import shutil
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import cast

import pytest

from garabench.agents.context import AgentContext
from garabench.agents.external.autonomous_process import AutonomousProcess
from garabench.agents.registry import make_agent, resolve_all
from garabench.agents.spec import AgentSpec
from garabench.campaign import executor
from garabench.campaign.executor import Progress, perform
from garabench.core.clock import SystemClock
from garabench.core.events import EpisodeEnded
from garabench.core.task import Task
from garabench.episode.runner import EpisodeStoppedError
from garabench.episode.spec import EpisodeSpec
from garabench.errors import DeviceError, DeviceLostError, DeviceUnreachableError, HarnessError, RecordError
from garabench.records.event_reader import read_events
from garabench.records.layout import RESULTS
from garabench.records.plan import Plan
from garabench.records.results import read_results
from garabench.records.run_writer import RunWriter
from garabench.suite.suite import Suite
from tests.planned import episodes

LIMIT = 20.0
Record = Callable[..., EpisodeEnded]
Act = Callable[["FakeDevice", EpisodeSpec], str]
"""What a device does with an episode: its outcome."""


@dataclass
class FakeDevice:
    """A device of the adb server, which may be pulled out."""

    name: str
    here: bool = True
    closed: bool = False

    @property
    def adb(self) -> FakeDevice:
        return self

    def state(self) -> str:
        if not self.here:
            raise DeviceLostError(f"{self.name} is gone")
        return "device"

    def close(self) -> None:
        self.closed = True


def pulled_out(device: FakeDevice) -> str:
    """The device goes in the middle of the episode."""
    device.here = False
    return "error"


@dataclass
class FakeLease:
    """A lease that connects so many times."""

    name: str
    connections: int = 100
    kind: str = "virtual"
    devices: list[FakeDevice] = field(default_factory=list)
    restored: int = 0
    refused: threading.Event = field(default_factory=threading.Event)

    def connect(self) -> FakeDevice:
        if len(self.devices) >= self.connections:
            self.refused.set()
            raise DeviceUnreachableError(f"{self.name} cannot be reached")
        self.devices.append(FakeDevice(self.name))
        return self.devices[-1]

    def restore(self) -> None:
        self.restored += 1


@dataclass
class Lab:
    """A run on fake devices; everything but `run_episode` is real."""

    writer: RunWriter
    suite: Suite
    record: Record
    performed: list[tuple[str, EpisodeSpec]] = field(default_factory=list)
    told: list[Progress] = field(default_factory=list)
    act: Act = lambda device, spec: "success"

    @property
    def specs(self) -> tuple[EpisodeSpec, ...]:
        return episodes(self.writer.file.plan, self.suite)

    def run_episode(
        self,
        spec: EpisodeSpec,
        device: FakeDevice,
        agent: object,
        folder: Path,
        clock: object,
        *,
        stop: Callable[[], bool],
        alone: Callable[[], bool],
    ) -> EpisodeEnded:
        self.performed.append((device.name, spec))
        return self.record(folder, spec, self.act(device, spec))

    def perform(self, *leases: FakeLease, on_progress: Callable[[Progress], None] | None = None) -> list[str]:
        """Perform the run; the outcomes in the order of the results."""
        found = perform(
            self.writer,
            self.suite,
            resolve_all(self.writer.file.plan.agents),
            leases,  # type: ignore[arg-type]
            SystemClock(),
            on_progress=on_progress or self.told.append,
        )
        return [f"{item.task} {item.condition} {item.outcome}" for item in found]

    def expected(self, outcome: str = "success") -> list[str]:
        return [f"{spec.task.id} {spec.condition} {outcome}" for spec in self.specs]


@pytest.fixture
def lab(writer: RunWriter, suite: Suite, record: Record, monkeypatch: pytest.MonkeyPatch) -> Lab:
    made = Lab(writer, suite, record)
    monkeypatch.setattr(executor, "run_episode", made.run_episode)
    return made


def test_one_device_performs_the_plan_in_order(lab: Lab) -> None:
    lease = FakeLease("one")
    assert lab.perform(lease) == lab.expected()
    assert [spec for _, spec in lab.performed] == list(lab.specs)
    assert [(item.done, item.total, item.spec) for item in lab.told] == [
        (number, 8, spec) for number, spec in enumerate(lab.specs, start=1)
    ]
    assert len(lease.devices) == 1
    assert lease.restored == 8  # every episode begins from the first state
    assert lease.devices[0].closed


def test_several_devices_share_the_work_and_results_stand_in_the_plans_order(lab: Lab) -> None:
    together = threading.Barrier(3)

    def act(device: FakeDevice, spec: EpisodeSpec) -> str:
        if spec in lab.specs[:3]:
            together.wait(LIMIT)  # three at once, or this breaks
        return "success"

    lab.act = act
    leases = [FakeLease(name) for name in ("one", "two", "three")]
    assert lab.perform(*leases) == lab.expected()
    assert {name for name, _ in lab.performed[:3]} == {"one", "two", "three"}
    assert sorted(spec.name for _, spec in lab.performed) == sorted(spec.name for spec in lab.specs)
    assert sorted(item.done for item in lab.told) == list(range(1, 9))
    assert [f"{r.task} {r.condition} {r.outcome}" for r in read_results(lab.writer.folder)] == lab.expected()
    assert all(device.closed for lease in leases for device in lease.devices)


def test_more_devices_than_episodes_do_no_harm(lab: Lab) -> None:
    assert lab.perform(*(FakeLease(f"device {number}") for number in range(20))) == lab.expected()
    assert len(lab.performed) == 8


def test_a_lost_device_gives_its_episode_back_to_the_others(lab: Lab) -> None:
    good, bad = FakeLease("good"), FakeLease("bad", connections=1)
    begun = threading.Event()

    def act(device: FakeDevice, spec: EpisodeSpec) -> str:
        if device.name == "bad":
            begun.set()
            return pulled_out(device)
        # The lost one has begun an episode before this one takes another.
        assert begun.wait(LIMIT)
        return "success"

    lab.act = act
    assert lab.perform(good, bad) == lab.expected()
    (given_back,) = [spec for name, spec in lab.performed if name == "bad"]
    assert [name for name, spec in lab.performed if spec == given_back] == ["bad", "good"]
    assert not bad.devices[0].closed  # there is nobody left to say goodbye to


def test_an_episode_that_comes_back_late_is_performed_by_a_device_that_had_nothing_left(lab: Lab) -> None:
    good, bad = FakeLease("good"), FakeLease("bad", connections=1)
    rest_done = threading.Event()

    def act(device: FakeDevice, spec: EpisodeSpec) -> str:
        if device.name == "bad":
            assert rest_done.wait(LIMIT)
            return pulled_out(device)
        if sum(name == "good" for name, _ in lab.performed) == 7:
            rest_done.set()
        return "success"

    lab.act = act
    assert lab.perform(good, bad) == lab.expected()
    assert lab.performed[-1][0] == "good"


def test_a_device_that_cannot_be_reached_at_first_leaves_the_run_to_the_others(lab: Lab) -> None:
    never = FakeLease("never", connections=0)

    def act(device: FakeDevice, spec: EpisodeSpec) -> str:
        assert never.refused.wait(LIMIT)
        return "success"

    lab.act = act
    assert lab.perform(never, FakeLease("good")) == lab.expected()
    assert {name for name, _ in lab.performed} == {"good"}


def test_a_device_that_comes_back_is_used_again(lab: Lab) -> None:
    lease = FakeLease("one")

    def act(device: FakeDevice, spec: EpisodeSpec) -> str:
        if len(lab.performed) == 3:
            return pulled_out(device)
        return "success"

    lab.act = act
    assert lab.perform(lease) == lab.expected()
    assert len(lease.devices) == 2
    assert len(lab.performed) == 9


def test_all_devices_lost_is_an_error_and_what_was_done_is_kept(lab: Lab) -> None:
    lab.act = lambda device, spec: "success" if spec in lab.specs[:4] else pulled_out(device)
    with pytest.raises(DeviceUnreachableError, match="cannot be reached"):
        lab.perform(FakeLease("one", connections=1), FakeLease("two", connections=1))
    kept = [item.outcome for item in read_results(lab.writer.folder)]
    assert kept.count("success") == 4
    # What the devices were at when they were lost is told as well: two episodes, or one that both met.
    assert set(kept[4:]) == {"error"}
    assert len(kept) in (5, 6)

    lab.act = lambda device, spec: "success"
    before = len(lab.performed)
    assert lab.perform(FakeLease("three")) == lab.expected()
    assert len(lab.performed) - before == 4  # only what was left


def test_a_device_lost_at_the_last_try_is_an_error_that_is_told_once_and_tried_anew(
    lab: Lab, plan: Plan
) -> None:
    run = lab.writer.file.model_copy(update={"plan": plan.model_copy(update={"retries": 0})})
    lab.writer = RunWriter(lab.writer.folder, run)
    lost = lab.specs[2]
    lab.act = lambda device, spec: pulled_out(device) if spec == lost else "success"
    with pytest.raises(DeviceUnreachableError, match="cannot be reached"):
        lab.perform(FakeLease("one", connections=1))
    assert [item.outcome for item in read_results(lab.writer.folder)] == ["success", "success", "error"]
    assert [told.done for told in lab.told] == [1, 2, 3]

    lab.act = lambda device, spec: "success"
    lab.told.clear()
    assert lab.perform(FakeLease("two")) == lab.expected()
    assert [told.done for told in lab.told] == [3, 4, 5, 6, 7, 8]
    assert sum(spec == lost for _, spec in lab.performed) == 2
    kept = read_results(lab.writer.folder)
    assert len(kept) == len({(item.pairing, item.condition) for item in kept}) == 8


@pytest.mark.parametrize("retries", [0, 1, 3])
def test_an_error_is_retried_as_often_as_planned(lab: Lab, plan: Plan, retries: int) -> None:
    run = lab.writer.file.model_copy(update={"plan": plan.model_copy(update={"retries": retries})})
    lab.writer = RunWriter(lab.writer.folder, run)
    broken = lab.specs[2]
    lab.act = lambda device, spec: "error" if spec == broken else "success"
    expected = lab.expected()
    expected[2] = f"{broken.task.id} {broken.condition} error"
    assert lab.perform(FakeLease("one")) == expected
    assert sum(spec == broken for _, spec in lab.performed) == retries + 1
    assert len(lab.performed) == 8 + retries
    assert len(list((lab.writer.folder / broken.folder).glob("attempt-*"))) == retries


def test_a_retry_that_succeeds_is_the_last(lab: Lab) -> None:
    tried: list[EpisodeSpec] = []

    def act(device: FakeDevice, spec: EpisodeSpec) -> str:
        tried.append(spec)
        return "error" if tried.count(spec) == 1 else "failure"

    lab.act = act
    assert lab.perform(FakeLease("one")) == lab.expected("failure")
    assert len(tried) == 16


def test_a_resumed_run_performs_what_is_left_and_what_ended_by_a_fault(lab: Lab) -> None:
    first, second, third, *_ = lab.specs
    lab.record(lab.writer.folder, first, "failure")
    lab.record(lab.writer.folder, second, "error")
    lab.record(lab.writer.folder, third, "success")
    (lab.writer.folder / RESULTS).write_bytes(b'{"task": "like-a", "cut')
    assert lab.perform(FakeLease("one"))[0] == "like-a clean failure"
    assert [spec for _, spec in lab.performed] == [second, *lab.specs[3:]]
    assert [item.done for item in lab.told] == [3, 4, 5, 6, 7, 8]


def test_results_stay_readable_while_a_run_goes_on_after_a_cut(lab: Lab) -> None:
    lab.record(lab.writer.folder, lab.specs[0], "success")
    (lab.writer.folder / RESULTS).write_bytes(b'{"task": "like-a", "cut')
    seen: list[int] = []
    lab.perform(
        FakeLease("one"), on_progress=lambda progress: seen.append(len(read_results(lab.writer.folder)))
    )
    assert seen == [2, 3, 4, 5, 6, 7, 8]


def test_a_run_that_is_done_touches_no_device(lab: Lab) -> None:
    for spec in lab.specs:
        lab.record(lab.writer.folder, spec, "success")
    assert lab.perform(FakeLease("one", connections=0)) == lab.expected()
    assert lab.performed == []


@pytest.mark.parametrize("error", [RecordError("the disk is full"), HarnessError("broken"), KeyError("x")])
def test_what_every_device_would_meet_stops_the_run(lab: Lab, error: Exception) -> None:
    def act(device: FakeDevice, spec: EpisodeSpec) -> str:
        raise error

    lab.act = act
    with pytest.raises(type(error)) as caught:
        lab.perform(FakeLease("one"), FakeLease("two"))
    assert caught.value is error
    assert len(lab.performed) <= 2
    assert not isinstance(error, DeviceError)


def test_an_agents_limits_are_those_of_the_plan(lab: Lab, monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[AgentContext] = []

    def make(spec: AgentSpec, setting: AgentContext, task: object) -> object:
        made.append(setting)
        return make_agent(spec, setting, cast(Task, task))

    monkeypatch.setattr(executor, "make_agent", make)
    limits = {"decision_seconds": 7.0, "start_seconds": 1800.0}
    run = lab.writer.file.model_copy(update={"plan": lab.writer.file.plan.model_copy(update=limits)})
    lab.writer = RunWriter(lab.writer.folder, run)
    lab.perform(FakeLease("one"))
    assert {(setting.seconds, setting.start_seconds) for setting in made} == {(7.0, 1800.0)}
    assert len(made) == len(lab.specs)


def test_of_those_that_drive_their_phones_it_is_known_whether_they_are_alone(
    lab: Lab, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two at once are never known apart, also when one of them has ended; one after the other are."""
    together, ended = threading.Barrier(2), threading.Event()
    told: list[bool] = []

    def drive(spec: EpisodeSpec, *rest: object, alone: Callable[[], bool], **more: object) -> EpisodeEnded:
        if spec in lab.specs[:2]:
            with contextlib.suppress(threading.BrokenBarrierError):
                together.wait(LIMIT)
            if spec == lab.specs[1]:
                ended.wait(LIMIT)  # the other one has gone on to its next
        elif not ended.is_set():
            ended.set()
            return lab.record(lab.writer.folder, spec, "success")
        told.append(alone())
        return lab.record(lab.writer.folder, spec, "success")

    monkeypatch.setattr(executor, "run_episode", drive)
    monkeypatch.setattr(
        executor, "make_agent", lambda *rest: AutonomousProcess(["true"], AgentContext("a", Path()))
    )
    lab.perform(FakeLease("one"), FakeLease("two"))
    assert told[:2] == [False, False]
    told.clear()
    for spec in lab.specs:
        shutil.rmtree(lab.writer.folder / spec.folder)
    together.abort()  # nobody is waited for any more
    lab.perform(FakeLease("one"))
    assert told == [True] * len(lab.specs)


def test_a_break_lets_the_episode_in_flight_go_and_ends_the_threads(
    lab: Lab, monkeypatch: pytest.MonkeyPatch
) -> None:
    stopped = threading.Event()

    def until_stopped(
        spec: EpisodeSpec, *rest: object, stop: Callable[[], bool], **more: object
    ) -> EpisodeEnded:
        if spec == lab.specs[0]:
            return lab.record(lab.writer.folder, spec, "success")
        while not stop():
            stopped.wait(0.01)
        raise EpisodeStoppedError(spec.name)

    def break_off(progress: Progress) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(executor, "run_episode", until_stopped)
    with pytest.raises(KeyboardInterrupt):
        lab.perform(FakeLease("one"), FakeLease("two"), on_progress=break_off)
    assert not [thread for thread in threading.enumerate() if thread.name.startswith("device-")]
    assert [item.outcome for item in read_results(lab.writer.folder)] == ["success"]
    assert read_events(lab.writer.folder / lab.specs[1].folder) == ()
