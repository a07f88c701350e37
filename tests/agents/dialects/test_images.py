from __future__ import annotations

import io

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from garabench.agents.dialects.images import LongSide, Native, SmartResize, prepare
from garabench.core.geometry import Size

UI_TARS = SmartResize(28, 100 * 28**2, 16384 * 28**2)


def png(width: int, height: int) -> bytes:
    out = io.BytesIO()
    Image.new("RGB", (width, height), "red").save(out, "PNG")
    return out.getvalue()


@pytest.mark.parametrize(
    ("rule", "screen", "expected"),
    [
        (Native(), (1080, 2400), (1080, 2400)),
        (LongSide(1120), (1080, 2400), (504, 1120)),
        (LongSide(1120), (2400, 1080), (1120, 504)),
        (LongSide(1120), (720, 1000), (720, 1000)),
        (UI_TARS, (1080, 2400), (1092, 2408)),
        (UI_TARS, (1440, 3120), (1428, 3108)),
        (UI_TARS, (30, 30), (280, 280)),
        (SmartResize(28, 4 * 28**2, 1280 * 28**2), (1080, 2400), (672, 1484)),
        (SmartResize(32, 4 * 32**2, 16384 * 32**2), (1080, 2400), (1088, 2400)),
    ],
)
def test_sizes(
    rule: Native | LongSide | SmartResize, screen: tuple[int, int], expected: tuple[int, int]
) -> None:
    assert rule.size(Size(*screen)) == Size(*expected)


@given(st.integers(28, 4000), st.integers(28, 4000), st.sampled_from([28, 32]))
def test_smart_sizes_are_multiples_within_the_limits(width: int, height: int, factor: int) -> None:
    rule = SmartResize(factor, 4 * factor**2, 1280 * factor**2)
    size = rule.size(Size(width, height))
    assert size.width % factor == size.height % factor == 0
    assert size.width * size.height <= rule.max_pixels


@pytest.mark.parametrize("wrong", [(0, 1, 10), (28, 1, 10), (1, 20, 10)])
def test_limits_that_no_picture_fits_are_refused(wrong: tuple[int, int, int]) -> None:
    with pytest.raises(ValueError, match="no picture"):
        SmartResize(*wrong)
    with pytest.raises(ValueError, match="at least one pixel"):
        LongSide(0)


def test_the_picture_has_the_size_that_is_told() -> None:
    data, size = prepare(png(108, 240), LongSide(120))
    with Image.open(io.BytesIO(data)) as image:
        assert image.size == (size.width, size.height) == (54, 120)
        assert image.getpixel((5, 5)) == (255, 0, 0)
    original = png(10, 10)
    assert prepare(original, Native()) == (original, Size(10, 10))


def test_what_is_no_picture_is_an_error_and_not_a_black_picture() -> None:
    with pytest.raises(OSError, match="cannot identify"):
        prepare(b"not a picture", Native())
