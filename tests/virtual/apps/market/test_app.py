from __future__ import annotations

from typing import Any

import pytest

from garabench.virtual.apps.market.app import APP, DETAILS, HOME, package_of
from garabench.virtual.kit.framework import App
from tests.virtual.apps.fake_phone import FakeContext, by_id, launch, namespace, texts, views

BILI = App(
    package="tv.danmaku.bili",
    label={"zh": "哔哩哔哩", "en": "bilibili"},
    activities={},
    launcher="tv.danmaku.bili.MainActivityV2",
)


def phone(*apps: App) -> Any:
    installed = {app.package: namespace(app=app) for app in apps}
    return namespace(
        packages=namespace(
            get=installed.get, query_launcher=lambda: list(installed.values()), uninstall=installed.pop
        )
    )


def details(package: str = "tv.danmaku.bili", *, lang: str = "zh") -> tuple[Any, FakeContext]:
    return launch(APP, DETAILS, lang=lang, system=phone(BILI, APP), data=f"market://details?id={package}")


@pytest.mark.parametrize(
    ("uri", "package"),
    [
        ("market://details?id=tv.danmaku.bili", "tv.danmaku.bili"),
        (
            "https://play.google.com/store/apps/details?id=com.jingdong.app.mall&hl=zh",
            "com.jingdong.app.mall",
        ),
        ("market://details", ""),
        ("market://details?id=../../etc", ""),
        ("market://[", ""),
        ("", ""),
    ],
)
def test_package_of(uri: str, package: str) -> None:
    assert package_of(uri) == package


@pytest.mark.parametrize(
    ("lang", "title", "button"), [("zh", "哔哩哔哩", "更新"), ("en", "bilibili", "Update")]
)
def test_an_apps_page_shows_name_rating_and_an_update(lang: str, title: str, button: str) -> None:
    activity, _ = details(lang=lang)
    view = activity.build()
    assert by_id(view, "title").text == title
    assert by_id(view, "update_button").text == button
    assert 4 <= float(by_id(view, "average_rating").text) <= 5


def test_an_update_progresses_and_then_offers_to_open() -> None:
    activity, ctx = details()
    by_id(activity.build(), "update_button").on_click()
    ctx.pass_ms(6_000)
    assert by_id(activity.build(), "download_progress").value == pytest.approx(0.5)
    assert by_id(activity.build(), "download_status").text.startswith("50%")
    ctx.pass_ms(7_000)
    assert by_id(activity.build(), "download_status").text == "正在安装…"
    ctx.pass_ms(2_000)
    assert by_id(activity.build(), "open_button").text == "打开"
    by_id(activity.build(), "open_button").on_click()
    assert ctx.started[-1].activity == "tv.danmaku.bili.MainActivityV2"


def test_an_update_continues_in_the_background() -> None:
    activity, ctx = details()
    by_id(activity.build(), "update_button").on_click()
    activity.on_pause()
    ctx.pass_ms(60_000)
    activity.on_resume()
    assert by_id(activity.build(), "open_button").enabled


def test_an_update_can_be_cancelled_and_needs_a_network() -> None:
    activity, ctx = details()
    by_id(activity.build(), "update_button").on_click()
    by_id(activity.build(), "cancel_button").on_click()
    assert by_id(activity.build(), "update_button").text == "更新"
    ctx.online = False
    by_id(activity.build(), "update_button").on_click()
    assert ctx.toasts == ["无网络连接，请稍后重试"]
    assert ctx.data["started"] == {}


def test_rating_and_removing_the_rating() -> None:
    activity, ctx = details()
    by_id(activity.build(), "star_4").on_click()
    assert [by_id(activity.build(), f"star_{n}").selected for n in range(1, 6)] == [True] * 4 + [False]
    by_id(activity.build(), "star_4").on_click()
    assert ctx.data["stars"] == {}


def test_uninstalling_asks_for_confirmation() -> None:
    activity, ctx = details()
    by_id(activity.build(), "uninstall_button").on_click()
    assert "要卸载此应用吗？" in texts(activity.dialog())
    by_id(activity.dialog(), "ok").on_click()
    assert ctx.system.packages.get("tv.danmaku.bili") is None
    assert by_id(activity.build(), "install_button").enabled is False


def test_unknown_apps_and_invalid_addresses_have_pages() -> None:
    unknown, _ = details("com.example.unknown_thing")
    assert by_id(unknown.build(), "title").text == "Unknown Thing"
    missing, ctx = details("not a package")
    assert "找不到此应用" in texts(missing.build())
    by_id(missing.build(), "navigate_up").on_click()
    assert ctx.finished == 1


def test_the_first_page_lists_and_searches_apps() -> None:
    activity, ctx = launch(APP, HOME, system=phone(BILI, APP))
    assert "哔哩哔哩" in texts(activity.build())
    by_id(activity.build(), "search_box").on_change("京东")
    assert "没有找到相关应用" in texts(activity.build())
    by_id(activity.build(), "search_box").on_change("bili")
    next(view for view in views(activity.build()) if view.id == "app_row").on_click()
    assert ctx.opened == [(DETAILS, {"package": "tv.danmaku.bili"})]
