"""The life cycle of every interruption of the library, on three Android versions."""

from __future__ import annotations

from dataclasses import replace

import pytest

from garabench.core.companion_app import CLOSE_ACTION, PACKAGE
from garabench.core.interruption import ButtonForm, Interruption, InterruptionButton, Mode
from garabench.core.tree import UiTree, parse_tree
from garabench.interruptions.companion_log import since_last_start
from garabench.interruptions.lifecycle import Phase, TrackedInterruption, on_screen, parse_companion_event
from garabench.interruptions.planned_interruption import PlannedInterruption, plan_interruption
from garabench.screens.gallery import node_of, show_intent
from garabench.virtual.android import content_providers
from garabench.virtual.android.device_profile import Profile
from garabench.virtual.android.phone import Phone
from garabench.virtual.apps.companion import app as companion
from garabench.virtual.apps.companion.event_log import AUTHORITY
from garabench.virtual.apps.launcher import app as launcher
from garabench.virtual.apps.settings import app as settings
from garabench.virtual.kit.framework import Intent
from garabench.virtual.ui.dump import u2_xml, uiautomator_xml
from garabench.virtual.ui.scene import PlacedNode
from tests.bundled import bundled_suite
from tests.cases import every_case

LIBRARY = bundled_suite().interruptions
APPS = (launcher.APP, settings.APP, companion.APP)
TOKEN = "t"
ANDROIDS = ("android-19:720x1280", "android-30:720x1280", "android-34:1080x2400")


@pytest.fixture(scope="module", params=ANDROIDS)
def phone(request: pytest.FixtureRequest) -> Phone:
    return Phone(Profile.parse(request.param), apps=APPS, strict=True)


def is_selected(phone: Phone, name: str, mode: Mode) -> bool:
    """Whether to test an interruption on this Android version: each mode uses one of the three, in turn."""
    number = list(LIBRARY).index(name) + list(Mode).index(mode)
    return ANDROIDS[number % len(ANDROIDS)].partition(":")[0] == f"android-{phone.profile.sdk}"


class ShownInterruption:
    """An interruption's window on a phone, over another app."""

    def __init__(self, phone: Phone, interruption: Interruption, mode: Mode) -> None:
        self.phone = phone
        phone.broadcast(CLOSE_ACTION, {}, PACKAGE)
        phone.settings.put("system", "user_rotation", "0")
        phone.activities.start(Intent(package=settings.APP.package, activity=settings.APP.launcher))
        phone.logcat.clear()
        self.planned: PlannedInterruption = plan_interruption(
            interruption, mode, app="a.b", language="zh", token=TOKEN
        )
        self.send()
        assert self.events == ["shown"]
        assert self.shown
        assert self.seen

    def send(self, token: str = TOKEN) -> None:
        self.phone.activities.start(show_intent(replace(self.planned, token=token)))

    @property
    def shown(self) -> bool:
        title = node_of(self.phone, "title")
        return title is not None and title.text == self.planned.texts[0]

    @property
    def seen(self) -> bool:
        """Whether the runner finds it in both kinds of UI tree."""
        plain = parse_tree(uiautomator_xml(self.phone.scene()))
        return on_screen(self.tree, self.planned) and on_screen(plain, self.planned)

    @property
    def tree(self) -> UiTree:
        """The UI tree of uiautomator2's server."""
        return parse_tree(u2_xml(self.phone.scene()))

    @property
    def tracked(self) -> TrackedInterruption:
        """The state that the runner derives from the log."""
        state = TrackedInterruption(self.planned, 0)
        for line in self.phone.logcat.read():
            event = parse_companion_event(line.message) if line.tag == "GaraBench" else None
            state = state.with_event(event, 1) if event else state
        return state

    @property
    def events(self) -> list[str]:
        return self.events_of(TOKEN)

    def events_of(self, token: str) -> list[str]:
        """Return the events of a token."""
        parsed = [
            parse_companion_event(line.message)
            for line in self.phone.logcat.read()
            if line.tag == "GaraBench"
        ]
        found = [event for event in parsed if event and event.token == token]
        first = found[0].seq if found else 1
        assert [event.seq for event in found] == list(range(first, first + len(found)))
        return [event.event for event in found]

    def node(self, button: InterruptionButton) -> PlacedNode:
        name = "slider" if button.form is ButtonForm.SLIDER else f"button_{button.key}"
        node = node_of(self.phone, name)
        assert node is not None, name
        assert not node.visible.is_empty, name
        return node

    def press(self, button: InterruptionButton) -> None:
        if button.after:
            assert node_of(self.phone, f"button_{button.key}") is None
            assert node_of(self.phone, "countdown") is not None
            self.phone.clock.advance(button.after * 1000)
        node = self.node(button)
        center = node.visible.center
        if button.gap is None:
            self.phone.input.tap(center.x, center.y)
            return
        for position in (button.gap / 2, button.gap):
            end = node.bounds.left + round(node.bounds.width * position)
            self.phone.input.swipe(node.bounds.left + 2, center.y, end, center.y, 300)


