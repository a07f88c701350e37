"""Runs that stop since a budget is used up, or since an endpoint is of no use, on fake devices."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from garabench.agents.chat.budget import Budget
from garabench.agents.chat.desk import Desk, ModelOptions
from garabench.agents.chat.faults import KeyRefused
from garabench.campaign import local
from garabench.campaign.local import perform
from garabench.campaign.plan import episodes
from garabench.campaign.store import RunStore, read_results
from garabench.campaign.suite import Suite
from garabench.core import events as ev
from garabench.core.clock import FakeClock
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

    def desk(self, before: Spent | None = None, **budget: float) -> Desk:
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


def test_what_an_agent_of_ones_own_tells_counts_by_episode(lab: Lab) -> None:
    def tell(folder: Path, spec: EpisodeSpec, outcome: str) -> ev.EpisodeEnded:
        start = ev.EpisodeStarted(
            step=0, t=0, task=spec.task.id, agent=spec.agent, condition=spec.condition, seed=spec.seed,
            suite_hash="s", instruction="Like it",
        )  # fmt: skip
        decided = ev.Decided(step=0, t=1, action={"type": "back"}, spent=Spent(sent=25))
        end = ev.EpisodeEnded(step=1, t=9, outcome="success", reason="goal_met", steps=1)
        with Recorder(folder / spec.folder) as recorder:
            recorder.append([start, decided, end])
        return end

    lab.record = tell
    with pytest.raises(RunStopped, match="60 tokens"):
        lab.perform(lab.desk(tokens=60))
    done = len(lab.done)
    assert done >= 3
    with pytest.raises(RunStopped, match="60 tokens"):
        lab.perform(lab.desk(tokens=60))
    assert len(lab.done) == done, "what was told before counts again when the run is gone on with"


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
