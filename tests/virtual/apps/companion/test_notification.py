"""Notifications with a full-screen intent and heads-up notifications, on three Android versions."""

from __future__ import annotations

import json

import pytest

from garabench.core.companion_app import NOTIFY, PACKAGE
from garabench.core.tree import parse_tree
from garabench.interruptions.lifecycle import parse_companion_event
from garabench.virtual.android.device_profile import Profile
from garabench.virtual.android.phone import Phone
from garabench.virtual.apps.companion import app as companion
from garabench.virtual.apps.companion.notification import PERMISSIONS
from garabench.virtual.apps.launcher import app as launcher
from garabench.virtual.apps.settings import app as settings
from garabench.virtual.kit.framework import Intent
from garabench.virtual.ui.dump import u2_xml
from garabench.virtual.ui.scene import WindowKind
from tests.virtual.apps.companion.test_spec import GOOD, encode

APPS = (launcher.APP, settings.APP, companion.APP)
POST = PERMISSIONS[0]


@pytest.fixture(params=["android-19", "android-30", "android-34"])
def phone(request: pytest.FixtureRequest) -> Phone:
    made = Phone(Profile.parse(request.param), apps=APPS, strict=True)
    made.activities.start(Intent(package=settings.APP.package, activity=settings.APP.launcher))
    made.packages.grant(PACKAGE, POST)
    return made


@pytest.fixture
def new() -> Phone:
    made = Phone(Profile.parse("android-34"), apps=APPS, strict=True)
    made.packages.grant(PACKAGE, POST)
    return made


def notify(phone: Phone, token: str = "t", **more: object) -> tuple[int, str]:
    return phone.broadcast(NOTIFY[-1], {"spec": encode(GOOD | more), "token": token}, PACKAGE)


def events(phone: Phone, token: str = "t") -> list[str]:
    parsed = [parse_companion_event(line.message) for line in phone.logcat.read() if line.tag == "GaraBench"]
    return [event.event for event in parsed if event and event.token == token]


def heads_up(phone: Phone) -> bool:
    return any(window.kind is WindowKind.HEADS_UP for window in phone.scene().windows)


def tap_heads_up(phone: Phone) -> None:
    (window,) = [each for each in phone.scene().windows if each.kind is WindowKind.HEADS_UP]
    at = window.bounds.center
    phone.input.tap(at.x, at.y)


def in_front(phone: Phone) -> str:
    return phone.activities.focused_app.partition("/")[0]


def test_a_notification_opens_the_window_at_once_or_by_a_tap(phone: Phone) -> None:
    assert notify(phone) == (-1, "posted")
    if phone.profile.sdk >= 21:
        assert in_front(phone) == settings.APP.package
        assert events(phone) == ["posted"]
        (note,) = phone.notifications.active()
        assert (note.title, note.text) == (GOOD["title"], GOOD["message"])
        tap_heads_up(phone)
    assert in_front(phone) == PACKAGE
    assert events(phone) == ["posted", "shown"]
    assert not phone.notifications.active()
    assert not heads_up(phone)


def test_the_window_opens_at_once_while_the_screen_is_off(phone: Phone) -> None:
    phone.set_screen(False)
    notify(phone)
    phone.set_screen(True)
    assert in_front(phone) == PACKAGE
    assert "shown" in events(phone)


def test_a_notification_stays_in_the_shade_until_it_is_closed(new: Phone) -> None:
    notify(new)
    new.clock.advance(10_000)
    assert not heads_up(new)
    code, data = new.broadcast(companion.STATE, {}, PACKAGE)
    assert (code, json.loads(data)[0]["kind"]) == (-1, "notification")
    assert new.broadcast(companion.CLOSE, {}, PACKAGE) == (-1, "closed")
    assert new.broadcast(companion.CLOSE, {}, PACKAGE) == (0, "nothing is shown")
    assert new.notifications.active() == ()
    assert events(new) == ["posted", "dismissed:close"]


