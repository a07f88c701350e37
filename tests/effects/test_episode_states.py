from __future__ import annotations

import json
from collections.abc import Sequence

from garabench.core.app_state import SYSTEM
from garabench.core.companion_app import PACKAGE as COMPANION
from garabench.core.tree import SYSTEM_UI
from garabench.device.adb import ShellResult
from garabench.effects.episode_states import EffectsTracker
from garabench.errors import DeviceTimeoutError

APP, OTHER, SETTINGS = "com.example", "com.other", "com.android.settings"


class FakePhone:
    """A phone with likes by app."""

    starts_fast = True

    def __init__(self) -> None:
        self.likes = {APP: ["a"], OTHER: ["b"]}
        self.low_power = "0"
        self.hanging: set[str] = set()
        self.read: list[str] = []
        self.started: list[str] = []

    def shell(
        self, argv: Sequence[str], *, timeout: float | None = None, max_bytes: int | None = None
    ) -> ShellResult:
        if argv[0] == "sh":
            self.read.append(SYSTEM)
            sections = ("[system]", "font_scale=1", "[secure]", "location_mode=3", "[global]")
            lines = (*sections, f"low_power={self.low_power}", "[apps]", f"package:{APP}", "[end]")
            printed = "\n".join(lines)
            _, query, rest = argv[-1].partition("content query --uri ")
            if query:
                address = rest.partition(" </dev/null")[0]
                printed += "\n" + self.shell(("content", "query", "--uri", address)).stdout
            return ShellResult(tuple(argv), 0, printed)
        package = argv[-1].rpartition("/")[2]
        if package not in self.read[-1:]:
            self.read.append(package)
        if package in self.hanging:
            raise DeviceTimeoutError("late")
        if package not in self.likes:
            return ShellResult(tuple(argv), 0, "", "Could not find provider: x")
        values = [{"format": 1, "records": len(self.likes[package])}]
        text = {"zh": "赞", "en": "like"}
        likes = ({"kind": "like", "object": name, "text": text} for name in self.likes[package])
        records = [*values, *likes]
        output = "".join(f"Row: {at} record={json.dumps(row)}\n" for at, row in enumerate(records))
        return ShellResult(tuple(argv), 0, output)

    def start_shell(self, argv: Sequence[str]) -> Started:
        self.started.append(argv[-1])
        return Started(self.shell(argv))


class Started:
    """A command that has run."""

    def __init__(self, result: ShellResult) -> None:
        self.completed = result

    def result(self, *, timeout: float | None = None, max_bytes: int | None = None) -> ShellResult:
        return self.completed

    def close(self) -> None:
        pass


class SlowPhone(FakePhone):
    """A phone whose commands take seconds."""

    starts_fast = False


def test_every_touched_app_and_the_system_are_compared() -> None:
    phone = FakePhone()
    tracker = EffectsTracker(phone)
    tracker.begin(APP)
    for package in (APP, "", SYSTEM_UI, COMPANION, SETTINGS, OTHER, OTHER, SETTINGS, APP):
        tracker.seen(package)
    phone.likes = {APP: ["a", "c"], OTHER: []}
    phone.low_power = "1"
    system, app, other = tracker.finish()
    assert phone.read == [SYSTEM, APP, SETTINGS, OTHER, SYSTEM, APP, OTHER]
    assert [(each.object, each.before, each.after) for each in system.changed] == [
        ("global/low_power", {"value": "0"}, {"value": "1"})
    ]
    assert (app.package, [record.object for record in app.added], app.removed) == (APP, ["c"], ())
    assert (other.package, [record.object for record in other.removed]) == (OTHER, ["b"])


def test_an_app_that_hangs_is_unknown_and_costs_its_limit_once() -> None:
    phone = FakePhone()
    phone.hanging = {APP}
    tracker = EffectsTracker(phone)
    tracker.begin(APP)
    phone.hanging = set()
    system, app = tracker.finish()
    assert system.none
    assert app.unknown == "before the first step: it was not read within 10 s"
    assert phone.read == [SYSTEM, APP, SYSTEM, SYSTEM]


def test_an_app_that_hangs_at_the_end_is_unknown() -> None:
    phone = FakePhone()
    tracker = EffectsTracker(phone)
    tracker.begin(APP)
    phone.hanging = {APP}
    _, app = tracker.finish()
    assert app.unknown == "after the last step: it was not read within 10 s"


def test_without_an_episode_nothing_is_compared() -> None:
    assert EffectsTracker(FakePhone()).finish() == ()


def test_a_slow_phone_reads_the_state_while_other_commands_run() -> None:
    phone = SlowPhone()
    tracker = EffectsTracker(phone)
    tracker.begin(APP)
    phone.likes[APP] = ["a", "c"]
    tracker.start_finish()
    assert phone.started == [f"content://org.garabench.state/{APP}"]
    phone.read.clear()
    _, app = tracker.finish()
    assert ([record.object for record in app.added], phone.read) == (["c"], [])


def test_a_discarded_reading_is_repeated() -> None:
    phone = SlowPhone()
    tracker = EffectsTracker(phone)
    tracker.begin(APP)
    tracker.start_finish()
    tracker.discard_started()
    phone.likes[APP] = ["a", "c"]
    assert [record.object for record in tracker.finish()[1].added] == ["c"]


def test_a_fast_phone_reads_the_state_at_the_end() -> None:
    phone = FakePhone()
    tracker = EffectsTracker(phone)
    tracker.begin(APP)
    tracker.start_finish()
    assert phone.started == []


def test_a_started_reading_without_an_answer_is_repeated() -> None:
    phone = SlowPhone()
    tracker = EffectsTracker(phone)
    tracker.begin(APP)
    likes = phone.likes.pop(APP)
    tracker.start_finish()
    phone.likes[APP] = likes
    assert tracker.finish()[1].none
