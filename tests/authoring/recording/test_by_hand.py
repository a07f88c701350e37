"""A person's touches on a virtual phone, written with ``sendevent``, become steps that a resumed recording
repeats."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from garabench.authoring.recording.by_hand import HandRecorder
from garabench.authoring.recording.person_session import PersonSession, StopRecording
from garabench.authoring.recording.record_task import open_recording, record_task
from garabench.core.clock import SystemClock
from garabench.core.geometry import Point
from garabench.core.selector import Selector, find
from garabench.core.tree import UiTree
from garabench.device.device import Device
from tests.phones import PhonePool
from tests.waits import AMPLE, until

pytestmark = pytest.mark.e2e

APP = "tv.danmaku.bili"
SCREEN = "/dev/input/event1"
PRESS = ((3, 57, 5), (3, 53, 0), (3, 54, 0), (1, 330, 1), (0, 0, 0))
LIFT = ((3, 57, 4294967295), (1, 330, 0), (0, 0, 0))
Q, W, SEARCH_KEY = Point(60, 1690), Point(160, 1690), Point(970, 2170)


@pytest.fixture(scope="module")
def finger(phone_pool: PhonePool) -> Iterator[Finger]:
    with phone_pool.borrow() as phone, Device.connect(phone.serial, SystemClock()) as device:
        yield Finger(device)


class Finger:
    def __init__(self, device: Device) -> None:
        self.device = device

    def touch(self, *points: Point) -> None:
        """Touch points one after the other."""
        events = [
            (kind, code, {53: point.x, 54: point.y}.get(code, value))
            for point in points
            for kind, code, value in (*PRESS, *LIFT)
        ]
        script = "; ".join(f"sendevent {SCREEN} {kind} {code} {value}" for kind, code, value in events)
        self.device.adb.shell(("sh", "-c", script))

    def at(self, **selector: str) -> Point:
        """Return where an element is, once it is on the screen."""
        wanted = Selector.model_validate(selector)
        until(lambda: bool(find(self.device.read_tree().tree, wanted)))
        return find(self.device.read_tree().tree, wanted)[0].bounds.center


class Sitting:
    """A recording by hand in a thread, until it is stopped."""

    def __init__(self, device: Device, folder: Path, *, resume: bool = False) -> None:
        self.said: list[str] = []
        self.session: PersonSession | None = None
        self._device, self._folder = device, folder
        self._recording = open_recording(folder, "search-by-hand", APP, {}, resume=resume)
        self._thread = threading.Thread(target=self._record, daemon=True)

    def _record(self) -> None:
        with HandRecorder(self._device, self.said.append) as hand:

            def drive(session: PersonSession) -> None:
                hand.drive(session)
                self.session = session

            record_task(self._recording, hand.device, self._folder, SystemClock(), on_session=drive)

    def __enter__(self) -> Sitting:
        self._thread.start()
        self.wait_until_ready()
        return self

    def wait_until_ready(self) -> None:
        until(lambda: self.session is not None and self.session.observation is not None)

    def __exit__(self, *error: object) -> None:
        self.wait_until_ready()
        assert self.session is not None
        self.session.send(StopRecording())
        self._thread.join(AMPLE)
        assert not self._thread.is_alive()


def test_touches_and_typed_texts_become_steps_that_a_resumed_recording_repeats(
    finger: Finger, tmp_path: Path
) -> None:
    folder = tmp_path / "recording"
    with Sitting(finger.device, folder) as sitting:
        finger.touch(finger.at(id="expand_search"))
        until(lambda: len(sitting.said) == 1)
        finger.touch(Q, W)
        until(lambda: len(sitting.said) == 2)  # the text has paused
        finger.touch(Q)
        finger.at(id="search_src_text", text="qwq")
        finger.touch(SEARCH_KEY)
        until(lambda: len(sitting.said) == 3)
    assert sitting.said == [
        "1. tap: {id: expand_search}",
        "2. type: {text: qw, into: {id: search_src_text}, clear: true}",
        "3. type: {text: qwq, into: {id: search_src_text}, clear: true, submit: true}",
    ]
    events = next(folder.rglob("events.jsonl")).read_text(encoding="utf-8")
    assert '"type":"goal_checked"' in events
    assert '"holds":true' not in events  # nobody has reported the task as done
    results = finger.device.read_tree().tree
    finger.device.apps.force_stop(APP)
    with Sitting(finger.device, folder, resume=True) as sitting:
        assert sitting.session is not None
        assert len(sitting.session.recorded) == 3
        assert sitting.session.last is not None
        assert texts(sitting.session.last.tree) == texts(results)
        finger.touch(finger.at(id="search_src_text"))
        until(lambda: len(sitting.said) == 1)
        assert sitting.said[0].startswith("4. tap: ")


def texts(tree: UiTree) -> set[str]:
    return {node.text for node in tree.app_nodes if node.text}
