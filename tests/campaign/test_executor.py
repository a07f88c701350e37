from __future__ import annotations

import contextlib
import dataclasses
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
from garabench.campaign import device_worker
from garabench.campaign.device_recovery import NO_WAITING, DeviceRecoveryPolicy
from garabench.campaign.episode_queue import WHOLE, Shard, block_of
from garabench.campaign.executor import _Executor, perform_episodes
from garabench.campaign.resume import begun_blocks, resumed_shard
from garabench.core.campaign_events import CampaignEvent, DeviceRetired, Rung
from garabench.core.clock import SystemClock
from garabench.core.events import EpisodeEnded, FaultEvent
from garabench.core.progress import Progress
from garabench.core.task import Task
from garabench.device.health import HealthReading
from garabench.episode.runner import EpisodeStoppedError
from garabench.episode.spec import EpisodeSpec
from garabench.errors import DeviceError, DeviceLostError, DeviceUnreachableError, HarnessError, RecordError
from garabench.records.campaign_log import CampaignLog, read_campaign
from garabench.records.event_reader import read_events
from garabench.records.plan import Plan
from garabench.records.results import Summary, read_results
from garabench.records.run_layout import RESULTS
from garabench.records.run_writer import RunWriter
from garabench.suite.suite import Suite
from tests.planned import episodes
from tests.waits import AMPLE

Record = Callable[..., EpisodeEnded]
Act = Callable[["FakeDevice", EpisodeSpec], str]
"""Performs an episode on a device and returns its outcome."""


@dataclass
class FakeDevice:
    """A device of the adb server that can be disconnected."""

    name: str
    connected: bool = True
    closed: bool = False

    @property
    def adb(self) -> FakeDevice:
        return self

    def state(self) -> str:
        if not self.connected:
            raise DeviceLostError(f"{self.name} is gone")
        return "device"

    def close(self) -> None:
        self.closed = True


def disconnect(device: FakeDevice) -> str:
    """Disconnect the device during the episode."""
    device.connected = False
    return "error"


@dataclass
class FakeLease:
    """A lease that connects a limited number of times."""

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

    @property
    def rungs(self) -> frozenset[Rung]:
        return frozenset()

    @property
    def snapshot_loads(self) -> int:
        return 0

    @property
    def unplanned_restarts(self) -> int:
        return 0

    def restore(self) -> None:
        self.restored += 1

    def reboot(self) -> None:
        raise AssertionError("it cannot be rebooted")

    def load_snapshot(self) -> None:
        raise AssertionError("it has no snapshot")

    def restart(self) -> None:
        raise AssertionError("it cannot be restarted")


def healthy(device: object, *, thorough: bool) -> HealthReading:
    """Find a device healthy that is connected."""
    assert isinstance(device, FakeDevice)
    return HealthReading(title="a/.A", unreachable="" if device.connected else "gone")


