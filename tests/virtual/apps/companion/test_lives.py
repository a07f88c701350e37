"""What befalls a window and what is told of it: the same as of the app, whose tests read the same file."""

from __future__ import annotations

import json
from collections import defaultdict
from pathlib import Path
from typing import Any

from garabench.core.tree import parse_tree
from garabench.interruptions.lifecycle import parse_event
from garabench.virtual.android.device_profile import Profile
from garabench.virtual.android.phone import Phone
from garabench.virtual.apps.companion import app as companion
from garabench.virtual.apps.launcher import app as launcher
from garabench.virtual.kit.framework import Intent
from garabench.virtual.ui.dump import u2_xml
from tests.cases import every_case
from tests.virtual.apps.companion.test_spec import GOOD, encode

FILE = Path(__file__).parents[4] / "interruption_apk" / "app" / "src" / "test" / "resources" / "lives.json"
LIVES: list[dict[str, Any]] = json.loads(FILE.read_text("utf-8"))
PACKAGE = companion.PACKAGE
FORCED = encode(GOOD | {"template": "dialog", "cancelable": False})


class Steps:
    """What a step of the file does to a virtual phone."""

    def __init__(self, phone: Phone) -> None:
        self.phone = phone
        self.shown = ""

    def show(self, token: str) -> None:
        self._start(Intent(package=PACKAGE, activity=companion.SHOW, extras={"spec": FORCED, "token": token}))

    def progress(self, token: str) -> None:
        extras = {"seconds": 60, "token": token}
        self._start(Intent(package=PACKAGE, activity=companion.PROGRESS, extras=extras))

    def _start(self, intent: Intent) -> None:
        self.phone.activities.start(intent)
        assert self.in_front

    @property
    def in_front(self) -> bool:
        return any(node.package == PACKAGE for node in parse_tree(u2_xml(self.phone.scene())).nodes)

    def home(self) -> None:
        self.phone.press_home()
        assert not self.in_front

    def die(self) -> None:
        """Ends it where it lives; a broadcast or a window starts the next."""
        assert self.phone.activities.kill(PACKAGE)

    def stop(self) -> None:
        self.phone.activities.force_stop(PACKAGE)

    def close(self, answer: str) -> None:
        assert self.phone.broadcast(companion.CLOSE, {}, PACKAGE)[1] == answer

    def state(self, wanted: str) -> None:
        states = json.loads(self.phone.broadcast(companion.STATE, {}, PACKAGE)[1])
        assert all(each["open"] for each in states)
        assert ", ".join(f"{each['kind']} {each['token']} {each['template']}" for each in states) == wanted

    def returns(self, token: str) -> None:
        """Come back to its task, where there still is one."""
        tasks = [task for task in self.phone.activities.tasks if task.stack[0].app.package == PACKAGE]
        assert len(tasks) == bool(token)
        for task in tasks:
            self.phone.activities.move_task_to_front(task.number)
        assert self.in_front == bool(token)

    def told(self) -> dict[str, list[str]]:
        """The events of each token, which are numbered without a gap."""
        told: dict[str, list[str]] = defaultdict(list)
        for line in self.phone.logcat.read():
            event = parse_event(line.message) if line.tag == "GaraBench" else None
            if event is not None:
                told[event.token].append(event.event)
                assert event.seq == len(told[event.token])
        return dict(told)


@every_case("profile", ["android-19", "android-30", "android-34"])
@every_case("life", LIVES, ids=lambda life: life["name"])
def test_what_befalls_a_window_is_told_as_of_the_app(life: dict[str, Any], profile: str) -> None:
    steps = Steps(Phone(Profile.parse(profile), apps=(launcher.APP, companion.APP), strict=True))
    for word, *rest in life["steps"]:
        getattr(steps, "returns" if word == "return" else word)(*rest)
    assert steps.told() == life["told"]
