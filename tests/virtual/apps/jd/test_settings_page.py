from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from garabench.virtual.apps.jd import names
from garabench.virtual.apps.jd.content import load
from tests.virtual.apps.jd.robot import Robot

PAGES: Mapping[str, Any] = load("settings.json")["pages"]


def rows() -> Iterator[Mapping[str, Any]]:
    for page in PAGES.values():
        for group in page["groups"]:
            yield from group


@pytest.fixture
def robot() -> Robot:
    return Robot()


def test_row_names_are_unique_and_pages_exist() -> None:
    ids = [row["id"] for row in rows()]
    assert len(ids) == len(set(ids))
    assert {row["page"] for row in rows() if row["kind"] == "page"} == PAGES.keys() - {"root"}
    for row in rows():
        if row["kind"] == "choice":
            assert row["default"] in row["choices"]


@pytest.mark.parametrize("page", PAGES)
def test_every_page_opens(robot: Robot, page: str) -> None:
    robot.open(names.SETTINGS, page=page)
    assert robot.node(id="title").text == PAGES[page]["title"]
    assert robot.sees(id="row_label") or robot.sees(id="agreement")


def test_an_unknown_page_shows_a_notice(robot: Robot) -> None:
    robot.open(names.SETTINGS, page="x")
    assert robot.node(id="empty_text").text == "页面不存在"


def test_a_row_toggles_its_switch_persistently(robot: Robot) -> None:
    robot.open(names.SETTINGS, page="notice")
    switch = {"id": "setting_switch", "desc": "夜间免打扰"}
    assert not robot.node(**switch).checked
    robot.tap(id="setting_item", has={"text": "夜间免打扰"})
    assert robot.node(**switch).checked
    robot.stop()
    robot.open(names.SETTINGS, page="notice")
    assert robot.node(**switch).checked
    robot.tap(**switch)
    assert not robot.node(**switch).checked


def test_the_master_switch_disables_the_others(robot: Robot) -> None:
    robot.open(names.SETTINGS, page="notice")
    robot.tap(id="setting_switch", desc="接收新消息通知")
    assert not robot.node(id="setting_switch", desc="优惠促销").enabled
    robot.tap(id="setting_item", has={"text": "优惠促销"})
    assert robot.toast == "请先开启接收新消息通知"
    assert robot.node(id="setting_switch", desc="优惠促销").checked


def test_choosing_on_a_sheet(robot: Robot) -> None:
    robot.open(names.SETTINGS, page="general")
    robot.tap(id="setting_item", has={"text": "字体大小"})
    assert robot.node(id="setting_choice", text="标准").checked
    robot.tap(id="setting_choice", text="超大")
    assert not robot.sees(id="setting_sheet")
    assert robot.sees(id="row_value", text="超大")
    robot.stop()
    robot.open(names.SETTINGS, page="general")
    assert robot.sees(id="row_value", text="超大")


def test_clearing_the_cache_asks_for_confirmation(robot: Robot) -> None:
    robot.open(names.SETTINGS, page="general")
    robot.tap(id="setting_item", has={"text": "清除缓存"})
    robot.tap(id="dialog_no")
    assert robot.sees(id="row_value", text="186.4M")
    robot.tap(id="setting_item", has={"text": "清除缓存"})
    robot.tap(id="dialog_yes")
    assert robot.toast == "缓存已清除"
    assert robot.sees(id="row_value", text="0M")


def test_logging_out_is_not_possible(robot: Robot) -> None:
    robot.open(names.SETTINGS)
    robot.tap(id="log_out")
    robot.tap(id="dialog_yes")
    assert robot.toast == "演示账号不能退出登录"


def test_the_first_page_links_to_profile_and_addresses(robot: Robot) -> None:
    robot.open(names.SETTINGS)
    robot.tap(id="setting_item", has={"text": "收货地址"})
    assert robot.sees(id="address_list")
    robot.back()
    robot.tap(id="setting_item", has={"text": "个人信息"})
    assert robot.sees(id="info_list")


def test_renaming_the_user(robot: Robot) -> None:
    robot.open(names.USER_INFO)
    robot.tap(id="info_item", has={"text": "昵称"})
    robot.write("a", id="name_edit")
    robot.tap(id="dialog_yes")
    assert robot.toast == "昵称需为2-20个字符"
    robot.write("雨后的橘子", id="name_edit")
    robot.tap(id="dialog_yes")
    assert robot.toast == "修改成功"
    robot.stop()
    robot.tab("我的")
    assert robot.node(id="user_name").text == "雨后的橘子"


def test_choosing_the_users_gender(robot: Robot) -> None:
    robot.open(names.USER_INFO)
    robot.tap(id="info_item", has={"text": "性别"})
    robot.tap(id="sex_choice", text="女")
    assert robot.sees(id="row_value", text="女")
