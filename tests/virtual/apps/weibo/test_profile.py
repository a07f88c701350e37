from __future__ import annotations

import pytest

from garabench.virtual.apps.weibo import names
from garabench.virtual.apps.weibo.profile import TABS
from tests.virtual.apps.weibo.hand import Hand

FOLLOW = {"id": "btn_follow", "inside": {"id": "profile_toolbar"}}


@pytest.fixture
def hand() -> Hand:
    hand = Hand()
    hand.open(names.PROFILE, user="cctv")
    return hand


def test_every_tab_has_content(hand: Hand) -> None:
    for tab in TABS:
        hand.tap(id="tab_title", text=tab, inside={"id": "profile_tabs"})
        wanted = "album_row" if tab == "相册" else "card_mblog"
        assert hand.sees(id=wanted) is (tab != "视频"), tab


def test_following_and_unfollowing(hand: Hand) -> None:
    hand.tap(**FOLLOW)
    assert hand.node(**FOLLOW).desc == "已关注"
    hand.tap(**FOLLOW)
    hand.choose("取消关注")
    hand.tap(id="alert_no")
    assert hand.node(**FOLLOW).desc == "已关注"
    hand.tap(**FOLLOW)
    hand.choose("取消关注")
    hand.tap(id="alert_yes")
    assert hand.node(**FOLLOW).desc == "关注"


def test_following_specially_and_back(hand: Hand) -> None:
    hand.tap(**FOLLOW)
    hand.tap(**FOLLOW)
    hand.choose("设为特别关注")
    assert hand.node(**FOLLOW).desc == "特别关注"
    hand.tap(id="profile_more")
    hand.choose("取消特别关注")
    assert hand.node(**FOLLOW).desc == "已关注"


def test_choosing_a_users_groups(hand: Hand) -> None:
    hand.tap(**FOLLOW)
    hand.tap(id="profile_more")
    hand.choose("设置分组")
    hand.tap(id="group_check", desc="滨江")
    assert hand.node(id="group_check", desc="滨江").checked
    hand.tap(id="group_done")
    hand.tap(id="profile_more")
    hand.choose("设置分组")
    assert [node.desc for node in hand.nodes(id="group_check", checked=True)] == ["滨江"]


def test_blocking_empties_the_page_and_forbids_following(hand: Hand) -> None:
    hand.tap(id="profile_more")
    hand.choose("加入黑名单")
    hand.tap(id="alert_yes")
    assert hand.text(id="tips") == "对方在你的黑名单中"
    hand.tap(**FOLLOW)
    assert "无法关注" in hand.toast
    hand.tap(id="profile_more")
    hand.choose("移出黑名单")
    assert hand.sees(id="card_mblog")


def test_searching_a_users_posts(hand: Hand) -> None:
    hand.tap(id="profile_search")
    hand.write("萤火虫", id="search_edit")
    hand.submit()
    assert len(hand.texts(id="contentTextView")) == 1
    hand.write("不会有", id="search_edit")
    hand.tap(id="search_button")
    assert "没有找到" in hand.text(id="tips")


def test_notifications_require_following(hand: Hand) -> None:
    hand.tap(id="profile_notice")
    hand.tap(id="notice_label", text="全部博文通知")
    assert "关注后" in hand.toast
    assert hand.node(id="notice_radio", desc="关闭通知").checked


def test_choosing_kinds_of_notifications(hand: Hand) -> None:
    hand.tap(**FOLLOW)
    hand.tap(id="profile_notice")
    hand.tap(id="notice_label", text="分类型通知")
    hand.tap(id="kind_check", desc="视频")
    hand.tap(id="kind_check", desc="直播")
    hand.tap(id="kind_check", desc="视频")
    assert [node.desc for node in hand.nodes(id="kind_check", checked=True)] == ["直播"]
    hand.tap(id="notice_label", text="全部博文通知")
    assert not hand.sees(id="kind_check")


def test_the_users_page_and_bio(hand: Hand) -> None:
    hand.open(names.PROFILE, user="me")
    assert not hand.sees(id="profile_toolbar")
    hand.tap(id="edit_profile")
    hand.write("在路上", id="edit_sign")
    hand.tap(id="titleSave")
    assert hand.text(id="tv_sign") == "简介：在路上"
    assert hand.node(id="profile_drafts").desc == "草稿箱,3"
    hand.tap(id="profile_drafts")
    assert len(hand.nodes(id="draft_item")) == 3


def test_a_too_long_bio_is_rejected(hand: Hand) -> None:
    hand.open(names.EDIT_PROFILE)
    hand.write("长" * 71, id="edit_sign")
    hand.tap(id="titleSave")
    assert "70" in hand.toast


def test_an_unknown_user(hand: Hand) -> None:
    hand.open(names.PROFILE, user="nobody")
    assert hand.text(id="tips") == "用户不存在"
