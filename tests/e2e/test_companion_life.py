"""The life of the companion app's window is recorded, over the wire of three Android versions."""

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
from tests.e2e.scripted import Move, does, nowhere, of, perform, press, spec
from tests.phones import PhonePool

pytestmark = pytest.mark.e2e
TITLE = "新消息 👋"


@pytest.fixture(scope="module", params=["android-19", "android-30", "android-34"])
def phone(phone_pool: PhonePool, request: pytest.FixtureRequest) -> Iterator[VirtualPhone]:
    with phone_pool.borrow(request.param) as running:
        yield running


def told(log: tuple[ev.Event, ...]) -> list[tuple[int, str]]:
    return [(event.step, event.event) for event in of(log, ev.InterruptionEvent)]


def after(device: Device, *commands: list[str]) -> Move:
    """A move that the phone's user makes, as shell commands."""

    def move(observation: Observation) -> act.Action:
        for command in commands:
            device.adb.shell(command)
        return nowhere(observation)

    return move


def test_back_in_vain_turning_and_a_screen_that_is_off_are_told_and_end_nothing(
    device: Device, tmp_path: Path
) -> None:
    power = ["input", "keyevent", str(KEYS["power"])]
    turn = ["settings", "put", "system", "user_rotation"]
    moves = [
        does(act.Back()),
        after(device, ["settings", "put", "system", "accelerometer_rotation", "0"], [*turn, "1"]),
        after(device, [*turn, "0"]),
        after(device, power, power, ["wm", "dismiss-keyguard"], ["input", "keyevent", "82"]),
        press("accept"),
    ]
    log, _ = perform(device, tmp_path, spec("wifi-check", "forced"), *moves)
    assert told(log) == [
        (0, "shown"),
        (0, "back"),
        (1, "rotated:90"),
        (2, "rotated:0"),
        (3, "hidden:screen-off"),
        (3, "resumed"),
        (4, "pressed:accept"),
    ]
    (end,) = of(log, ev.InterruptionResolved)
    assert (end.how, end.exit, end.steps) == ("answered", "accept", 4)


def test_a_process_that_dies_with_the_window_in_front_is_the_reason_in_the_record(
    device: Device, tmp_path: Path
) -> None:
    dies = after(device, ["am", "force-stop", PACKAGE])
    log, _ = perform(device, tmp_path, spec("wifi-check", "forced"), nowhere, dies, nowhere)
    assert told(log) == [(0, "shown"), (1, "killed")]
    (end,) = of(log, ev.InterruptionResolved)
    assert (end.how, end.exit, end.step) == ("left", "killed", 1)


def test_a_window_whose_process_died_behind_comes_back_and_is_answered(
    device: Device, tmp_path: Path
) -> None:
    settings = ["am", "start", "-a", "android.settings.SETTINGS"]
    moves = [after(device, settings, ["am", "kill", PACKAGE]), does(act.Back()), press("accept")]
    log, _ = perform(device, tmp_path, spec("wifi-check"), *moves)
    assert [event for _, event in told(log)] == ["shown", "hidden", "killed", "resumed", "pressed:accept"]
    (end,) = of(log, ev.InterruptionResolved)
    assert (end.how, end.exit) == ("answered", "accept")


def test_a_heads_up_is_posted_seen_and_closed(device: Device) -> None:
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
