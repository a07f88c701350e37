from __future__ import annotations

import pytest

from garabench.virtual.apps.weibo import names
from garabench.virtual.apps.weibo.home import BOARDS, CHANNELS, CITY_PARTS
from garabench.virtual.apps.weibo.main import TABS
from tests.virtual.apps.weibo.robot import Robot


@pytest.fixture
def robot() -> Robot:
    return Robot()


def test_the_bottom_tabs_and_back(robot: Robot) -> None:
    for tab in TABS:
        robot.tap(id="tab_item", desc=tab)
        assert robot.node(id="tab_item", selected=True).desc == tab
    robot.back()
    assert robot.node(id="tab_item", selected=True).desc == "首页"
    robot.back()
    assert robot.front != names.MAIN


def test_every_channel_shows_posts(robot: Robot) -> None:
    for channel in CHANNELS:
        robot.scroll_tabs(channel)
        robot.tap(id="tab_title", text=channel, inside={"id": "channel_tabs"})
        assert robot.sees(id="card_mblog"), channel


def test_the_boards_rank_their_posts(robot: Robot) -> None:
    robot.tap(id="tab_title", text="榜单")
    for board in BOARDS:
        robot.tap(id="inner_tab", text=board)
        assert robot.node(id="inner_tab", selected=True).text == board
        assert robot.texts(id="tv_rank")[0] == "TOP1"


def test_the_city_tab_has_sections_and_a_search(robot: Robot) -> None:
    robot.tap(id="tab_title", text="同城")
    first = []
    for part in CITY_PARTS:
        robot.tap(id="inner_tab", text=part)
        first.append(robot.texts(id="contentTextView")[0])
    assert len(set(first)) == len(CITY_PARTS)
    robot.tap(id="city_search")
    assert robot.front == names.SEARCH


def test_the_feed_loads_in_pages(robot: Robot) -> None:
    robot.tap(id="home_tab", text="关注")
    robot.tap(id="group_entry")
    robot.tap(id="group_item", text="好友")
    robot.scroll({"id": "loading_more", "text": "没有更多内容了"}, {"id": "feed_list"})
    assert not robot.sees(text="加载中...")


def test_liking_and_unliking_a_post(robot: Robot) -> None:
    robot.scroll({"id": "rightButton"}, {"id": "feed_list"})
    before = robot.node(id="rightButton").desc
    assert before.startswith("赞,")
    robot.tap(id="rightButton")
    after = robot.node(id="rightButton")
    assert after.desc.startswith("已赞,")
    assert after.selected
    robot.tap(id="rightButton")
    assert robot.node(id="rightButton").desc == before


def test_groups_filter_the_feed(robot: Robot) -> None:
    robot.tap(id="home_tab", text="关注")
    robot.tap(id="group_entry")
    robot.tap(id="group_item", text="好友")
    assert robot.text(id="group_name") == "好友"
    assert set(robot.texts(id="tvItemName")) <= {"陈小舟", "周一不上班", "何以解忧"}
    robot.tap(id="home_tab", text="关注")
    robot.tap(id="group_item", text="特别关注")
    assert set(robot.texts(id="tvItemName")) == {"陈小舟"}


def test_a_group_is_created_filled_and_deleted(robot: Robot) -> None:
    robot.tap(id="home_tab", text="关注")
    robot.tap(id="group_entry")
    robot.tap(id="group_manage")
    robot.tap(id="group_new")
    robot.tap(id="alert_yes")
    assert "名称" in robot.toast
    robot.write("星空", id="group_edit")
    robot.tap(id="alert_yes")
    robot.tap(id="group_title", text="星空")
    robot.scroll({"id": "tv_nick", "text": "天文爱好者星野"}, {"id": "member_list"})
    robot.tap(id="member_button", inside={"id": "member_row", "has": {"text": "天文爱好者星野"}})
    robot.back()
    assert robot.text(id="group_count", inside={"id": "group_row", "has": {"text": "星空"}}) == "1人"
    robot.tap(id="group_delete", desc="删除星空")
    robot.tap(id="alert_yes")
    assert not robot.sees(text="星空")


def test_an_offline_page_shows_an_error_and_a_retry_button(robot: Robot) -> None:
    robot.network(False)
    robot.tap(id="tab_title", text="榜单")
    assert robot.sees(id="network_error")
    robot.tap(id="retry")
    assert "失败" in robot.toast
    robot.network(True)
    robot.tap(id="retry")
    assert robot.sees(id="tv_rank")


def test_the_videos_play_and_pause(robot: Robot) -> None:
    robot.tab("视频")
    robot.tap(id="video_cover", index=0)
    assert robot.front == names.VIDEO
    assert robot.node(id="video_player").desc.endswith("播放中")
    robot.tap(id="video_player")
    assert robot.node(id="video_player").desc.endswith("已暂停")
    first = robot.text(id="contentTextView")
    robot.tap(id="video_item", index=0)
    assert robot.text(id="contentTextView") != first
    robot.back()
    assert robot.text(id="contentTextView") == first
    robot.back()
    robot.tap(id="tab_title", text="直播")
    assert robot.sees(id="empty_view")
