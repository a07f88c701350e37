"""The device layer over the real wire: every action, every fallback, every limit."""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from garabench.core import action as act
from garabench.core.clock import SystemClock
from garabench.core.observation import TreeSource
from garabench.core.selector import Selector, find
from garabench.core.tree import UiNode, UiTree
from garabench.device.adb import Adb
from garabench.device.device import Device
from garabench.device.keyboards import AUTOMATOR
from garabench.device.text import focused_field
from garabench.device.u2 import U2Server
from garabench.errors import DeviceTimeout, TreeUnavailable
from garabench.virtual.launcher import VirtualPhone
from tests.e2e.test_main_job import adb_server  # noqa: F401  # an adb server of our own
from tests.waits import AMPLE, CLOCK

BILIBILI = "tv.danmaku.bili"
SETTINGS = "com.android.settings"
LAUNCHER = "com.android.launcher3"
LATIN = "com.google.android.inputmethod.latin/.LatinIME"
POEM = "床前明月光 🙂 \"a\" 'b' $x %s"


@pytest.fixture(scope="module", params=["android-34", "android-30", "android-19:720x1280"])
def phone(adb_server: None, request: pytest.FixtureRequest) -> Iterator[VirtualPhone]:  # noqa: F811
    with VirtualPhone(request.param) as running:
        yield running


@pytest.fixture
def device(phone: VirtualPhone) -> Iterator[Device]:
    phone.reset()
    connected = Device.connect(phone.serial, SystemClock())
    connected.apps.open(BILIBILI)
    connected.settle()
    yield connected
    connected.close()


@pytest.fixture
def plain(phone: VirtualPhone) -> Iterator[Device]:
    """The same phone through plain adb, without uiautomator2's server."""
    phone.reset()
    connected = Device.connect(phone.serial, SystemClock(), use_u2=False)
    connected.apps.open(BILIBILI)
    yield connected
    connected.close()


def do(device: Device, action: act.Action) -> UiTree:
    done = device.perform(action, device.info.size)
    assert done.ok, done.detail
    return device.settle().reading.tree


def one(tree: UiTree, **what: object) -> UiNode:
    found = find(tree, Selector.model_validate(what))
    assert found, what
    return found[0]


def tap(device: Device, node: UiNode) -> UiTree:
    return do(device, act.Tap(x=node.bounds.center.x, y=node.bounds.center.y))


def search_field(device: Device) -> UiNode:
    tree = tap(device, one(device.settle().reading.tree, id="expand_search"))
    field = focused_field(tree)
    if field is None:
        field = focused_field(tap(device, one(tree, id="search_src_text")))
    assert field is not None
    return field


def content(device: Device) -> str:
    field = focused_field(device.settle().reading.tree)
    assert field is not None
    return field.text


def keyboard(device: Device) -> str:
    return device.adb.shell(["settings", "get", "secure", "default_input_method"]).stdout.strip()


def texts(tree: UiTree) -> set[str]:
    return {node.text for node in tree.app_nodes if node.text}


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
def test_any_text_is_typed_read_back_and_the_keyboard_is_as_before(device: Device, text: str) -> None:
    search_field(device)
    do(device, act.Type(text="old", clear=True))
    do(device, act.Type(text=text, clear=True))
    assert content(device) == text
    assert keyboard(device) == LATIN


def test_text_is_added_cleared_and_keys_are_pressed(device: Device) -> None:
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


def test_typing_with_submit_searches(device: Device) -> None:
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
def test_a_touch_outside_of_the_screen_is_the_agents_mistake(device: Device, action: act.Action) -> None:
    before = device.settle().reading.tree.signature
    done = device.perform(action, device.info.size)
    assert not done.ok
    assert f"is outside of the {device.info.size} screen" in done.detail
    assert device.settle().reading.tree.signature == before


def test_wait_lets_the_devices_time_pass(device: Device) -> None:
    def now() -> float:
        return float(device.adb.shell(["date", "+%s"]).stdout)

    before = now()
    do(device, act.Wait(seconds=3))
    assert 3 <= now() - before < 8


def test_half_a_second_is_a_whole_one_where_sleep_knows_no_fractions(
    device: Device, monkeypatch: pytest.MonkeyPatch
) -> None:
    services = Services()
    services.watch(monkeypatch)
    do(device, act.Wait(seconds=0.5))
    assert services.asked["sleep 0.5" if device.info.sdk >= 23 else "sleep 1"] == 1


def test_a_text_that_drops_letters_is_noticed(phone: VirtualPhone, plain: Device) -> None:
    search_field(plain)
    phone.fault("text-drops", every=3)
    typed = plain.perform(act.Type(text="abcdef", clear=True), plain.info.size)
    phone.fault("text-drops", on=False)
    assert not typed.ok
    assert "holds another text" in typed.detail
    assert plain.perform(act.Type(text="abcdef", clear=True), plain.info.size).ok
    assert content(plain) == "abcdef"


