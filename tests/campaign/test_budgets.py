"""Runs that stop since a budget is used up, or since an endpoint is of no use, on fake devices."""

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
from garabench.campaign import executor
from garabench.campaign.executor import perform
from garabench.core import events as ev
from garabench.core.action import Back
from garabench.core.clock import FakeClock
from garabench.core.observation import Observation
from garabench.core.usage import Usage
from garabench.episode.runner import EpisodeStoppedError
from garabench.episode.spec import EpisodeSpec
from garabench.errors import BudgetExceededError
from garabench.records.event_reader import read_events
from garabench.records.results import read_results
from garabench.records.run_writer import RunWriter
from garabench.records.writer import EpisodeWriter
from garabench.suite.suite import Suite
from tests.campaign.test_executor import FakeDevice, FakeLease, Record
from tests.planned import episodes

Step = Callable[[int], None]


class Lab:
    """A run of four steps an episode; everything but `run_episode` is real."""

    def __init__(self, writer: RunWriter, suite: Suite, record: Record) -> None:
        self.writer, self.suite, self.record = writer, suite, record
        self.clock = FakeClock()
        self.step: Step = lambda number: None
        self.done: list[EpisodeSpec] = []
        self._lock = threading.Lock()
        self._steps = 0

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
            perform(
                self.writer,
                self.suite,
                resolve_all(self.writer.file.plan.agents),
                (FakeLease("one"),),
                self.clock,
                session=session,
            )  # type: ignore[arg-type]
        )

    def session(self, *before: Usage, **budget: float) -> ModelSession:
        options = ModelOptions(budget=Budget(**budget))  # type: ignore[arg-type]
        return ModelSession(options, self.clock, environ={}, before=before)


@pytest.fixture
def lab(writer: RunWriter, suite: Suite, record: Record, monkeypatch: pytest.MonkeyPatch) -> Lab:
    made = Lab(writer, suite, record)
    monkeypatch.setattr(executor, "run_episode", made.run_episode)
    return made


def test_tokens_that_are_used_up_stop_the_run_between_two_steps(lab: Lab) -> None:
    session = lab.session(tokens=60)
    lab.step = lambda number: session.meter.add(Usage(sent=10))
    with pytest.raises(BudgetExceededError, match="the budget of 60 tokens is used up: 60 were used"):
        lab.perform(session)
    assert [item.outcome for item in read_results(lab.writer.folder)] == ["success"]
    cut = episodes(lab.writer.file.plan, lab.suite)[1]
    assert read_events(lab.writer.folder / cut.folder) == (), "an episode that was cut off has no end"

    assert lab.perform(lab.session(Usage(sent=60), tokens=10_000)) == 8
    assert [spec.name for spec in lab.done].count(cut.name) == 1


def test_time_stops_a_run_too(lab: Lab) -> None:
    lab.step = lambda number: lab.clock.advance(5)
    with pytest.raises(BudgetExceededError, match="the time budget of 42 s is used up"):
        lab.perform(lab.session(seconds=42))
    assert len(lab.done) == 2


def test_a_budget_that_just_suffices_stops_nothing(lab: Lab) -> None:
    session = lab.session(tokens=32)
    lab.step = lambda number: session.meter.add(Usage(sent=1))
    assert lab.perform(session) == 8
    assert session.meter.exceeded()


def test_what_was_spent_before_counts_at_once(lab: Lab) -> None:
    with pytest.raises(BudgetExceededError):
        lab.perform(lab.session(Usage(sent=60), tokens=60))
    assert lab.done == []


class Telling:
    """An agent of one's own that tells what its model took."""

    reference = False

    def __init__(self) -> None:
        self.name = "telling"

    def start(self, brief: Brief) -> None:
        """Nothing."""

    def decide(self, observation: Observation, history: Sequence[Turn]) -> Decision:
        return Decision(Back(), usage=Usage(requests=1, sent=25))

    def close(self) -> None:
        """Nothing."""


def test_what_an_agent_of_ones_own_tells_counts_by_decision_and_when_the_run_is_gone_on_with(
    writer: RunWriter, suite: Suite, record: Record, monkeypatch: pytest.MonkeyPatch
) -> None:
    decided: list[str] = []
    clock = FakeClock()

    def run_episode(
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

    monkeypatch.setattr(executor, "run_episode", run_episode)
    monkeypatch.setattr(executor, "make_agent", lambda spec, setting, task: Telling())

    def perform_with(tokens: int) -> None:
        session = ModelSession(ModelOptions(budget=Budget(tokens=tokens)), clock, environ={})
        agents = resolve_all(writer.file.plan.agents)
        perform(writer, suite, agents, (FakeLease("one"),), clock, session=session)  # type: ignore[arg-type]

    with pytest.raises(BudgetExceededError, match="the budget of 60 tokens is used up: 75 were used"):
        perform_with(60)
    assert len(decided) == 3, "between two steps, not after the episode"
    with pytest.raises(BudgetExceededError, match="75 were used"):
        perform_with(60)
    assert len(decided) == 3, "what was told before counts again, of an episode that was cut off, too"
    with pytest.raises(BudgetExceededError, match="the budget of 100 tokens is used up: 100 were used"):
        perform_with(100)
    assert len(decided) == 4


def test_an_endpoint_of_no_use_ends_the_run_with_its_fault(lab: Lab) -> None:
    session = lab.session()
    fault = KeyRejectedError("it refuses the key")

    def refuse(number: int) -> None:
        if number == 5:
            session._note(fault)

    lab.step = refuse
    with pytest.raises(KeyRejectedError) as caught:
        lab.perform(session)
    assert caught.value is fault
    assert len(lab.done) == 2, "the episode in flight has gone on to its own end"
