"""Every interruption of the library through its whole life, on the phones of three Androids."""

from __future__ import annotations

from dataclasses import replace

import pytest

from garabench.core.companion_app import CLOSE_ACTION, PACKAGE
from garabench.core.interruption import ButtonForm, Interruption, InterruptionButton, Mode
from garabench.core.tree import UiTree, parse_tree
from garabench.interruptions.companion_log import since_last_start
from garabench.interruptions.lifecycle import Phase, TrackedInterruption, on_screen, parse_event
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


def has_turn(phone: Phone, name: str, mode: Mode) -> bool:
    """Whether an interruption is tried on this Android: in each mode it is on one of the three, in turn."""
    number = list(LIBRARY).index(name) + list(Mode).index(mode)
    return ANDROIDS[number % len(ANDROIDS)].partition(":")[0] == f"android-{phone.profile.sdk}"


class Life:
    """One interruption on a phone, over the app that was in front."""

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
        """Whether the runner finds it in both forms of the tree."""
        plain = parse_tree(uiautomator_xml(self.phone.scene()))
        return on_screen(self.tree, self.planned) and on_screen(plain, self.planned)

    @property
    def tree(self) -> UiTree:
        """The screen as uiautomator2's server tells it."""
        return parse_tree(u2_xml(self.phone.scene()))

    @property
    def tracked(self) -> TrackedInterruption:
        """What the runner makes of the log."""
        state = TrackedInterruption(self.planned, 0)
        for line in self.phone.logcat.read():
            event = parse_event(line.message) if line.tag == "GaraBench" else None
            state = state.with_event(event, 1) if event else state
        return state

    @property
    def events(self) -> list[str]:
        return self.told(TOKEN)

    def told(self, token: str) -> list[str]:
        """The events of a token."""
        parsed = [parse_event(line.message) for line in self.phone.logcat.read() if line.tag == "GaraBench"]
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
        at = node.visible.center
        if button.gap is None:
            self.phone.input.tap(at.x, at.y)
            return
        for share in (button.gap / 2, button.gap):
            end = node.bounds.left + round(node.bounds.width * share)
            self.phone.input.swipe(node.bounds.left + 2, at.y, end, at.y, 300)


@every_case("mode", Mode)
@every_case("name", LIBRARY)
def test_each_button_is_there_and_ends_it(phone: Phone, name: str, mode: Mode) -> None:
    for button in LIBRARY[name].offered(mode):
        life = Life(phone, LIBRARY[name], mode)
        life.press(button)
        wrong = ["wrong"] * (button.form is ButtonForm.SLIDER)
        assert life.events == ["shown", *wrong, f"pressed:{button.key}"]
        assert not life.shown
        assert (life.tracked.phase, life.tracked.exit) == (Phase.ANSWERED, button.key)


@every_case("mode", Mode)
@every_case("name", LIBRARY)
def test_back_leaves_it_only_where_it_may(phone: Phone, name: str, mode: Mode) -> None:
    if not has_turn(phone, name, mode):
        return
    life = Life(phone, LIBRARY[name], mode)
    phone.press_back()
    if mode is Mode.DUAL and LIBRARY[name].cancelable:
        assert life.events == ["shown", "hidden", "dismissed"]
        assert not life.shown
        assert life.tracked.resolution == ("left", "back")
    else:
        assert life.events == ["shown", "back"]
        assert life.shown
        assert life.tracked.open


@every_case("mode", Mode)
@every_case("name", LIBRARY)
def test_turning_keeps_it_and_each_of_its_buttons(phone: Phone, name: str, mode: Mode) -> None:
    if not has_turn(phone, name, mode):
        return
    life = Life(phone, LIBRARY[name], mode)
    phone.settings.put("system", "accelerometer_rotation", "0")
    for turned in ("1", "0"):
        phone.settings.put("system", "user_rotation", turned)
        assert phone.display.rotation == int(turned)
        assert life.shown
        assert life.seen
    assert life.events == ["shown", "rotated:90", "rotated:0"]
    life.press(life.planned.buttons[-1])
    assert life.events[-1] == f"pressed:{life.planned.buttons[-1].key}"


@every_case("name", LIBRARY)
def test_night_and_large_letters_keep_it(phone: Phone, name: str) -> None:
    if not has_turn(phone, name, Mode.FORCED):
        return
    life = Life(phone, LIBRARY[name], Mode.FORCED)
    before = phone.frame().image
    changes = [("system", "font_scale", "1.3"), ("secure", "ui_night_mode", "2")]
    usual = [(space, key, phone.settings.get(space, key)) for space, key, _ in changes]
    for space, key, value in changes:
        phone.settings.put(space, key, value)
        after = phone.frame().image
        assert after.tobytes() != before.tobytes()
        before = after
    assert life.shown
    for space, key, old in usual:
        phone.settings.put(space, key, old or "1")
    assert life.shown
    assert life.events == ["shown"]


@every_case("mode", Mode)
@every_case("name", LIBRARY)
def test_home_a_screen_that_is_off_and_the_death_of_its_process(phone: Phone, name: str, mode: Mode) -> None:
    if not has_turn(phone, name, mode):
        return
    life = Life(phone, LIBRARY[name], mode)
    phone.set_screen(False)
    phone.set_screen(True)
    assert life.events == ["shown", "hidden:screen-off", "resumed"]
    assert life.shown
    phone.press_home()
    assert life.events[3:] == ["hidden"]
    assert not life.shown
    assert life.tracked.resolution == ("left", "switched away")
    assert phone.activities.kill(PACKAGE)
    life.send("t2")
    assert life.shown
    assert life.events[4:] == ["killed", "resumed", "dismissed:replaced"], "it lives again, and gives way"
    phone.broadcast(CLOSE_ACTION, {}, PACKAGE)
    assert not life.shown
    assert life.told("t2") == ["shown", "dismissed:close"]


@every_case("mode", Mode)
@every_case("name", LIBRARY)
def test_an_app_that_is_killed_in_front_tells_so_when_it_is_asked(
    phone: Phone, name: str, mode: Mode
) -> None:
    if not has_turn(phone, name, mode):
        return
    life = Life(phone, LIBRARY[name], mode)
    tracked = life.tracked.with_tree(life.tree)
    assert tracked.was_shown
    phone.activities.force_stop(PACKAGE)
    assert not life.shown
    assert life.events == ["shown"]
    gone = tracked.with_tree(life.tree)
    assert gone.resolution == ("left", "gone")
    assert not gone.may_have_lost_events((), life.tree, cleared=False), "reported at the look before"
    assert tracked.may_have_lost_events((), life.tree, cleared=False)
    rows = content_providers.query(phone, AUTHORITY, TOKEN).values
    kept = since_last_start([event for (line,) in rows if (event := parse_event(line))])
    assert [event.event for event in kept] == ["shown", "killed"]
    for event in gone.lost_events((), kept):
        gone = gone.with_event(event, 2)
    assert (gone.resolution, gone.ended_step) == (("left", "killed"), 2)
    life.send()
    phone.broadcast(CLOSE_ACTION, {}, PACKAGE)  # its last word, before another has the same token
