from __future__ import annotations

import pytest

from tests.virtual.apps.amap.hand import Hand


@pytest.fixture
def hand() -> Hand:
    made = Hand()
    made.tap(id="way_text", text="收藏夹")
    return made


def pick(hand: Hand, name: str) -> None:
    hand.write(name, id="search_edit")
    hand.tap(id="sug_name", text=name)


def test_favourites_open_their_places(hand: Hand) -> None:
    assert hand.text(id="favorite_count") == "收藏的点（3）"
    hand.tap(id="favorite_name", text="新华医院")
    assert hand.text(id="poi_detail_name") == "新华医院"


def test_home_and_company(hand: Hand) -> None:
    hand.tap(id="favorite_home")
    pick(hand, "五角场")
    assert hand.text(id="home_place") == "五角场"
    assert hand.text(id="company_place") == "点击设置"
    hand.tap(id="favorite_home")
    assert hand.text(id="route_edit_summary_end") == "五角场"
    hand.back()
    hand.tap(id="corner_more_home")
    hand.tap(id="corner_change")
    pick(hand, "豫园")
    assert hand.text(id="home_place") == "豫园"
    hand.back()
    hand.tap(id="home_card")
    assert hand.text(id="route_edit_summary_end") == "豫园"
    hand.back()
    hand.tap(id="way_text", text="收藏夹")
    hand.tap(id="corner_more_home")
    hand.tap(id="corner_delete")
    assert hand.text(id="home_place") == "点击设置"


def test_the_company_shortcut_asks_for_its_place(hand: Hand) -> None:
    hand.back()
    hand.tap(id="company_card")
    pick(hand, "合生汇")
    assert (hand.text(id="corner_place", inside={"id": "company_card"}), hand.toast) == ("合生汇", "设置成功")


def test_renaming_a_favourite(hand: Hand) -> None:
    hand.tap(id="favorite_more", desc="鲁迅公园的更多操作")
    hand.tap(id="favorite_rename")
    hand.write("晨跑", submit=True, id="favorite_note_edit")
    assert "晨跑" in hand.texts(id="favorite_name")
    assert any(text.startswith("鲁迅公园 ") for text in hand.texts(id="favorite_address"))
    hand.tap(id="favorite_more", desc="鲁迅公园的更多操作")
    hand.tap(id="favorite_rename")
    hand.write("", id="favorite_note_edit")
    hand.tap(id="favorite_note_save")
    assert "鲁迅公园" in hand.texts(id="favorite_name")


def test_deleting_a_favourite(hand: Hand) -> None:
    hand.tap(id="favorite_more", desc="鲁迅公园的更多操作")
    hand.tap(id="favorite_delete")
    assert hand.text(id="favorite_count") == "收藏的点（2）"


def test_deleting_several_favourites(hand: Hand) -> None:
    hand.tap(id="favorite_manage")
    assert not hand.node(id="favorite_drop").enabled
    for name in ("鲁迅公园", "新华医院", "上海虹桥站"):
        hand.tap(id="favorite_check", desc=name)
    hand.tap(id="favorite_check", desc="新华医院")
    assert not hand.node(id="favorite_check", desc="新华医院").checked
    hand.back()
    assert hand.text(id="favorite_manage") == "管理"
    hand.tap(id="favorite_manage")
    for name in ("鲁迅公园", "新华医院", "上海虹桥站"):
        hand.tap(id="favorite_check", desc=name)
    hand.tap(id="favorite_drop")
    hand.tap(id="dialog_yes")
    assert hand.text(id="empty_text") == "还没有收藏地点"


def test_planning_a_route_from_the_list(hand: Hand) -> None:
    hand.tap(id="favorite_more", desc="上海虹桥站的更多操作")
    hand.tap(id="favorite_route")
    assert hand.text(id="route_edit_summary_end") == "上海虹桥站"
