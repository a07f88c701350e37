from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from garabench.agents.dialects.image_sizes import LARGEST_AS_SENT, LongSide, NativeSize, SmartResize
from garabench.core.geometry import Size
from tests.cases import every_case

UI_TARS = SmartResize(28, 100 * 28**2, 16384 * 28**2)


@every_case(
    ("rule", "screen", "expected"),
    [
        (NativeSize(), (1080, 2400), (1080, 2400)),
        (LongSide(1120), (1080, 2400), (504, 1120)),
        (LongSide(1120), (2400, 1080), (1120, 504)),
        (LongSide(1120), (720, 1000), (720, 1000)),
        (LARGEST_AS_SENT, (1080, 2400), (706, 1568)),
        (LARGEST_AS_SENT, (720, 1280), (720, 1280)),
        (LARGEST_AS_SENT, (1440, 3120), (724, 1568)),
        (LARGEST_AS_SENT, (1600, 2560), (768, 1229)),
        (LARGEST_AS_SENT, (2560, 1600), (1229, 768)),
        (UI_TARS, (1080, 2400), (1092, 2408)),
        (UI_TARS, (1440, 3120), (1428, 3108)),
        (UI_TARS, (30, 30), (280, 280)),
        (SmartResize(28, 4 * 28**2, 1280 * 28**2), (1080, 2400), (672, 1484)),
        (SmartResize(32, 4 * 32**2, 16384 * 32**2), (1080, 2400), (1088, 2400)),
    ],
)
def test_sizes(
    rule: NativeSize | LongSide | SmartResize, screen: tuple[int, int], expected: tuple[int, int]
) -> None:
    assert rule.size(Size(*screen)) == Size(*expected)


@given(st.integers(28, 4000), st.integers(28, 4000), st.sampled_from([28, 32]))
def test_smart_sizes_are_multiples_within_the_limits(width: int, height: int, factor: int) -> None:
    rule = SmartResize(factor, 4 * factor**2, 1280 * factor**2)
    size = rule.size(Size(width, height))
    assert size.width % factor == size.height % factor == 0
    assert size.width * size.height <= rule.max_pixels


@pytest.mark.parametrize("wrong", [(0, 1, 10), (28, 1, 10), (1, 20, 10)])
def test_unsatisfiable_limits_are_rejected(wrong: tuple[int, int, int]) -> None:
    with pytest.raises(ValueError, match="no size satisfies"):
        SmartResize(*wrong)
    with pytest.raises(ValueError, match="at least 1"):
        LongSide(0)
    with pytest.raises(ValueError, match="at least 1"):
        LongSide(100, short=0)


@given(st.integers(1, 5000), st.integers(1, 5000))
def test_images_are_within_the_vendors_limits(width: int, height: int) -> None:
    size = LARGEST_AS_SENT.size(Size(width, height))
    assert max(size.width, size.height) <= 1568 and min(size.width, size.height) <= 768
    assert size.width * size.height <= 1_152_000  # the limit and a line of rounding
    assert size.width <= width and size.height <= height
