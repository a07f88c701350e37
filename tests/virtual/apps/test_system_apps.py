"""The system apps on a virtual phone: its state, windows and back stack; every screen renders."""

from __future__ import annotations

import json
from typing import Any

import pytest

from garabench.virtual.android.device_profile import Profile
from garabench.virtual.android.phone import Phone
from garabench.virtual.apps.companion.app import APP as COMPANION
from garabench.virtual.apps.companion.app import CLOSE, PROGRESS, SHOW
from garabench.virtual.apps.launcher.app import APP as LAUNCHER
from garabench.virtual.apps.market.app import APP as STORE
from garabench.virtual.apps.market.app import DETAILS
from garabench.virtual.apps.permissions.app import APP as PERMISSIONS
from garabench.virtual.apps.settings import app_pages as app_pages
from garabench.virtual.apps.settings.app import APP as SETTINGS_APP
from garabench.virtual.apps.settings.app import SETTINGS
from garabench.virtual.kit.framework import App, Intent
from garabench.virtual.ui.scene import PlacedNode
from tests.virtual.apps.companion.test_spec import GOOD, encode

CAMERA = "android.permission.CAMERA"


class PlainPage(SETTINGS_APP.activities[SETTINGS]):  # type: ignore[misc]
    """A page that handles none of the settings' intents."""

    filters = ()


PLAIN = App(
    package="app.plain",
    label={"zh": "普通应用", "en": "Plain app"},
    activities={"app.plain.Main": PlainPage},
    launcher="app.plain.Main",
    permissions=(CAMERA, "android.permission.ACCESS_FINE_LOCATION"),
    system=True,
    initial_data=SETTINGS_APP.initial_data,
)


def make_phone(profile: str = "android-34", lang: str = "zh") -> Phone:
    apps = (LAUNCHER, SETTINGS_APP, PERMISSIONS, STORE, COMPANION, PLAIN)
    return Phone(Profile.parse(profile), apps=apps, lang=lang, strict=True)


@pytest.fixture
def phone() -> Phone:
    return make_phone()


def nodes(phone: Phone) -> list[PlacedNode]:
    return [node for window in phone.scene().windows for node in window.root.walk()]


def shown(phone: Phone) -> set[str]:
    return {node.text for node in nodes(phone) if node.text and not node.visible.is_empty}


def tap(phone: Phone, text: str) -> None:
    """Tap the topmost element with this text."""
    found = [node for node in nodes(phone) if text in (node.text, node.desc) and not node.visible.is_empty]
    assert found, f"{text} is not on the screen: {sorted(shown(phone))}"
    center = found[-1].visible.center
    phone.input.tap(center.x, center.y)


def start(
    phone: Phone, activity: str, package: str = "com.android.settings", data: str = "", **extras: Any
) -> None:
    result = phone.activities.start(Intent(package=package, activity=activity, data=data, extras=extras))
    assert result.ok


def interrupt(phone: Phone, **change: Any) -> None:
    start(phone, SHOW, COMPANION.package, spec=encode(GOOD | change), token=change.get("title", "t"))


def events(phone: Phone) -> list[str]:
    return [json.loads(entry.message)["event"] for entry in phone.logcat.read() if entry.tag == "GaraBench"]


def front(phone: Phone) -> str:
    return phone.activities.focused_app


def test_an_icon_on_the_home_screen_starts_its_app(phone: Phone) -> None:
    tap(phone, "普通应用")
    assert front(phone) == "app.plain/.Main"
    phone.press_home()
    tap(phone, "设置")
    assert front(phone) == "com.android.settings/.Settings"
    phone.press_back()
    assert front(phone).startswith("com.android.launcher3/")


def test_the_drawer_opens_from_the_search_pill_and_back_closes_it(phone: Phone) -> None:
    tap(phone, "搜索应用和网页")
    assert "所有应用" in shown(phone)
    phone.press_back()
    assert "09:41" in shown(phone) and "搜索应用和网页" in shown(phone)


