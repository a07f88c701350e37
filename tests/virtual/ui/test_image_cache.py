"""Caches of images hold a bounded amount of memory, for images of any size."""

from __future__ import annotations

from collections.abc import Callable

from PIL import Image

from garabench.virtual.ui.image_cache import cache_images, image_bytes


def _counted(max_bytes: int) -> tuple[list[tuple[int, int]], Callable[..., Image.Image]]:
    drawn: list[tuple[int, int]] = []

    @cache_images(max_bytes)
    def draw(width: int, height: int) -> Image.Image:
        drawn.append((width, height))
        return Image.new("L", (width, height))

    return drawn, draw


def test_an_image_is_drawn_once_and_the_least_recently_used_is_discarded() -> None:
    drawn, draw = _counted(300)
    assert draw(10, 10) is draw(10, 10)
    draw(10, 11)
    draw(10, 10)  # used again
    draw(9, 10)  # 300 bytes: everything fits
    draw(1, 1)  # 10x11 goes
    draw(10, 10)
    assert drawn == [(10, 10), (10, 11), (9, 10), (1, 1)]
    draw(10, 11)
    assert drawn[-1] == (10, 11)


def test_arguments_by_name_are_the_same_call_only_with_the_same_names() -> None:
    drawn, draw = _counted(1000)
    draw(2, height=3)
    draw(2, height=3)
    draw(2, height=4)
    assert drawn == [(2, 3), (2, 4)]


def test_the_newest_image_is_cached_even_above_the_limit() -> None:
    drawn, draw = _counted(50)
    draw(10, 10)
    draw(10, 10)
    assert drawn == [(10, 10)]


def test_pixels_of_colour_take_four_bytes() -> None:
    sizes = {mode: image_bytes(Image.new(mode, (3, 5))) for mode in ("1", "L", "P", "RGB", "RGBA")}
    assert sizes == {"1": 15, "L": 15, "P": 15, "RGB": 60, "RGBA": 60}
