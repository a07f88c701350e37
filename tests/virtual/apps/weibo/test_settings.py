from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from garabench.virtual.apps.weibo import names
from garabench.virtual.apps.weibo.settings_page import pages
from garabench.virtual.apps.weibo.theme import DARK, FONT_SCALES
from tests.virtual.apps.weibo.hand import Hand


def rows() -> Iterator[Mapping[str, Any]]:
    for page in pages().values():
        for group in page["groups"]:
            yield from group


@pytest.fixture
def hand() -> Hand:
    return Hand()


def test_row_names_are_unique_and_pages_exist() -> None:
    ids = [row["id"] for row in rows() if "id" in row]
    assert len(ids) == len(set(ids))
    assert {row["page"] for row in rows() if row["kind"] == "page"} == pages().keys() - {"root"}
    for row in rows():
        if row["kind"] == "choice":
            assert row["default"] in row["options"]


@pytest.mark.parametrize("page", pages())
def test_every_page_opens(hand: Hand, page: str) -> None:
    hand.open(names.SETTINGS, page=page)
    assert hand.text(id="titleText") == pages()[page]["title"]
    assert hand.sees(id="setting_label")


def test_an_unknown_page_shows_a_notice(hand: Hand) -> None:
    hand.open(names.SETTINGS, page="x")
    assert hand.text(id="tips") == "页面不存在"


def test_a_switch_is_toggled_persistently(hand: Hand) -> None:
    hand.open(names.SETTINGS, page="notice")
    switch = {"id": "setting_switch", "desc": "通知免打扰"}
    assert not hand.node(**switch).checked
    hand.tap(id="setting_label", text="通知免打扰")
    assert hand.node(**switch).checked
    hand.stop()
    hand.open(names.SETTINGS, page="notice")
    assert hand.node(**switch).checked


def test_the_summary_lists_disabled_notifications(hand: Hand) -> None:
    hand.open(names.SETTINGS, page="notice")
    assert hand.text(id="setting_summary") == "已关闭：赞、直播提醒"
    hand.tap(id="setting_switch", desc="私信")
    assert hand.text(id="setting_summary") == "已关闭：赞、私信、直播提醒"
    hand.tap(id="setting_switch", desc="接收推送通知")
    assert hand.text(id="setting_summary") == "已关闭全部推送通知"


def test_the_master_switch_disables_the_others(hand: Hand) -> None:
    hand.open(names.SETTINGS, page="notice")
    hand.tap(id="setting_switch", desc="接收推送通知")
    assert not hand.node(id="setting_switch", desc="私信").enabled
    hand.tap(id="setting_label", text="私信")
    assert "请先开启" in hand.toast
    assert hand.node(id="setting_switch", desc="私信").checked


def test_choosing_and_cancelling_a_choice(hand: Hand) -> None:
    hand.open(names.SETTINGS, page="privacy")
    row = {"id": "setting_item", "has": {"text": "哪些人可以@我"}}
    hand.tap(id="setting_label", text="哪些人可以@我")
    hand.back()
    assert hand.text(id="setting_value", inside=row) == "所有人"
    hand.tap(id="setting_label", text="哪些人可以@我")
    hand.tap(id="option_radio", desc="互关好友")
    assert hand.text(id="setting_value", inside=row) == "互关好友"


def test_the_apps_own_dark_mode(hand: Hand) -> None:
    hand.open(names.SETTINGS, page="general")
    hand.tap(id="setting_label", text="深色模式")
    hand.tap(id="option_text", text="深色模式")
    assert hand.sees(id="setting_value", text="深色模式")
    resumed = hand.phone.activities.resumed
    assert resumed is not None
    assert resumed.activity.status_bar == DARK.card


def test_a_larger_font_makes_posts_taller(hand: Hand) -> None:
    hand.open(names.DETAIL, post="camp-list")
    before = hand.node(id="contentTextView").bounds.height
    hand.open(names.SETTINGS, page="general")
    hand.tap(id="setting_label", text="字号设置")
    hand.tap(id="option_text", text=max(FONT_SCALES, key=lambda name: FONT_SCALES[name]))
    hand.open(names.DETAIL, post="camp-list")
    assert hand.node(id="contentTextView").bounds.height > before


def test_clearing_the_cache(hand: Hand) -> None:
    hand.open(names.SETTINGS)
    hand.scroll({"id": "setting_label", "text": "清理缓存"}, {"id": "setting_list"})
    hand.tap(id="setting_label", text="清理缓存")
    hand.tap(id="alert_yes")
    row = {"id": "setting_item", "has": {"text": "清理缓存"}}
    assert hand.text(id="setting_value", inside=row) == "0.0MB"


def test_the_systems_page_of_the_app_opens(hand: Hand) -> None:
    hand.open(names.SETTINGS, page="notice")
    hand.scroll({"id": "setting_label", "text": "系统通知权限"}, {"id": "setting_list"})
    hand.tap(id="setting_label", text="系统通知权限")
    assert hand.phone.activities.resumed is not None
    assert hand.phone.activities.resumed.app.package == "com.android.settings"
    assert hand.text(id="entity_header_title") in ("微博", "Weibo")
    hand.back()
    assert hand.front == names.SETTINGS


def test_the_blocklist(hand: Hand) -> None:
    hand.open(names.SETTINGS, page="shield")
    assert hand.sees(id="setting_value", text="2人")
    hand.tap(id="setting_label", text="黑名单")
    hand.tap(id="black_remove", index=0)
    hand.tap(id="alert_yes")
    hand.back()
    assert hand.sees(id="setting_value", text="1人")


def test_muted_words(hand: Hand) -> None:
    hand.open(names.WORDS)
    hand.tap(id="word_add")
    assert "请输入" in hand.toast
    hand.write("露营", id="word_edit")
    hand.tap(id="word_add")
    assert hand.texts(id="word_text") == ["露营"]
    hand.tab("首页")
    assert "露营" not in "".join(hand.texts(id="contentTextView"))
    hand.open(names.WORDS)
    hand.tap(id="word_remove")
    assert not hand.sees(id="word_row")


def test_youth_mode_asks_for_a_password_twice(hand: Hand) -> None:
    hand.open(names.YOUTH)
    hand.tap(id="youth_switch")
    for digits in ("1234", "1235"):
        hand.phone.ime.commit_text(digits)
        hand.settle()
    assert "不一致" in hand.toast
    for _ in range(2):
        hand.phone.ime.commit_text("2468")
        hand.settle()
    assert hand.text(id="youth_state") == "未成年人模式已开启"
    for activity, extras in ((names.CHAT, {"user": "mom"}), (names.COMMENT, {"post": "me-tree"})):
        hand.open(activity, **extras)
        hand.write("你好", id="edit_view")
        hand.tap(text="发送")
        assert "未成年人模式" in hand.toast
    hand.open(names.YOUTH)
    hand.tap(id="youth_switch")
    hand.phone.ime.commit_text("0000")
    hand.settle()
    assert hand.toast == "密码错误"
    hand.phone.ime.commit_text("2468")
    hand.settle()
    assert hand.text(id="youth_state") == "未成年人模式未开启"
