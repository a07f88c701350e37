"""Scheduled rules, sequences of interruptions, and a requested number of them."""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import pytest

from garabench.agents.interface import Brief, Decision, Turn
from garabench.agents.reference.agent import ReferenceAgent
from garabench.agents.reference.exit_choice import Policy, buttons
from garabench.campaign.planner import make_plan
from garabench.core import action as act
from garabench.core import events as ev
from garabench.core.clock import SystemClock
from garabench.core.interruption import SystemInterruption
from garabench.core.observation import Observation
from garabench.core.rule import BoundRule, Rule
from garabench.device.adb import Adb
from garabench.device.device import Device
from garabench.device.uptime import uptime
from garabench.episode import injection_planner
from garabench.episode.runner import perform_episode
from garabench.episode.spec import EpisodeSpec
from garabench.errors import CommandError
from garabench.records.event_reader import read_events
from garabench.virtual.phone_process import VirtualPhone
from tests.bundled import bundled_suite
from tests.phones import PhonePool
from tests.planned import episodes
from tests.waits import AMPLE

pytestmark = pytest.mark.e2e

SUITE = bundled_suite()
TASK = "bili-like-song-live"
APP = SUITE.tasks[TASK].app
WAIT = act.Wait(seconds=0.1)


@pytest.fixture(scope="module")
def phone(phone_pool: PhonePool) -> Iterator[VirtualPhone]:
    with phone_pool.borrow("android-34:720x1280") as running:
        yield running


class DismissingAgent:
    """An agent that dismisses each window, otherwise makes the given moves, and then gives up."""

    name, reference = "dismissing", False

    def __init__(self, moves: Sequence[act.Action]) -> None:
        self.moves = list(moves)

    def start(self, brief: Brief) -> None:
        pass

    def decide(self, observation: Observation, history: Sequence[Turn]) -> Decision:
        for node in buttons(observation.tree):
            if node.entry == "button_dismiss":
                at = node.bounds.center
                return Decision(act.Tap(x=at.x, y=at.y), "dismiss it")
        return Decision(self.moves.pop(0) if self.moves else act.GiveUp(reason="the script is over"))

    def close(self) -> None:
        pass


def make_spec(when: Mapping[str, object], *inject: str, **anomalies: str) -> EpisodeSpec:
    """Make an episode of the test task with one rule."""
    (spec,) = episodes(make_plan(SUITE.select(TASK), ("ignore",), conditions=("dual",)), SUITE)
    data = {"id": "scheduled", "description": "at a given time", "when": when, "inject": list(inject)}
    interruptions = {
        name: SystemInterruption(id=name, description="an anomaly", system=system)
        for name, system in anomalies.items()
    }
    rules = (BoundRule(Rule.model_validate(data), APP),)
    return dataclasses.replace(spec, agent="dismissing", rules=rules, anomalies=interruptions)


def perform(phone: VirtualPhone, spec: EpisodeSpec, folder: Path, *moves: act.Action) -> tuple[ev.Event, ...]:
    phone.reset()
    device = Device.connect(phone.serial, SystemClock())
    try:
        perform_episode(spec, device, DismissingAgent(moves), folder, SystemClock())
    finally:
        device.close()
    return read_events(folder / spec.folder)


def shown_interruptions(events: Sequence[ev.Event]) -> list[tuple[int, str]]:
    """Return the step and the name of each shown interruption."""
    names = {e.token: e.interruption for e in events if isinstance(e, ev.InterruptionInjected)}
    return [(e.step, names[e.token]) for e in events if isinstance(e, ev.InterruptionShown)]


def reasons_of(events: Sequence[ev.Event]) -> list[str]:
    return [e.reason for e in events if isinstance(e, ev.InterruptionInjected)]


def without_wall_times(events: Sequence[ev.Event]) -> list[dict[str, object]]:
    """Return the events without wall-clock times, which differ between runs."""
    timed = {"t", "seconds", "readings"}
    return [{k: v for k, v in e.model_dump(mode="json").items() if k not in timed} for e in events]


def test_rule_fires_at_a_step(phone: VirtualPhone, tmp_path: Path) -> None:
    events = perform(phone, make_spec({"at_step": 2}, "survey"), tmp_path, *[WAIT] * 4)
    assert shown_interruptions(events) == [(2, "survey")]
    assert reasons_of(events) == ["step 2, due at step 2"]


def test_rule_fires_after_actions_of_a_kind(phone: VirtualPhone, tmp_path: Path) -> None:
    when = {"after_action": {"kind": "scroll", "at_least": 2}}
    down = act.Scroll(direction="down")
    outside = act.Tap(x=5000, y=1)  # outside every screen
    events = perform(phone, make_spec(when, "survey"), tmp_path, down, WAIT, outside, down, WAIT)
    assert shown_interruptions(events) == [(4, "survey")]
    assert reasons_of(events) == ["2 actions 'scroll', due after 2"]


