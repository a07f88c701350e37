from __future__ import annotations

import datetime as dt
from typing import Any

import pytest

from garabench.virtual.apps.settings import app_pages
from garabench.virtual.apps.settings.app import APP, SETTINGS
from garabench.virtual.kit.framework import App
from tests.cases import every_case
from tests.virtual.apps.fake_phone import FakeContext, by_id, launch, namespace, row, texts

CAMERA = "android.permission.CAMERA"
LOCATION = "android.permission.ACCESS_FINE_LOCATION"
BILI = App(
    package="tv.danmaku.bili",
    label={"zh": "哔哩哔哩", "en": "bilibili"},
    activities={},
    launcher="tv.danmaku.bili.MainActivityV2",
    icon_glyph="b",
    permissions=(CAMERA, LOCATION, "android.permission.INTERNET"),
)


class FakePhone:
    """The parts of the phone that Settings reads and changes."""

    def __init__(self) -> None:
        self.values: dict[tuple[str, str], str] = {}
        self.granted = {LOCATION}
        self.stopped: list[str] = []
        self.answers: list[str] = ["the permission controller"]
        self.network = namespace(wifi=True, mobile_data=True, airplane=False)
        self.battery = namespace(level=80, plugged=False, saver=False)
        self.lang = "zh"
        self.settings = namespace(
            get=lambda ns, key: self.values.get((ns, key)),
            put=lambda ns, key, value: self.values.__setitem__((ns, key), value),
        )
        installed = {app.package: namespace(app=app) for app in (BILI, APP)}
        self.packages = namespace(
            get=installed.get,
            resolve=lambda intent: self.answers,
            query_launcher=lambda: list(installed.values()),
            home=lambda: namespace(app=APP),
            ops={},
            is_granted=lambda package, name: name in self.granted,
            grant=lambda package, name: self.granted.add(name),
            revoke=lambda package, name: self.granted.discard(name),
            clear=lambda package: self.stopped.append(f"clear {package}"),
            uninstall=installed.pop,
        )
        self.keyguard = namespace(enabled=False)
        self.clock = namespace(
            zone="Asia/Shanghai", wall=lambda: dt.datetime(2024, 5, 20, 9, 41, tzinfo=dt.UTC)
        )
        self.ime = namespace(
            set=self.stopped.append,
            installed=("com.latin/.Latin",),
            enabled=("com.latin/.Latin",),
            default="com.latin/.Latin",
        )
        self.activities = namespace(force_stop=self.stopped.append)
        self.processes = namespace(pidof=lambda package: [] if package in self.stopped else [4242])
        self.profile = namespace(
            model="Pixel 8",
            brand="google",
            release="14",
            sdk=34,
            size="1080x2400",
            density=420,
            product="shiba",
        )


def open_page(
    name: str, *, lang: str = "zh", data: str = "", **extras: Any
) -> tuple[Any, FakeContext, FakePhone]:
    phone = FakePhone()
    activity = name if "." in name else f"{SETTINGS}${name}"
    page, ctx = launch(APP, activity, lang=lang, system=phone, data=data, **extras)
    return page, ctx, phone


@every_case("name", list(APP.activities))
@every_case("lang", ["zh", "en"])
def test_every_page_builds_in_both_languages(name: str, lang: str) -> None:
    page, _, _ = open_page(name, lang=lang, package="tv.danmaku.bili", permission=CAMERA)
    words = "".join(texts(page.build()))
    assert words
    if lang == "en":
        own = words.replace("简体中文（中国）", "").replace("哔哩哔哩", "")
        assert not [char for char in own if "一" <= char <= "鿿"]


@pytest.mark.parametrize(
    ("lang", "title", "page"),
    [
        ("zh", "WLAN", "WifiSettingsActivity"),
        ("zh", "应用", "ManageApplicationsActivity"),
        ("en", "Battery", "PowerUsageSummaryActivity"),
        ("en", "Display", "DisplaySettingsActivity"),
    ],
)
def test_the_first_page_links_to_the_others(lang: str, title: str, page: str) -> None:
    home, ctx, _ = open_page(SETTINGS, lang=lang)
    row(home.build(), title).on_click()
    assert ctx.opened == [(f"{SETTINGS}${page}", {})]


def test_the_wifi_switch_sets_the_phones_wifi() -> None:
    page, _, phone = open_page("WifiSettingsActivity")
    assert by_id(page.build(), "android:id/switch_widget").checked
    by_id(page.build(), "main_switch_bar").on_click()
    assert phone.network.wifi is False
    assert "Garden-5G" not in texts(page.build())


def test_a_locked_network_asks_for_a_password() -> None:
    page, ctx, _ = open_page("WifiSettingsActivity")
    row(page.build(), "ChinaNet-HG8245").on_click()
    field = by_id(page.dialog(), "password")
    assert field.password
    field.on_change("short")
    field.on_submit()
    assert ctx.data["network"] == "Garden-5G"
    field.on_change("long enough")
    by_id(page.dialog(), "android:id/button1").on_click()
    assert ctx.data["network"] == "ChinaNet-HG8245"
    assert page.dialog() is None