def test_close_removes_a_visible_heads_up(new: Phone) -> None:
    notify(new)
    assert heads_up(new)
    new.broadcast(companion.CLOSE, {}, PACKAGE)
    assert not heads_up(new)


@pytest.mark.parametrize("all_at_once", [False, True])
def test_a_swiped_notification_is_reported(new: Phone, all_at_once: bool) -> None:
    notify(new)
    (note,) = new.notifications.active()
    if all_at_once:
        new.notifications.clear()
    else:
        new.notifications.swipe(note.number)
    assert events(new) == ["posted", "dismissed:swiped"]


def test_a_new_notification_or_window_replaces_it(new: Phone) -> None:
    notify(new)
    notify(new, "t2")
    assert events(new) == ["posted", "dismissed:replaced"]
    show = Intent(package=PACKAGE, activity=companion.SHOW, extras={"spec": encode(GOOD), "token": "t3"})
    new.activities.start(show)
    assert events(new, "t2") == ["posted", "dismissed:replaced"]
    assert new.notifications.active() == ()


def test_a_notification_that_cannot_be_posted_is_reported() -> None:
    phone = Phone(Profile.parse("android-34"), apps=APPS, strict=True)
    assert notify(phone) == (0, "notifications-off")
    phone.packages.grant(PACKAGE, POST)
    code, result = notify(phone, template="cube")
    assert (code, result.partition(":")[0]) == (0, "error")
    assert events(phone) == [result]


def test_android_14_opens_no_window_if_full_screen_intents_are_denied(new: Phone) -> None:
    new.packages.ops[PACKAGE] = {"USE_FULL_SCREEN_INTENT": "deny"}
    assert notify(new) == (-1, "no-full-screen")
    assert heads_up(new)
    new.broadcast(companion.CLOSE, {}, PACKAGE)
    new.set_screen(False)
    assert notify(new, "t2") == (-1, "no-full-screen")
    new.set_screen(True)
    assert in_front(new) != PACKAGE
    assert events(new, "t2") == ["posted"]
    new.packages.ops[PACKAGE] = {"USE_FULL_SCREEN_INTENT": "allow"}
    new.set_screen(False)
    assert notify(new, "t3") == (-1, "posted")
    new.set_screen(True)
    assert in_front(new) == PACKAGE


HEADS_UP = {
    "v": 1,
    "title": "新消息",
    "message": "王女士：今晚八点见",
    "buttons": [{"key": "accept", "label": "回复"}, {"key": "dismiss", "label": "忽略", "role": "dismiss"}],
}


def post_heads_up(phone: Phone, token: str = "t", **more: object) -> tuple[int, str]:
    return phone.broadcast(companion.HEADS_UP, {"spec": encode(HEADS_UP | more), "token": token}, PACKAGE)


def tap_text(phone: Phone, text: str) -> None:
    for window in reversed(phone.scene().windows):
        for node in window.root.walk():
            if node.text == text:
                at = node.bounds.center
                phone.input.tap(at.x, at.y)
                return
    raise LookupError(text)


def test_a_heads_up_is_shown_over_the_app_and_in_the_status_bar(phone: Phone) -> None:
    if phone.profile.sdk < 21:
        assert post_heads_up(phone) == (0, "no-heads-up")
        assert not phone.notifications.active()
        assert events(phone) == []
        return
    assert post_heads_up(phone) == (-1, "posted")
    assert in_front(phone) == settings.APP.package
    assert heads_up(phone)
    assert events(phone) == ["shown"]
    tree = parse_tree(u2_xml(phone.scene()))
    texts = {node.text for node in tree.nodes}
    assert {"新消息", "王女士：今晚八点见", "回复", "忽略"} <= texts
    assert "“GaraBench 干扰”通知" in {node.desc for node in tree.nodes}
    code, data = phone.broadcast(companion.STATE, {}, PACKAGE)
    assert (code, json.loads(data)) == (
        -1,
        [{"kind": "heads-up", "token": "t", "template": "", "open": True}],
    )
    phone.clock.advance(10_000)
    assert not heads_up(phone)
    assert phone.notifications.active(), "it is in the shade"


