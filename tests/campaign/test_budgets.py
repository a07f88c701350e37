"""Runs that stop since a budget is used up, or since an endpoint is of no use, on fake devices."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from garabench.agents.chat.budget import Budget
from garabench.agents.chat.desk import Desk, ModelOptions
from garabench.agents.chat.faults import KeyRefused
from garabench.agents.interface import Agent, Brief, Decision, Turn
from garabench.campaign import local
from garabench.campaign.local import perform
from garabench.campaign.plan import episodes
from garabench.campaign.store import RunStore, read_results
from garabench.campaign.suite import Suite
from garabench.core import events as ev
from garabench.core.action import Back
from garabench.core.clock import FakeClock
from garabench.core.observation import Observation
from garabench.core.spending import Spent
from garabench.episode.recorder import Recorder, read_events
from garabench.episode.runner import EpisodeBrokenOff
from garabench.episode.spec import EpisodeSpec
from garabench.errors import RunStopped
from tests.campaign.test_local import FakeDevice, FakeLease, Record

Step = Callable[[int], None]


class Lab:
    """A run of four steps an episode; everything but `run_episode` is real."""

    def __init__(self, store: RunStore, suite: Suite, record: Record) -> None:
        self.store, self.suite, self.record = store, suite, record
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
                raise EpisodeBrokenOff(spec.name)
            with self._lock:
                self._steps += 1
                self.step(self._steps)
        self.done.append(spec)
        return self.record(folder, spec, "success")

    def perform(self, desk: Desk) -> int:
        return len(
            perform(self.store, self.suite, (FakeLease("one"),), self.clock, desk=desk)  # type: ignore[arg-type]
        )

    def desk(self, *before: Spent, **budget: float) -> Desk:
        options = ModelOptions(budget=Budget(**budget))  # type: ignore[arg-type]
        return Desk(options, self.clock, environ={}, before=before)


@pytest.fixture
def lab(store: RunStore, suite: Suite, record: Record, monkeypatch: pytest.MonkeyPatch) -> Lab:
    made = Lab(store, suite, record)
    monkeypatch.setattr(local, "run_episode", made.run_episode)
    return made


def test_tokens_that_are_used_up_stop_the_run_between_two_steps(lab: Lab) -> None:
    desk = lab.desk(tokens=60)
    lab.step = lambda number: desk.meter.add(Spent(sent=10))
    with pytest.raises(RunStopped, match="the budget of 60 tokens is used up: 60 were used"):
        lab.perform(desk)
    assert [item.outcome for item in read_results(lab.store.folder)] == ["success"]
    cut = episodes(lab.store.run.plan, lab.suite)[1]
    assert read_events(lab.store.folder / cut.folder) == (), "an episode that was cut off has no end"

    assert lab.perform(lab.desk(Spent(sent=60), tokens=10_000)) == 8
    assert [spec.name for spec in lab.done].count(cut.name) == 1


def test_time_stops_a_run_too(lab: Lab) -> None:
    lab.step = lambda number: lab.clock.advance(5)
    with pytest.raises(RunStopped, match="the time of 42 s is over"):
        lab.perform(lab.desk(seconds=42))
    assert len(lab.done) == 2


def test_a_budget_that_just_suffices_stops_nothing(lab: Lab) -> None:
    desk = lab.desk(tokens=32)
    lab.step = lambda number: desk.meter.add(Spent(sent=1))
    assert lab.perform(desk) == 8
    assert desk.meter.exceeded()


def test_what_was_spent_before_counts_at_once(lab: Lab) -> None:
    with pytest.raises(RunStopped):
        lab.perform(lab.desk(Spent(sent=60), tokens=60))
    assert lab.done == []


class Telling:
    """An agent of one's own that tells what its model took."""

    reference = False

    def __init__(self) -> None:
        self.name = "telling"

    def start(self, brief: Brief) -> None:
        """Nothing."""

    def decide(self, observation: Observation, history: Sequence[Turn]) -> Decision:
        return Decision(Back(), spent=Spent(requests=1, sent=25))

    def close(self) -> None:
        """Nothing."""


def test_what_an_agent_of_ones_own_tells_counts_by_decision_and_when_the_run_is_gone_on_with(
    store: RunStore, suite: Suite, record: Record, monkeypatch: pytest.MonkeyPatch
) -> None:
    decided: list[str] = []
    clock = FakeClock()

    def run_episode(
        spec: EpisodeSpec, device: object, agent: Agent, folder: Path, clock: object, *,
        stop: Callable[[], bool], alone: object,
    ) -> ev.EpisodeEnded:  # fmt: skip
        with Recorder(folder / spec.folder) as recorder:
            for step in range(4):
                if stop():
                    raise EpisodeBrokenOff(spec.name)
                spent = agent.decide(None, ()).spent  # type: ignore[arg-type]
                decided.append(spec.name)
                recorder.append([ev.Decided(step=step, t=1, action={"type": "back"}, spent=spent)])
        return record(folder, spec, "success")

    monkeypatch.setattr(local, "run_episode", run_episode)
    monkeypatch.setattr(local, "make_agent", lambda spec, setting, task: Telling())

    def perform_with(tokens: int) -> None:
        desk = Desk(ModelOptions(budget=Budget(tokens=tokens)), clock, environ={})
        perform(store, suite, (FakeLease("one"),), clock, desk=desk)  # type: ignore[arg-type]

    with pytest.raises(RunStopped, match="the budget of 60 tokens is used up: 75 were used"):
        perform_with(60)
    assert len(decided) == 3, "between two steps, not after the episode"
    with pytest.raises(RunStopped, match="75 were used"):
        perform_with(60)
    assert len(decided) == 3, "what was told before counts again, of an episode that was cut off, too"
    with pytest.raises(RunStopped, match="the budget of 100 tokens is used up: 100 were used"):
        perform_with(100)
    assert len(decided) == 4


def test_an_endpoint_of_no_use_ends_the_run_with_its_fault(lab: Lab) -> None:
    desk = lab.desk()
    fault = KeyRefused("it refuses the key")

    def refuse(number: int) -> None:
        if number == 5:
            desk._note(fault)

    lab.step = refuse
    with pytest.raises(KeyRefused) as caught:
        lab.perform(desk)
    assert caught.value is fault
    assert len(lab.done) == 2, "the episode in flight has gone on to its own end"
