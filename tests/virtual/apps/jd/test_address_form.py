from __future__ import annotations

import pytest

from garabench.virtual.apps.jd import names
from tests.virtual.apps.jd.robot import Robot


@pytest.fixture
def robot() -> Robot:
    robot = Robot()
    robot.open(names.ADDRESSES)
    robot.tap(id="address_add")
    return robot


def pick(robot: Robot, *parts: str) -> None:
    robot.tap(id="address_region")
    for part in parts:
        robot.scroll({"id": "region_text", "text": part}, {"id": "region_list"})
        robot.tap(id="region_text", text=part)


def test_a_new_address_is_saved_with_all_fields(robot: Robot) -> None:
    robot.write("周宁", id="address_name")
    robot.write("13700001234", id="address_phone")
    robot.back()
    pick(robot, "四川", "成都市", "高新区")
    assert robot.node(id="row_value").text == "四川 成都市 高新区"
    robot.write("天府大道 88号 3栋 501", id="address_detail_edit")
    robot.back()
    robot.tap(id="address_tag", text="学校")
    robot.tap(id="address_default")
    robot.tap(id="address_save")
    assert robot.toast == "保存成功"
    assert robot.texts(id="address_detail")[0] == "天府大道 88号 3栋 501"
    robot.stop()
    robot.open(names.ADDRESSES)
    assert robot.texts(id="address_person")[0] == "周宁 137****1234"
    assert robot.node(id="address_set_default", index=0).checked
    assert sum(node.checked for node in robot.nodes(id="address_set_default")) == 1


def test_missing_fields_are_reported(robot: Robot) -> None:
    robot.tap(id="address_save")
    assert robot.toast == "请填写收货人"
    robot.write("周宁", id="address_name")
    robot.back()
    robot.tap(id="address_save")
    assert robot.toast == "请填写正确的手机号码"
    robot.write("1370000", id="address_phone")
    robot.back()
    robot.tap(id="address_save")
    assert robot.toast == "请填写正确的手机号码"
    robot.write("13700001234", id="address_phone")
    robot.back()
    robot.tap(id="address_save")
    assert robot.toast == "请选择所在地区"
    pick(robot, "上海", "上海市", "徐汇区")
    robot.tap(id="address_save")
    assert robot.toast == "请填写详细地址"
    assert robot.sees(id="address_form")


def test_a_region_level_can_be_changed(robot: Robot) -> None:
    robot.tap(id="address_region")
    robot.tap(id="region_text", text="广东")
    robot.tap(id="region_text", text="深圳市")
    robot.tap(id="region_part", text="深圳市")
    robot.tap(id="region_text", text="广州市")
    robot.tap(id="region_text", text="天河区")
    assert robot.node(id="row_value").text == "广东 广州市 天河区"


def test_an_edited_address_keeps_its_position(robot: Robot) -> None:
    robot.back()
    robot.tap(id="address_edit", index=2)
    robot.write("林妈妈", id="address_name")
    robot.back()
    robot.tap(id="address_save")
    assert "林妈妈 139****0586" in robot.texts(id="address_person")
    assert len(robot.nodes(id="address_item")) == 3


def test_leaving_without_saving_changes_nothing(robot: Robot) -> None:
    robot.back()
    robot.tap(id="address_edit", index=0)
    robot.write("别人", id="address_name")
    robot.back()
    robot.back()
    assert "林晓 138****0217" in robot.texts(id="address_person")


def test_an_address_can_be_deleted_from_its_form(robot: Robot) -> None:
    robot.back()
    robot.tap(id="address_edit", index=2)
    robot.tap(id="address_delete")
    robot.tap(id="dialog_yes")
    assert robot.toast == "删除成功"
    assert len(robot.nodes(id="address_item")) == 2


def test_the_save_button_is_enabled_by_a_change(robot: Robot) -> None:
    robot.back()
    robot.tap(id="address_edit", index=0)
    assert not robot.node(id="address_save").enabled
    robot.tap(id="address_default")
    assert robot.node(id="address_save").enabled
    robot.tap(id="address_default")
    assert not robot.node(id="address_save").enabled
