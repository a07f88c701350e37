"""Campaigns of workers whose processes are fake: what the run does if they or their nodes are lost."""

from __future__ import annotations

import importlib.metadata
import logging
import threading
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from garabench.agents.models.session import ModelOptions, ModelSession
from garabench.agents.registry import resolve_all
from garabench.campaign.device_recovery import NO_WAITING, DeviceRecoveryPolicy
from garabench.campaign.engines.cluster import WorkerLostError
from garabench.campaign.engines.ray_resources import choose_devices
from garabench.campaign.engines.remote_device import (
    DeviceOptions,
    Message,
    OpenedDevice,
    ReadyDevice,
    RemoteAttempt,
    RemoteSetup,
    Reply,
)
from garabench.campaign.engines.remote_worker import HeldUnits, RemoteWorker
from garabench.campaign.engines.run_engine import WorkerSetup
from garabench.campaign.engines.usage_ledger import UsageLedger
from garabench.campaign.executor import perform_with
from garabench.core import campaign_events as ev
from garabench.core.clock import SystemClock
from garabench.core.geometry import Size
from garabench.device.device import DeviceInfo
from garabench.errors import DeviceError, InputError, RecordError
from garabench.records.attempt_files import read_attempt
from garabench.records.campaign_log import read_campaign
from garabench.records.results import Summary
from garabench.records.run_layout import RESULTS
from garabench.records.run_writer import RunWriter
from garabench.suite.suite import Suite
from tests.campaign.test_executor import Record
from tests.planned import episodes

CLOCK = SystemClock()
INFO = DeviceInfo("serial", "Pixel", 34, "14", Size(720, 1280), 320, "a/b/c", "en")
VERSION = importlib.metadata.version("garabench")


@dataclass
class FakeCluster:
    """A cluster of two virtual phones.

    Attributes:
        before: Called before each method of an actor, one at a time; may return another reply.
    """

    record: Record
    folder: Path
    offered: Counter[str] = field(default_factory=lambda: Counter({"virtual": 2}))
    before: Callable[[FakeActor, str, tuple[Any, ...]], Reply[Any] | None] = lambda actor, method, args: None
    turn: threading.Lock = field(default_factory=threading.Lock)
    version: str = VERSION
    started: int = 0

    def units(self) -> Counter[str]:
        return self.offered

    def start(self, options: DeviceOptions) -> FakeActor:
        self.started += 1
        return FakeActor(self, options, self.started)

    def share(self, value: object) -> object:
        return value


@dataclass
class FakeActor:
    cluster: FakeCluster
    options: DeviceOptions
    number: int
    dead: bool = False
    stopped: bool = False

    def is_running(self) -> bool:
        return True

    def call(self, method: str, *args: Any, waiting: Callable[[], None]) -> Reply[Any]:
        with self.cluster.turn:
            reply = self.cluster.before(self, method, args)
        if reply is not None:
            return reply
        if self.dead:
            raise WorkerLostError("the actor died")
        value: object = True
        messages: tuple[Message, ...] = ()
        if method == "open":
            value = OpenedDevice(self.cluster.version, "node")
        elif method == "ready":
            value = ReadyDevice("virtual", INFO)
            messages = (
                ev.DeviceRecycled(time=CLOCK.now(), device=self.options.label, loads=3),
                logging.makeLogRecord({"name": "garabench.remote", "msg": "from the node", "levelno": 20}),
            )
        elif method == "attempt":
            (spec, _) = args
            run = self.cluster.folder / f"{self.number}-{spec.name.replace('/', '-')}"
            value = RemoteAttempt(self.cluster.record(run, spec, "success"), read_attempt(run, spec.key))
        return Reply(value, None, messages)

    def take_messages(self) -> tuple[Message, ...]:
        return ()

    def stop(self, *, interrupted: bool) -> None:
        self.stopped = True

    def end(self) -> None:
        self.dead = True


@dataclass
class Campaign:
    """A campaign on a fake cluster."""

    writer: RunWriter
    suite: Suite
    cluster: FakeCluster
    messages: list[str] = field(default_factory=list)

    def workers(self) -> list[RemoteWorker]:
        held = HeldUnits()
        return [
            RemoteWorker(
                device,
                DeviceOptions(device.name, device.label),
                self.cluster,
                held,
                CLOCK,
                self.messages.append,
            )
            for device in choose_devices({"virtual": 2}, ())
        ]

    def perform(self, device_recovery: DeviceRecoveryPolicy = NO_WAITING) -> tuple[Summary, ...]:
        workers, session = self.workers(), ModelSession(clock=CLOCK)
        texts = self.writer.file.plan.agents
        agents = resolve_all(texts)
        named = {agent.name: agent for agent in agents}
        setup = WorkerSetup(self.writer.folder, named, session, ModelOptions(), device_recovery)
        ledger = UsageLedger(session.meter)
        for worker in workers:
            worker.prepare(setup, RemoteSetup(texts, ModelOptions(), device_recovery, alone=False), ledger)
        try:
            return perform_with(
                self.writer, self.suite, agents, workers, CLOCK, session, device_recovery=device_recovery
            )
        finally:
            for worker in workers:
                worker.end()

    @property
    def attempts(self) -> list[ev.AttemptEnded]:
        return [each for each in read_campaign(self.writer.folder) if isinstance(each, ev.AttemptEnded)]

    def assert_complete(self, summaries: tuple[Summary, ...]) -> None:
        planned = [spec.key for spec in episodes(self.writer.file.plan, self.suite)]
        assert [each.key for each in summaries] == planned
        assert {each.outcome for each in summaries} == {"success"}
        assert len((self.writer.folder / RESULTS).read_text("utf-8").splitlines()) == len(planned)