@pytest.mark.parametrize(
    ("action", "component"),
    [
        ("android.settings.SETTINGS", ".Settings"),
        ("android.settings.WIFI_SETTINGS", ".Settings$WifiSettingsActivity"),
        ("android.settings.BATTERY_SAVER_SETTINGS", ".Settings$BatterySaverSettingsActivity"),
        ("android.settings.DISPLAY_SETTINGS", ".Settings$DisplaySettingsActivity"),
        ("android.settings.DATA_USAGE_SETTINGS", ".Settings$DataUsageSummaryActivity"),
        ("android.settings.APPLICATION_SETTINGS", ".Settings$ManageApplicationsActivity"),
    ],
)
def test_settings_handle_their_intent_actions(phone: Phone, action: str, component: str) -> None:
    assert phone.activities.start(Intent(action=action)).ok
    assert front(phone) == f"com.android.settings/{component}"


def test_switches_set_the_phones_state(phone: Phone) -> None:
    start(phone, f"{SETTINGS}$WifiSettingsActivity")
    tap(phone, "使用 WLAN")
    assert phone.network.wifi is False
    phone.press_back()
    start(phone, f"{SETTINGS}$BatterySaverSettingsActivity")
    tap(phone, "使用省电模式")
    assert phone.battery.saver is True
    start(phone, f"{SETTINGS}$DisplaySettingsActivity")
    tap(phone, "深色主题")
    assert phone.settings.get("secure", "ui_night_mode") == "2"
    assert phone.activities.resumed is not None
    assert phone.activities.resumed.activity.status_bar == "#111318"


def test_granting_a_permission_through_the_pages(phone: Phone) -> None:
    details = Intent(action="android.settings.APPLICATION_DETAILS_SETTINGS", data="package:app.plain")
    assert phone.activities.start(details).ok
    assert front(phone) == "com.android.settings/.applications.InstalledAppDetails"
    for text in ("权限", "相机", "仅在使用该应用时允许"):
        tap(phone, text)
        assert front(phone) == "com.android.permissioncontroller/.permission.ui.ManagePermissionsActivity"
    assert phone.packages.is_granted("app.plain", CAMERA)
    phone.press_back()
    phone.press_back()
    assert "相机" in shown(phone)


def test_force_stop_ends_the_process(phone: Phone) -> None:
    tap(phone, "普通应用")
    assert phone.processes.pidof("app.plain")
    start(phone, app_pages.DETAILS, data="package:app.plain")
    for text in ("强行停止", "确定"):
        tap(phone, text)
    assert phone.processes.pidof("app.plain") is None


def test_the_market_handles_its_address_and_updates_in_phone_time(phone: Phone) -> None:
    assert phone.activities.start(
        Intent(action="android.intent.action.VIEW", data="market://details?id=x.y")
    ).ok
    assert front(phone) == f"com.android.vending/{DETAILS.removeprefix('com.android.vending')}"
    phone.press_back()
    assert front(phone).startswith("com.android.launcher3/")


def test_an_interruption_covers_the_app_until_a_button_ends_it(phone: Phone) -> None:
    tap(phone, "普通应用")
    interrupt(phone)
    assert {"电量不足", "前往设置", "忽略"} <= shown(phone)
    assert front(phone) == "org.garabench.interruptions/.Show"
    focus = phone.scene().focus
    assert focus is not None and focus.package == COMPANION.package
    tap(phone, "忽略")
    assert events(phone) == ["shown", "pressed:later"]
    assert front(phone) == "app.plain/.Main"


@pytest.mark.parametrize("template", ["dialog", "full-screen", "bottom-sheet"])
def test_back_closes_a_dual_interruption_but_not_a_forced_one(phone: Phone, template: str) -> None:
    tap(phone, "普通应用")
    interrupt(phone, template=template, cancelable=False)
    phone.press_back()
    assert "电量不足" in shown(phone)
    tap(phone, "前往设置")
    interrupt(phone, template=template, cancelable=True)
    phone.press_back()
    assert "电量不足" not in shown(phone)
    assert events(phone) == ["shown", "back", "pressed:accept", "shown", "hidden", "dismissed"]


