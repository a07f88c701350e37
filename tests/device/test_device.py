"""The device layer over the real wire: every action, and how text is typed."""

from __future__ import annotations

import pytest

from garabench.core import action as act
from garabench.core.selector import Selector, find
from garabench.core.tree import UiNode, UiTree
from garabench.device.device import Device
from garabench.device.keyboards import AUTOMATOR
from garabench.device.text import focused_field
from garabench.virtual.phone_process import VirtualPhone
from tests.device.phone_actions import (
    BILIBILI,
    LAUNCHER,
    CallCounter,
    content,
    do,
    keyboard,
    one,
    search_field,
    tap,
    texts,
)

pytestmark = pytest.mark.usefixtures("adb_server")

SETTINGS = "com.android.settings"
LATIN = "com.google.android.inputmethod.latin/.LatinIME"
POEM = "床前明月光 🙂 \"a\" 'b' $x %s"


def test_back_home_recents_and_open_app(device: Device) -> None:
    do(device, act.Home())
    assert device.focus().package == LAUNCHER
    do(device, act.OpenApp(package=SETTINGS))
    assert device.focus().package == SETTINGS
    do(device, act.Recents())
    assert device.focus().package != SETTINGS
    do(device, act.Home())
    do(device, act.OpenApp(package=BILIBILI))
    search_field(device)
    inside = device.focus().activity
    do(device, act.Back())
    do(device, act.Back())
    assert device.focus().activity != inside
    assert not device.perform(act.OpenApp(package="no.such.app"), device.info.size).ok


def test_swipes_and_scrolls_move_the_list(device: Device) -> None:
    before = texts(device.settle().reading.tree)
    further = texts(do(device, act.Scroll(direction="down", amount=0.8)))
    assert further - before
    assert texts(do(device, act.Scroll(direction="up", amount=0.8))) & before
    size = device.info.size
    x, low, high = size.width // 2, size.height * 3 // 4, size.height // 4
    swiped = texts(do(device, act.Swipe(x1=x, y1=low, x2=x, y2=high, ms=400)))
    assert swiped - before


@pytest.mark.parametrize("text", ["周杰伦 稻香", POEM, "plain words 1 & 2", "%s is not a space"])
def test_any_text_is_typed_and_the_keyboard_is_restored(device: Device, text: str) -> None:
    search_field(device)
    do(device, act.Type(text="old", clear=True))
    do(device, act.Type(text=text, clear=True))
    assert content(device) == text
    assert keyboard(device) == LATIN


def test_text_is_appended_and_cleared_and_keys_are_pressed(device: Device) -> None:
    search_field(device)
    do(device, act.Type(text="ab"))
    do(device, act.Type(text="稻"))
    assert content(device) == "ab稻"
    do(device, act.Key(name="delete"))
    assert content(device) == "ab"
    do(device, act.Clear())
    field = focused_field(device.settle().reading.tree)
    assert field is not None
    assert field.text in ("", field.hint) or field.text != "ab"
    assert not device.perform(act.Key(name="no-such-key"), device.info.size).ok


def test_typing_with_submit_starts_a_search(device: Device) -> None:
    search_field(device)
    tree = do(device, act.Type(text="稻香", clear=True, submit=True))
    assert find(tree, Selector(id="search_tabs"))


def test_typing_without_a_field_is_the_agents_mistake(device: Device) -> None:
    do(device, act.Home())
    typed = device.perform(act.Type(text="a"), device.info.size)
    assert (typed.ok, typed.detail) == (False, "no text field has the focus")
    assert not device.perform(act.Clear(), device.info.size).ok
    width = device.info.size.width
    assert not device.perform(act.Tap(x=width, y=1), device.info.size).ok
    assert not device.perform(act.LongPress(x=1, y=99_999), device.info.size).ok


@pytest.mark.parametrize(
    "action",
    [
        act.Tap(x=99_999, y=1),
        act.DoubleTap(x=1, y=99_999),
        act.LongPress(x=99_999, y=1),
        act.Swipe(x1=1, y1=99_999, x2=1, y2=1, ms=200),
        act.Drag(x1=99_999, y1=1, x2=1, y2=1, ms=200),
        act.Scroll(direction="down", x=99_999, y=600),
        act.Type(text="a", at=(99_999, 1)),
    ],
)
def test_touch_outside_the_screen_is_the_agents_mistake(device: Device, action: act.Action) -> None:
    before = device.settle().reading.tree.signature
    done = device.perform(action, device.info.size)
    assert not done.ok
    assert f"is outside the {device.info.size} screen" in done.detail
    assert device.settle().reading.tree.signature == before


def test_wait_passes_time_on_the_device(device: Device) -> None:
    def now() -> float:
        return float(device.adb.shell(["date", "+%s"]).stdout)

    before = now()
    do(device, act.Wait(seconds=3))
    assert 3 <= now() - before < 8


def test_wait_is_rounded_up_if_sleep_accepts_only_integers(
    device: Device, monkeypatch: pytest.MonkeyPatch
) -> None:
    counter = CallCounter()
    counter.watch(monkeypatch)
    do(device, act.Wait(seconds=0.5))
    assert counter.calls["sleep 0.5" if device.info.sdk >= 23 else "sleep 1"] == 1


