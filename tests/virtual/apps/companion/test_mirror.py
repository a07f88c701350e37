from __future__ import annotations

import pytest

from garabench.virtual.android.device_profile import Profile
from garabench.virtual.android.phone import Phone
from garabench.virtual.apps.companion.app import APP, SHOW
from garabench.virtual.apps.companion.mirror import mirrored, right_to_left
from garabench.virtual.kit.framework import Intent
from garabench.virtual.ui.widgets import Align, ProgressBar, Row, Text, insets
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


def test_a_bar_fills_from_the_right() -> None:
    phone = Phone(Profile.parse("android-34:1080x2400"), apps=[APP])
    drawn = []
    for title in ("Battery", "البطارية"):
        spec = encode(GOOD | {"title": title, "progress": 0.2})
        phone.activities.start(
            Intent(package=APP.package, activity=SHOW, extras={"spec": spec, "token": "t"})
        )
        nodes = (node for window in phone.scene().windows for node in window.root.walk())
        (bar,) = (node for node in nodes if isinstance(node.widget, ProgressBar))
        row = phone.frame().image.crop(
            (bar.bounds.left, bar.bounds.center.y, bar.bounds.right, bar.bounds.center.y + 1)
        )
        colors = [row.getpixel((place, 0)) for place in range(row.width)]
        drawn.append(colors)
    assert drawn[0] == drawn[1][::-1]
    assert drawn[0][row.width // 10] != drawn[1][row.width // 10]


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
