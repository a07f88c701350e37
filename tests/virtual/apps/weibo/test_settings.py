"""Weibo's settings pages, and what the settings change in the app."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from garabench.virtual.apps.weibo import names
from garabench.virtual.apps.weibo.settings_page import pages
from garabench.virtual.apps.weibo.theme import DARK, FONT_SCALES
from tests.virtual.apps.weibo.robot import Robot


def rows() -> Iterator[Mapping[str, Any]]:
    for page in pages().values():
        for group in page["groups"]:
            yield from group


@pytest.fixture
def robot() -> Robot:
    return Robot()


def test_row_names_are_unique_and_pages_exist() -> None:
    ids = [row["id"] for row in rows() if "id" in row]
    assert len(ids) == len(set(ids))
    assert {row["page"] for row in rows() if row["kind"] == "page"} == pages().keys() - {"root"}
    for row in rows():
        if row["kind"] == "choice":
            assert row["default"] in row["options"]


@pytest.mark.parametrize("page", pages())
def test_every_page_opens(robot: Robot, page: str) -> None:
    robot.open(names.SETTINGS, page=page)
    assert robot.text(id="titleText") == pages()[page]["title"]
    assert robot.sees(id="setting_label")


def test_an_unknown_page_shows_a_notice(robot: Robot) -> None:
    robot.open(names.SETTINGS, page="x")
    assert robot.text(id="tips") == "页面不存在"


def test_a_switch_is_toggled_persistently(robot: Robot) -> None:
    robot.open(names.SETTINGS, page="notice")
    switch = {"id": "setting_switch", "desc": "通知免打扰"}
    assert not robot.node(**switch).checked
    robot.tap(id="setting_label", text="通知免打扰")
    assert robot.node(**switch).checked
    robot.stop()
    robot.open(names.SETTINGS, page="notice")
    assert robot.node(**switch).checked


def test_the_summary_lists_disabled_notifications(robot: Robot) -> None:
    robot.open(names.SETTINGS, page="notice")
    assert robot.text(id="setting_summary") == "已关闭：赞、直播提醒"
    robot.tap(id="setting_switch", desc="私信")
    assert robot.text(id="setting_summary") == "已关闭：赞、私信、直播提醒"
    robot.tap(id="setting_switch", desc="接收推送通知")
    assert robot.text(id="setting_summary") == "已关闭全部推送通知"


def test_the_master_switch_disables_the_others(robot: Robot) -> None:
    robot.open(names.SETTINGS, page="notice")
    robot.tap(id="setting_switch", desc="接收推送通知")
    assert not robot.node(id="setting_switch", desc="私信").enabled
    robot.tap(id="setting_label", text="私信")
    assert "请先开启" in robot.toast
    assert robot.node(id="setting_switch", desc="私信").checked


def test_choosing_and_cancelling_a_choice(robot: Robot) -> None:
    robot.open(names.SETTINGS, page="privacy")
    row = {"id": "setting_item", "has": {"text": "哪些人可以@我"}}
    robot.tap(id="setting_label", text="哪些人可以@我")
    robot.back()
    assert robot.text(id="setting_value", inside=row) == "所有人"
    robot.tap(id="setting_label", text="哪些人可以@我")
    robot.tap(id="option_radio", desc="互关好友")
    assert robot.text(id="setting_value", inside=row) == "互关好友"


def test_the_apps_own_dark_mode(robot: Robot) -> None:
    robot.open(names.SETTINGS, page="general")
    robot.tap(id="setting_label", text="深色模式")
    robot.tap(id="option_text", text="深色模式")
    assert robot.sees(id="setting_value", text="深色模式")
    resumed = robot.phone.activities.resumed
    assert resumed is not None
    assert resumed.activity.status_bar == DARK.card


def test_a_larger_font_makes_posts_taller(robot: Robot) -> None:
    robot.open(names.DETAIL, post="camp-list")
    before = robot.node(id="contentTextView").bounds.height
    robot.open(names.SETTINGS, page="general")
    robot.tap(id="setting_label", text="字号设置")
    robot.tap(id="option_text", text=max(FONT_SCALES, key=lambda name: FONT_SCALES[name]))
    robot.open(names.DETAIL, post="camp-list")
    assert robot.node(id="contentTextView").bounds.height > before


def test_clearing_the_cache(robot: Robot) -> None:
    robot.open(names.SETTINGS)
    robot.scroll({"id": "setting_label", "text": "清理缓存"}, {"id": "setting_list"})
    robot.tap(id="setting_label", text="清理缓存")
    robot.tap(id="alert_yes")
    row = {"id": "setting_item", "has": {"text": "清理缓存"}}
    assert robot.text(id="setting_value", inside=row) == "0.0MB"


def test_the_systems_page_of_the_app_opens(robot: Robot) -> None:
    robot.open(names.SETTINGS, page="notice")
    robot.scroll({"id": "setting_label", "text": "系统通知权限"}, {"id": "setting_list"})
    robot.tap(id="setting_label", text="系统通知权限")
    assert robot.phone.activities.resumed is not None
    assert robot.phone.activities.resumed.app.package == "com.android.settings"
    assert robot.text(id="entity_header_title") in ("微博", "Weibo")
    robot.back()
    assert robot.front == names.SETTINGS


def test_the_blocklist(robot: Robot) -> None:
    robot.open(names.SETTINGS, page="shield")
    assert robot.sees(id="setting_value", text="2人")
    robot.tap(id="setting_label", text="黑名单")
    robot.tap(id="black_remove", index=0)
    robot.tap(id="alert_yes")
    robot.back()
    assert robot.sees(id="setting_value", text="1人")


def test_muted_words(robot: Robot) -> None:
    robot.open(names.WORDS)
    robot.tap(id="word_add")
    assert "请输入" in robot.toast
    robot.write("露营", id="word_edit")
    robot.tap(id="word_add")
    assert robot.texts(id="word_text") == ["露营"]
    robot.tab("首页")
    assert "露营" not in "".join(robot.texts(id="contentTextView"))
    robot.open(names.WORDS)
    robot.tap(id="word_remove")
    assert not robot.sees(id="word_row")


def test_youth_mode_asks_for_a_password_twice(robot: Robot) -> None:
    robot.open(names.YOUTH)
    robot.tap(id="youth_switch")
    for digits in ("1234", "1235"):
        robot.phone.ime.commit_text(digits)
        robot.settle()
    assert "不一致" in robot.toast
    for _ in range(2):
        robot.phone.ime.commit_text("2468")
        robot.settle()
    assert robot.text(id="youth_state") == "未成年人模式已开启"
    for activity, extras in ((names.CHAT, {"user": "mom"}), (names.COMMENT, {"post": "me-tree"})):
        robot.open(activity, **extras)
        robot.write("你好", id="edit_view")
        robot.tap(text="发送")
        assert "未成年人模式" in robot.toast
    robot.open(names.YOUTH)
    robot.tap(id="youth_switch")
    robot.phone.ime.commit_text("0000")
    robot.settle()
    assert robot.toast == "密码错误"
    robot.phone.ime.commit_text("2468")
    robot.settle()
    assert robot.text(id="youth_state") == "未成年人模式未开启"
