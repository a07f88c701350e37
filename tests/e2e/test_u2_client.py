"""The unmodified uiautomator2 client against the virtual phone, call by call."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
import uiautomator2 as u2
from lxml import etree
from uiautomator2.exceptions import RPCUnknownError, UiObjectNotFoundError

from garabench.virtual.phone_process import VirtualPhone
from tests.phones import PhonePool

pytestmark = pytest.mark.e2e

SETTINGS = "com.android.settings"
STORE = "com.android.vending"
TITLE = "android:id/title"


@pytest.fixture(scope="module")
def phone(phone_pool: PhonePool) -> Iterator[VirtualPhone]:
    with phone_pool.borrow("android-34:1080x2400") as running:
        yield running


@pytest.fixture(scope="module")
def connected(phone: VirtualPhone) -> Iterator[u2.Device]:
    device = u2.connect(phone.serial)
    device.settings["wait_timeout"] = 2.0
    yield device
    device.stop_uiautomator(wait=False)


@pytest.fixture
def d(connected: u2.Device) -> Iterator[u2.Device]:
    """The device with the first page of Settings in the foreground."""
    connected.app_stop(SETTINGS)
    connected.app_start(SETTINGS)
    yield connected
    connected.press("home")


def open_page(d: u2.Device, page: str, *extras: str) -> None:
    d.shell(["am", "start", "-n", f"{SETTINGS}/{SETTINGS}.Settings${page}", *extras])


def search_field(d: u2.Device) -> u2.UiObject:
    open_page(d, "ManageApplicationsActivity")
    return d(resourceId="com.android.settings:id/search_src_text")


class TestDevice:
    def test_info_and_window_size(self, d: u2.Device) -> None:
        assert d.info["currentPackageName"] == SETTINGS
        assert d.info["sdkInt"] == 34
        assert d.window_size() == (1080, 2400)
        assert d.device_info["model"]

    def test_hierarchy_can_be_limited_by_window_and_depth(self, d: u2.Device) -> None:
        root = etree.fromstring(d.dump_hierarchy().encode())
        packages = {node.get("package") for node in root.iter("node")}
        assert {SETTINGS, "com.android.systemui"} <= packages
        active = etree.fromstring(d.dump_hierarchy(root_in_active=True).encode())
        assert {node.get("package") for node in active.iter("node")} == {SETTINGS}
        shallow = etree.fromstring(d.dump_hierarchy(max_depth=2).encode())
        assert len(list(shallow.iter("node"))) < len(list(root.iter("node")))
        assert len(list(etree.fromstring(d.dump_hierarchy(compressed=True).encode()).iter("node"))) > 5
        assert "\n" in d.dump_hierarchy(pretty=True)

    def test_screenshot_has_the_screen_size(self, d: u2.Device) -> None:
        assert d.screenshot().size == (1080, 2400)
        assert d(text="电池").screenshot().size[0] > 0

    def test_screen_switches_off_and_on(self, d: u2.Device) -> None:
        d.screen_off()
        assert d.info["screenOn"] is False
        d.screen_on()
        assert d.info["screenOn"] is True

    def test_orientation(self, d: u2.Device) -> None:
        d.orientation = "left"
        try:
            assert d.orientation == "left"
            assert (d.info["displayWidth"], d.info["displayHeight"]) == (2400, 1080)
            assert d.screenshot().size == (2400, 1080)
            d.freeze_rotation()
        finally:
            d.orientation = "natural"
        d.freeze_rotation(False)
        assert d.orientation == "natural"

    def test_server_restarts(self, d: u2.Device) -> None:
        d.reset_uiautomator()
        assert d(text="电池").exists

    def test_unknown_call_is_an_error(self, d: u2.Device) -> None:
        with pytest.raises(RPCUnknownError, match="method not found"):
            d.jsonrpc.makeToast("hello", 1000)


class TestSelectors:
    @pytest.mark.parametrize(
        "fields",
        [
            {"text": "电池"},
            {"textContains": "提示音"},
            {"textStartsWith": "提示音"},
            {"textMatches": ".*互联网"},
            {"resourceId": TITLE, "text": "显示"},
            {"resourceIdMatches": ".*/recycler_view"},
            {"className": "androidx.recyclerview.widget.RecyclerView"},
            {"classNameMatches": ".*RecyclerView"},
            {"packageName": SETTINGS, "clickable": True},
            {"packageNameMatches": "com.android.set.*"},
            {"text": "电池", "enabled": True, "checkable": False, "checked": False, "selected": False},
            {"text": "电池", "instance": 0},
            {"resourceId": TITLE, "index": 0},
            {"text": "电池", "focused": False, "scrollable": False, "longClickable": False},
        ],
    )
    def test_matching_selector_finds_a_node(self, d: u2.Device, fields: dict[str, object]) -> None:
        assert d(**fields).exists
        assert d(**fields).wait(timeout=1)
        assert d(**fields).info["packageName"] == SETTINGS
        assert d(**fields).count >= 1

    def test_selectors_by_description(self, d: u2.Device) -> None:
        open_page(d, "DisplaySettingsActivity")
        for fields in (
            {"description": "向上导航"},
            {"descriptionContains": "导航"},
            {"descriptionStartsWith": "向上"},
            {"descriptionMatches": "向.*"},
        ):
            assert d(**fields).info["contentDescription"] == "向上导航"

    def test_unmatched_selector_finds_nothing(self, d: u2.Device) -> None:
        missing = d(text="没有这个")
        assert not missing.exists
        assert not missing.wait(timeout=0.5)
        assert missing.wait_gone(timeout=0.5)
        assert missing.count == 0
        assert not missing.click_exists()
        with pytest.raises(UiObjectNotFoundError):
            missing.click(timeout=0.5)
        with pytest.raises(UiObjectNotFoundError):
            _ = missing.info

    def test_instances_are_counted_and_iterated(self, d: u2.Device) -> None:
        titles = d(resourceId=TITLE)
        texts = [title.get_text() for title in titles]
        assert len(texts) == titles.count == len(titles)
        assert titles[1].get_text() == texts[1]
        assert titles[-1].get_text() == texts[-1]
        assert [info["text"] for info in titles.info_list()] == texts

    def test_children_and_siblings(self, d: u2.Device) -> None:
        content = d(className="androidx.recyclerview.widget.RecyclerView")
        assert content.child(text="电池").exists
        assert content.child(resourceId=TITLE, instance=1).get_text() == d(resourceId=TITLE)[1].get_text()
        assert "%" in d(text="电池").sibling(resourceId="android:id/summary").get_text()

    def test_children_by_text_description_and_instance(self, d: u2.Device) -> None:
        content = d(className="androidx.recyclerview.widget.RecyclerView")
        row = content.child_by_text("电池", className="android.widget.LinearLayout")
        assert row.exists and row.info["clickable"]
        number = content.child_by_instance(2, resourceId=TITLE)
        assert number.get_text() == d(resourceId=TITLE)[2].get_text()
        open_page(d, "DisplaySettingsActivity")
        switches = d(resourceId="com.android.settings:id/recycler_view")
        dark = switches.child_by_description("深色主题", className="android.widget.Switch")
        assert dark.info["checkable"]

    def test_relative_selectors(self, d: u2.Device) -> None:
        assert d(text="电池").down(resourceId="android:id/summary").info["text"].endswith("%")
        assert d(text="电池").up(resourceId=TITLE) is not None
        open_page(d, "DisplaySettingsActivity")
        assert d(text="深色主题").right(className="android.widget.Switch").info["checkable"]

    def test_bounds_and_center(self, d: u2.Device) -> None:
        left, top, right, bottom = d(text="电池").bounds()
        assert 0 <= left < right <= 1080 and 0 <= top < bottom <= 2400
        x, y = d(text="电池").center()
        assert left < x < right and top < y < bottom


class TestTouch:
    def test_click(self, d: u2.Device) -> None:
        d(text="电池").click()
        assert d(text="电量百分比").wait()
        d.press("back")
        assert d(text="显示").click_exists(timeout=1)
        assert d(text="深色主题").wait()
        d(description="向上导航").click_gone(interval=0.1)
        assert d(text="提示音和振动").exists
        d.click(*d(text="应用").center())
        assert d(text="所有应用").exists

    def test_long_and_double_click(self, d: u2.Device) -> None:
        d.press("home")
        d(description="设置").long_click()
        assert d(text="应用信息").wait()
        d.press("back")
        d.double_click(0.5, 0.1, duration=0.01)
        d.long_click(0.5, 0.1, 0.2)

    def test_swipes_scroll(self, d: u2.Device) -> None:
        d.shell(
            ["am", "start", "-a", "android.intent.action.VIEW", "-d", "market://details?id=tv.danmaku.bili"]
        )
        top = d(resourceId=f"{STORE}:id/update_button")
        assert top.exists
        d.swipe_ext("up")
        assert not top.exists
        d.swipe_ext("down", scale=0.9)
        d.swipe(0.5, 0.3, 0.5, 0.9, duration=0.1)
        assert top.exists
        d.swipe(540, 1600, 540, 600, steps=20)
        d.drag(540, 600, 540, 1900, duration=0.2)
        d.swipe_points([(540, 1800), (540, 1200), (540, 500)], duration=0.2)
        assert not top.exists
        d.swipe_ext(u2.Direction.BACKWARD)

    def test_raw_touch_events(self, d: u2.Device) -> None:
        x, y = d(text="电池").center()
        d.touch.down(x, y).up(x, y)
        assert d(text="电量百分比").exists
        d.press("back")
        d.touch.down(540, 1800).move(540, 1000).up(540, 600)

    def test_scroll_and_fling(self, d: u2.Device) -> None:
        d.shell(
            ["am", "start", "-a", "android.intent.action.VIEW", "-d", "market://details?id=tv.danmaku.bili"]
        )
        page = d(resourceId=f"{STORE}:id/details_scroll")
        assert page.scroll.to(text="评分和评价")
        assert d(text="评分和评价").exists
        assert page.scroll.toEnd()
        assert not page.scroll.forward()
        assert page.scroll.backward() in (True, False)
        assert page.scroll.vert.toBeginning()
        assert d(resourceId=f"{STORE}:id/update_button").exists
        assert page.fling.toEnd()
        assert page.fling.toBeginning()
        assert page.fling.forward() in (True, False)
        assert page.fling.vert.backward() in (True, False)
        assert not page.scroll.to(text="没有这个")

    def test_gestures_on_an_object(self, d: u2.Device) -> None:
        target = d(className="androidx.recyclerview.widget.RecyclerView")
        target.swipe("up", steps=10)
        target.swipe("down", steps=10)
        target.pinch_in(percent=50, steps=10)
        target.pinch_out(percent=50, steps=10)
        target.gesture((100, 300), (900, 300), (400, 300), (600, 300), steps=10)
        d(text="电池").drag_to(540, 600, duration=0.1)
        d(text="电池").drag_to(text="显示", duration=0.1)
        assert target.exists

    def test_keys(self, d: u2.Device) -> None:
        d.press("home")
        assert d.info["currentPackageName"] == "com.android.launcher3"
        d.press("recent")
        assert d(textContains="设置").exists
        d.press(4)
        assert d.info["currentPackageName"] == "com.android.launcher3"
        d.keyevent("home")
        d.long_press("home")


class TestText:
    def test_set_text_with_chinese(self, d: u2.Device) -> None:
        field = search_field(d)
        field.set_text("哔哩哔哩 abc 😀")
        assert field.get_text() == "哔哩哔哩 abc 😀"
        field.set_text("设置")
        assert field.get_text() == "设置"
        field.clear_text()
        assert field.get_text() == "搜索应用"

    def test_send_keys_over_the_clipboard(self, d: u2.Device) -> None:
        field = search_field(d)
        field.click()
        d.send_keys("应用 store")
        assert field.get_text() == "应用 store"
        d.send_keys("商店", clear=True)
        assert field.get_text() == "商店"
        d.clear_text()
        assert d(focused=True).get_text() == "搜索应用"

    def test_key_codes_type_text(self, d: u2.Device) -> None:
        field = search_field(d)
        field.click()
        d.press(29)
        d.press(30, 1)
        assert field.get_text() == "aB"
        d.press("delete")
        assert field.get_text() == "a"

    def test_clipboard(self, d: u2.Device) -> None:
        d.clipboard = "剪贴板 text"
        assert d.clipboard == "剪贴板 text"
        d.set_clipboard("second", label="label")
        assert d.clipboard == "second"


class TestApps:
    def test_start_and_current_app(self, d: u2.Device) -> None:
        d.app_start(SETTINGS, wait=True)
        current = d.app_current()
        assert (current["package"], current["activity"]) == (SETTINGS, ".Settings")
        assert d.wait_activity(".Settings", timeout=2)
        assert d.app_wait(SETTINGS, timeout=5, front=True) > 0
        assert SETTINGS in d.app_list_running()
        assert SETTINGS in d.app_list()
        assert d.app_info(SETTINGS)["versionName"] == "14"

    def test_start_by_activity_and_stop(self, d: u2.Device) -> None:
        d.app_start(STORE, f"{STORE}.AssetBrowserActivity", stop=True)
        assert d.info["currentPackageName"] == STORE
        d.app_stop(STORE)
        assert STORE not in d.app_list_running()
        d.app_clear(STORE)

    def test_session_detects_that_its_app_stopped(self, d: u2.Device) -> None:
        with d.session(STORE) as session:
            assert session(resourceId=f"{STORE}:id/search_box").exists
            assert session.running()
            d.app_stop(STORE)
            assert not session.running()

    def test_open_url(self, d: u2.Device) -> None:
        d.open_url("market://details?id=tv.danmaku.bili")
        assert d(resourceId=f"{STORE}:id/title").get_text() == "哔哩哔哩"


class TestSystem:
    def test_toasts(self, d: u2.Device) -> None:
        d.clear_toast()
        assert d.last_toast is None
        open_page(d, "WifiSettingsActivity")
        d(text="Coffee Free WiFi").click()
        assert d.toast.get_message(wait_timeout=1) == "已连接到 Coffee Free WiFi"
        assert d.last_toast == "已连接到 Coffee Free WiFi"
        d.toast.reset()
        assert d.toast.get_message(wait_timeout=0, default="none") == "none"

    def test_notification_shade(self, d: u2.Device) -> None:
        d.open_notification()
        assert d(text="WLAN", packageName="com.android.systemui").exists
        d.press("back")
        d.open_quick_settings()
        assert d(packageName="com.android.systemui", text="WLAN").exists
        d.press("back")
        assert d(text="电池").exists

    def test_waiting_advances_the_phone_clock(self, d: u2.Device) -> None:
        d.app_clear(STORE)
        d.open_url("market://details?id=tv.danmaku.bili")
        before = int(d.shell("date +%s").output)
        d(resourceId=f"{STORE}:id/update_button").click()
        assert d(resourceId=f"{STORE}:id/download_progress").exists
        assert d(resourceId=f"{STORE}:id/open_button", enabled=True).wait(timeout=30)
        assert d(resourceId=f"{STORE}:id/download_progress").wait_gone(timeout=1)
        assert int(d.shell("date +%s").output) - before >= 2

    def test_watchers(self, d: u2.Device) -> None:
        d.watcher("search").when("在设置中搜索").click()
        try:
            assert d.watcher.run()
            assert d(text="所有应用").exists
            assert not d.watcher.run()
        finally:
            d.watcher.remove()
        d.press("back")
        with d.watch_context(autostart=False) as context:
            context.when("显示").click()
            context.start()
            assert d.xpath("深色主题").wait(timeout=120)

    def test_server_side_watchers(self, d: u2.Device) -> None:
        selector = d(text="电池").selector
        d.jsonrpc.registerClickUiObjectWatcher("own", [selector], selector)
        try:
            d.jsonrpc.runWatchers()
            assert d.jsonrpc.hasWatcherTriggered("own")
            assert d.jsonrpc.getWatchers() == ["own"]
        finally:
            d.jsonrpc.removeWatcher("own")
        assert d(text="电量百分比").exists

    def test_xpath(self, d: u2.Device) -> None:
        assert d.xpath("//*[@text='电池']").exists
        assert d.xpath("电池").get_text() == "电池"
        assert len(d.xpath(f"//*[@resource-id='{TITLE}']").all()) == d(resourceId=TITLE).count
        assert d.xpath("@com.android.settings:id/homepage_title").info["text"] == "设置"
        d.xpath("//*[@text='应用']").click()
        field = d.xpath("//android.widget.EditText")
        field.set_text("哔哩")
        assert d(resourceId="com.android.settings:id/search_src_text").get_text() == "哔哩"
        assert not d.xpath("没有这个").exists
        assert d.xpath("没有这个").wait_gone(timeout=1)
