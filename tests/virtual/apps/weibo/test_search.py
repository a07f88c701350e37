from __future__ import annotations

import pytest

from garabench.virtual.apps.weibo import names
from garabench.virtual.apps.weibo.hot_list import TABS as HOT_TABS
from garabench.virtual.apps.weibo.search_results import TABS
from garabench.virtual.apps.weibo.topic import TABS as TOPIC_TABS
from tests.virtual.apps.weibo.hand import Hand


@pytest.fixture
def hand() -> Hand:
    return Hand()


def test_suggestions_follow_the_text(hand: Hand) -> None:
    hand.tab("发现")
    hand.tap(id="tvSearchKeyword")
    hand.write("银河", id="search_edit")
    assert all("银河" in text for text in hand.texts(id="suggestion"))
    hand.tap(id="suggestion", text="银河拍摄指南")
    assert hand.sees(id="topic_name", text="#银河拍摄指南#")


def test_an_empty_field_searches_for_its_hint(hand: Hand) -> None:
    hand.open(names.SEARCH, hint="旧书里夹着的车票")
    hand.tap(id="search_button")
    assert hand.text(id="search_edit") == "旧书里夹着的车票"


def test_each_tab_of_the_results(hand: Hand) -> None:
    hand.search("露营")
    for tab in TABS:
        hand.tap(id="tab_title", text=tab, inside={"id": "result_tabs"})
        empty = hand.sees(id="tips")
        assert empty is (tab in ("用户", "文章") and not hand.sees(id="user_row")), tab


def test_the_matching_user_heads_the_results(hand: Hand) -> None:
    hand.search("阿桃厨房")
    assert hand.text(id="tv_nick", inside={"id": "user_card"}) == "阿桃厨房"
    hand.search("滨江")
    assert not hand.sees(id="user_card")
    hand.tap(id="tab_title", text="用户")
    assert len(hand.texts(id="tv_nick")) >= 4


def test_no_results(hand: Hand) -> None:
    hand.search("不会有人写这个")
    assert "未找到" in hand.text(id="tips")


def test_editing_the_history(hand: Hand) -> None:
    hand.search("猫")
    hand.back()
    assert hand.texts(id="history_text") == ["猫", "露营", "滨江地铁", "番茄牛腩"]
    hand.tap(id="history_edit")
    hand.tap(id="history_delete", desc="删除露营")
    hand.tap(id="history_done")
    assert hand.texts(id="history_text") == ["猫", "滨江地铁", "番茄牛腩"]
    hand.tap(id="history_text", text="番茄牛腩")
    assert hand.text(id="search_edit") == "番茄牛腩"
    hand.back()
    hand.tap(id="history_edit")
    hand.tap(id="history_clear")
    hand.tap(id="alert_yes")
    assert not hand.sees(id="search_history")


def test_clearing_the_field(hand: Hand) -> None:
    hand.search("猫")
    hand.tap(id="search_clear")
    assert hand.sees(id="search_start")


def test_search_has_no_results_offline(hand: Hand) -> None:
    hand.network(False)
    hand.search("露营")
    assert hand.sees(id="network_error")
    hand.network(True)
    hand.tap(id="retry")
    assert hand.sees(id="result_list")


def test_the_trending_list_by_category(hand: Hand) -> None:
    hand.tab("发现")
    hand.tap(id="hot_more")
    for tab in HOT_TABS:
        hand.tap(id="tab_title", text=tab, inside={"id": "hot_tabs"})
        assert hand.texts(id="hot_rank")[0] == "1", tab
    hand.tap(id="hot_text", text="滨江地铁6号线开通")
    assert hand.text(id="topic_title") == "#滨江地铁6号线开通#"


def test_sort_orders_of_a_topic(hand: Hand) -> None:
    hand.open(names.TOPIC, topic="银河拍摄指南")
    for tab in TOPIC_TABS:
        hand.tap(id="tab_title", text=tab, inside={"id": "topic_tabs"})
        assert hand.sees(id="card_mblog"), tab
    hand.tap(id="tab_title", text="综合", inside={"id": "topic_tabs"})
    assert hand.texts(id="tvItemName")[0] == "天文爱好者星野"


def test_following_a_topic_lists_it(hand: Hand) -> None:
    hand.open(names.TOPIC, topic="骑行环青海湖")
    hand.tap(id="topic_follow")
    assert hand.text(id="topic_follow") == "已关注"
    hand.open(names.POSTS, kind="topics")
    assert hand.texts(id="topic_name") == ["#骑行环青海湖#", "#早餐吃什么#"]
    hand.tap(id="topic_name", text="#骑行环青海湖#")
    hand.tap(id="topic_follow")
    assert hand.text(id="topic_follow") == "关注"


def test_a_topics_host_opens_their_page(hand: Hand) -> None:
    hand.open(names.TOPIC, topic="国风插画大赛")
    hand.tap(id="topic_host")
    assert hand.text(id="tvNickname") == "国风插画阿青"


@pytest.mark.parametrize(
    ("entry", "sees"), [("榜单", "board_tabs"), ("同城", "city_tabs"), ("热搜", "hot_list")]
)
def test_links_of_the_discover_tab(hand: Hand, entry: str, sees: str) -> None:
    hand.tab("发现")
    hand.tap(id="entry_text", text=entry)
    assert hand.sees(id=sees)
