"""A turned screen: size and orientation come from the display and the tree, and the picture agrees with them.

Android 4.4 captures the display's natural orientation; taken for the screen's size, it makes touches on the
right-hand side impossible, and a correct agent fails.
"""

from __future__ import annotations

import io
from collections.abc import Iterator
from pathlib import Path

import pytest
from PIL import Image

from garabench.agents.reference.agent import ReferenceAgent
from garabench.agents.reference.exit_choice import Policy
from garabench.core import action as act
from garabench.core import events as ev
from garabench.core.clock import SystemClock
from garabench.core.geometry import Size
from garabench.device import screenshots
from garabench.device.device import Device
from garabench.episode.runner import perform_episode
from garabench.errors import HarnessError
from garabench.interruptions import companion_apk
from garabench.records.event_reader import read_events
from garabench.virtual.phone_process import VirtualPhone
from tests.e2e.scripted import SUITE, always, events_of, outcome, run_scripted
from tests.e2e.test_system_interruptions import make_interrupted_spec
from tests.phones import PhonePool

pytestmark = pytest.mark.e2e

TASK = "bili-follow-science-uploader"
WIDE = Size(1280, 720)


@pytest.fixture(scope="module", params=["android-19:720x1280", "android-34:720x1280"])
def phone(phone_pool: PhonePool, request: pytest.FixtureRequest) -> Iterator[VirtualPhone]:
    with phone_pool.borrow(request.param) as running:
        yield running


def turn(device: Device, rotation: int) -> None:
    for key, value in (("accelerometer_rotation", "0"), ("user_rotation", str(rotation))):
        device.adb.shell(["settings", "put", "system", key, value])


def open_settings(device: Device) -> None:
    device.apps.start(component="com.android.settings/.Settings")


def test_correct_agent_succeeds_on_a_turned_screen(device: Device, tmp_path: Path) -> None:
    companion_apk.set_up(device)
    spec = make_interrupted_spec(("rotation", "90"), task=TASK)
    agent = ReferenceAgent(SUITE.tasks[TASK].task.solution, Policy.DISMISS)
    perform_episode(spec, device, agent, tmp_path, SystemClock())
    log = read_events(tmp_path / spec.folder)
    assert len(events_of(log, ev.InterruptionShown)) == 1
    assert [event.detail for event in events_of(log, ev.PerformedEvent) if not event.ok] == []
    assert outcome(log) == ("success", "goal_met")
    last = events_of(log, ev.Observed)[-1].screen
    (picture,) = tmp_path.glob(f"**/{last}.png")
    assert screenshots.png_size(picture.read_bytes()) == WIDE


def test_what_only_the_upright_screen_shows_counts(device: Device, tmp_path: Path) -> None:
    """A turned screen of this size does not show all that the goal names, so the agent cannot meet it."""
    companion_apk.set_up(device)
    task = "jd-open-cheapest-humidifier"
    spec = make_interrupted_spec(("rotation", "90"), task=task)
    perform_episode(
        spec, device, ReferenceAgent(SUITE.tasks[task].task.solution, Policy.DISMISS), tmp_path, SystemClock()
    )
    log = read_events(tmp_path / spec.folder)
    assert outcome(log) == ("success", "goal_met")
    assert [event.holds for event in events_of(log, ev.GoalChecked)][-2:] == [False, True]
    assert len(events_of(log, ev.InterruptionShown)) == 1


def test_a_list_that_the_check_has_moved_makes_no_failure(phone_pool: PhonePool, tmp_path: Path) -> None:
    """The liked comment is on the turned screen, and off it once a check has turned it upright and back."""
    task = "weibo-like-first-comment-of-the-hour"
    spec = make_interrupted_spec(("rotation", "90"), task=task)
    agent = ReferenceAgent(SUITE.tasks[task].task.solution, Policy.DISMISS)
    with (
        phone_pool.borrow("android-34:1080x2400") as phone,
        Device.connect(phone.serial, SystemClock()) as device,
    ):
        companion_apk.set_up(device)
        perform_episode(spec, device, agent, tmp_path, SystemClock())
    log = read_events(tmp_path / spec.folder)
    doubtful, last = events_of(log, ev.GoalChecked)[-2:]
    assert (doubtful.holds, last.holds) == (None, None)
    assert last.reason.startswith("id=comment_like desc=已赞小满爱跑步的评论,1321 is on the screen")
    assert "but on a turned screen, which shows less; upright: id=comment_like" in last.reason


@pytest.mark.parametrize("rotation", [0, 1, 2, 3])
def test_picture_is_turned_without_loss(device: Device, rotation: int) -> None:
    open_settings(device)
    turn(device, rotation)
    seen = device.observe(0, settled=device.settle())
    assert (seen.rotation, seen.screen) == (rotation, WIDE if rotation % 2 else WIDE.rotated)
    assert seen.screenshot.size == seen.screen == device.screen
    raw = Image.open(io.BytesIO(screenshots.take_screenshot(device.adb, device.info.sdk).png)).convert("RGB")
    turns = rotation if device.info.sdk < 21 else 0
    picture = Image.open(io.BytesIO(seen.screenshot.png)).convert("RGB")
    assert picture.tobytes() == raw.rotate(90 * turns, expand=True).tobytes()


def test_touch_refused_for_a_wrong_size_is_a_fault_of_the_harness(device: Device) -> None:
    open_settings(device)
    turn(device, 1)
    device.observe(0, settled=device.settle())
    assert device.perform(act.Tap(x=1000, y=40), device.screen).ok
    with pytest.raises(
        HarnessError, match=r"\(1000, 40\) is outside the 720x1280 screen, but the display is"
    ):
        device.perform(act.Tap(x=1000, y=40), WIDE.rotated)
    refused = device.perform(act.Tap(x=40, y=1000), device.screen)
    assert (refused.ok, refused.detail) == (False, "(40, 1000) is outside the 1280x720 screen")


def test_touch_outside_the_turned_screen_is_the_agents_mistake(device: Device, tmp_path: Path) -> None:
    companion_apk.set_up(device)
    spec = make_interrupted_spec(("rotation", "270"), task=TASK)
    log, _ = run_scripted(device, tmp_path, spec, always(act.Tap(x=40, y=1000)))
    assert [event.ok for event in events_of(log, ev.PerformedEvent)] == [False]
    assert outcome(log) == ("failure", "gave_up")
