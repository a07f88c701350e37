from __future__ import annotations

import dataclasses

import pytest

from garabench.core import action as act
from garabench.core.geometry import Point, Rect
from garabench.core.selector import find
from garabench.core.touch import touch_point, touched_element
from garabench.core.tree import UiNode
from garabench.diagnosis.touched_elements import (
    find_again,
    moved_to,
    selector_of,
    words_on,
)
from tests.diagnosis.cases import SHOP, node, rows, screen


def test_the_element_under_a_finger_is_the_smallest_that_reacts() -> None:
    card = node("", 0, height=300, children=(node("title", 0, clickable=False),))
    found = touched_element(screen(card), Point(5, 50))
    assert found is card
    assert words_on(card) == "title"
    assert touched_element(SHOP, Point(5, 5000)) is None


def test_a_selector_finds_its_element_alone() -> None:
    twice = screen(node("same", 0), node("same", 100), node("", 200, resource_id=""))
    for place in (1, 2):
        wanted = twice.app_nodes[place]
        selector = selector_of(twice, wanted)
        assert selector is not None
        assert find(twice, selector) == (wanted,)
    assert selector_of(twice, twice.app_nodes[3]) is None


def test_an_element_is_found_again_where_it_moved() -> None:
    wanted = SHOP.app_nodes[2]
    moved = rows("Advert", "Red kettle", "Blue kettle")
    again = find_again(SHOP, wanted, moved)
    assert again is moved.app_nodes[3]
    renamed = screen(node("Azure kettle", 500))
    assert find_again(SHOP, wanted, renamed) is renamed.app_nodes[1], "by its id"
    assert find_again(SHOP, wanted, screen(node("Other", 0, resource_id="x:id/y"))) is None


@pytest.mark.parametrize(
    ("action", "point"),
    [
        (act.Tap(x=1, y=2), Point(1, 2)),
        (act.Type(text="a", at=(3, 4)), Point(3, 4)),
        (act.Type(text="a"), None),
        (act.Swipe(x1=1, y1=1, x2=5, y2=9), Point(1, 1)),
        (act.Back(), None),
    ],
)
def test_where_an_action_touches_the_screen(action: act.Action, point: Point | None) -> None:
    assert touch_point(action) == point
    there = Point(10, 10)
    assert touch_point(moved_to(action, there)) == (None if point is None else there)


def test_a_moved_swipe_stays_as_long() -> None:
    assert moved_to(act.Swipe(x1=0, y1=0, x2=4, y2=8), Point(1, 1)) == act.Swipe(x1=1, y1=1, x2=5, y2=9)


def _row(top: int, title: str) -> UiNode:
    label = node(title, top, clickable=False)
    like = dataclasses.replace(node("", top), resource_id="com.example:id/like")
    return node("", top, clickable=False, children=(label, like))


def test_among_equal_buttons_the_one_beside_the_same_words_is_found() -> None:
    old = screen(_row(0, "First"), _row(100, "Second"), _row(200, "Third"))
    new = screen(_row(0, "New"), _row(100, "First"), _row(200, "Second"), _row(300, "Third"))
    here, there = old.roots[0].children[1].children[1], new.roots[0].children[2].children[1]
    assert find_again(old, here, new) is there


def test_the_nearest_is_found_where_nothing_else_tells_them_apart() -> None:
    like = dataclasses.replace(node("", 0), resource_id="com.example:id/like")
    places = [dataclasses.replace(like, bounds=Rect(0, top, 100, top + 50)) for top in (0, 110, 400)]
    wanted = dataclasses.replace(like, bounds=Rect(0, 100, 100, 150))
    assert find_again(screen(wanted), wanted, screen(*places)) == places[1]
