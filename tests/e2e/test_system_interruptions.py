"""Episodes with system anomalies: recorded, answered or not, and undone at the end."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from pathlib import Path

import pytest

from garabench.agents.interface import Decision, Turn
from garabench.campaign.planner import make_plan
from garabench.core import action as act
from garabench.core import events as ev
from garabench.core.anomalies import split_screen
from garabench.core.clock import SystemClock
from garabench.core.interruption import SystemInterruption
from garabench.core.observation import Observation
from garabench.core.rule import BoundRule, Rule
from garabench.device.device import Device
from garabench.episode.runner import perform_episode
from garabench.episode.spec import EpisodeSpec
from garabench.records.event_reader import read_events
from tests.e2e import scripted
from tests.e2e.scripted import SUITE, TASK, ScriptedAgent, always, events_of
from tests.planned import episodes

pytestmark = pytest.mark.e2e

APP = SUITE.tasks[TASK].app


def make_interrupted_spec(*uses: tuple[str, str], task: str = TASK) -> EpisodeSpec:
    """Return a task's episode with a rule for each anomaly that fires at once."""
    (spec,) = episodes(make_plan(SUITE.select(task), ("ignore",), conditions=("dual",)), SUITE)
    app = SUITE.tasks[task].app
    made = [
        SystemInterruption(id=f"a-{system}", description="an anomaly", system=system, value=value)
        for system, value in uses
    ]
    rules = [
        Rule.model_validate(
            {
                "id": f"r-{use.id}",
                "description": "at once",
                "when": {"all": [{"package": app}]},
                "inject": use.id,
            }
        )
        for use in made
    ]
    return dataclasses.replace(
        spec,
        agent="scripted",
        rules=tuple(BoundRule(rule, app) for rule in rules),
        anomalies={use.id: use for use in made},
    )


def perform(
    spec: EpisodeSpec, device: Device, folder: Path, *actions: act.Action
) -> tuple[tuple[ev.Event, ...], ScriptedAgent]:
    return scripted.run_scripted(device, folder, spec, *map(always, actions))


WAIT = act.Wait(seconds=0.1)


def test_home_is_answered_by_reopening_the_app(device: Device, tmp_path: Path) -> None:
    events, agent = perform(
        make_interrupted_spec(("home", "")), device, tmp_path, WAIT, act.OpenApp(package=APP), WAIT
    )
    (injected,) = events_of(events, ev.InterruptionInjected)
    assert (injected.interruption, injected.category, injected.severity) == ("a-home", "system", "medium")
    assert len(events_of(events, ev.InterruptionShown)) == 1
    assert agent.observations[0].focus.package != APP
    (resolved,) = events_of(events, ev.InterruptionResolved)
    assert (resolved.how, resolved.exit, resolved.steps) == ("answered", "app in foreground", 2)


@pytest.mark.parametrize("dragged", [True, False], ids=["dragged-away", "left"])
def test_split_screen_lasts_until_dragged_away_or_the_episode_ends(
    device: Device, tmp_path: Path, dragged: bool
) -> None:
    drag = act.Swipe(x1=360, y1=616, x2=360, y2=1150, ms=500)
    moves = (WAIT, drag if dragged else WAIT, WAIT)
    events, agent = perform(make_interrupted_spec(("split-screen", "")), device, tmp_path, *moves)
    (shown,) = events_of(events, ev.InterruptionShown)
    assert sum("bounds=" in line for line in shown.evidence) == 2
    seen = [{root.package for root in observation.tree.roots} for observation in agent.observations]
    assert {APP, "com.android.settings"} <= seen[0] and {APP, "com.android.settings"} <= seen[1]
    assert ("com.android.settings" in seen[2]) is not dragged
    (resolved,) = events_of(events, ev.InterruptionResolved)
    assert resolved.how == ("answered" if dragged else "open")
    tasks = split_screen.parse_tasks(device.adb.shell(list(split_screen.STACKS)).stdout)
    assert {str(row.bounds) for row in tasks} == {"[0,0][720,1280]"}
    assert [row.package for row in tasks if row.visible] == [APP]
    assert not device.journal.entries


def test_device_changes_allow_further_interruptions_and_are_undone(device: Device, tmp_path: Path) -> None:
    before = device.adb.shell(["settings", "list", "system"]).stdout
    spec = make_interrupted_spec(("font-scale", "1.5"), ("battery-low", "7"), ("wifi-off", ""))
    events, _ = perform(spec, device, tmp_path, WAIT, WAIT, WAIT)
    assert [each.interruption for each in events_of(events, ev.InterruptionInjected)] == [
        "a-font-scale",
        "a-battery-low",
        "a-wifi-off",
    ]
    assert [(each.how, each.exit) for each in events_of(events, ev.InterruptionResolved)] == [
        ("open", "in force")
    ] * 3
    assert device.journal.entries == ()
    assert device.adb.shell(["settings", "list", "system"]).stdout == before
    assert "UPDATES STOPPED" not in device.adb.shell(["dumpsys", "battery"]).stdout
    assert device.adb.shell(["settings", "get", "global", "wifi_on"]).stdout == "1\n"