@every_case("mode", Mode)
@every_case("name", LIBRARY)
def test_each_button_is_shown_and_ends_the_window(phone: Phone, name: str, mode: Mode) -> None:
    for button in LIBRARY[name].offered(mode):
        window = ShownInterruption(phone, LIBRARY[name], mode)
        window.press(button)
        wrong = ["wrong"] * (button.form is ButtonForm.SLIDER)
        assert window.events == ["shown", *wrong, f"pressed:{button.key}"]
        assert not window.shown
        assert (window.tracked.phase, window.tracked.exit) == (Phase.ANSWERED, button.key)


@every_case("mode", Mode)
@every_case("name", LIBRARY)
def test_back_closes_only_a_cancelable_window(phone: Phone, name: str, mode: Mode) -> None:
    if not is_selected(phone, name, mode):
        return
    window = ShownInterruption(phone, LIBRARY[name], mode)
    phone.press_back()
    if mode is Mode.DUAL and LIBRARY[name].cancelable:
        assert window.events == ["shown", "hidden", "dismissed"]
        assert not window.shown
        assert window.tracked.resolution == ("left", "back")
    else:
        assert window.events == ["shown", "back"]
        assert window.shown
        assert window.tracked.open


@every_case("mode", Mode)
@every_case("name", LIBRARY)
def test_a_window_survives_a_rotation(phone: Phone, name: str, mode: Mode) -> None:
    if not is_selected(phone, name, mode):
        return
    window = ShownInterruption(phone, LIBRARY[name], mode)
    phone.settings.put("system", "accelerometer_rotation", "0")
    for rotation in ("1", "0"):
        phone.settings.put("system", "user_rotation", rotation)
        assert phone.display.rotation == int(rotation)
        assert window.shown
        assert window.seen
    assert window.events == ["shown", "rotated:90", "rotated:0"]
    window.press(window.planned.buttons[-1])
    assert window.events[-1] == f"pressed:{window.planned.buttons[-1].key}"


@every_case("name", LIBRARY)
def test_a_window_survives_a_change_of_theme_and_font_scale(phone: Phone, name: str) -> None:
    if not is_selected(phone, name, Mode.FORCED):
        return
    window = ShownInterruption(phone, LIBRARY[name], Mode.FORCED)
    before = phone.frame().image
    changes = [("system", "font_scale", "1.3"), ("secure", "ui_night_mode", "2")]
    original = [(space, key, phone.settings.get(space, key)) for space, key, _ in changes]
    for space, key, value in changes:
        phone.settings.put(space, key, value)
        after = phone.frame().image
        assert after.tobytes() != before.tobytes()
        before = after
    assert window.shown
    for space, key, old in original:
        phone.settings.put(space, key, old or "1")
    assert window.shown
    assert window.events == ["shown"]


@every_case("mode", Mode)
@every_case("name", LIBRARY)
def test_screen_off_home_and_the_death_of_the_process_are_reported(
    phone: Phone, name: str, mode: Mode
) -> None:
    if not is_selected(phone, name, mode):
        return
    window = ShownInterruption(phone, LIBRARY[name], mode)
    phone.set_screen(False)
    phone.set_screen(True)
    phone.keyguard.dismiss()  # Android 4.4 shows it even without a credential
    assert window.events == ["shown", "hidden:screen-off", "resumed"]
    assert window.shown
    phone.press_home()
    assert window.events[3:] == ["hidden"]
    assert not window.shown
    assert window.tracked.resolution == ("left", "switched away")
    assert phone.activities.kill(PACKAGE)
    window.send("t2")
    assert window.shown
    assert window.events[4:] == ["killed", "resumed", "dismissed:replaced"], "it is recreated and replaced"
    phone.broadcast(CLOSE_ACTION, {}, PACKAGE)
    assert not window.shown
    assert window.events_of("t2") == ["shown", "dismissed:close"]


@every_case("mode", Mode)
@every_case("name", LIBRARY)
def test_an_app_killed_in_front_reports_it_when_queried(phone: Phone, name: str, mode: Mode) -> None:
    if not is_selected(phone, name, mode):
        return
    window = ShownInterruption(phone, LIBRARY[name], mode)
    tracked = window.tracked.with_tree(window.tree)
    assert tracked.was_shown
    phone.activities.force_stop(PACKAGE)
    assert not window.shown
    assert window.events == ["shown"]
    gone = tracked.with_tree(window.tree)
    assert gone.resolution == ("left", "gone")
    assert not gone.may_have_lost_events((), window.tree, cleared=False), "already reported"
    assert tracked.may_have_lost_events((), window.tree, cleared=False)
    rows = content_providers.query_provider(phone, AUTHORITY, TOKEN).values
    stored = since_last_start([event for (line,) in rows if (event := parse_companion_event(line))])
    assert [event.event for event in stored] == ["shown", "killed"]
    for event in gone.lost_events((), stored):
        gone = gone.with_event(event, 2)
    assert (gone.resolution, gone.ended_step) == (("left", "killed"), 2)
    window.send()
    phone.broadcast(CLOSE_ACTION, {}, PACKAGE)  # its final event, before the token is used again
