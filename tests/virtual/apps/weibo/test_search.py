from __future__ import annotations

import pytest

from garabench.virtual.apps.weibo import names
from garabench.virtual.apps.weibo.hot_list import TABS as HOT_TABS
from garabench.virtual.apps.weibo.search_results import TABS
from garabench.virtual.apps.weibo.topic import TABS as TOPIC_TABS
from tests.virtual.apps.weibo.robot import Robot


@pytest.fixture
def robot() -> Robot:
    return Robot()


def test_suggestions_follow_the_text(robot: Robot) -> None:
    robot.tab("发现")
    robot.tap(id="tvSearchKeyword")
    robot.write("银河", id="search_edit")
    assert all("银河" in text for text in robot.texts(id="suggestion"))
    robot.tap(id="suggestion", text="银河拍摄指南")
    assert robot.sees(id="topic_name", text="#银河拍摄指南#")


def test_an_empty_field_searches_for_its_hint(robot: Robot) -> None:
    robot.open(names.SEARCH, hint="旧书里夹着的车票")
    robot.tap(id="search_button")
    assert robot.text(id="search_edit") == "旧书里夹着的车票"


def test_each_tab_of_the_results(robot: Robot) -> None:
    robot.search("露营")
    for tab in TABS:
        robot.tap(id="tab_title", text=tab, inside={"id": "result_tabs"})
        empty = robot.sees(id="tips")
        assert empty is (tab in ("用户", "文章") and not robot.sees(id="user_row")), tab


def test_the_matching_user_heads_the_results(robot: Robot) -> None:
    robot.search("阿桃厨房")
    assert robot.text(id="tv_nick", inside={"id": "user_card"}) == "阿桃厨房"
    robot.search("滨江")
    assert not robot.sees(id="user_card")
    robot.tap(id="tab_title", text="用户")
    assert len(robot.texts(id="tv_nick")) >= 4


def test_no_results(robot: Robot) -> None:
    robot.search("不会有人写这个")
    assert "未找到" in robot.text(id="tips")


def test_editing_the_history(robot: Robot) -> None:
    robot.search("猫")
    robot.back()
    assert robot.texts(id="history_text") == ["猫", "露营", "滨江地铁", "番茄牛腩"]
    robot.tap(id="history_edit")
    robot.tap(id="history_delete", desc="删除露营")
    robot.tap(id="history_done")
    assert robot.texts(id="history_text") == ["猫", "滨江地铁", "番茄牛腩"]
    robot.tap(id="history_text", text="番茄牛腩")
    assert robot.text(id="search_edit") == "番茄牛腩"
    robot.back()
    robot.tap(id="history_edit")
    robot.tap(id="history_clear")
    robot.tap(id="alert_yes")
    assert not robot.sees(id="search_history")


def test_clearing_the_field(robot: Robot) -> None:
    robot.search("猫")
    robot.tap(id="search_clear")
    assert robot.sees(id="search_start")


def test_search_has_no_results_offline(robot: Robot) -> None:
    robot.network(False)
    robot.search("露营")
    assert robot.sees(id="network_error")
    robot.network(True)
    robot.tap(id="retry")
    assert robot.sees(id="result_list")


def test_the_trending_list_by_category(robot: Robot) -> None:
    robot.tab("发现")
    robot.tap(id="hot_more")
    for tab in HOT_TABS:
        robot.tap(id="tab_title", text=tab, inside={"id": "hot_tabs"})
        assert robot.texts(id="hot_rank")[0] == "1", tab
    robot.tap(id="hot_text", text="滨江地铁6号线开通")
    assert robot.text(id="topic_title") == "#滨江地铁6号线开通#"


def test_sort_orders_of_a_topic(robot: Robot) -> None:
    robot.open(names.TOPIC, topic="银河拍摄指南")
    for tab in TOPIC_TABS:
        robot.tap(id="tab_title", text=tab, inside={"id": "topic_tabs"})
        assert robot.sees(id="card_mblog"), tab
    robot.tap(id="tab_title", text="综合", inside={"id": "topic_tabs"})
    assert robot.texts(id="tvItemName")[0] == "天文爱好者星野"


def test_following_a_topic_lists_it(robot: Robot) -> None:
    robot.open(names.TOPIC, topic="骑行环青海湖")
    robot.tap(id="topic_follow")
    assert robot.text(id="topic_follow") == "已关注"
    robot.open(names.POSTS, kind="topics")
    assert robot.texts(id="topic_name") == ["#骑行环青海湖#", "#早餐吃什么#"]
    robot.tap(id="topic_name", text="#骑行环青海湖#")
    robot.tap(id="topic_follow")
    assert robot.text(id="topic_follow") == "关注"


def test_a_topics_host_opens_their_page(robot: Robot) -> None:
    robot.open(names.TOPIC, topic="国风插画大赛")
    robot.tap(id="topic_host")
    assert robot.text(id="tvNickname") == "国风插画阿青"


@pytest.mark.parametrize(
    ("entry", "sees"), [("榜单", "board_tabs"), ("同城", "city_tabs"), ("热搜", "hot_list")]
)
def test_links_of_the_discover_tab(robot: Robot, entry: str, sees: str) -> None:
    robot.tab("发现")
    robot.tap(id="entry_text", text=entry)
    assert robot.sees(id=sees)
