"""Every call of uiautomator2's server, made through the stock client."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import pytest
import uiautomator2 as u2
from uiautomator2 import core
from uiautomator2.exceptions import UiObjectNotFoundError

from tests.e2e.u2_phone import (
    LIST,
    SEARCH,
    SETTINGS,
    TITLE,
    connect_client,
    open_app_search,
    open_first_page,
    open_page,
)
from tests.virtual.u2.test_jar import OVERLOADS

pytestmark = pytest.mark.e2e


@pytest.fixture(scope="module")
def connected() -> Iterator[u2.Device]:
    with connect_client() as device:
        yield device


@pytest.fixture
def d(connected: u2.Device) -> u2.Device:
    return open_first_page(connected)


def store_object(d: u2.Device) -> str:
    """Store an object on the server, and return its id."""
    return str(d.jsonrpc.getUiObject(d(resourceId=LIST).selector))


def set_field_text(d: u2.Device, text: str) -> u2.UiObject:
    field = open_app_search(d)
    field.set_text(text)
    return field


def paste_text(d: u2.Device) -> bool:
    open_app_search(d).click()
    d.jsonrpc.setClipboard("label", "从剪贴板")
    d.jsonrpc.pasteClipboard()
    return bool(d(resourceId=SEARCH).get_text() == "从剪贴板")


def clear_input(d: u2.Device) -> bool:
    set_field_text(d, "x").click()
    d.jsonrpc.clearInputText()
    return bool(d(resourceId=SEARCH).get_text() == "搜索应用")


def toggle_screen(d: u2.Device) -> bool:
    d.screen_off()
    off = d.info["screenOn"]
    d.screen_on()
    return off is False and d.info["screenOn"] is True


def rotate_screen(d: u2.Device) -> bool:
    d.orientation = "right"
    wide = d.info["displayWidth"] == 1280 and d.orientation == "right"
    d.orientation = "natural"
    return bool(wide and d.info["displayWidth"] == 720)


def freeze_rotation(d: u2.Device) -> bool:
    d.freeze_rotation()
    frozen = d.shell("settings get system accelerometer_rotation").output.strip() == "0"
    d.freeze_rotation(False)
    return bool(frozen and d.shell("settings get system accelerometer_rotation").output.strip() == "1")


def run_watchers(d: u2.Device) -> bool:
    d.jsonrpc.registerClickUiObjectWatcher("press", [d(text="显示").selector], d(text="显示").selector)
    d.jsonrpc.registerPressKeyskWatcher("leave", [d(text="深色主题").selector], ["back"])
    try:
        before = d.jsonrpc.hasAnyWatcherTriggered()
        d.jsonrpc.runWatchers()
        names = d.jsonrpc.getWatchers()
        triggered = [d.jsonrpc.hasWatcherTriggered(name) for name in ("press", "leave", "nobody")]
        d.jsonrpc.resetWatcherTriggers()
        after = d.jsonrpc.hasAnyWatcherTriggered()
    finally:
        for name in ("press", "leave"):
            d.jsonrpc.removeWatcher(name)
    results = (before, names, triggered, after, d.jsonrpc.getWatchers())
    return bool(
        results == (False, ["press", "leave"], [True, True, False], False, []) and d(text="电池").exists
    )


def read_toast(d: u2.Device) -> bool:
    open_page(d, "WifiSettings")
    d.clear_toast()
    none = d.last_toast
    d(text="Coffee Free WiFi").click()
    shown = d.toast.get_message(wait_timeout=1)
    d.toast.reset()
    return bool(none is None and shown == "已连接到 Coffee Free WiFi" and d.last_toast is None)


def long_click(d: u2.Device) -> bool:
    d.press("home")
    d.jsonrpc.longClick(d(description="设置").selector)
    return bool(d(text="应用信息").exists)


def scroll_list(d: u2.Device) -> bool:
    rows = d(scrollable=True)
    rows.scroll.toEnd()
    at_end = bool(d(text="关于手机").exists) and not rows.scroll.forward()
    rows.scroll.backward()
    rows.scroll.toBeginning()
    begin = bool(d(text="网络和互联网").exists)
    return bool(at_end and begin and rows.scroll.to(text="关于手机"))


def fling_list(d: u2.Device) -> bool:
    rows = d(scrollable=True)
    rows.fling.forward()
    rows.fling.toEnd()
    at_end = bool(d(text="关于手机").exists)  # the client reads the screen when `exists` is evaluated
    rows.fling.backward()
    rows.fling.toBeginning()
    return bool(at_end and d(text="网络和互联网").exists)


def find_children(d: u2.Device) -> bool:
    rows = d(resourceId=LIST)
    by_text = rows.child_by_text("显示", className="android.widget.LinearLayout")
    searched = rows.child_by_text(
        "关于手机", className="android.widget.LinearLayout", allow_scroll_search=True
    )
    by_number = rows.child_by_instance(0, resourceId=TITLE)
    return bool(searched.exists and by_number.exists and by_text is not None)


def find_by_description(d: u2.Device) -> bool:
    open_page(d, "DisplaySettings")
    found = d(resourceId=LIST).child_by_description("深色主题", className="android.widget.Switch")
    return bool(found.info["checkable"])


def find_relatives(d: u2.Device) -> bool:
    root = store_object(d)
    child = d.jsonrpc.getChild(root, d(text="电池").selector)
    sibling = d.jsonrpc.getFromParent(child, d(textContains="%").selector)
    both = d.jsonrpc.getText(child) == "电池" and "%" in d.jsonrpc.getText(sibling)
    everything = set(d.jsonrpc.getUiObjects())
    for each in (root, child, sibling):
        d.jsonrpc.removeUiObject(each)
    return bool(both) and {root, child, sibling} <= everything and not set(d.jsonrpc.getUiObjects()) & {root}


def wait_until_gone(d: u2.Device) -> bool:
    with pytest.raises(UiObjectNotFoundError):
        d(text="没有这个").click(timeout=0.1)
    return bool(d(text="没有这个").wait_gone(timeout=0.1))


def change_configurator(d: u2.Device) -> bool:
    before = d.jsonrpc.getConfigurator()
    changed = d.jsonrpc.setConfigurator({"waitForSelectorTimeout": 5})
    d.jsonrpc.setConfigurator(before)
    return bool(changed["waitForSelectorTimeout"] == 5 and d.jsonrpc.getConfigurator() == before)


def run_shell_command(d: u2.Device) -> bool:
    done = d.jsonrpc.executeShellCommand("getprop ro.build.version.sdk", 5000)
    none = d.jsonrpc.executeShellCommand("no-such-program", 5000)
    return bool(done == {"returnCode": 0, "stderr": "", "stdout": "34\n"} and none["returnCode"] == -1)


CALLS: Mapping[str, Callable[[u2.Device], object]] = {
    "childByDescription": find_by_description,
    "childByInstance": find_children,
    "childByText": find_children,
    "clearInputText": clear_input,
    "clearLastToast": lambda d: d.clear_toast() is None and d.last_toast is None,
    "clearLastTraversedText": lambda d: d.clear_traversed_text() is None,
    "clearTextField": lambda d: set_field_text(d, "x").clear_text() is None and d(text="搜索应用").exists,
    "click": lambda d: d(text="电池").click() is None and d(text="电量百分比").exists,
    "clickAndWaitForNewWindow": lambda d: d.jsonrpc.clickAndWaitForNewWindow(d(text="电池").selector, 2000),
    "count": lambda d: d(resourceId=TITLE).count == len(d(resourceId=TITLE)) > 3,
    "deviceInfo": lambda d: d.info["sdkInt"] == 34,
    "drag": lambda d: d.drag(360, 900, 360, 500, duration=0.2) is not False,
    "dragTo": lambda d: d(text="电池").drag_to(text="显示", duration=0.2) is not False,
    "dumpWindowHierarchy": lambda d: "电池" in d.dump_hierarchy() and d.dump_hierarchy(max_depth=3),
    "executeShellCommand": run_shell_command,
    "exist": lambda d: d(text="电池").exists and not d(text="没有").exists,
    "flingBackward": fling_list,
    "flingForward": fling_list,
    "flingToBeginning": fling_list,
    "flingToEnd": fling_list,
    "freezeRotation": freeze_rotation,
    "gesture": lambda d: (
        d(resourceId=LIST).gesture((100, 300), (600, 300), (300, 300), (400, 300), steps=5) is not False
    ),
    "getChild": find_relatives,
    "getClipboard": lambda d: d.set_clipboard("剪贴板") is None and d.clipboard == "剪贴板",
    "getConfigurator": change_configurator,
    "getFromParent": find_relatives,
    "getLastToast": read_toast,
    "getLastTraversedText": lambda d: d.last_traversed_text is None,
    "getText": lambda d: d(text="电池").get_text() == "电池",
    "getUiObject": find_relatives,
    "getUiObjects": find_relatives,
    "getWatchers": run_watchers,
    "hasAnyWatcherTriggered": run_watchers,
    "hasWatcherTriggered": run_watchers,
    "injectInputEvent": lambda d: (
        d.touch.down(*d(text="电池").center()).up(*d(text="电池").center()) and d(text="电量百分比").exists
    ),
    "isScreenOn": lambda d: d.jsonrpc.isScreenOn() is True,
    "launchApp": lambda d: (
        d.jsonrpc.launchApp("tv.danmaku.bili") and d.app_current()["package"] == "tv.danmaku.bili"
    ),
    "longClick": long_click,
    "objInfo": lambda d: d(text="电池").info["enabled"] is True,
    "objInfoOfAllInstances": lambda d: len(d(resourceId=TITLE).info_list()) == d(resourceId=TITLE).count,
    "openNotification": lambda d: d.open_notification() is not False and d(text="WLAN").exists,
    "openQuickSettings": lambda d: d.open_quick_settings() is not False and d(text="WLAN").exists,
    "pasteClipboard": paste_text,
    "pinchIn": lambda d: d(resourceId=LIST).pinch_in(percent=50, steps=5) is not False,
    "pinchOut": lambda d: d(resourceId=LIST).pinch_out(percent=50, steps=5) is not False,
    "ping": lambda d: d.jsonrpc.ping() == "pong",
    "pressKey": lambda d: (
        d.press("home") is not False and d.app_current()["package"] == "com.android.launcher3"
    ),
    "pressKeyCode": lambda d: (
        open_app_search(d).click() is None and d.press(30, 1) and d(resourceId=SEARCH).get_text() == "B"
    ),
    "registerClickUiObjectWatcher": run_watchers,
    "registerPressKeyskWatcher": run_watchers,
    "removeUiObject": find_relatives,
    "removeWatcher": run_watchers,
    "resetWatcherTriggers": run_watchers,
    "runWatchers": run_watchers,
    "scrollBackward": scroll_list,
    "scrollForward": scroll_list,
    "scrollTo": scroll_list,
    "scrollToBeginning": scroll_list,
    "scrollToEnd": scroll_list,
    "setClipboard": lambda d: d.set_clipboard("second", label="label") is None and d.clipboard == "second",
    "setConfigurator": change_configurator,
    "setOrientation": rotate_screen,
    "setText": lambda d: set_field_text(d, "中文 text 😀").get_text() == "中文 text 😀",
    "sleep": toggle_screen,
    "swipe": lambda d: (
        d.swipe(360, 1000, 360, 300, steps=20) is not False and not d(text="网络和互联网").exists
    ),
    "swipePoints": lambda d: d.swipe_points([(360, 1000), (360, 600), (360, 300)], 0.1) is not False,
    "takeScreenshot": lambda d: d.screenshot().size == (720, 1280),
    "waitForExists": lambda d: d(text="电池").wait(timeout=1) and not d(text="没有").wait(timeout=0.2),
    "waitForIdle": lambda d: d.jsonrpc.waitForIdle(100) is None,
    "waitForWindowUpdate": lambda d: d.jsonrpc.waitForWindowUpdate(SETTINGS, 200) is False,
    "waitUntilGone": wait_until_gone,
    "wakeUp": toggle_screen,
}


def test_every_server_call_is_tested() -> None:
    assert set(CALLS) == {each.name for each in OVERLOADS}


def group_calls() -> Mapping[str, tuple[str, ...]]:
    """Group the calls that the same function tests under the name of the first."""
    groups: dict[Callable[[u2.Device], object], list[str]] = {}
    for name, function in CALLS.items():
        groups.setdefault(function, []).append(name)
    return {names[0]: tuple(names) for names in groups.values()}


@pytest.mark.parametrize("names", group_calls().values(), ids=group_calls())
def test_call_has_its_effect(d: u2.Device, names: tuple[str, ...], monkeypatch: pytest.MonkeyPatch) -> None:
    sent: set[str] = set()
    real = core._jsonrpc_call

    def spy(device: Any, port: int, method: str, *more: Any) -> Any:
        sent.add(method)
        return real(device, port, method, *more)

    monkeypatch.setattr(core, "_jsonrpc_call", spy)
    assert CALLS[names[0]](d)
    assert set(names) <= sent


KEYS = {
    "home": "com.android.launcher3",
    "back": "com.android.launcher3",
    "recent": None,
    "up": SETTINGS,
    "down": SETTINGS,
    "left": SETTINGS,
    "right": SETTINGS,
    "center": None,
    "menu": None,
    "search": None,
    "enter": None,
    "delete": SETTINGS,
    "del": SETTINGS,
    "volume_up": SETTINGS,
    "volume_down": SETTINGS,
    "volume_mute": SETTINGS,
    "camera": SETTINGS,
}


@pytest.mark.parametrize("name", KEYS)
def test_key_is_pressed_by_name(d: u2.Device, name: str) -> None:
    assert d.press(name)
    if KEYS[name] is not None:
        assert d.app_current()["package"] == KEYS[name]


def test_power_key_toggles_the_screen_and_unknown_keys_fail(d: u2.Device) -> None:
    assert d.press("power")
    assert not d.info["screenOn"]
    assert d.press("power")
    assert d.info["screenOn"]
    assert d.jsonrpc.pressKey("fly") is False
