"""Set-of-marks: a numbered box around each element, drawn on the image at the size that is sent."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from PIL import Image, ImageDraw, ImageFont

from garabench.core.geometry import Rect, Size

MAX_MARKS = 300
"""Maximum number of boxes; further elements are not numbered, and the prompt says so."""

_COLOURS = (
    (214, 39, 40),
    (31, 119, 180),
    (0, 128, 55),
    (148, 50, 189),
    (176, 86, 0),
    (0, 120, 130),
    (205, 25, 108),
    (90, 75, 60),
)
"""Distinct colours, dark enough for white digits (contrast of at least 4.5)."""
_WHITE = (255, 255, 255)
_SMALLEST_FONT, _LARGEST_FONT = 11, 30
_FONT_DIVISOR = 44
"""The digits' height is the image's shorter side divided by this."""
_MAX_ALONG = 16
"""Maximum number of positions along a box's edges to try for its label."""


@dataclass(frozen=True, slots=True)
class ElementMark:
    """A numbered box.

    Attributes:
        number: Number of the element in replies.
        rect: Bounds of the element in screen pixels.
    """

    number: int
    rect: Rect


def draw_marks(image: Image.Image, marks: Sequence[ElementMark], screen: Size) -> Image.Image:
    """Draw marks on an image, and return it.

    Each label is drawn at a corner of its box or next to it, where it covers no other label if possible;
    small boxes choose first.

    Args:
        image: The image, in mode RGB; it is modified.
        marks: The boxes, in screen pixels.
        screen: Size of the screen; the image may be smaller.
    """
    pen = ImageDraw.Draw(image)
    font = _font(min(max(min(image.size) // _FONT_DIVISOR, _SMALLEST_FONT), _LARGEST_FONT))
    whole = Rect(0, 0, image.width, image.height)
    boxes = {mark.number: _scaled(mark.rect, screen, whole) for mark in marks[:MAX_MARKS]}
    line = 2 if min(image.size) >= 600 else 1
    for number, box in boxes.items():
        pen.rectangle((box.left, box.top, box.right - 1, box.bottom - 1), outline=_colour(number), width=line)
    taken: list[Rect] = []
    for number, box in sorted(boxes.items(), key=lambda item: (item[1].width * item[1].height, item[0])):
        left, top, right, bottom = font.getbbox(str(number))
        size = Size(round(right - left) + 5, round(bottom - top) + 5)
        label = _place(box, size, whole, taken)
        taken.append(label)
        edges = (label.left, label.top, label.right - 1, label.bottom - 1)
        pen.rectangle(
            edges, fill=_colour(number), outline=_WHITE
        )  # visible on a background of the same colour, too
        pen.text((label.left + 2 - left, label.top + 2 - top), str(number), fill=_WHITE, font=font)
    return image


@lru_cache(maxsize=8)
def _font(height: int) -> ImageFont.FreeTypeFont | ImageFont.ImageFont:
    return ImageFont.load_default(height)


def _colour(number: int) -> tuple[int, int, int]:
    return _COLOURS[number % len(_COLOURS)]


def _scaled(rect: Rect, screen: Size, whole: Rect) -> Rect:
    """Return a box in image pixels, at least one pixel wide and high."""
    left = min(max(rect.left * whole.width // screen.width, 0), whole.width - 1)
    top = min(max(rect.top * whole.height // screen.height, 0), whole.height - 1)
    right = max(left + 1, min(-(-rect.right * whole.width // screen.width), whole.width))
    bottom = max(top + 1, min(-(-rect.bottom * whole.height // screen.height), whole.height))
    return Rect(left, top, right, bottom)


def _place(box: Rect, size: Size, whole: Rect, taken: Sequence[Rect]) -> Rect:
    """Return a label's position: the first free one, or else the one that covers other labels least."""
    best: tuple[int, Rect] | None = None
    for place in _places(box, size):
        if not whole.encloses(place):
            continue
        covered = sum(_area(place.intersect(other)) for other in taken)
        if not covered:
            return place
        if best is None or covered < best[0]:
            best = (covered, place)
    if best is not None:
        return best[1]
    left = min(max(box.left, 0), max(whole.width - size.width, 0))
    top = min(max(box.top, 0), max(whole.height - size.height, 0))
    return Rect(left, top, left + size.width, top + size.height)


def _places(box: Rect, size: Size) -> Iterator[Rect]:
    """Yield corners inside a large box, then next to its corners, then along its upper and lower edge."""
    wide, high = size.width, size.height
    inside = (
        (box.right - wide, box.top),  # most texts begin at the left
        (box.left, box.top),
        (box.right - wide, box.bottom - high),
        (box.left, box.bottom - high),
    )
    beside = (
        (box.left, box.top - high),
        (box.right - wide, box.top - high),
        (box.left, box.bottom),
        (box.right - wide, box.bottom),
        (box.left - wide, box.top),
        (box.right, box.top),
    )
    along = [(x, y) for y in (box.top, box.bottom - high) for x in range(box.left, box.right - wide, wide)]
    tall = box.width >= 3 * wide and box.height >= 2 * high
    long = (
        box.width >= 5 * wide and box.height * 4 >= high * 3
    )  # a line of text, which ends before its box does
    for x, y in (
        (*inside, *beside, *along[:_MAX_ALONG]) if tall or long else (*beside, *inside, *along[:_MAX_ALONG])
    ):
        yield Rect(x, y, x + wide, y + high)


def _area(rect: Rect) -> int:
    return max(rect.width, 0) * max(rect.height, 0)
