from __future__ import annotations

import pytest

from garabench.virtual.apps.weibo import names
from garabench.virtual.apps.weibo.profile_page import TABS
from tests.virtual.apps.weibo.robot import Robot

FOLLOW = {"id": "btn_follow", "inside": {"id": "profile_toolbar"}}


@pytest.fixture
def robot() -> Robot:
    robot = Robot()
    robot.open(names.PROFILE, user="cctv")
    return robot


def test_every_tab_has_content(robot: Robot) -> None:
    for tab in TABS:
        robot.tap(id="tab_title", text=tab, inside={"id": "profile_tabs"})
        wanted = "album_row" if tab == "相册" else "card_mblog"
        assert robot.sees(id=wanted) is (tab != "视频"), tab


def test_following_and_unfollowing(robot: Robot) -> None:
    robot.tap(**FOLLOW)
    assert robot.node(**FOLLOW).desc == "已关注"
    robot.tap(**FOLLOW)
    robot.choose("取消关注")
    robot.tap(id="alert_no")
    assert robot.node(**FOLLOW).desc == "已关注"
    robot.tap(**FOLLOW)
    robot.choose("取消关注")
    robot.tap(id="alert_yes")
    assert robot.node(**FOLLOW).desc == "关注"


def test_following_specially_and_back(robot: Robot) -> None:
    robot.tap(**FOLLOW)
    robot.tap(**FOLLOW)
    robot.choose("设为特别关注")
    assert robot.node(**FOLLOW).desc == "特别关注"
    robot.tap(id="profile_more")
    robot.choose("取消特别关注")
    assert robot.node(**FOLLOW).desc == "已关注"


def test_choosing_a_users_groups(robot: Robot) -> None:
    robot.tap(**FOLLOW)
    robot.tap(id="profile_more")
    robot.choose("设置分组")
    robot.tap(id="group_check", desc="滨江")
    assert robot.node(id="group_check", desc="滨江").checked
    robot.tap(id="group_done")
    robot.tap(id="profile_more")
    robot.choose("设置分组")
    assert [node.desc for node in robot.nodes(id="group_check", checked=True)] == ["滨江"]


def test_blocking_empties_the_page_and_forbids_following(robot: Robot) -> None:
    robot.tap(id="profile_more")
    robot.choose("加入黑名单")
    robot.tap(id="alert_yes")
    assert robot.text(id="tips") == "对方在你的黑名单中"
    robot.tap(**FOLLOW)
    assert "无法关注" in robot.toast
    robot.tap(id="profile_more")
    robot.choose("移出黑名单")
    assert robot.sees(id="card_mblog")


def test_searching_a_users_posts(robot: Robot) -> None:
    robot.tap(id="profile_search")
    robot.write("萤火虫", id="search_edit")
    robot.submit()
    assert len(robot.texts(id="contentTextView")) == 1
    robot.write("不会有", id="search_edit")
    robot.tap(id="search_button")
    assert "没有找到" in robot.text(id="tips")


def test_notifications_require_following(robot: Robot) -> None:
    robot.tap(id="profile_notice")
    robot.tap(id="notice_label", text="全部博文通知")
    assert "关注后" in robot.toast
    assert robot.node(id="notice_radio", desc="关闭通知").checked


def test_choosing_kinds_of_notifications(robot: Robot) -> None:
    robot.tap(**FOLLOW)
    robot.tap(id="profile_notice")
    robot.tap(id="notice_label", text="分类型通知")
    robot.tap(id="kind_check", desc="视频")
    robot.tap(id="kind_check", desc="直播")
    robot.tap(id="kind_check", desc="视频")
    assert [node.desc for node in robot.nodes(id="kind_check", checked=True)] == ["直播"]
    robot.tap(id="notice_label", text="全部博文通知")
    assert not robot.sees(id="kind_check")


def test_the_users_page_and_bio(robot: Robot) -> None:
    robot.open(names.PROFILE, user="me")
    assert not robot.sees(id="profile_toolbar")
    robot.tap(id="edit_profile")
    robot.write("在路上", id="edit_sign")
    robot.tap(id="titleSave")
    assert robot.text(id="tv_sign") == "简介：在路上"
    assert robot.node(id="profile_drafts").desc == "草稿箱,3"
    robot.tap(id="profile_drafts")
    assert len(robot.nodes(id="draft_item")) == 3


def test_a_too_long_bio_is_rejected(robot: Robot) -> None:
    robot.open(names.EDIT_PROFILE)
    robot.write("长" * 71, id="edit_sign")
    robot.tap(id="titleSave")
    assert "70" in robot.toast


def test_an_unknown_user(robot: Robot) -> None:
    robot.open(names.PROFILE, user="nobody")
    assert robot.text(id="tips") == "用户不存在"