@dataclass
class FakeRun:
    """A run on fake devices; only `perform_episode` is fake."""

    writer: RunWriter
    suite: Suite
    record: Record
    performed: list[tuple[str, EpisodeSpec]] = field(default_factory=list)
    progress: list[Progress[Summary]] = field(default_factory=list)
    act: Act = lambda device, spec: "success"

    @property
    def specs(self) -> tuple[EpisodeSpec, ...]:
        return episodes(self.writer.file.plan, self.suite)

    def perform_episode(
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

    def perform(
        self,
        *leases: FakeLease,
        on_progress: Callable[[Progress[Summary]], None] | None = None,
        device_recovery: DeviceRecoveryPolicy = NO_WAITING,
        shard: Shard = WHOLE,
    ) -> list[str]:
        """Perform the run and return the outcomes in the order of the results."""
        found = perform_episodes(
            self.writer,
            self.suite,
            resolve_all(self.writer.file.plan.agents),
            leases,  # type: ignore[arg-type]
            SystemClock(),
            device_recovery=device_recovery,
            check=healthy,
            shard=shard,
            on_progress=on_progress or self.progress.append,
        )
        return [f"{item.task} {item.condition} {item.outcome}" for item in found]

    def expected(self, outcome: str = "success") -> list[str]:
        return [f"{spec.task.id} {spec.condition} {outcome}" for spec in self.specs]


@pytest.fixture
def fake_run(writer: RunWriter, suite: Suite, record: Record, monkeypatch: pytest.MonkeyPatch) -> FakeRun:
    fake_run = FakeRun(writer, suite, record)
    monkeypatch.setattr(device_worker, "perform_episode", fake_run.perform_episode)
    return fake_run


def test_one_device_performs_the_plan_in_order(fake_run: FakeRun) -> None:
    lease = FakeLease("one")
    assert fake_run.perform(lease) == fake_run.expected()
    assert [spec for _, spec in fake_run.performed] == list(fake_run.specs)
    assert [(item.done, item.total, item.result) for item in fake_run.progress] == [
        (number, 8, fake_run.writer.summarize(spec.key)) for number, spec in enumerate(fake_run.specs, 1)
    ]
    assert len(lease.devices) == 1
    assert lease.restored == 8  # every episode begins in the initial state
    assert lease.devices[0].closed


def test_several_devices_share_the_episodes_and_results_follow_the_plan(fake_run: FakeRun) -> None:
    together = threading.Barrier(3)

    def act(device: FakeDevice, spec: EpisodeSpec) -> str:
        if spec in fake_run.specs[:3]:
            together.wait(AMPLE)  # three in parallel
        return "success"

    fake_run.act = act
    leases = [FakeLease(name) for name in ("one", "two", "three")]
    assert fake_run.perform(*leases) == fake_run.expected()
    assert {name for name, _ in fake_run.performed[:3]} == {"one", "two", "three"}
    assert sorted(spec.name for _, spec in fake_run.performed) == sorted(spec.name for spec in fake_run.specs)
    assert sorted(item.done for item in fake_run.progress) == list(range(1, 9))
    assert [
        f"{r.task} {r.condition} {r.outcome}" for r in read_results(fake_run.writer.folder)
    ] == fake_run.expected()
    assert all(device.closed for lease in leases for device in lease.devices)


def test_there_may_be_more_devices_than_episodes(fake_run: FakeRun) -> None:
    assert fake_run.perform(*(FakeLease(f"device {number}") for number in range(20))) == fake_run.expected()
    assert len(fake_run.performed) == 8


def test_episode_of_a_lost_device_is_performed_by_another(fake_run: FakeRun) -> None:
    good, bad = FakeLease("good"), FakeLease("bad", connections=1)
    begun = threading.Event()

    def act(device: FakeDevice, spec: EpisodeSpec) -> str:
        if device.name == "bad":
            begun.set()
            return disconnect(device)
        # The lost one has begun an episode before this one takes another.
        assert begun.wait(AMPLE)
        return "success"

    fake_run.act = act
    assert fake_run.perform(good, bad) == fake_run.expected()
    (returned,) = [spec for name, spec in fake_run.performed if name == "bad"]
    assert [name for name, spec in fake_run.performed if spec == returned] == ["bad", "good"]
    assert not bad.devices[0].closed  # a lost device is not closed


def test_late_returned_episode_is_performed_by_an_idle_device(
    fake_run: FakeRun,
) -> None:
    good, bad = FakeLease("good"), FakeLease("bad", connections=1)
    rest_done = threading.Event()

    def act(device: FakeDevice, spec: EpisodeSpec) -> str:
        if device.name == "bad":
            assert rest_done.wait(AMPLE)
            return disconnect(device)
        if sum(name == "good" for name, _ in fake_run.performed) == 7:
            rest_done.set()
        return "success"

    fake_run.act = act
    assert fake_run.perform(good, bad) == fake_run.expected()
    assert fake_run.performed[-1][0] == "good"


def test_unreachable_device_leaves_the_run_to_the_others(fake_run: FakeRun) -> None:
    never = FakeLease("never", connections=0)

    def act(device: FakeDevice, spec: EpisodeSpec) -> str:
        assert never.refused.wait(AMPLE)
        return "success"

    fake_run.act = act
    assert fake_run.perform(never, FakeLease("good")) == fake_run.expected()
    assert {name for name, _ in fake_run.performed} == {"good"}


def test_reconnected_device_is_used_again(fake_run: FakeRun) -> None:
    lease = FakeLease("one")

    def act(device: FakeDevice, spec: EpisodeSpec) -> str:
        if len(fake_run.performed) == 3:
            return disconnect(device)
        return "success"

    fake_run.act = act
    assert fake_run.perform(lease) == fake_run.expected()
    assert len(lease.devices) == 2
    assert len(fake_run.performed) == 9


def test_loss_of_all_devices_is_an_error_and_results_are_recorded(fake_run: FakeRun) -> None:
    fake_run.act = lambda device, spec: "success" if spec in fake_run.specs[:4] else disconnect(device)
    with pytest.raises(DeviceError, match="cannot be reached"):
        fake_run.perform(FakeLease("one", connections=1), FakeLease("two", connections=1))
    recorded = [item.outcome for item in read_results(fake_run.writer.folder)]
    assert recorded.count("success") == 4
    # The episodes in flight are recorded, too: two, or one that both devices performed.
    assert set(recorded[4:]) == {"error"}
    assert len(recorded) in (5, 6)

    fake_run.act = lambda device, spec: "success"
    before = len(fake_run.performed)
    assert fake_run.perform(FakeLease("three")) == fake_run.expected()
    assert len(fake_run.performed) - before == 4  # only the remaining ones


def test_device_lost_at_the_last_attempt_is_reported_once_and_retried_on_resume(
    fake_run: FakeRun, plan: Plan
) -> None:
    run = fake_run.writer.file.model_copy(update={"plan": plan.model_copy(update={"retries": 0})})
    fake_run.writer = RunWriter(fake_run.writer.folder, run)
    lost = fake_run.specs[2]
    fake_run.act = lambda device, spec: disconnect(device) if spec == lost else "success"
    with pytest.raises(DeviceError, match="cannot be reached"):
        fake_run.perform(FakeLease("one", connections=1))
    assert [item.outcome for item in read_results(fake_run.writer.folder)] == ["success", "success", "error"]
    assert [progress.done for progress in fake_run.progress] == [1, 2, 3]

    fake_run.act = lambda device, spec: "success"
    fake_run.progress.clear()
    assert fake_run.perform(FakeLease("two")) == fake_run.expected()
    assert [progress.done for progress in fake_run.progress] == [3, 4, 5, 6, 7, 8]
    assert sum(spec == lost for _, spec in fake_run.performed) == 2
    recorded = read_results(fake_run.writer.folder)
    assert len(recorded) == len({(item.pairing, item.condition) for item in recorded}) == 8


def test_resumed_pairs_stay_on_the_kind_of_device_that_began_them(fake_run: FakeRun) -> None:
    begun, *rest = fake_run.specs
    fake_run.record(fake_run.writer.folder, begun, "success", {"model": "A", "sdk": 34, "size": "1x2"})
    assert begun_blocks(fake_run.writer, rest) == {block_of(begun): "A/34/1x2"}
    one, other = FakeLease("one", kind="A/34/1x2"), FakeLease("other", kind="B/34/1x2")
    assert fake_run.perform(other, one) == fake_run.expected()  # the other one starts first
    assert ("one", rest[0]) in fake_run.performed


def test_the_shard_is_recorded_and_resumed(fake_run: FakeRun) -> None:
    fake_run.perform(FakeLease("one"), shard=Shard(2, 4))
    assert [spec for _, spec in fake_run.performed] == list(fake_run.specs[2:4])
    assert resumed_shard(fake_run.writer, None) == Shard(2, 4)


def test_resumed_pairs_of_an_absent_kind_are_open_to_others(fake_run: FakeRun) -> None:
    fake_run.record(
        fake_run.writer.folder, fake_run.specs[0], "success", {"model": "A", "sdk": 34, "size": "1x2"}
    )
    assert fake_run.perform(FakeLease("other", kind="B/34/1x2")) == fake_run.expected()
    assert [spec for _, spec in fake_run.performed] == list(fake_run.specs[1:])


@pytest.mark.parametrize("retries", [0, 1, 3])
def test_errors_are_retried_as_often_as_planned(fake_run: FakeRun, plan: Plan, retries: int) -> None:
    run = fake_run.writer.file.model_copy(update={"plan": plan.model_copy(update={"retries": retries})})
    fake_run.writer = RunWriter(fake_run.writer.folder, run)
    broken = fake_run.specs[2]
    fake_run.act = lambda device, spec: "error" if spec == broken else "success"
    expected = fake_run.expected()
    expected[2] = f"{broken.task.id} {broken.condition} error"
    assert fake_run.perform(FakeLease("one")) == expected
    assert sum(spec == broken for _, spec in fake_run.performed) == retries + 1
    assert len(fake_run.performed) == 8 + retries
    assert len(list((fake_run.writer.folder / broken.folder).glob("attempt-*"))) == retries


@pytest.mark.parametrize(("retries", "errors"), [(0, 4), (2, 1)])
def test_a_device_that_faults_more_often_is_retired(
    fake_run: FakeRun, plan: Plan, monkeypatch: pytest.MonkeyPatch, retries: int, errors: int
) -> None:
    run = fake_run.writer.file.model_copy(
        update={"plan": plan.model_copy(update={"retries": retries, "seeds": 4})}
    )
    fake_run.writer = RunWriter(fake_run.writer.folder, run)
    compared = threading.Event()
    by_good: list[EpisodeSpec] = []

    def act(device: FakeDevice, spec: EpisodeSpec) -> str:
        if device.name == "bad":
            assert compared.wait(AMPLE)
            return "error"
        by_good.append(spec)
        if len(by_good) == 14:
            compared.set()
        if len(by_good) > 14:
            retired.wait(AMPLE)
        return "success"

    retired = threading.Event()
    fault = FaultEvent(step=1, t=9, at_fault="device", error="DeviceLostError", message="the device froze")
    monkeypatch.setattr(_Executor, "_fault_of", lambda self, spec: fault)
    append = CampaignLog.append

    def appended(log: CampaignLog, event: CampaignEvent) -> None:
        append(log, event)
        if isinstance(event, DeviceRetired):
            retired.set()

    monkeypatch.setattr(CampaignLog, "append", appended)
    fake_run.act = act
    policy = dataclasses.replace(NO_WAITING, faults_in_a_row=100)
    outcomes = fake_run.perform(FakeLease("good"), FakeLease("bad"), device_recovery=policy)
    events = [event for event in read_campaign(fake_run.writer.folder) if isinstance(event, DeviceRetired)]
    assert [(event.device, event.p_value is not None) for event in events] == [("phone-2", True)]
    assert sum(name == "bad" for name, _ in fake_run.performed) == 4
    assert len(outcomes) == 32
    assert sum(outcome.endswith("error") for outcome in outcomes) == errors


def test_successful_retry_is_the_last(fake_run: FakeRun) -> None:
    attempts: list[EpisodeSpec] = []

    def act(device: FakeDevice, spec: EpisodeSpec) -> str:
        attempts.append(spec)
        return "error" if attempts.count(spec) == 1 else "failure"

    fake_run.act = act
    assert fake_run.perform(FakeLease("one")) == fake_run.expected("failure")
    assert len(attempts) == 16


def test_resumed_run_performs_remaining_and_failed_episodes(fake_run: FakeRun) -> None:
    first, second, third, *_ = fake_run.specs
    fake_run.record(fake_run.writer.folder, first, "failure")
    fake_run.record(fake_run.writer.folder, second, "error")
    fake_run.record(fake_run.writer.folder, third, "success")
    (fake_run.writer.folder / RESULTS).write_bytes(b'{"task": "like-a", "cut')
    assert fake_run.perform(FakeLease("one"))[0] == "like-a clean failure"
    assert [spec for _, spec in fake_run.performed] == [second, *fake_run.specs[3:]]
    assert [item.done for item in fake_run.progress] == [3, 4, 5, 6, 7, 8]


def test_results_stay_readable_after_a_truncated_line(fake_run: FakeRun) -> None:
    fake_run.record(fake_run.writer.folder, fake_run.specs[0], "success")
    (fake_run.writer.folder / RESULTS).write_bytes(b'{"task": "like-a", "cut')
    seen: list[int] = []
    fake_run.perform(
        FakeLease("one"), on_progress=lambda progress: seen.append(len(read_results(fake_run.writer.folder)))
    )
    assert seen == [2, 3, 4, 5, 6, 7, 8]


def test_finished_run_uses_no_device(fake_run: FakeRun) -> None:
    for spec in fake_run.specs:
        fake_run.record(fake_run.writer.folder, spec, "success")
    assert fake_run.perform(FakeLease("one", connections=0)) == fake_run.expected()
    assert fake_run.performed == []


@pytest.mark.parametrize("error", [RecordError("the disk is full"), HarnessError("broken"), KeyError("x")])
def test_errors_that_affect_every_device_stop_the_run(fake_run: FakeRun, error: Exception) -> None:
    def act(device: FakeDevice, spec: EpisodeSpec) -> str:
        raise error

    fake_run.act = act
    with pytest.raises(type(error)) as caught:
        fake_run.perform(FakeLease("one"), FakeLease("two"))
    assert caught.value is error
    assert len(fake_run.performed) <= 2
    assert not isinstance(error, DeviceError)


def test_agents_get_the_time_limits_of_the_plan(fake_run: FakeRun, monkeypatch: pytest.MonkeyPatch) -> None:
    contexts: list[AgentContext] = []

    def make(spec: AgentSpec, context: AgentContext, task: object) -> object:
        contexts.append(context)
        return make_agent(spec, context, cast(Task, task))

    monkeypatch.setattr(device_worker, "make_agent", make)
    limits = {"decision_seconds": 7.0, "start_seconds": 1800.0}
    run = fake_run.writer.file.model_copy(
        update={"plan": fake_run.writer.file.plan.model_copy(update=limits)}
    )
    fake_run.writer = RunWriter(fake_run.writer.folder, run)
    fake_run.perform(FakeLease("one"))
    assert {(context.seconds, context.start_seconds) for context in contexts} == {(7.0, 1800.0)}
    assert len(contexts) == len(fake_run.specs)


def test_overlapping_episodes_of_autonomous_agents_are_known(
    fake_run: FakeRun, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Overlapping ones are not alone, even after one has ended; consecutive ones are."""
    together, ended = threading.Barrier(2), threading.Event()
    progress: list[bool] = []

    def drive(spec: EpisodeSpec, *rest: object, alone: Callable[[], bool], **more: object) -> EpisodeEnded:
        if spec in fake_run.specs[:2]:
            with contextlib.suppress(threading.BrokenBarrierError):
                together.wait(AMPLE)
            if spec == fake_run.specs[1]:
                ended.wait(AMPLE)  # the other device performs its next episode
        elif not ended.is_set():
            ended.set()
            return fake_run.record(fake_run.writer.folder, spec, "success")
        progress.append(alone())
        return fake_run.record(fake_run.writer.folder, spec, "success")

    monkeypatch.setattr(device_worker, "perform_episode", drive)
    monkeypatch.setattr(
        device_worker, "make_agent", lambda *rest: AutonomousProcess(["true"], AgentContext("a", Path()))
    )
    fake_run.perform(FakeLease("one"), FakeLease("two"))
    assert progress[:2] == [False, False]
    progress.clear()
    for spec in fake_run.specs:
        shutil.rmtree(fake_run.writer.folder / spec.folder)
    together.abort()  # episodes no longer overlap
    fake_run.perform(FakeLease("one"))
    assert progress == [True] * len(fake_run.specs)


def test_ctrl_c_leaves_episodes_unfinished_and_ends_the_threads(
    fake_run: FakeRun, monkeypatch: pytest.MonkeyPatch
) -> None:
    stopped = threading.Event()

    def until_stopped(
        spec: EpisodeSpec, *rest: object, stop: Callable[[], bool], **more: object
    ) -> EpisodeEnded:
        if spec == fake_run.specs[0]:
            return fake_run.record(fake_run.writer.folder, spec, "success")
        while not stop():
            stopped.wait(0.01)
        raise EpisodeStoppedError(spec.name)

    def interrupt(progress: Progress[Summary]) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(device_worker, "perform_episode", until_stopped)
    with pytest.raises(KeyboardInterrupt):
        fake_run.perform(FakeLease("one"), FakeLease("two"), on_progress=interrupt)
    assert not [thread for thread in threading.enumerate() if thread.name.startswith("device-")]
    assert [item.outcome for item in read_results(fake_run.writer.folder)] == ["success"]
    assert read_events(fake_run.writer.folder / fake_run.specs[1].folder) == ()
