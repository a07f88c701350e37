"""The screen as a list of elements: the content of a row, and omissions when there is no room."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from garabench.agents.dialects.catalog import DIALECTS
from garabench.agents.dialects.coordinates import ScreenView
from garabench.agents.prompting.element_list import ElementText, describe_elements
from garabench.agents.prompting.elements import ScreenElement, elements_of
from garabench.agents.prompting.tokens import estimate_tokens
from garabench.core.geometry import Size
from garabench.core.tree import UiTree
from tests.agents.prompting.samples import SCREEN, TREE, node, page


def expected(
    tree: UiTree = TREE, dialect: str = "json", tokens: int = 3000, image: Size = SCREEN
) -> ElementText:
    found = elements_of(tree, SCREEN)
    return describe_elements(
        found, ScreenView(SCREEN, image, tuple(one.rect for one in found)), DIALECTS[dialect], tokens
    )


def long_page(rows: int, notes: int = 0) -> UiTree:
    """Return a page of clickable rows, the first of which have texts below them."""
    parts = []
    for number in range(rows):
        top = 10 + number * 20
        parts.append(node(at=(0, top, 500, top + 10), text=f"row {number}", clickable=True))
        if number < notes:
            parts.append(node(at=(0, top + 10, 500, top + 20), text=f"note {number}"))
    return UiTree((page(*parts),))


def test_a_row_has_number_kind_texts_id_position_and_state() -> None:
    assert expected().text.splitlines() == [
        '[0] field "搜索" #search @540,100',
        '[1] area "稻香" "12万播放" #row @540,300',
        '[2] text "没有更多了" @540,550',
        '[3] checkbox "点赞" @950,750 off',
    ]


@pytest.mark.parametrize(
    ("dialect", "row"),
    [
        ("m3a", '[0] field "搜索" #search'),
        ("appagent", '[1] field "搜索" #search'),
        ("ui-tars-1.0", 'field "搜索" #search @500,42'),
        ("gemini", '[0] field "搜索" #search @42,500'),
        ("glm-4.5v", 'field "搜索" #search @500,42'),
    ],
)
def test_numbers_and_positions_follow_the_dialect(dialect: str, row: str) -> None:
    assert expected(dialect=dialect).text.splitlines()[0] == row


def test_positions_are_in_pixels_of_the_image() -> None:
    assert "@270,50" in expected(image=Size(540, 1200)).text.splitlines()[0]


def test_states_are_listed() -> None:
    parts = (
        node(at=(0, 0, 99, 99), cls="android.widget.Switch", checkable=True, checked=True, text="WLAN"),
        node(at=(0, 100, 99, 199), text="推荐", selected=True, clickable=True),
        node(at=(0, 200, 99, 299), cls="android.widget.Button", text="提交", clickable=True, enabled=False),
        node(at=(0, 300, 99, 399), cls="android.widget.EditText", password=True, focused=True),
    )
    rows = expected(UiTree((page(*parts),)), "m3a").text.splitlines()
    assert rows == [
        '[0] switch "WLAN" on',
        '[1] text "推荐" selected',
        '[2] button "提交" disabled',
        "[3] field focused password",
    ]


def test_an_empty_screen_says_so() -> None:
    assert expected(UiTree(())).text == "(no elements)"


def test_first_texts_are_shortened() -> None:
    tree = UiTree((page(*(node(at=(0, 50 * n, 900, 50 * n + 40), text="稻" * 110) for n in range(10))),))
    assert expected(tree).text.count("稻" * 110) == 10
    shortened = expected(tree, tokens=700)
    assert shortened.omitted == 0
    assert shortened.text.splitlines()[0] == f'[0] text "{"稻" * 32}"(+78 characters) @450,20'


def test_then_texts_that_cannot_be_touched_are_left_out_and_counted() -> None:
    shown = expected(long_page(20, notes=20), tokens=400)
    rows = shown.text.splitlines()
    assert [row for row in rows if "row" in row][-1].strip().startswith("[38]")
    assert rows[-1] == f"… {shown.omitted} texts that cannot be tapped are omitted"
    assert shown.rows + shown.omitted == 40
    assert "note 0" in shown.text


def test_then_rows_of_any_kind_are_left_out_from_the_bottom() -> None:
    shown = expected(long_page(100), tokens=200)
    rows = shown.text.splitlines()
    last = shown.rows - 1
    assert rows[-2].startswith(f"[{last}]")
    assert rows[-1] == f"… {100 - shown.rows} more rows below are omitted, numbers {last + 1} to 99"
    assert shown.omitted == 100 - shown.rows


def test_numbers_do_not_depend_on_the_budget() -> None:
    tree = long_page(60, notes=30)
    whole = set(re.findall(r'\[\d+\] text "[^"]*"', expected(tree).text))
    for tokens in (100, 300, 600):
        assert set(re.findall(r'\[\d+\] text "[^"]*"', expected(tree, tokens=tokens).text)) <= whole


def test_a_huge_screen_costs_little() -> None:
    one = elements_of(TREE, SCREEN)[0]
    shown = describe_elements([one] * 100_000, ScreenView(SCREEN, SCREEN), DIALECTS["json"], 1000)
    assert shown.rows + shown.omitted == 100_000
    assert shown.tokens <= 1000


texts = st.text(max_size=150)


@given(
    st.lists(st.tuples(texts, st.booleans(), st.integers(0, 9)), max_size=40),
    st.integers(100, 1500),
    st.sampled_from(["json", "m3a", "ui-tars-1.5"]),
)
def test_no_text_breaks_a_row_or_the_budget(
    screen: list[tuple[str, bool, int]], tokens: int, dialect: str
) -> None:
    found = [
        ScreenElement(
            node(text=text, clickable=acts), SCREEN_RECT, acts, depth, (text,) if text.strip() else ()
        )
        for text, acts, depth in screen
    ]
    shown = describe_elements(
        found, ScreenView(SCREEN, SCREEN, (SCREEN_RECT,) * len(found)), DIALECTS[dialect], tokens
    )
    assert estimate_tokens(shown.text) == shown.tokens <= tokens
    assert shown.rows + shown.omitted == len(found)
    assert len(shown.text.splitlines()) == max(shown.rows + bool(shown.omitted), 1)


SCREEN_RECT = page().bounds
