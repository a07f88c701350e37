"""A window's life cycle and events in the scenarios that the real app is tested with, too."""

from __future__ import annotations

import json
from collections import defaultdict
from pathlib import Path
from typing import Any

from garabench.core.tree import parse_tree
from garabench.interruptions.lifecycle import parse_companion_event
from garabench.virtual.android.device_profile import Profile
from garabench.virtual.android.phone import Phone
from garabench.virtual.apps.companion import app as companion
from garabench.virtual.apps.launcher import app as launcher
from garabench.virtual.kit.framework import Intent
from garabench.virtual.ui.dump import u2_xml
from tests.cases import every_case
from tests.virtual.apps.companion.test_spec import GOOD, encode

RESOURCES = Path(__file__).parents[4] / "interruption_apk" / "app" / "src" / "test" / "resources"
SCENARIOS: list[dict[str, Any]] = json.loads((RESOURCES / "lifecycle_scenarios.json").read_text("utf-8"))
PACKAGE = companion.PACKAGE
FORCED = encode(GOOD | {"template": "dialog", "cancelable": False})


class Steps:
    """Performs the steps of a scenario on a virtual phone."""

    def __init__(self, phone: Phone) -> None:
        self.phone = phone

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

    def kill_process(self) -> None:
        """Kill the process; a broadcast or a window starts the next one."""
        assert self.phone.activities.kill(PACKAGE)

    def force_stop(self) -> None:
        self.phone.activities.force_stop(PACKAGE)

    def close(self, expected: str) -> None:
        assert self.phone.broadcast(companion.CLOSE, {}, PACKAGE)[1] == expected

    def state(self, expected: str) -> None:
        states = json.loads(self.phone.broadcast(companion.STATE, {}, PACKAGE)[1])
        assert all(each["open"] for each in states)
        assert ", ".join(f"{each['kind']} {each['token']} {each['template']}" for each in states) == expected

    def return_to_task(self, token: str) -> None:
        """Return to the app's task if it still exists."""
        tasks = [task for task in self.phone.activities.tasks if task.stack[0].app.package == PACKAGE]
        assert len(tasks) == bool(token)
        for task in tasks:
            self.phone.activities.move_task_to_front(task.task_id)
        assert self.in_front == bool(token)

    def events(self) -> dict[str, list[str]]:
        """Return the events of each token, which are numbered without a gap."""
        events: dict[str, list[str]] = defaultdict(list)
        for line in self.phone.logcat.read():
            event = parse_companion_event(line.message) if line.tag == "GaraBench" else None
            if event is not None:
                events[event.token].append(event.event)
                assert event.seq == len(events[event.token])
        return dict(events)


@every_case("profile", ["android-19", "android-30", "android-34"])
@every_case("scenario", SCENARIOS, ids=lambda scenario: scenario["name"])
def test_every_scenario_reports_the_recorded_events(scenario: dict[str, Any], profile: str) -> None:
    steps = Steps(Phone(Profile.parse(profile), apps=(launcher.APP, companion.APP), strict=True))
    for verb, *arguments in scenario["steps"]:
        getattr(steps, "return_to_task" if verb == "return" else verb)(*arguments)
    assert steps.events() == scenario["events"]