@pytest.mark.parametrize(("pressed", "key"), [("回复", "accept"), ("忽略", "dismiss"), ("新消息", "open")])
@pytest.mark.parametrize("shade", [False, True])
def test_a_press_on_a_heads_up_is_reported(new: Phone, pressed: str, key: str, shade: bool) -> None:
    post_heads_up(new)
    if shade:
        new.clock.advance(10_000)
        new.windows.open_shade()
    tap_text(new, pressed)
    assert events(new) == ["shown", f"pressed:{key}"]
    assert not new.notifications.active()
    assert not heads_up(new)
    assert new.broadcast(companion.CLOSE, {}, PACKAGE) == (0, "nothing is shown")


def test_a_heads_up_is_dismissed_sideways_and_hidden_upwards(new: Phone) -> None:
    post_heads_up(new)
    (window,) = [each for each in new.scene().windows if each.kind is WindowKind.HEADS_UP]
    at = window.bounds.center
    new.input.swipe(at.x, at.y, at.x, at.y - 60, 100)
    assert not heads_up(new)
    assert events(new) == ["shown"]
    post_heads_up(new, "t2")
    new.input.swipe(at.x, at.y, at.x + 400, at.y, 100)
    assert events(new) == ["shown", "dismissed:replaced"]
    assert events(new, "t2") == ["shown", "dismissed:swiped"]
    assert not new.notifications.active()


def test_a_heads_up_ends_by_close_and_expires_even_after_its_process_died(new: Phone) -> None:
    post_heads_up(new)
    assert new.broadcast(companion.CLOSE, {}, PACKAGE) == (-1, "closed")
    assert events(new) == ["shown", "dismissed:close"]
    post_heads_up(new, "t2", seconds=30)
    new.clock.advance(29_000)
    assert new.activities.kill(PACKAGE)
    assert events(new, "t2") == ["shown"]
    new.clock.advance(2_000)
    assert events(new, "t2") == ["shown", "dismissed:timeout"]
    assert not new.notifications.active()


def test_the_timeout_of_a_replaced_heads_up_does_not_end_the_next(new: Phone) -> None:
    post_heads_up(new, seconds=10)
    post_heads_up(new, seconds=30)
    new.clock.advance(20_000)
    assert events(new) == ["shown", "dismissed:replaced", "shown"]
    new.clock.advance(11_000)
    assert events(new)[-1] == "dismissed:timeout"


@pytest.mark.parametrize(
    ("wrong", "reason"),
    [
        ({"v": 2}, "bad-version"),
        ({"title": " "}, "bad-title"),
        ({"title": "x" * 201}, "bad-title"),
        ({"message": 1}, "bad-message"),
        ({"buttons": [{"key": each, "label": each} for each in "abcd"]}, "bad-buttons"),
        ({"buttons": [{"key": "a", "label": ""}]}, "bad-buttons"),
        ({"buttons": [{"key": "open", "label": "x"}]}, "bad-keys"),
        ({"seconds": 0}, "bad-seconds"),
        ({"seconds": 601}, "bad-seconds"),
        ({"seconds": True}, "bad-seconds"),
        ({"template": "dialog"}, "unknown-field"),
    ],
)
def test_an_invalid_heads_up_is_reported(new: Phone, wrong: dict[str, object], reason: str) -> None:
    assert post_heads_up(new, "t", **wrong) == (0, f"error:{reason}")
    assert events(new) == [f"error:{reason}"]
    assert not new.notifications.active()


def test_a_heads_up_without_permission_is_not_posted() -> None:
    phone = Phone(Profile.parse("android-34"), apps=APPS, strict=True)
    assert post_heads_up(phone) == (0, "notifications-off")
