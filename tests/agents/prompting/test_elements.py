"""The elements that are listed: visible ones that can be used or have a text."""

from __future__ import annotations

from garabench.agents.prompting.elements import elements_of, keyboard_shown, own_texts
from garabench.core.geometry import Rect
from garabench.core.tree import UiTree
from tests.agents.prompting.samples import NOTE, ROW, SCREEN, SEARCH, TREE, node, page


def expected(*roots: object) -> list[tuple[str, ...]]:
    return [element.texts for element in elements_of(UiTree(tuple(roots)), SCREEN)]  # type: ignore[arg-type]


def test_a_row_is_listed_with_its_texts_and_bars_are_omitted() -> None:
    found = elements_of(TREE, SCREEN)
    assert [element.texts for element in found] == [
        ("搜索",),
        ("稻香", "12万播放"),
        ("没有更多了",),
        ("点赞",),
    ]
    assert [element.acts for element in found] == [True, True, False, True]
    assert found[1].rect == Rect(0, 200, 1080, 400)


def test_texts_in_a_control_with_other_controls_are_listed_separately() -> None:
    card = node(
        at=(0, 0, 500, 500), clickable=True, children=(NOTE_IN, node(at=(0, 0, 99, 99), clickable=True))
    )
    found = elements_of(UiTree((page(card),)), SCREEN)
    assert [element.depth for element in found] == [0, 1, 1]
    assert found[1].texts == ("title",)


NOTE_IN = node(at=(0, 100, 500, 200), text="title")


def test_a_clickable_page_does_not_merge_its_texts() -> None:
    texts = tuple(node(at=(0, 100 * n, 900, 100 * n + 90), text=f"line {n}") for n in range(20))
    assert len(expected(page(*texts, clickable=True))) == 21


def test_invisible_elements_are_omitted() -> None:
    assert expected(page(node(text="gone", visible=False))) == []
    assert expected(page(node(at=(0, 3000, 100, 3100), text="below"))) == []
    assert expected(page(node(at=(10, 10, 11, 500), text="a line"))) == []
    assert expected(page(page(node(text="child of the unseen"), visible=False))) == []


def test_covered_elements_are_omitted() -> None:
    dialog = page(node(at=(200, 900, 800, 1000), text="允许"), at=(100, 800, 980, 1600))
    under = page(node(at=(200, 1000, 800, 1100), text="covered"), node(at=(0, 0, 100, 100), text="free"))
    assert expected(dialog, under) == [("允许",), ("free",)]


def test_the_notification_shade_is_listed_and_the_keyboard_is_not() -> None:
    shade = page(node(text="通知", package="com.android.systemui"), package="com.android.systemui")
    keys = page(
        node(at=(0, 1600, 100, 1700), text="q", package="com.google.android.inputmethod.latin"),
        at=(0, 1500, 1080, 2400),
        package="com.google.android.inputmethod.latin",
    )
    assert expected(shade) == [("通知",)]
    assert expected(keys, page(SEARCH, NOTE)) == [("搜索",), ("没有更多了",)]
    assert keyboard_shown(UiTree((keys,))) and not keyboard_shown(TREE)


def test_a_password_is_omitted() -> None:
    assert own_texts(node(text="secret", password=True, hint="密码")) == ("密码",)


def test_duplicate_texts_are_listed_once() -> None:
    card = node(
        at=(0, 0, 500, 500),
        clickable=True,
        desc="稻香, 12万播放",
        children=(node(at=(0, 0, 99, 99), text="稻香"), node(at=(0, 99, 99, 199), text="周杰伦")),
    )
    assert expected(page(card)) == [("稻香, 12万播放", "周杰伦")]
    assert own_texts(ROW) == ()