def test_an_open_network_connects_immediately() -> None:
    page, ctx, _ = open_page("WifiSettingsActivity")
    row(page.build(), "Coffee Free WiFi").on_click()
    assert ctx.data["network"] == "Coffee Free WiFi"
    assert ctx.toasts == ["已连接到 Coffee Free WiFi"]


def test_battery_saver_sets_the_phones_state() -> None:
    page, _, phone = open_page("BatterySaverSettingsActivity")
    by_id(page.build(), "main_switch_bar").on_click()
    assert phone.battery.saver is True
    assert by_id(page.build(), "android:id/switch_widget").checked


def test_the_details_page_reads_the_package_from_the_intent() -> None:
    page, ctx, _ = open_page(app_pages.DETAILS, data="package:tv.danmaku.bili")
    shown = texts(page.build())
    assert {"哔哩哔哩", "应用信息", "位置信息", "强行停止"} <= set(shown)
    row(page.build(), "权限").on_click()
    (asked,) = ctx.started
    assert (asked.action, asked.extras) == (
        app_pages.MANAGE_PERMISSIONS,
        {app_pages.EXTRA_PACKAGE_NAME: BILI.package},
    )


def test_permissions_are_not_clickable_without_a_permission_controller() -> None:
    page, _, phone = open_page(app_pages.DETAILS, data="package:tv.danmaku.bili")
    phone.answers.clear()
    with pytest.raises(LookupError):
        row(page.build(), "权限")


def test_an_unknown_package_has_a_page() -> None:
    page, _, _ = open_page(app_pages.DETAILS, data="package:no.such.app")
    assert "未找到此应用" in texts(page.build())


def test_force_stop_asks_for_confirmation() -> None:
    page, _, phone = open_page(app_pages.DETAILS, data="package:tv.danmaku.bili")
    by_id(page.build(), "button3").on_click()
    assert "要强行停止吗？" in texts(page.dialog())
    page.on_dismiss_dialog()
    assert phone.stopped == []
    by_id(page.build(), "button3").on_click()
    by_id(page.dialog(), "android:id/button1").on_click()
    assert phone.stopped == ["tv.danmaku.bili"]
    assert by_id(page.build(), "button3").enabled is False


def test_toggling_an_apps_notifications() -> None:
    page, ctx, _ = open_page(app_pages.NOTIFICATIONS, **{app_pages.EXTRA_PACKAGE: "tv.danmaku.bili"})
    by_id(page.build(), "main_switch_bar").on_click()
    assert ctx.data["quiet"] == ["tv.danmaku.bili"]
    by_id(page.build(), "main_switch_bar").on_click()
    assert ctx.data["quiet"] == []


def test_display_sets_the_phones_settings() -> None:
    page, _, phone = open_page("DisplaySettingsActivity")
    by_id(page.build(), "slider").on_change(1.0)
    row(page.build(), "深色主题").on_click()
    row(page.build(), "字体大小").on_click()
    row(page.build(), "自动旋转屏幕").on_click()
    row(page.build(), "屏幕超时").on_click()
    assert phone.values == {
        ("system", "screen_brightness"): "255",
        ("secure", "ui_night_mode"): "2",
        ("system", "font_scale"): "1.15",
        ("system", "accelerometer_rotation"): "1",
        ("system", "screen_off_timeout"): "120000",
    }


def test_an_invalid_setting_falls_back_to_the_default() -> None:
    page, _, phone = open_page("DisplaySettingsActivity")
    phone.values[("system", "screen_brightness")] = "bright"
    assert by_id(page.build(), "slider").value == pytest.approx(128 / 255)


def test_location_lists_allowed_apps_while_it_is_on() -> None:
    page, ctx, phone = open_page("LocationSettingsActivity")
    row(page.build(), "使用位置信息").on_click()
    assert phone.values == {("secure", "location_mode"): "3"}
    assert "已允许" in texts(page.build())
    phone.granted.clear()
    assert "不允许" in texts(page.build())
    row(page.build(), "哔哩哔哩").on_click()
    assert ctx.opened == [(app_pages.DETAILS, {"package": "tv.danmaku.bili"})]
    row(page.build(), "使用位置信息").on_click()
    assert phone.values == {("secure", "location_mode"): "0"}
    assert "哔哩哔哩" not in texts(page.build())


def test_language_sets_the_phones_language() -> None:
    page, _, phone = open_page("LocalePickerActivity")
    row(page.build(), "English (United States)").on_click()
    assert phone.lang == "en"


def test_airplane_mode_and_mobile_data() -> None:
    page, _, phone = open_page("NetworkDashboardActivity")
    row(page.build(), "飞行模式").on_click()
    row(page.build(), "移动数据").on_click()
    assert (phone.network.airplane, phone.network.mobile_data) == (True, False)


def test_searching_the_list_of_apps() -> None:
    page, ctx, _ = open_page("ManageApplicationsActivity")
    by_id(page.build(), "search_src_text").on_change("哔")
    assert "设置" not in texts(page.build())
    row(page.build(), "哔哩哔哩").on_click()
    assert ctx.opened == [(app_pages.DETAILS, {"package": "tv.danmaku.bili"})]