def test_agent_that_undoes_the_change_answers_it(device: Device, tmp_path: Path) -> None:
    class WifiEnabler(ScriptedAgent):
        def decide(self, observation: Observation, history: Sequence[Turn]) -> Decision:
            device.adb.shell(["svc", "wifi", "enable"])
            return super().decide(observation, history)

    agent = WifiEnabler([always(WAIT)])
    spec = make_interrupted_spec(("wifi-off", ""))
    perform_episode(spec, device, agent, tmp_path, SystemClock())
    (resolved,) = events_of(read_events(tmp_path / spec.folder), ev.InterruptionResolved)
    assert (resolved.how, resolved.exit, resolved.steps) == ("answered", "reverted", 1)


@pytest.mark.parametrize(
    ("system", "value", "reason"),
    [
        ("incoming-call", "", "requires an emulator's console; this device has none"),
        ("permission-taken", "android.permission.NO_SUCH", f"{APP} does not declare it"),
        ("network-delay", "", "requires an emulator's console; this device has none"),
        ("lock", "", "this phone has no screen lock"),
    ],
)
def test_unsupported_anomaly_is_a_failed_injection_with_a_reason(
    device: Device, tmp_path: Path, system: str, value: str, reason: str
) -> None:
    events, _ = perform(make_interrupted_spec((system, value)), device, tmp_path, WAIT)
    assert len(events_of(events, ev.InterruptionInjected)) == 1
    assert events_of(events, ev.InterruptionShown) == []
    (failed,) = events_of(events, ev.InjectionFailed)
    assert any(part in failed.reason for part in reason.split("|"))
    assert events_of(events, ev.InterruptionResolved) == []
    assert device.adb.shell(["settings", "get", "system", "user_rotation"]).stdout == "0\n"


def test_crash_shows_a_dialog_and_a_killed_process_restarts(device: Device, tmp_path: Path) -> None:
    events, agent = perform(make_interrupted_spec(("crash", "")), device, tmp_path / "a", WAIT)
    assert events_of(events, ev.InjectionFailed) == []
    assert any("停止" in node.text for node in agent.observations[0].tree.nodes)
    assert events_of(events, ev.InterruptionResolved)[0].how == "open"
    events, agent = perform(make_interrupted_spec(("process-kill", "")), device, tmp_path / "b", WAIT)
    assert events_of(events, ev.InjectionFailed) == []
    assert agent.observations[0].focus.package == APP
    (shown,) = events_of(events, ev.InterruptionShown)
    before, gone, after = (each.removeprefix(f"pidof {APP}: ") for each in shown.evidence)
    assert (gone, before == after) == ("(nothing)", False)
    (resolved,) = events_of(events, ev.InterruptionResolved)
    assert (resolved.how, resolved.exit, resolved.steps) == ("answered", "immediately", 0)


def test_companion_events_are_read_after_a_clock_shift_that_is_undone(device: Device, tmp_path: Path) -> None:
    spec = make_interrupted_spec(("time", "-2h"), ("heads-up", ""))
    window = SUITE.interruptions["rate-app"]
    rule = Rule.model_validate(
        {
            "id": "r-window",
            "description": "after them",
            "when": {"all": [{"package": APP}]},
            "inject": window.id,
        }
    )
    spec = dataclasses.replace(
        spec,
        rules=(*spec.rules, BoundRule(rule, APP)),
        interruptions={**spec.interruptions, window.id: window},
    )
    events, agent = perform(spec, device, tmp_path, WAIT, WAIT, WAIT)
    assert events_of(events, ev.InjectionFailed) == []
    clock, top, _ = (each.evidence for each in events_of(events, ev.InterruptionShown))
    assert clock[0].endswith(", -7200 s")
    assert top[-1].startswith("a window of com.android.systemui: ")
    assert "shown" in {each.event for each in events_of(events, ev.InterruptionEvent)}
    assert any(node.text == "07:41" for node in agent.observations[0].tree.nodes)  # the status bar's clock
    assert device.adb.shell(["date", "+%F %H:%M"]).stdout == "2024-05-20 09:41\n"
    assert device.adb.shell(["settings", "get", "global", "auto_time"]).stdout == "1\n"
    assert "org.garabench" not in device.adb.shell(["dumpsys", "notification"]).stdout
