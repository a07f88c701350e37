from __future__ import annotations

import pytest

from garabench.virtual.apps.jd import names
from tests.virtual.apps.jd.hand import Hand


@pytest.fixture
def hand() -> Hand:
    hand = Hand()
    hand.open(names.ADDRESSES)
    hand.tap(id="address_add")
    return hand


def pick(hand: Hand, *parts: str) -> None:
    hand.tap(id="address_region")
    for part in parts:
        hand.scroll({"id": "region_text", "text": part}, {"id": "region_list"})
        hand.tap(id="region_text", text=part)


def test_a_new_address_is_saved_with_all_fields(hand: Hand) -> None:
    hand.write("周宁", id="address_name")
    hand.write("13700001234", id="address_phone")
    hand.back()
    pick(hand, "四川", "成都市", "高新区")
    assert hand.node(id="row_value").text == "四川 成都市 高新区"
    hand.write("天府大道 88号 3栋 501", id="address_detail_edit")
    hand.back()
    hand.tap(id="address_tag", text="学校")
    hand.tap(id="address_default")
    hand.tap(id="address_save")
    assert hand.toast == "保存成功"
    assert hand.texts(id="address_detail")[0] == "天府大道 88号 3栋 501"
    hand.stop()
    hand.open(names.ADDRESSES)
    assert hand.texts(id="address_person")[0] == "周宁 137****1234"
    assert hand.node(id="address_set_default", index=0).checked
    assert sum(node.checked for node in hand.nodes(id="address_set_default")) == 1


def test_missing_fields_are_reported(hand: Hand) -> None:
    hand.tap(id="address_save")
    assert hand.toast == "请填写收货人"
    hand.write("周宁", id="address_name")
    hand.back()
    hand.tap(id="address_save")
    assert hand.toast == "请填写正确的手机号码"
    hand.write("1370000", id="address_phone")
    hand.back()
    hand.tap(id="address_save")
    assert hand.toast == "请填写正确的手机号码"
    hand.write("13700001234", id="address_phone")
    hand.back()
    hand.tap(id="address_save")
    assert hand.toast == "请选择所在地区"
    pick(hand, "上海", "上海市", "徐汇区")
    hand.tap(id="address_save")
    assert hand.toast == "请填写详细地址"
    assert hand.sees(id="address_form")


def test_a_region_level_can_be_changed(hand: Hand) -> None:
    hand.tap(id="address_region")
    hand.tap(id="region_text", text="广东")
    hand.tap(id="region_text", text="深圳市")
    hand.tap(id="region_part", text="深圳市")
    hand.tap(id="region_text", text="广州市")
    hand.tap(id="region_text", text="天河区")
    assert hand.node(id="row_value").text == "广东 广州市 天河区"


def test_an_edited_address_keeps_its_position(hand: Hand) -> None:
    hand.back()
    hand.tap(id="address_edit", index=2)
    hand.write("林妈妈", id="address_name")
    hand.back()
    hand.tap(id="address_save")
    assert "林妈妈 139****0586" in hand.texts(id="address_person")
    assert len(hand.nodes(id="address_item")) == 3


def test_leaving_without_saving_changes_nothing(hand: Hand) -> None:
    hand.back()
    hand.tap(id="address_edit", index=0)
    hand.write("别人", id="address_name")
    hand.back()
    hand.back()
    assert "林晓 138****0217" in hand.texts(id="address_person")


def test_an_address_can_be_deleted_from_its_form(hand: Hand) -> None:
    hand.back()
    hand.tap(id="address_edit", index=2)
    hand.tap(id="address_delete")
    hand.tap(id="dialog_yes")
    assert hand.toast == "删除成功"
    assert len(hand.nodes(id="address_item")) == 2


def test_the_save_button_is_enabled_by_a_change(hand: Hand) -> None:
    hand.back()
    hand.tap(id="address_edit", index=0)
    assert not hand.node(id="address_save").enabled
    hand.tap(id="address_default")
    assert hand.node(id="address_save").enabled
    hand.tap(id="address_default")
    assert not hand.node(id="address_save").enabled
