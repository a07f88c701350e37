"""The lifecycle of the companion app's window is recorded on three Android versions."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from garabench.core import action as act
from garabench.core import events as ev
from garabench.core.companion_app import CLOSE, COMMANDS, HEADS_UP, HEADS_UP_SDK, PACKAGE, encode_spec
from garabench.core.keys import KEYS
from garabench.core.observation import Observation
from garabench.device.device import Device
from garabench.virtual.phone_process import VirtualPhone
from tests.e2e.scripted import Move, always, events_of, make_spec, press_button, run_scripted, tap_nowhere
from tests.phones import PhonePool

pytestmark = pytest.mark.e2e
TITLE = "新消息 👋"


@pytest.fixture(scope="module", params=["android-19", "android-30", "android-34"])
def phone(phone_pool: PhonePool, request: pytest.FixtureRequest) -> Iterator[VirtualPhone]:
    with phone_pool.borrow(request.param) as running:
        yield running


def events_by_step(log: tuple[ev.Event, ...]) -> list[tuple[int, str]]:
    return [(event.step, event.event) for event in events_of(log, ev.InterruptionEvent)]


def shell_commands(device: Device, *commands: list[str]) -> Move:
    """Make a move that runs shell commands, as a user would act on the device."""

    def move(observation: Observation) -> act.Action:
        for command in commands:
            device.adb.shell(command)
        return tap_nowhere(observation)

    return move


def test_back_rotation_and_screen_off_are_recorded_without_ending_it(device: Device, tmp_path: Path) -> None:
    power = ["input", "keyevent", str(KEYS["power"])]
    rotate = ["settings", "put", "system", "user_rotation"]
    moves = [
        always(act.Back()),
        shell_commands(device, ["settings", "put", "system", "accelerometer_rotation", "0"], [*rotate, "1"]),
        shell_commands(device, [*rotate, "0"]),
        shell_commands(device, power, power, ["wm", "dismiss-keyguard"], ["input", "keyevent", "82"]),
        press_button("accept"),
    ]
    log, _ = run_scripted(device, tmp_path, make_spec("wifi-check", "forced"), *moves)
    assert events_by_step(log) == [
        (0, "shown"),
        (0, "back"),
        (1, "rotated:90"),
        (2, "rotated:0"),
        (3, "hidden:screen-off"),
        (3, "resumed"),
        (4, "pressed:accept"),
    ]
    (end,) = events_of(log, ev.InterruptionResolved)
    assert (end.how, end.exit, end.steps) == ("answered", "accept", 4)


def test_killed_foreground_window_is_recorded_as_left(device: Device, tmp_path: Path) -> None:
    kill = shell_commands(device, ["am", "force-stop", PACKAGE])
    log, _ = run_scripted(device, tmp_path, make_spec("wifi-check", "forced"), tap_nowhere, kill, tap_nowhere)
    assert events_by_step(log) == [(0, "shown"), (1, "killed")]
    (end,) = events_of(log, ev.InterruptionResolved)
    assert (end.how, end.exit, end.step) == ("left", "killed", 1)


def test_window_killed_in_the_background_returns_and_is_answered(device: Device, tmp_path: Path) -> None:
    settings = ["am", "start", "-a", "android.settings.SETTINGS"]
    moves = [
        shell_commands(device, settings, ["am", "kill", PACKAGE]),
        always(act.Back()),
        press_button("accept"),
    ]
    log, _ = run_scripted(device, tmp_path, make_spec("wifi-check"), *moves)
    assert [event for _, event in events_by_step(log)] == [
        "shown",
        "hidden",
        "killed",
        "resumed",
        "pressed:accept",
    ]
    (end,) = events_of(log, ev.InterruptionResolved)
    assert (end.how, end.exit) == ("answered", "accept")


def test_heads_up_is_posted_shown_and_closed(device: Device) -> None:
    what = {"v": 1, "title": TITLE, "message": "今晚八点见", "buttons": [{"key": "accept", "label": "回复"}]}
    post = [*HEADS_UP, "-n", COMMANDS, "--es", "spec", encode_spec(what), "--es", "token", "t1"]
    device.adb.shell(["pm", "grant", PACKAGE, "android.permission.POST_NOTIFICATIONS"])
    answer = device.adb.shell(post).output
    query = ["content", "query", "--uri", "content://org.garabench.interruptions.events/t1"]
    if device.info.sdk < HEADS_UP_SDK:
        assert 'data="no-heads-up"' in answer
        assert "No result found" in device.adb.shell(query).output
        return
    assert 'data="posted"' in answer
    texts = {node.text for node in device.read_tree().tree.nodes}
    assert {TITLE, "今晚八点见", "回复"} <= texts
    device.adb.shell(list(CLOSE))
    assert TITLE not in {node.text for node in device.read_tree().tree.nodes}
    rows = device.adb.shell(query).output
    assert '"seq":1,"event":"shown"' in rows
    assert '"seq":2,"event":"dismissed:close"' in rows