def test_a_tap_outside_a_forced_interruption_has_no_effect(phone: Phone) -> None:
    tap(phone, "普通应用")
    interrupt(phone, cancelable=False)
    for y in range(150, 2200, 150):
        phone.input.tap(30, y)
    assert front(phone) == "org.garabench.interruptions/.Show"
    assert events(phone) == ["shown"]


def test_home_hides_an_interruption_and_returning_resumes_it(phone: Phone) -> None:
    interrupt(phone)
    phone.press_home()
    assert events(phone) == ["shown", "hidden"]
    task = next(task for task in phone.activities.tasks if task.stack[0].app is COMPANION)
    phone.activities.move_task_to_front(task.task_id)
    assert events(phone) == ["shown", "hidden", "resumed"]
    assert "电量不足" in shown(phone)


def test_a_forced_interruption_ends_after_ten_minutes(phone: Phone) -> None:
    interrupt(phone, cancelable=False)
    phone.clock.advance(599_999)
    assert "电量不足" in shown(phone)
    phone.clock.advance(1)
    assert events(phone) == ["shown", "dismissed:timeout"]
    assert front(phone).startswith("com.android.launcher3/")


def test_the_close_broadcast_ends_an_interruption_in_front_or_behind(phone: Phone) -> None:
    interrupt(phone)
    assert phone.broadcast(CLOSE, {}, package=COMPANION.package) == (-1, "closed")
    interrupt(phone)
    phone.press_home()
    assert phone.broadcast(CLOSE, {}, package=COMPANION.package) == (-1, "closed")
    assert phone.broadcast(CLOSE, {}, package=COMPANION.package) == (0, "nothing is shown")
    assert events(phone)[-1] == "dismissed:close"
    assert front(phone).startswith("com.android.launcher3/")


def test_an_invalid_specification_leaves_the_app_in_front(phone: Phone) -> None:
    tap(phone, "普通应用")
    start(phone, SHOW, COMPANION.package, spec="%%%", token="t")
    assert events(phone) == ["error:bad-base64"]
    assert front(phone) == "app.plain/.Main"


def test_the_progress_page_ends_by_itself(phone: Phone) -> None:
    tap(phone, "普通应用")
    start(phone, PROGRESS, COMPANION.package, seconds=15, token="t", title="正在更新")
    phone.clock.advance(7_500)
    assert "50%" in shown(phone)
    phone.clock.advance(7_500)
    assert events(phone) == ["progress_started", "progress_done"]
    assert front(phone) == "app.plain/.Main"


@pytest.mark.parametrize("profile", ["android-19", "android-34", "android-34:1440x3120"])
@pytest.mark.parametrize("lang", ["zh", "en"])
def test_every_screen_renders(profile: str, lang: str) -> None:
    phone = make_phone(profile, lang)
    for name in SETTINGS_APP.activities:
        start(phone, name, data="package:app.plain", permission=CAMERA)
        assert_usable(phone)
    start(phone, DETAILS, "com.android.vending", data="market://details?id=app.plain")
    assert_usable(phone)
    start(phone, STORE.launcher, "com.android.vending")
    assert_usable(phone)
    for template in ("dialog", "full-screen", "bottom-sheet"):
        for style in ("permission", "battery", "network", "update", "crash", "prompt"):
            interrupt(phone, template=template, style=style)
            assert_usable(phone)
            buttons = {node.resource_id for node in nodes(phone) if not node.visible.is_empty}
            ids = {
                f"org.garabench.interruptions:id/{name}"
                for name in ("title", "button_accept", "button_later")
            }
            assert ids <= buttons


def assert_usable(phone: Phone) -> None:
    """Check that the screen has a picture of its size, and that no clickable element is empty."""
    assert phone.frame().size == phone.scene().size
    focus = phone.scene().focus
    assert focus is not None
    for node in focus.root.walk():
        if node.clickable and not node.visible.is_empty:
            assert node.visible.width > 0 and node.visible.height > 0
            assert any(each.text or each.desc or each.cls.endswith("ImageView") for each in node.walk())
