"""If logcat is cleared after each action, events are read from the companion app."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from garabench.core import action as act
from garabench.core import events as ev
from garabench.core.companion_app import PACKAGE
from garabench.core.geometry import Size
from garabench.core.observation import Observation
from garabench.device.device import ActionResult, Device
from garabench.virtual.phone_process import VirtualPhone
from tests.e2e.scripted import always, events_of, make_spec, press_button, run_scripted, tap_nowhere
from tests.phones import PhonePool

pytestmark = pytest.mark.e2e


@pytest.fixture(scope="module", params=["android-19", "android-34"])
def phone(phone_pool: PhonePool, request: pytest.FixtureRequest) -> Iterator[VirtualPhone]:
    with phone_pool.borrow(request.param) as running:
        yield running


@pytest.fixture
def device(device: Device, monkeypatch: pytest.MonkeyPatch) -> Device:
    original = Device.perform

    def perform_and_clear(self: Device, action: act.Action, screen: Size) -> ActionResult:
        done = original(self, action, screen)
        self.adb.shell(["logcat", "-c"])
        return done

    monkeypatch.setattr(Device, "perform", perform_and_clear)
    return device


@pytest.mark.parametrize("mode", ["dual", "forced"])
def test_press_and_follow_up_are_recorded(device: Device, tmp_path: Path, mode: str) -> None:
    log, agent = run_scripted(
        device, tmp_path, make_spec("wifi-check", mode), tap_nowhere, press_button("accept")
    )
    assert [event.event for event in events_of(log, ev.InterruptionEvent)] == ["shown", "pressed:accept"]
    (end,) = events_of(log, ev.InterruptionResolved)
    assert (end.how, end.exit, end.role, end.step) == ("answered", "accept", "accept", 1)
    assert [(stage.description, stage.ok) for stage in events_of(log, ev.FollowUpPerformed)] == [
        ("wifi False", True),
        ("settings_page wifi", True),
    ]
    assert "settings" in agent.observations[-1].focus.package


def test_switching_away_is_recorded(device: Device, tmp_path: Path) -> None:
    log, _ = run_scripted(device, tmp_path, make_spec("wifi-check"), always(act.Home()), tap_nowhere)
    assert [event.event for event in events_of(log, ev.InterruptionEvent)] == ["shown", "hidden"]
    assert [(end.how, end.exit) for end in events_of(log, ev.InterruptionResolved)] == [
        ("left", "switched away")
    ]


def test_repeated_episode_ignores_events_of_the_previous_one(device: Device, tmp_path: Path) -> None:
    run_scripted(device, tmp_path / "first", make_spec("wifi-check"), press_button("accept"))
    log, _ = run_scripted(
        device, tmp_path / "second", make_spec("wifi-check"), tap_nowhere, press_button("dismiss")
    )
    assert [event.event for event in events_of(log, ev.InterruptionEvent)] == ["shown", "pressed:dismiss"]
    assert [(end.how, end.exit) for end in events_of(log, ev.InterruptionResolved)] == [
        ("answered", "dismiss")
    ]


def test_end_is_detected_on_the_tree_if_the_app_stored_no_events(device: Device, tmp_path: Path) -> None:
    def press_and_forget(observation: Observation) -> act.Action:
        device.perform(press_button("accept")(observation), device.screen)
        device.adb.shell(["pm", "clear", PACKAGE])
        return tap_nowhere(observation)

    log, _ = run_scripted(device, tmp_path, make_spec("wifi-check"), press_and_forget, tap_nowhere)
    assert [(end.how, end.exit) for end in events_of(log, ev.InterruptionResolved)] == [("left", "gone")]
