"""Runs on fake devices that stop because a budget is used up, or because an endpoint is unusable."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from garabench.agents.interface import Agent, Brief, Decision, Turn
from garabench.agents.models.budget import Budget
from garabench.agents.models.endpoint_errors import KeyRejectedError
from garabench.agents.models.session import ModelOptions, ModelSession
from garabench.agents.registry import resolve_all
from garabench.campaign import device_worker
from garabench.campaign.executor import perform_episodes
from garabench.core import events as ev
from garabench.core.action import Back
from garabench.core.clock import FakeClock
from garabench.core.observation import Observation
from garabench.core.usage import Usage
from garabench.episode.runner import EpisodeStoppedError
from garabench.episode.spec import EpisodeSpec
from garabench.errors import BudgetExceededError
from garabench.records.episode_writer import EpisodeWriter
from garabench.records.event_reader import read_events
from garabench.records.results import read_results
from garabench.records.run_writer import RunWriter
from garabench.suite.suite import Suite
from tests.campaign.test_executor import FakeDevice, FakeLease, Record, healthy
from tests.planned import episodes

Step = Callable[[int], None]


class FakeRun:
    """A run with four steps per episode; only `perform_episode` is fake."""

    def __init__(self, writer: RunWriter, suite: Suite, record: Record) -> None:
        self.writer, self.suite, self.record = writer, suite, record
        self.clock = FakeClock()
        self.step: Step = lambda number: None
        self.done: list[EpisodeSpec] = []
        self._lock = threading.Lock()
        self._steps = 0

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
    ) -> ev.EpisodeEnded:
        for _ in range(4):
            if stop():
                raise EpisodeStoppedError(spec.name)
            with self._lock:
                self._steps += 1
                self.step(self._steps)
        self.done.append(spec)
        return self.record(folder, spec, "success")

    def perform(self, session: ModelSession) -> int:
        return len(
            perform_episodes(
                self.writer,
                self.suite,
                resolve_all(self.writer.file.plan.agents),
                (FakeLease("one"),),
                self.clock,
                session=session,
                check=healthy,
            )  # type: ignore[arg-type]
        )

    def session(self, *before: Usage, **budget: float) -> ModelSession:
        options = ModelOptions(budget=Budget(**budget))  # type: ignore[arg-type]
        return ModelSession(options, self.clock, environ={}, before=before)


@pytest.fixture
def fake_run(writer: RunWriter, suite: Suite, record: Record, monkeypatch: pytest.MonkeyPatch) -> FakeRun:
    fake_run = FakeRun(writer, suite, record)
    monkeypatch.setattr(device_worker, "perform_episode", fake_run.perform_episode)
    return fake_run


def test_used_up_token_budget_stops_the_run_between_two_steps(fake_run: FakeRun) -> None:
    session = fake_run.session(tokens=60)
    fake_run.step = lambda number: session.meter.add(Usage(sent=10))
    with pytest.raises(BudgetExceededError, match="the budget of 60 tokens is used up: 60 were used"):
        fake_run.perform(session)
    assert [item.outcome for item in read_results(fake_run.writer.folder)] == ["success"]
    unfinished = episodes(fake_run.writer.file.plan, fake_run.suite)[1]
    assert read_events(fake_run.writer.folder / unfinished.folder) == (), "an unfinished episode has no end"

    assert fake_run.perform(fake_run.session(Usage(sent=60), tokens=10_000)) == 8
    assert [spec.name for spec in fake_run.done].count(unfinished.name) == 1


def test_used_up_time_budget_stops_the_run(fake_run: FakeRun) -> None:
    fake_run.step = lambda number: fake_run.clock.advance(5)
    with pytest.raises(BudgetExceededError, match="the time budget of 42 s is used up"):
        fake_run.perform(fake_run.session(seconds=42))
    assert len(fake_run.done) == 2


def test_budget_that_just_suffices_stops_nothing(fake_run: FakeRun) -> None:
    session = fake_run.session(tokens=32)
    fake_run.step = lambda number: session.meter.add(Usage(sent=1))
    assert fake_run.perform(session) == 8
    assert session.meter.exceeded()


def test_earlier_usage_counts_at_once(fake_run: FakeRun) -> None:
    with pytest.raises(BudgetExceededError):
        fake_run.perform(fake_run.session(Usage(sent=60), tokens=60))
    assert fake_run.done == []


class ReportingAgent:
    """An external agent that reports the usage of its model."""

    reference = False

    def __init__(self) -> None:
        self.name = "reporting"

    def start(self, brief: Brief) -> None:
        """Do nothing."""

    def decide(self, observation: Observation, history: Sequence[Turn]) -> Decision:
        return Decision(Back(), usage=Usage(requests=1, sent=25))

    def close(self) -> None:
        """Do nothing."""


def test_usage_reported_by_external_agents_counts_per_decision_and_after_resuming(
    writer: RunWriter, suite: Suite, record: Record, monkeypatch: pytest.MonkeyPatch
) -> None:
    decided: list[str] = []
    clock = FakeClock()

    def perform_episode(
        spec: EpisodeSpec, device: object, agent: Agent, folder: Path, clock: object, *,
        stop: Callable[[], bool], alone: object,
    ) -> ev.EpisodeEnded:  # fmt: skip
        with EpisodeWriter(folder / spec.folder) as recorder:
            for step in range(4):
                if stop():
                    raise EpisodeStoppedError(spec.name)
                usage = agent.decide(None, ()).usage  # type: ignore[arg-type]
                decided.append(spec.name)
                recorder.append([ev.Decided(step=step, t=1, action={"type": "back"}, usage=usage)])
        return record(folder, spec, "success")

    monkeypatch.setattr(device_worker, "perform_episode", perform_episode)
    monkeypatch.setattr(device_worker, "make_agent", lambda spec, context, task: ReportingAgent())

    def perform_with(tokens: int) -> None:
        session = ModelSession(ModelOptions(budget=Budget(tokens=tokens)), clock, environ={})
        agents = resolve_all(writer.file.plan.agents)
        perform_episodes(writer, suite, agents, (FakeLease("one"),), clock, session=session, check=healthy)  # type: ignore[arg-type]

    with pytest.raises(BudgetExceededError, match="the budget of 60 tokens is used up: 75 were used"):
        perform_with(60)
    assert len(decided) == 3, "between two steps, not after the episode"
    with pytest.raises(BudgetExceededError, match="75 were used"):
        perform_with(60)
    assert len(decided) == 3, "earlier usage counts again, including that of unfinished episodes"
    with pytest.raises(BudgetExceededError, match="the budget of 100 tokens is used up: 100 were used"):
        perform_with(100)
    assert len(decided) == 4


def test_unusable_endpoint_ends_the_run_with_its_fault(fake_run: FakeRun) -> None:
    session = fake_run.session()
    fault = KeyRejectedError("the key is rejected")

    def refuse(number: int) -> None:
        if number == 5:
            session._record_result(fault)

    fake_run.step = refuse
    with pytest.raises(KeyRejectedError) as caught:
        fake_run.perform(session)
    assert caught.value is fault
    assert len(fake_run.done) == 2, "the episode in flight is finished"