def test_without_the_server_chinese_is_typed_and_the_keyboard_put_back(plain: Device) -> None:
    search_field(plain)
    assert plain.perform(act.Type(text="稻香 live", clear=True), plain.info.size).ok
    assert content(plain) == "稻香 live"
    assert keyboard(plain) == LATIN


def test_a_keyboard_that_a_killed_run_left_on_is_switched_off(plain: Device) -> None:
    search_field(plain)
    assert plain.perform(act.Type(text="稻香", clear=True), plain.info.size).ok  # it is installed now
    plain.adb.shell(["ime", "enable", AUTOMATOR])
    plain.adb.shell(["ime", "set", AUTOMATOR])
    assert keyboard(plain) == AUTOMATOR
    plain.revive()
    assert keyboard(plain) == LATIN
    assert AUTOMATOR not in plain.adb.shell(["ime", "list", "-s"]).stdout.split()


def test_a_dump_that_failed_is_not_taken_from_the_file_of_an_earlier_one(
    phone: VirtualPhone, plain: Device
) -> None:
    assert plain.observe(0).source is TreeSource.UIAUTOMATOR_DUMP
    phone.fault("null-root")
    with pytest.raises(TreeUnavailable, match="null root node"):
        plain.observe(1)
    phone.fault("null-root", on=False)
    phone.fault("idle-never")
    with pytest.raises(TreeUnavailable, match="could not get idle state"):
        plain.observe(2)
    phone.fault("idle-never", on=False)
    assert plain.observe(3).tree.nodes


def test_every_call_to_a_device_that_hangs_ends_in_time(phone: VirtualPhone, device: Device) -> None:
    hurried = Adb(phone.serial, SystemClock(), timeout=AMPLE)
    assert hurried.device.limit == AMPLE
    assert hurried.features == device.adb.features  # asked of the adb server, which does not hang
    hurried.timeout = hurried.device.limit = 0.5
    phone.fault("hang")
    started = CLOCK.monotonic()
    try:
        with pytest.raises(DeviceTimeout, match="did not answer in time while running echo"):
            hurried.shell(["echo", "there"])
        with pytest.raises(DeviceTimeout):
            hurried.exec_out(["screencap", "-p"])
        with pytest.raises(DeviceTimeout):
            hurried.shell(["sleep", "100"], timeout=0.2)
        with pytest.raises(DeviceTimeout):
            hurried.pull("/etc/hosts")
    finally:
        phone.fault("hang", on=False)
    assert CLOCK.monotonic() - started < AMPLE / 3  # it would hang for ever
    assert device.adb.shell(["echo", "again"]).stdout == "again\n"


def test_a_server_that_starts_on_a_device_that_hangs_ends_in_time_too(
    phone: VirtualPhone, device: Device
) -> None:
    fresh = Device.connect(phone.serial, SystemClock())
    fresh.adb.timeout = fresh.adb.device.limit = 0.5  # seconds, in place of 20
    phone.fault("hang")
    try:
        started = CLOCK.monotonic()
        with pytest.raises((DeviceTimeout, TreeUnavailable)):
            fresh.observe(0)
        assert CLOCK.monotonic() - started < AMPLE / 3  # it would hang for ever
    finally:
        phone.fault("hang", on=False)
    fresh.adb.timeout = fresh.adb.device.limit = 20.0
    fresh.revive()
    assert fresh.observe(1).tree.nodes


def test_a_command_that_never_ends_is_cut_off_at_its_limit(device: Device) -> None:
    started = CLOCK.monotonic()
    with pytest.raises(DeviceTimeout):
        device.adb.shell(["logcat"], timeout=0.5)
    assert CLOCK.monotonic() - started < AMPLE / 3


def test_a_file_that_trickles_is_cut_off_at_the_limit_of_the_whole(
    phone: VirtualPhone, device: Device, tmp_path: Path
) -> None:
    file = tmp_path / "large"
    file.write_bytes(bytes(1 << 20))
    device.adb.push(file, "/data/local/tmp/large")
    assert len(device.adb.pull("/data/local/tmp/large")) == 1 << 20
    phone.fault("slow-transport", ms=100)
    try:
        with pytest.raises(DeviceTimeout, match="while pulling /data/local/tmp/large") as caught:
            device.adb.pull("/data/local/tmp/large", timeout=0.5)
        assert str(caught.value.__cause__) == "no end after 0.5 s"  # and not after some block of it
    finally:
        phone.fault("slow-transport", on=False)


@dataclass
class Services:
    """What one observation asks the device for, by the way it is asked."""

    asked: Counter[str] = field(default_factory=Counter)

    def watch(self, monkeypatch: pytest.MonkeyPatch) -> None:
        plain, call = Adb._read_all, U2Server.call

        def read_all(adb: Adb, service: str, limit: float) -> bytes:
            words = shlex.split(service.partition(":")[2])
            self.asked[" ".join(words[:2]).rstrip(";")] += 1
            return plain(adb, service, limit)

        def called(server: U2Server, method: str, *args: Any, **named: Any) -> Any:
            self.asked[method] += 1
            return call(server, method, *args, **named)

        monkeypatch.setattr(Adb, "_read_all", read_all)
        monkeypatch.setattr(U2Server, "call", called)