@pytest.fixture
def campaign(writer: RunWriter, suite: Suite, record: Record, tmp_path: Path) -> Campaign:
    return Campaign(writer, suite, FakeCluster(record, tmp_path / "nodes"))


def test_records_messages_and_log_of_the_nodes_arrive(
    campaign: Campaign, caplog: pytest.LogCaptureFixture
) -> None:
    campaign.assert_complete(campaign.perform())
    assert {each.device for each in campaign.attempts} <= {"virtual#1", "virtual#2"}
    events = read_campaign(campaign.writer.folder)
    assert sum(isinstance(each, ev.DeviceRecycled) for each in events) == len(campaign.attempts)
    assert "from the node" in caplog.text


def test_attempt_of_a_lost_worker_is_recorded_and_repeated_by_a_new_one(campaign: Campaign) -> None:
    lost: list[str] = []

    def lose(actor: FakeActor, method: str, args: object) -> None:
        if method == "attempt" and not lost:
            lost.append(actor.options.label)
            actor.dead = True

    campaign.cluster.before = lose
    campaign.assert_complete(campaign.perform())
    # the other worker may record its attempt before this one
    (first,) = (each for each in campaign.attempts if each.outcome == "error")
    assert (first.at_fault, first.last, first.device) == ("harness", False, lost[0])
    assert f"the worker of {lost[0]} was lost during the attempt: the actor died" in first.message
    assert campaign.cluster.started == 3
    assert [path.name for path in campaign.writer.folder.glob("episodes/*/*/*/*/attempt-*")] == ["attempt-1"]


def test_episode_that_loses_each_worker_ends_in_error_within_its_budget(campaign: Campaign) -> None:
    victim = episodes(campaign.writer.file.plan, campaign.suite)[0]

    def lose(actor: FakeActor, method: str, args: tuple[Any, ...]) -> None:
        actor.dead = actor.dead or (method == "attempt" and args[0] == victim)

    campaign.cluster.before = lose
    summaries = campaign.perform()
    errors = [each for each in summaries if each.outcome == "error"]
    assert [each.key for each in errors] == [victim.key]
    assert "was lost during the attempt" in errors[0].fault
    tried = sum(each.episode == str(victim.key) for each in campaign.attempts)
    assert tried == 1 + campaign.writer.file.plan.retries


def test_episodes_of_a_lost_node_are_performed_elsewhere(campaign: Campaign) -> None:
    gone: list[str] = []

    def lose_node(actor: FakeActor, method: str, args: object) -> None:
        if method == "attempt" and not gone:
            gone.append(actor.options.label)
            campaign.cluster.offered["virtual"] = 1
        actor.dead = actor.dead or actor.options.label in gone

    campaign.cluster.before = lose_node
    campaign.assert_complete(campaign.perform())
    other = {"virtual#1", "virtual#2"} - set(gone)
    assert {each.device for each in campaign.attempts if each.last} == other
    assert campaign.cluster.started in (2, 3)  # the other one may start after the loss


def test_run_ends_if_all_nodes_are_lost_and_is_resumed(campaign: Campaign) -> None:
    def lose_all(actor: FakeActor, method: str, args: object) -> None:
        if method == "attempt" and len(campaign.attempts) >= 3:
            campaign.cluster.offered.clear()
            actor.dead = True

    campaign.cluster.before = lose_all
    with pytest.raises(DeviceError, match="no node of the cluster offers it now"):
        campaign.perform()
    campaign.cluster.offered["virtual"] = 2
    campaign.cluster.before = lambda actor, method, args: None
    campaign.assert_complete(campaign.perform())


def test_full_disk_of_a_node_is_a_failure_of_its_device(campaign: Campaign) -> None:
    full: list[str] = []

    def fill(actor: FakeActor, method: str, args: object) -> Reply[Any] | None:
        if method != "attempt" or full not in ([], [actor.options.label]):
            return None
        full[:] = [actor.options.label]
        return Reply(None, RecordError("the disk is full"))

    campaign.cluster.before = fill
    campaign.assert_complete(campaign.perform())
    assert not {each.device for each in campaign.attempts} & set(full)


def test_node_with_another_version_is_refused(campaign: Campaign) -> None:
    campaign.cluster.version = "0.0.1"
    with pytest.raises(InputError, match=r"the node node has GaraBench 0\.0\.1"):
        campaign.workers()[0].open()
