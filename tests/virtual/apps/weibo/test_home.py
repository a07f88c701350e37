from __future__ import annotations

import pytest

from garabench.virtual.apps.weibo import names
from garabench.virtual.apps.weibo.home import BOARDS, CHANNELS, CITY_PARTS
from garabench.virtual.apps.weibo.main import TABS
from tests.virtual.apps.weibo.hand import Hand


@pytest.fixture
def hand() -> Hand:
    return Hand()


def test_the_bottom_tabs_and_back(hand: Hand) -> None:
    for tab in TABS:
        hand.tap(id="tab_item", desc=tab)
        assert hand.node(id="tab_item", selected=True).desc == tab
    hand.back()
    assert hand.node(id="tab_item", selected=True).desc == "首页"
    hand.back()
    assert hand.front != names.MAIN


def test_every_channel_shows_posts(hand: Hand) -> None:
    for channel in CHANNELS:
        hand.scroll_tabs(channel)
        hand.tap(id="tab_title", text=channel, inside={"id": "channel_tabs"})
        assert hand.sees(id="card_mblog"), channel


def test_the_boards_rank_their_posts(hand: Hand) -> None:
    hand.tap(id="tab_title", text="榜单")
    for board in BOARDS:
        hand.tap(id="inner_tab", text=board)
        assert hand.node(id="inner_tab", selected=True).text == board
        assert hand.texts(id="tv_rank")[0] == "TOP1"


def test_the_city_tab_has_sections_and_a_search(hand: Hand) -> None:
    hand.tap(id="tab_title", text="同城")
    first = []
    for part in CITY_PARTS:
        hand.tap(id="inner_tab", text=part)
        first.append(hand.texts(id="contentTextView")[0])
    assert len(set(first)) == len(CITY_PARTS)
    hand.tap(id="city_search")
    assert hand.front == names.SEARCH


def test_the_feed_loads_in_pages(hand: Hand) -> None:
    hand.tap(id="home_tab", text="关注")
    hand.tap(id="group_entry")
    hand.tap(id="group_item", text="好友")
    hand.scroll({"id": "loading_more", "text": "没有更多内容了"}, {"id": "feed_list"})
    assert not hand.sees(text="加载中...")


def test_liking_and_unliking_a_post(hand: Hand) -> None:
    hand.scroll({"id": "rightButton"}, {"id": "feed_list"})
    before = hand.node(id="rightButton").desc
    assert before.startswith("赞,")
    hand.tap(id="rightButton")
    after = hand.node(id="rightButton")
    assert after.desc.startswith("已赞,")
    assert after.selected
    hand.tap(id="rightButton")
    assert hand.node(id="rightButton").desc == before


def test_groups_filter_the_feed(hand: Hand) -> None:
    hand.tap(id="home_tab", text="关注")
    hand.tap(id="group_entry")
    hand.tap(id="group_item", text="好友")
    assert hand.text(id="group_name") == "好友"
    assert set(hand.texts(id="tvItemName")) <= {"陈小舟", "周一不上班", "何以解忧"}
    hand.tap(id="home_tab", text="关注")
    hand.tap(id="group_item", text="特别关注")
    assert set(hand.texts(id="tvItemName")) == {"陈小舟"}


def test_a_group_is_created_filled_and_deleted(hand: Hand) -> None:
    hand.tap(id="home_tab", text="关注")
    hand.tap(id="group_entry")
    hand.tap(id="group_manage")
    hand.tap(id="group_new")
    hand.tap(id="alert_yes")
    assert "名称" in hand.toast
    hand.write("星空", id="group_edit")
    hand.tap(id="alert_yes")
    hand.tap(id="group_title", text="星空")
    hand.scroll({"id": "tv_nick", "text": "天文爱好者星野"}, {"id": "member_list"})
    hand.tap(id="member_button", inside={"id": "member_row", "has": {"text": "天文爱好者星野"}})
    hand.back()
    assert hand.text(id="group_count", inside={"id": "group_row", "has": {"text": "星空"}}) == "1人"
    hand.tap(id="group_delete", desc="删除星空")
    hand.tap(id="alert_yes")
    assert not hand.sees(text="星空")


def test_an_offline_page_shows_an_error_and_a_retry_button(hand: Hand) -> None:
    hand.network(False)
    hand.tap(id="tab_title", text="榜单")
    assert hand.sees(id="network_error")
    hand.tap(id="retry")
    assert "失败" in hand.toast
    hand.network(True)
    hand.tap(id="retry")
    assert hand.sees(id="tv_rank")


def test_the_videos_play_and_pause(hand: Hand) -> None:
    hand.tab("视频")
    hand.tap(id="video_cover", index=0)
    assert hand.front == names.VIDEO
    assert hand.node(id="video_player").desc.endswith("播放中")
    hand.tap(id="video_player")
    assert hand.node(id="video_player").desc.endswith("已暂停")
    first = hand.text(id="contentTextView")
    hand.tap(id="video_item", index=0)
    assert hand.text(id="contentTextView") != first
    hand.back()
    assert hand.text(id="contentTextView") == first
    hand.back()
    hand.tap(id="tab_title", text="直播")
    assert hand.sees(id="empty_view")