def test_a_text_that_loses_characters_is_typed_one_letter_at_a_time(
    phone: VirtualPhone, plain: Device
) -> None:
    search_field(plain)
    phone.fault("text-drops", every=3)
    typed = {
        text: (plain.perform(act.Type(text=text, clear=True), plain.info.size), content(plain))
        for text in ("abcdef", "雨后的橘子")
    }
    phone.fault("text-drops", on=False)
    for text, (result, arrived) in typed.items():
        assert result.ok
        assert "one letter at a time" in result.detail
        assert arrived == text
    assert keyboard(plain) == LATIN


def test_dropped_characters_are_noticed(phone: VirtualPhone, plain: Device) -> None:
    search_field(plain)
    phone.fault("text-drops", every=1)
    typed = plain.perform(act.Type(text="abcdef", clear=True), plain.info.size)
    phone.fault("text-drops", on=False)
    assert not typed.ok
    assert "has a different text" in typed.detail
    assert plain.perform(act.Type(text="abcdef", clear=True), plain.info.size).ok
    assert content(plain) == "abcdef"


def test_chinese_is_typed_without_the_server_and_the_keyboard_restored(plain: Device) -> None:
    search_field(plain)
    assert plain.perform(act.Type(text="稻香 live", clear=True), plain.info.size).ok
    assert content(plain) == "稻香 live"
    assert keyboard(plain) == LATIN


def test_leftover_keyboard_of_a_killed_run_is_removed(plain: Device) -> None:
    search_field(plain)
    assert plain.perform(act.Type(text="稻香", clear=True), plain.info.size).ok  # it is installed now
    plain.adb.shell(["ime", "enable", AUTOMATOR])
    plain.adb.shell(["ime", "set", AUTOMATOR])
    assert keyboard(plain) == AUTOMATOR
    plain.revive()
    assert keyboard(plain) == LATIN
    assert AUTOMATOR not in plain.adb.shell(["ime", "list", "-s"]).stdout.split()


def test_long_press_differs_from_a_tap(device: Device) -> None:
    do(device, act.Home())
    tree = device.settle().reading.tree
    icon = next(node for node in tree.app_nodes if node.long_clickable and node.clickable)
    at = icon.bounds.center
    held = do(device, act.LongPress(x=at.x, y=at.y, ms=1000))
    after_hold = (device.focus(), texts(held))
    do(device, act.Home())
    tapped = do(device, act.Tap(x=at.x, y=at.y))
    assert (device.focus(), texts(tapped)) != after_hold


def test_double_tap_is_two_taps(device: Device) -> None:
    tree = tap(device, next(n for n in find_videos(device)))
    like = one(tree, id="frame_like")
    before = like.selected
    at = like.bounds.center
    twice = do(device, act.DoubleTap(x=at.x, y=at.y))
    assert one(twice, id="frame_like").selected is before
    once = do(device, act.Tap(x=at.x, y=at.y))
    assert one(once, id="frame_like").selected is not before


def find_videos(device: Device) -> list[UiNode]:
    search_field(device)
    tree = do(device, act.Type(text="稻香", clear=True, submit=True))
    return list(find(tree, Selector(id="title")))


def test_drag_scrolls_without_a_fling(device: Device) -> None:
    size = device.info.size
    x, low, high = size.width // 2, size.height * 7 // 10, size.height * 3 // 10
    before = device.settle().reading.tree
    after = do(device, act.Drag(x1=x, y1=low, x2=x, y2=high, ms=1200))
    tops = {node.text: node.bounds.top for node in before.app_nodes if node.text}
    ups = [tops[node.text] - node.bounds.top for node in after.app_nodes if node.text in tops]
    assert max(ups) == pytest.approx(low - high, rel=0.1)  # as far as the finger went, and no further


def test_horizontal_scrolls_move_the_content(device: Device) -> None:
    search_field(device)
    before = do(device, act.Type(text="现场盒子", clear=True, submit=True))
    at = one(before, id="up_card_videos", scrollable=True).bounds.center
    aside = do(device, act.Scroll(direction="right", x=at.x, y=at.y, amount=0.6))
    assert titles_of_card(aside)[-1] not in titles_of_card(before)
    back = do(device, act.Scroll(direction="left", x=at.x, y=at.y, amount=1.0))
    assert titles_of_card(back)[0] == titles_of_card(before)[0]


def titles_of_card(tree: UiTree) -> list[str]:
    return [node.text for node in find(tree, Selector(id="up_video_title"))]


def test_a_toast_is_read_once_although_it_is_in_no_tree(device: Device, plain: Device) -> None:
    device.adb.shell(["am", "start", "-a", "android.settings.WIFI_SETTINGS"])
    tree = device.settle().reading.tree
    device.take_toast()
    shown = tap(device, one(tree, text="Coffee Free WiFi"))
    said = device.take_toast()
    assert said == ("已连接到 Coffee Free WiFi" if device.has_fast_trees else "")
    assert said not in texts(shown) or not said
    assert (device.take_toast(), plain.take_toast()) == ("", "")
