from __future__ import annotations

from garabench.virtual.apps.jd import content, names
from tests.virtual.apps.jd.hand import Hand


def searching() -> Hand:
    hand = Hand()
    hand.open(names.SEARCH)
    return hand


def test_a_search_is_added_to_the_history_and_persists() -> None:
    hand = searching()
    hand.write("电竞椅 黑色", id="search_edit")
    hand.tap(id="search_button")
    assert hand.node(id="search_text").text == "电竞椅 黑色"
    hand.stop()
    hand.open(names.SEARCH)
    assert hand.texts(id="history_item")[0] == "电竞椅 黑色"


def test_an_empty_field_searches_for_its_hint() -> None:
    hand = searching()
    hand.tap(id="search_button")
    assert hand.node(id="search_text").text == content.home()["search_hints"][0]


def test_tapping_a_suggestion_searches_for_it() -> None:
    hand = searching()
    hand.write("加湿", id="search_edit")
    word = hand.texts(id="suggestion")[0]
    hand.tap(id="suggestion", text=word)
    assert hand.node(id="search_text").text == word
    assert hand.sees(id="product_title")


def test_clearing_the_history_asks_for_confirmation() -> None:
    hand = searching()
    before = hand.texts(id="history_item")
    assert before
    hand.tap(id="clear_history")
    hand.tap(text="取消")
    assert hand.texts(id="history_item") == before
    hand.tap(id="clear_history")
    hand.tap(text="删除")
    assert not hand.sees(id="history_item")
    hand.stop()
    hand.open(names.SEARCH)
    assert not hand.sees(id="history_item")


def test_trending_words_have_results() -> None:
    hand = searching()
    for word in (*content.home()["hot_words"], *(row["word"] for row in content.home()["trending"])):
        hand.open(names.RESULTS, query=word)
        assert hand.sees(id="product_title"), word
        assert not hand.sees(id="empty_text"), word


def test_the_query_of_the_results_can_be_edited() -> None:
    hand = searching()
    hand.write("键盘", id="search_edit")
    hand.tap(id="search_button")
    hand.tap(id="search_text")
    assert hand.node(id="search_edit").text == "键盘"
    hand.tap(id="search_clear")
    assert hand.sees(text="京东热搜")
