"""The plot of the taps."""

from __future__ import annotations

import io

import pytest
from PIL import Image

from garabench.agentcheck.coordinate_diagnosis import TapPair
from garabench.agentcheck.tap_plot import draw_taps
from garabench.core.geometry import Point, Size


def drawn(pairs: list[TapPair], size: Size, verdict: str = "fine") -> Image.Image:
    return Image.open(io.BytesIO(draw_taps(pairs, size, verdict))).convert("RGB")


@pytest.mark.parametrize("size", [Size(320, 480), Size(1080, 2400), Size(2560, 1600)], ids=str)
def test_hits_are_green_and_misses_red(size: Size) -> None:
    middle = Point(size.width // 2, size.height // 2)
    corner = Point(size.width // 5, size.height // 5)
    for hit, colour in ((True, (24, 128, 56)), (False, (217, 48, 37))):
        image = drawn([TapPair(middle, middle, 1, hit), TapPair(middle, corner, 2, hit)], size)
        assert max(image.size) <= 1400
        assert colour in {pixel for _, pixel in image.getcolors(maxcolors=1 << 20) or ()}


def test_taps_off_the_screen_stay_in_the_plot() -> None:
    far = TapPair(Point(10, 10), Point(-9000, 90_000), 1)
    assert drawn([far], Size(1080, 2400), "a long verdict " * 40).size == (630, 1400)


def test_the_same_taps_make_the_same_plot() -> None:
    pairs = [TapPair(Point(100, 100), Point(120, 90), 3)]
    assert draw_taps(pairs, Size(1080, 2400), "x") == draw_taps(pairs, Size(1080, 2400), "x")
