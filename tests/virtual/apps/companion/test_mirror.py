from __future__ import annotations

import pytest

from garabench.virtual.apps.companion.app import APP, SHOW
from garabench.virtual.apps.companion.mirror import mirrored, right_to_left
from garabench.virtual.ui.widgets import Align, Row, Text, insets
from tests.virtual.apps.companion.test_spec import GOOD, encode
from tests.virtual.apps.fake import by_id, launch


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("البطارية منخفضة 10%", True),
        ("10% البطارية", True),
        ("10% battery", False),
        ("电量", False),
        ("10", False),
    ],
)
def test_the_first_letter_with_a_direction_decides(text: str, expected: bool) -> None:
    assert right_to_left(text) is expected


def test_what_stood_at_the_left_stands_at_the_right() -> None:
    first = Text(id="a", text="50%", margin=insets(1, 2, 3, 4), padding=insets(5, 0, 6, 0))
    row = mirrored(Row(children=[first, Text(id="b", text="y", align=Align.CENTER)], justify=Align.END))
    assert isinstance(row, Row)
    assert row.justify is Align.START
    after, turned = row.children
    assert isinstance(turned, Text)
    assert isinstance(after, Text)
    assert (turned.id, turned.align) == ("a", Align.END)
    assert (turned.margin, turned.padding) == (insets(3, 2, 1, 4), insets(6, 0, 5, 0))
    assert (after.id, after.align) == ("b", Align.CENTER)


@pytest.mark.parametrize("text", ["OK", "البطارية"])
def test_a_text_begins_where_its_own_letters_say(text: str) -> None:
    turned = mirrored(Text(text=text))
    assert isinstance(turned, Text)
    assert turned.align is Align.START


@pytest.mark.parametrize("template", ["dialog", "full-screen", "bottom-sheet"])
def test_an_arabic_interruption_is_the_other_way_round(template: str) -> None:
    spec = GOOD | {"template": template, "close": {"key": "close"}}
    latin, _ = launch(APP, SHOW, spec=encode(spec), token="t")
    arabic, _ = launch(APP, SHOW, spec=encode(spec | {"title": "البطارية"}), token="t")
    crosses = [by_id(each.dialog() or each.build(), "button_close") for each in (latin, arabic)]
    assert [cross.align_self for cross in crosses] == [Align.END, Align.START]