def test_rule_fires_after_device_time(phone: VirtualPhone, tmp_path: Path) -> None:
    spec = make_spec({"all": [{"package": APP}], "after_seconds": 12}, "survey")
    runs = [perform(phone, spec, tmp_path / name, *[act.Wait(seconds=5)] * 5) for name in ("one", "another")]
    assert shown_interruptions(runs[0]) == [(3, "survey")]  # three waits of five virtual seconds
    (reason,) = reasons_of(runs[0])
    assert 15 <= float(reason.split()[0]) < 20
    assert without_wall_times(runs[0]) == without_wall_times(runs[1])
    assert runs[0][-1].t < AMPLE


def test_sequence_is_shown_one_after_the_other(phone: VirtualPhone, tmp_path: Path) -> None:
    events = perform(phone, make_spec({"at_step": 1}, "survey", "low-battery"), tmp_path, *[WAIT] * 3)
    lifecycle = [
        (e.type, e.step)
        for e in events
        if isinstance(e, ev.InterruptionInjected | ev.InterruptionShown | ev.InterruptionResolved)
    ]
    assert lifecycle == [
        *(("interruption_injected", 1), ("interruption_shown", 1), ("interruption_resolved", 1)),
        *(("interruption_injected", 2), ("interruption_shown", 2), ("interruption_resolved", 2)),
    ]
    sent = [e for e in events if isinstance(e, ev.InterruptionInjected)]
    assert [(e.interruption, e.rule, e.sequence) for e in sent] == [
        ("survey", "scheduled", 1),
        ("low-battery", "scheduled", 2),
    ]
    assert len({e.token for e in sent}) == 2
    library = SUITE.interruptions
    for e in events:
        if isinstance(e, ev.InterruptionShown | ev.InterruptionResolved):
            name = next(s.interruption for s in sent if s.token == e.token)
            assert (e.category, e.severity) == (library[name].category.value, library[name].severity.value)


def test_anomaly_and_window_are_shown_in_sequence(phone: VirtualPhone, tmp_path: Path) -> None:
    spec = make_spec({"after_action": {}}, "dark", "survey", dark="dark-mode")
    events = perform(phone, spec, tmp_path, *[WAIT] * 3)
    assert shown_interruptions(events) == [(1, "dark"), (1, "survey")]  # the first needs no answer


def test_failed_interruption_is_recorded_and_the_next_is_tried(phone: VirtualPhone, tmp_path: Path) -> None:
    spec = make_spec({"at_step": 0}, "network", "survey", network="network-slow")
    events = perform(phone, spec, tmp_path, WAIT)
    sent = {e.token: e.interruption for e in events if isinstance(e, ev.InterruptionInjected)}
    (failed,) = [e for e in events if isinstance(e, ev.InjectionFailed)]
    assert (sent[failed.token], failed.category) == ("network", "network")
    assert shown_interruptions(events) == [(0, "survey")]


def test_requested_number_of_interruptions_is_shown(phone: VirtualPhone, tmp_path: Path) -> None:
    count = 3
    plan = make_plan(SUITE.select(TASK), ("dismiss",), conditions=("dual",), interruptions=count)
    (spec,) = episodes(plan, SUITE)
    runs = []
    for name in ("one", "another"):
        phone.reset()
        device = Device.connect(phone.serial, SystemClock())
        agent = ReferenceAgent(spec.task.solution, Policy.DISMISS)
        end = perform_episode(spec, device, agent, tmp_path / name, SystemClock())
        device.close()
        assert end.outcome == "success"
        runs.append(read_events(tmp_path / name / spec.folder))
    events = runs[0]
    assert without_wall_times(events) == without_wall_times(runs[1])
    assert isinstance(events[0], ev.EpisodeStarted)
    assert events[0].interruptions == count
    steps = [step for step, _ in shown_interruptions(events)]
    assert len(steps) == count
    assert all(later - earlier >= 2 for earlier, later in itertools.pairwise(steps))


def test_uptime_follows_the_device_clock(phone: VirtualPhone) -> None:
    phone.reset()
    device = Device.connect(phone.serial, SystemClock())
    before = uptime(device.adb)
    device.wait(30)
    assert 30 <= uptime(device.adb) - before < 31
    device.close()


def test_unreadable_uptime_ends_the_episode_with_a_fault(
    phone: VirtualPhone, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    read = iter([5.0])

    def read_once(adb: Adb) -> float:
        for seconds in read:
            return seconds
        raise CommandError("/proc/uptime holds no time: ''")

    monkeypatch.setattr(injection_planner, "uptime", read_once)
    events = perform(phone, make_spec({"after_seconds": 1}, "survey"), tmp_path, WAIT)
    (fault,) = [e for e in events if isinstance(e, ev.FaultEvent)]
    assert (fault.at_fault, fault.step, "/proc/uptime" in fault.message) == ("device", 0, True)
    assert isinstance(events[-1], ev.EpisodeEnded)
    assert events[-1].outcome == "error"
