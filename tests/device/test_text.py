from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from garabench.core.tree import UiNode, UiTree
from garabench.device.text import escape_for_input, focused_field, lacks_letters, typeable

EDIT = "android.widget.EditText"


@pytest.mark.parametrize(
    ("text", "can"),
    [
        ("abc 1 &$'", True),
        ("", True),
        ("稻香", False),
        ("a\nb", False),
        ("é", False),
        ("100%s", False),
        ("%d", True),
    ],
)
def test_texts_that_input_can_type(text: str, can: bool) -> None:
    assert typeable(text) is can


@pytest.mark.parametrize(
    ("arrived", "text", "lacks"),
    [
        ("abde", "abcdef", True),
        ("雨后橘子", "雨后的橘子", True),
        ("abc", "abcdef", False),  # cut off at the end by the field's limit
        ("", "abc", False),
        ("abc", "abc", False),
        ("ABDE", "abcdef", False),
        ("ba", "abc", False),
    ],
)
def test_letters_lost_on_the_way(arrived: str, text: str, *, lacks: bool) -> None:
    assert lacks_letters(arrived, text) is lacks


@given(st.text(alphabet=st.characters(min_codepoint=0x20, max_codepoint=0x7E)))
def test_escaped_texts_are_unescaped_by_the_device(text: str) -> None:
    if typeable(text):
        assert " " not in escape_for_input(text)
        assert escape_for_input(text).replace("%s", " ") == text  # as `input text` does


@pytest.mark.parametrize(
    ("node", "found"),
    [
        (UiNode(cls=EDIT, focused=True), True),
        (UiNode(cls="android.widget.AutoCompleteEditText", focused=True), True),
        (UiNode(cls="android.view.View", focused=True, password=True), True),
        (UiNode(cls="android.widget.Button", focused=True), False),
        (UiNode(cls=EDIT), False),
    ],
)
def test_focused_field_is_found(node: UiNode, found: bool) -> None:
    tree = UiTree((UiNode(children=(UiNode(cls=EDIT), node)),))
    assert (focused_field(tree) is node) is found
