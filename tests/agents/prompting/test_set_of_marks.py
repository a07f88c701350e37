"""Numbered boxes are drawn around the elements; their labels do not overlap and stay within the image."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image, ImageChops

from garabench.agents.prompting import set_of_marks
from garabench.agents.prompting.set_of_marks import MAX_MARKS, ElementMark, draw_marks
from garabench.core.geometry import Rect, Size

SCREEN = Size(1080, 2400)


def drawn(found: list[ElementMark], size: tuple[int, int] = (540, 1200)) -> Image.Image:
    return draw_marks(Image.new("RGB", size, "white"), found, SCREEN)


def changed(image: Image.Image) -> tuple[int, int, int, int] | None:
    return ImageChops.difference(image, Image.new("RGB", image.size, "white")).getbbox()


def test_a_box_is_drawn_at_the_scale_of_the_image() -> None:
    assert changed(drawn([ElementMark(7, Rect(200, 400, 800, 1000))])) == (100, 200, 400, 500)


@pytest.mark.parametrize("number", [0, 7, 42, 299])
def test_a_label_has_white_digits_on_a_dark_background(number: int) -> None:
    image = drawn([ElementMark(number, Rect(100, 100, 900, 900))])
    colours = image.getcolors(1 << 16) or []
    assert len(colours) > 3  # paper, ground, digits, and their soft edges
    ground = max((colour for colour in colours if colour[1] != (255, 255, 255)), key=lambda c: c[0])[1]
    assert contrast(ground) >= 4.5


def contrast(colour: object) -> float:
    """Return the contrast of white on a colour, as WCAG 2 defines it."""
    assert isinstance(colour, tuple)
    parts = [(c / 255 / 12.92) if c <= 10 else ((c / 255 + 0.055) / 1.055) ** 2.4 for c in colour]
    return 1.05 / (0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2] + 0.05)


def test_all_colours_carry_white_digits() -> None:
    assert all(contrast(colour) >= 4.5 for colour in set_of_marks._COLOURS)


def test_labels_of_boxes_within_each_other_lie_apart() -> None:
    nested = [Rect(0, 0, 400, 400), Rect(0, 0, 400, 200), Rect(0, 0, 200, 200), Rect(200, 0, 400, 200)]
    taken: list[Rect] = []
    for box in nested:
        label = set_of_marks._place(box, Size(20, 14), Rect(0, 0, 1000, 1000), taken)
        assert all(label.intersect(other).is_empty for other in taken)
        taken.append(label)


def test_the_label_of_a_small_box_is_beside_it() -> None:
    box = Rect(100, 100, 130, 130)
    assert set_of_marks._place(box, Size(20, 14), Rect(0, 0, 1000, 1000), []).intersect(box).is_empty


def test_the_number_of_boxes_is_limited() -> None:
    many = [ElementMark(n, Rect(10, 10, 60, 60)) for n in range(MAX_MARKS)]
    over = [ElementMark(n, Rect(900, 2000, 1000, 2200)) for n in range(MAX_MARKS, MAX_MARKS + 5)]
    box = changed(drawn(many + over))
    assert box is not None and box[3] < 700


@settings(max_examples=25)
@given(
    st.lists(
        st.tuples(st.integers(-50, 1200), st.integers(-50, 2500), st.integers(1, 1200), st.integers(1, 2500)),
        max_size=30,
    ),
    st.sampled_from([(540, 1200), (60, 40), (1, 1)]),
)
def test_any_box_can_be_drawn(boxes: list[tuple[int, int, int, int]], size: tuple[int, int]) -> None:
    found = [ElementMark(n, Rect(x, y, x + w, y + h)) for n, (x, y, w, h) in enumerate(boxes)]
    assert drawn(found, size).size == size


def test_a_label_is_visible_on_its_own_colour() -> None:
    from_marks = draw_marks(
        Image.new("RGB", (360, 800), "#000000"), [ElementMark(0, Rect(40, 100, 300, 300))], Size(360, 800)
    )
    colour = max((count, value) for count, value in from_marks.getcolors(10_000) if value != (0, 0, 0))[1]
    drawn = draw_marks(
        Image.new("RGB", (360, 800), colour), [ElementMark(0, Rect(40, 100, 300, 300))], Size(360, 800)
    )
    assert drawn.getpixel((299, 100)) == (255, 255, 255)
