from __future__ import annotations

from garabench.virtual.apps.jd import content, names
from tests.virtual.apps.jd.robot import Robot


def searching() -> Robot:
    robot = Robot()
    robot.open(names.SEARCH)
    return robot


def test_a_search_is_added_to_the_history_and_persists() -> None:
    robot = searching()
    robot.write("电竞椅 黑色", id="search_edit")
    robot.tap(id="search_button")
    assert robot.node(id="search_text").text == "电竞椅 黑色"
    robot.stop()
    robot.open(names.SEARCH)
    assert robot.texts(id="history_item")[0] == "电竞椅 黑色"


def test_an_empty_field_searches_for_its_hint() -> None:
    robot = searching()
    robot.tap(id="search_button")
    assert robot.node(id="search_text").text == content.home()["search_hints"][0]


def test_tapping_a_suggestion_searches_for_it() -> None:
    robot = searching()
    robot.write("加湿", id="search_edit")
    word = robot.texts(id="suggestion")[0]
    robot.tap(id="suggestion", text=word)
    assert robot.node(id="search_text").text == word
    assert robot.sees(id="product_title")


def test_clearing_the_history_asks_for_confirmation() -> None:
    robot = searching()
    before = robot.texts(id="history_item")
    assert before
    robot.tap(id="clear_history")
    robot.tap(text="取消")
    assert robot.texts(id="history_item") == before
    robot.tap(id="clear_history")
    robot.tap(text="删除")
    assert not robot.sees(id="history_item")
    robot.stop()
    robot.open(names.SEARCH)
    assert not robot.sees(id="history_item")


def test_trending_words_have_results() -> None:
    robot = searching()
    for word in (*content.home()["hot_words"], *(row["word"] for row in content.home()["trending"])):
        robot.open(names.RESULTS, query=word)
        assert robot.sees(id="product_title"), word
        assert not robot.sees(id="empty_text"), word


def test_the_query_of_the_results_can_be_edited() -> None:
    robot = searching()
    robot.write("键盘", id="search_edit")
    robot.tap(id="search_button")
    robot.tap(id="search_text")
    assert robot.node(id="search_edit").text == "键盘"
    robot.tap(id="search_clear")
    assert robot.sees(text="京东热搜")
