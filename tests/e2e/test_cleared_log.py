"""When the log is cleared after each action, events are read from the companion app itself."""

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
from tests.e2e.scripted import does, nowhere, of, perform, press, spec
from tests.phones import PhonePool

pytestmark = pytest.mark.e2e


@pytest.fixture(scope="module", params=["android-19", "android-34"])
def phone(phone_pool: PhonePool, request: pytest.FixtureRequest) -> Iterator[VirtualPhone]:
    with phone_pool.borrow(request.param) as running:
        yield running


@pytest.fixture
def device(device: Device, monkeypatch: pytest.MonkeyPatch) -> Device:
    whole = Device.perform

    def then_clear(self: Device, action: act.Action, screen: Size) -> ActionResult:
        done = whole(self, action, screen)
        self.adb.shell(["logcat", "-c"])
        return done

    monkeypatch.setattr(Device, "perform", then_clear)
    return device


@pytest.mark.parametrize("mode", ["dual", "forced"])
def test_the_press_and_its_second_stage_stand_in_the_record(
    device: Device, tmp_path: Path, mode: str
) -> None:
    log, agent = perform(device, tmp_path, spec("wifi-check", mode), nowhere, press("accept"))
    assert [event.event for event in of(log, ev.InterruptionEvent)] == ["shown", "pressed:accept"]
    (end,) = of(log, ev.InterruptionResolved)
    assert (end.how, end.exit, end.role, end.step) == ("answered", "accept", "accept", 1)
    assert [(stage.what, stage.ok) for stage in of(log, ev.FollowUpPerformed)] == [
        ("wifi False", True),
        ("settings_page wifi", True),
    ]
    assert "settings" in agent.seen[-1].focus.package


def test_switching_away_and_coming_back_are_told_too(device: Device, tmp_path: Path) -> None:
    log, _ = perform(device, tmp_path, spec("wifi-check"), does(act.Home()), nowhere)
    assert [event.event for event in of(log, ev.InterruptionEvent)] == ["shown", "hidden"]
    assert [(end.how, end.exit) for end in of(log, ev.InterruptionResolved)] == [("left", "switched away")]


def test_the_same_episode_again_takes_in_nothing_of_the_one_before(device: Device, tmp_path: Path) -> None:
    perform(device, tmp_path / "first", spec("wifi-check"), press("accept"))
    log, _ = perform(device, tmp_path / "second", spec("wifi-check"), nowhere, press("dismiss"))
    assert [event.event for event in of(log, ev.InterruptionEvent)] == ["shown", "pressed:dismiss"]
    assert [(end.how, end.exit) for end in of(log, ev.InterruptionResolved)] == [("answered", "dismiss")]


def test_where_the_app_has_kept_nothing_the_end_is_seen_on_the_tree(device: Device, tmp_path: Path) -> None:
    def press_and_forget(observation: Observation) -> act.Action:
        device.perform(press("accept")(observation), device.screen)
        device.adb.shell(["pm", "clear", PACKAGE])
        return nowhere(observation)

    log, _ = perform(device, tmp_path, spec("wifi-check"), press_and_forget, nowhere)
    assert [(end.how, end.exit) for end in of(log, ev.InterruptionResolved)] == [("left", "gone")]
