from __future__ import annotations

import pytest

from garabench.virtual.android.device_profile import Profile
from garabench.virtual.android.phone import Phone
from garabench.virtual.apps.companion.app import APP, SHOW
from garabench.virtual.apps.companion.mirror import is_right_to_left, mirrored
from garabench.virtual.kit.framework import Intent
from garabench.virtual.ui.widgets import Align, ProgressBar, Row, Text, insets
from tests.virtual.apps.companion.test_spec import GOOD, encode
from tests.virtual.apps.fake_phone import by_id, launch


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
def test_the_first_character_with_a_direction_decides(text: str, expected: bool) -> None:
    assert is_right_to_left(text) is expected


def test_a_row_is_mirrored() -> None:
    first = Text(id="a", text="50%", margin=insets(1, 2, 3, 4), padding=insets(5, 0, 6, 0))
    row = mirrored(Row(children=[first, Text(id="b", text="y", align=Align.CENTER)], justify=Align.END))
    assert isinstance(row, Row)
    assert row.justify is Align.START
    second, first_mirrored = row.children
    assert isinstance(first_mirrored, Text)
    assert isinstance(second, Text)
    assert (first_mirrored.id, first_mirrored.align) == ("a", Align.END)
    assert (first_mirrored.margin, first_mirrored.padding) == (insets(3, 2, 1, 4), insets(6, 0, 5, 0))
    assert (second.id, second.align) == ("b", Align.CENTER)


def test_a_mirrored_progress_bar_fills_from_the_right() -> None:
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
        colors = [row.getpixel((x, 0)) for x in range(row.width)]
        drawn.append(colors)
    assert drawn[0] == drawn[1][::-1]
    assert drawn[0][row.width // 10] != drawn[1][row.width // 10]


@pytest.mark.parametrize("text", ["OK", "البطارية"])
def test_a_text_is_aligned_by_its_own_script(text: str) -> None:
    result = mirrored(Text(text=text))
    assert isinstance(result, Text)
    assert result.align is Align.START


@pytest.mark.parametrize("template", ["dialog", "full-screen", "bottom-sheet"])
def test_an_interruption_with_an_arabic_title_is_mirrored(template: str) -> None:
    spec = GOOD | {"template": template, "close": {"key": "close"}}
    latin, _ = launch(APP, SHOW, spec=encode(spec), token="t")
    arabic, _ = launch(APP, SHOW, spec=encode(spec | {"title": "البطارية"}), token="t")
    close_buttons = [by_id(each.dialog() or each.build(), "button_close") for each in (latin, arabic)]
    assert [button.align_self for button in close_buttons] == [Align.END, Align.START]