def test_an_observation_asks_for_one_tree_one_picture_and_one_focus(
    device: Device, monkeypatch: pytest.MonkeyPatch
) -> None:
    settled = device.settle()
    services = Services()
    services.watch(monkeypatch)
    device.observe(0)
    modern = device.info.sdk >= 21
    trees = services.asked["dumpWindowHierarchy"], services.asked["uiautomator dump"]
    assert trees == ((1, 0) if modern else (1, 1))  # the second source only after the first has said no
    assert services.asked["screencap -p"] == 1
    assert services.asked["dumpsys window"] == 1
    if modern:
        assert services.asked.total() == 3
    services.asked.clear()
    seen = device.observe(1, settled=settled)  # the tree of the wait before it is taken over
    assert seen.tree is settled.reading.tree
    assert services.asked["dumpWindowHierarchy"] + services.asked["uiautomator dump"] == 0
    assert services.asked["screencap -p"] == services.asked["dumpsys window"] == 1


def test_a_dead_server_is_replaced_by_the_dump_and_the_reason_kept(
    phone: VirtualPhone, device: Device
) -> None:
    if device.info.sdk < 21:
        assert device.observe(0).source is TreeSource.UIAUTOMATOR_DUMP
        assert "switched off" in device.observe(0).source_reason
        return
    assert device.observe(0).source is TreeSource.U2
    phone.fault("u2-dead")
    try:
        seen = device.observe(1)
        assert seen.source is TreeSource.UIAUTOMATOR_DUMP
        assert seen.source_reason.startswith("uiautomator2: uiautomator2's server failed while calling")
        do(device, act.Home())
        assert device.focus().package == LAUNCHER
    finally:
        phone.fault("u2-dead", on=False)
    seen = device.observe(2)
    assert (seen.source, seen.source_reason) == (TreeSource.U2, "")


def test_a_silent_server_is_waited_for_twice_and_not_again_before_it_is_revived(
    phone: VirtualPhone, device: Device
) -> None:
    device.adb.device.limit = 2.0  # seconds, in place of 20
    device.settle()
    phone.fault("u2-hang")
    try:
        seen = [device.observe(step) for step in range(6)]
        assert {each.source for each in seen} == {TreeSource.UIAUTOMATOR_DUMP}
        if device.info.sdk >= 21:
            given_up = [
                "not in use: it did not answer 2 times in a row" in each.source_reason for each in seen
            ]
            assert given_up == [False, False, True, True, True, True]
    finally:
        phone.fault("u2-hang", on=False)
    device.revive()
    wanted = TreeSource.U2 if device.info.sdk >= 21 else TreeSource.UIAUTOMATOR_DUMP
    assert device.observe(7).source is wanted


def test_a_long_press_does_other_than_a_tap(device: Device) -> None:
    do(device, act.Home())
    tree = device.settle().reading.tree
    icon = next(node for node in tree.app_nodes if node.long_clickable and node.clickable)
    at = icon.bounds.center
    held = do(device, act.LongPress(x=at.x, y=at.y, ms=1000))
    after_hold = (device.focus(), texts(held))
    do(device, act.Home())
    tapped = do(device, act.Tap(x=at.x, y=at.y))
    assert (device.focus(), texts(tapped)) != after_hold


def test_a_double_tap_is_two_taps(device: Device) -> None:
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


def test_a_drag_scrolls_without_a_fling(device: Device) -> None:
    size = device.info.size
    x, low, high = size.width // 2, size.height * 7 // 10, size.height * 3 // 10
    before = device.settle().reading.tree
    after = do(device, act.Drag(x1=x, y1=low, x2=x, y2=high, ms=1200))
    tops = {node.text: node.bounds.top for node in before.app_nodes if node.text}
    ups = [tops[node.text] - node.bounds.top for node in after.app_nodes if node.text in tops]
    assert max(ups) == pytest.approx(low - high, rel=0.1)  # as far as the finger went, and no further


def test_a_scroll_to_the_side_shows_what_is_there_and_back(device: Device) -> None:
    search_field(device)
    before = do(device, act.Type(text="现场盒子", clear=True, submit=True))
    at = one(before, id="up_card_videos", scrollable=True).bounds.center
    aside = do(device, act.Scroll(direction="right", x=at.x, y=at.y, amount=0.6))
    assert titles_of_card(aside)[-1] not in titles_of_card(before)
    back = do(device, act.Scroll(direction="left", x=at.x, y=at.y, amount=1.0))
    assert titles_of_card(back)[0] == titles_of_card(before)[0]


def titles_of_card(tree: UiTree) -> list[str]:
    return [node.text for node in find(tree, Selector(id="up_video_title"))]
