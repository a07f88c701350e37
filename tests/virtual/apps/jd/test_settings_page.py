from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from garabench.virtual.apps.jd import names
from garabench.virtual.apps.jd.content import load
from tests.virtual.apps.jd.hand import Hand

PAGES: Mapping[str, Any] = load("settings.json")["pages"]


def rows() -> Iterator[Mapping[str, Any]]:
    for page in PAGES.values():
        for group in page["groups"]:
            yield from group


@pytest.fixture
def hand() -> Hand:
    return Hand()


def test_row_names_are_unique_and_pages_exist() -> None:
    ids = [row["id"] for row in rows()]
    assert len(ids) == len(set(ids))
    assert {row["page"] for row in rows() if row["kind"] == "page"} == PAGES.keys() - {"root"}
    for row in rows():
        if row["kind"] == "choice":
            assert row["default"] in row["choices"]


@pytest.mark.parametrize("page", PAGES)
def test_every_page_opens(hand: Hand, page: str) -> None:
    hand.open(names.SETTINGS, page=page)
    assert hand.node(id="title").text == PAGES[page]["title"]
    assert hand.sees(id="row_label") or hand.sees(id="agreement")


def test_an_unknown_page_shows_a_notice(hand: Hand) -> None:
    hand.open(names.SETTINGS, page="x")
    assert hand.node(id="empty_text").text == "页面不存在"


def test_a_row_toggles_its_switch_persistently(hand: Hand) -> None:
    hand.open(names.SETTINGS, page="notice")
    switch = {"id": "setting_switch", "desc": "夜间免打扰"}
    assert not hand.node(**switch).checked
    hand.tap(id="setting_item", has={"text": "夜间免打扰"})
    assert hand.node(**switch).checked
    hand.stop()
    hand.open(names.SETTINGS, page="notice")
    assert hand.node(**switch).checked
    hand.tap(**switch)
    assert not hand.node(**switch).checked


def test_the_master_switch_disables_the_others(hand: Hand) -> None:
    hand.open(names.SETTINGS, page="notice")
    hand.tap(id="setting_switch", desc="接收新消息通知")
    assert not hand.node(id="setting_switch", desc="优惠促销").enabled
    hand.tap(id="setting_item", has={"text": "优惠促销"})
    assert hand.toast == "请先开启接收新消息通知"
    assert hand.node(id="setting_switch", desc="优惠促销").checked


def test_choosing_on_a_sheet(hand: Hand) -> None:
    hand.open(names.SETTINGS, page="general")
    hand.tap(id="setting_item", has={"text": "字体大小"})
    assert hand.node(id="setting_choice", text="标准").checked
    hand.tap(id="setting_choice", text="超大")
    assert not hand.sees(id="setting_sheet")
    assert hand.sees(id="row_value", text="超大")
    hand.stop()
    hand.open(names.SETTINGS, page="general")
    assert hand.sees(id="row_value", text="超大")


def test_clearing_the_cache_asks_for_confirmation(hand: Hand) -> None:
    hand.open(names.SETTINGS, page="general")
    hand.tap(id="setting_item", has={"text": "清除缓存"})
    hand.tap(id="dialog_no")
    assert hand.sees(id="row_value", text="186.4M")
    hand.tap(id="setting_item", has={"text": "清除缓存"})
    hand.tap(id="dialog_yes")
    assert hand.toast == "缓存已清除"
    assert hand.sees(id="row_value", text="0M")


def test_logging_out_is_not_possible(hand: Hand) -> None:
    hand.open(names.SETTINGS)
    hand.tap(id="log_out")
    hand.tap(id="dialog_yes")
    assert hand.toast == "演示账号不能退出登录"


def test_the_first_page_links_to_profile_and_addresses(hand: Hand) -> None:
    hand.open(names.SETTINGS)
    hand.tap(id="setting_item", has={"text": "收货地址"})
    assert hand.sees(id="address_list")
    hand.back()
    hand.tap(id="setting_item", has={"text": "个人信息"})
    assert hand.sees(id="info_list")


def test_renaming_the_user(hand: Hand) -> None:
    hand.open(names.USER_INFO)
    hand.tap(id="info_item", has={"text": "昵称"})
    hand.write("a", id="name_edit")
    hand.tap(id="dialog_yes")
    assert hand.toast == "昵称需为2-20个字符"
    hand.write("雨后的橘子", id="name_edit")
    hand.tap(id="dialog_yes")
    assert hand.toast == "修改成功"
    hand.stop()
    hand.tab("我的")
    assert hand.node(id="user_name").text == "雨后的橘子"


def test_choosing_the_users_gender(hand: Hand) -> None:
    hand.open(names.USER_INFO)
    hand.tap(id="info_item", has={"text": "性别"})
    hand.tap(id="sex_choice", text="女")
    assert hand.sees(id="row_value", text="女")
