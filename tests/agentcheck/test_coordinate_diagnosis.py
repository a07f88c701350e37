"""Every confusion of coordinates is identified, on screens of any size, with imprecise taps."""

from __future__ import annotations

import math
from collections.abc import Callable

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from garabench.agentcheck.coordinate_diagnosis import CoordinateConfusion, TapPair, diagnose_taps
from garabench.core.geometry import Point, Size
from garabench.core.seeds import generator
from tests.cases import every_case

Rule = Callable[[float, float, Size], tuple[float, float]]

RULES: dict[CoordinateConfusion, Rule] = {
    CoordinateConfusion.NONE: lambda x, y, s: (x, y),
    CoordinateConfusion.THOUSANDTHS_AS_PIXELS: lambda x, y, s: (x * 1000 / s.width, y * 1000 / s.height),
    CoordinateConfusion.PIXELS_AS_THOUSANDTHS: lambda x, y, s: (x * s.width / 1000, y * s.height / 1000),
    CoordinateConfusion.PERCENT_AS_PIXELS: lambda x, y, s: (x * 100 / s.width, y * 100 / s.height),
    CoordinateConfusion.FRACTION_AS_PIXELS: lambda x, y, s: (x / s.width, y / s.height),
    CoordinateConfusion.SWAPPED: lambda x, y, s: (y, x),
    CoordinateConfusion.SWAPPED_SHARES: lambda x, y, s: (y * s.width / s.height, x * s.height / s.width),
    CoordinateConfusion.SWAPPED_THOUSANDTHS: lambda x, y, s: (y * 1000 / s.height, x * 1000 / s.width),
    CoordinateConfusion.SWAPPED_PERCENT: lambda x, y, s: (y * 100 / s.height, x * 100 / s.width),
    CoordinateConfusion.FROM_BELOW: lambda x, y, s: (x, s.height - y),
    CoordinateConfusion.FROM_RIGHT: lambda x, y, s: (s.width - x, y),
    CoordinateConfusion.OFFSET: lambda x, y, s: (x + 0.11 * s.width, y - 0.07 * s.height),
    CoordinateConfusion.SCALED: lambda x, y, s: (x * 0.52, y * 0.52),
    CoordinateConfusion.STRETCHED: lambda x, y, s: (x * 0.61, y * 0.83),
    CoordinateConfusion.LINEAR: lambda x, y, s: (x * 0.7 + 0.2 * s.width, y * 0.6 + 0.1 * s.height),
}
FIXED = [
    rule
    for name, rule in RULES.items()
    if name not in (CoordinateConfusion.OFFSET, CoordinateConfusion.SCALED)
]
PHONE = Size(1080, 2400)
sizes = st.builds(Size, st.integers(320, 3200), st.integers(320, 3600))


def board(size: Size, columns: int = 5, rows: int = 8) -> list[Point]:
    top = size.height // 8
    wide, high = size.width / columns, (size.height - top) / rows
    return [
        Point(round((column + 0.5) * wide), round(top + (row + 0.5) * high))
        for row in range(rows)
        for column in range(columns)
    ]


def taps(size: Size, rule: Rule, *, shake: float = 0.0, seed: int = 0, strays: int = 0) -> list[TapPair]:
    draw = generator(seed, "taps")
    pairs = []
    for number, meant in enumerate(board(size), 1):
        x, y = rule(meant.x, meant.y, size)
        if number <= strays:
            x, y = draw.uniform(0, size.width), draw.uniform(0, size.height)
        landed = Point(round(x + draw.uniform(-shake, shake)), round(y + draw.uniform(-shake, shake)))
        pairs.append(TapPair(meant, landed, number))
    return pairs


def gap(size: Size, one: Rule, other: Rule) -> float:
    """Return the distance of two rules on the board: the 80th percentile over its buttons."""
    far = sorted(math.dist(one(p.x, p.y, size), other(p.x, p.y, size)) for p in board(size))
    return far[31]


@every_case("confusion", RULES)
@every_case("size", [PHONE, Size(720, 1280), Size(1440, 3120), Size(2560, 1600)], ids=str)
def test_each_confusion_has_its_name(confusion: CoordinateConfusion, size: Size) -> None:
    assert diagnose_taps(taps(size, RULES[confusion]), size).confusion is confusion


@every_case("confusion", RULES)
def test_noise_and_stray_taps_do_not_matter(confusion: CoordinateConfusion) -> None:
    shake = (
        0.4 if confusion is CoordinateConfusion.FRACTION_AS_PIXELS else 2 if "100-" in confusion.value else 12
    )
    pairs = taps(PHONE, RULES[confusion], shake=shake, strays=6)
    assert diagnose_taps(pairs, PHONE).confusion is confusion


@settings(max_examples=150, deadline=None)
@given(size=sizes, confusion=st.sampled_from(sorted(RULES)), seed=st.integers(0, 99))
def test_on_any_screen_the_rule_found_explains_the_taps(
    size: Size, confusion: CoordinateConfusion, seed: int
) -> None:
    rule = RULES[confusion]
    # On some screens two rules are one: 0-1000 are pixels where the screen has 1000 of them.
    others = [other for name, other in RULES.items() if name is not confusion]
    assume(min(gap(size, rule, other) for other in others) > 30)
    found = diagnose_taps(taps(size, rule, shake=1.0, seed=seed), size)
    assert found.left <= 8
    plainer = list(RULES)[: list(RULES).index(confusion) + 1]
    assert found.confusion in plainer
    if confusion in (
        CoordinateConfusion.NONE,
        CoordinateConfusion.SWAPPED,
        CoordinateConfusion.THOUSANDTHS_AS_PIXELS,
    ):
        assert found.confusion is confusion


@given(size=sizes, scale=st.floats(0.2, 0.85))
@settings(max_examples=80, deadline=None)
def test_the_resize_factor_is_reported(size: Size, scale: float) -> None:
    def shrunk(x: float, y: float, s: Size) -> tuple[float, float]:
        return x * scale, y * scale

    assume(all(gap(size, shrunk, rule) > 25 for rule in FIXED))
    found = diagnose_taps(taps(size, shrunk), size)
    assert found.confusion is CoordinateConfusion.SCALED
    assert found.scale[0] == pytest.approx(scale, abs=0.01)
    assert f"{found.scale[0]:.2f}" in found.text


@pytest.mark.parametrize("way", [63, -63])
def test_an_offset_by_the_status_bar_is_recognized(way: int) -> None:
    found = diagnose_taps(taps(PHONE, lambda x, y, s: (x, y + way)), PHONE, top=63)
    assert found.confusion is CoordinateConfusion.OFFSET_TOP
    assert found.shift == (0, way)
    assert "status bar" in found.text


def test_any_other_offset_is_an_offset() -> None:
    found = diagnose_taps(taps(PHONE, lambda x, y, s: (x + 150, y)), PHONE, top=63)
    assert found.confusion is CoordinateConfusion.OFFSET
    assert "(+150, +0) px" in found.text


def test_taps_at_one_point_are_identified() -> None:
    found = diagnose_taps(taps(PHONE, lambda x, y, s: (540, 1200), shake=4), PHONE)
    assert found.confusion is CoordinateConfusion.ONE_PLACE
    assert "(5" in found.text


def test_the_one_point_may_be_a_corner() -> None:
    found = diagnose_taps(taps(PHONE, lambda x, y, s: (5, 5)), PHONE)
    assert found.confusion is CoordinateConfusion.ONE_PLACE


@pytest.mark.parametrize("seed", range(5))
def test_random_taps_have_no_relation(seed: int) -> None:
    assert (
        diagnose_taps(taps(PHONE, RULES[CoordinateConfusion.NONE], strays=40, seed=seed), PHONE).confusion
        is CoordinateConfusion.NO_RELATION
    )


def test_imprecise_taps_are_not_confused() -> None:
    found = diagnose_taps(taps(PHONE, RULES[CoordinateConfusion.NONE], shake=110, seed=3), PHONE)
    assert found.confusion is CoordinateConfusion.IMPRECISE
    assert not found.ok


def test_imprecise_taps_that_hit_are_right() -> None:
    pairs = [
        TapPair(p.target, p.landed, p.number, hit=True)
        for p in taps(PHONE, RULES[CoordinateConfusion.NONE], shake=60)
    ]
    assert diagnose_taps(pairs, PHONE).ok


def test_a_diagnosis_needs_enough_taps() -> None:
    assert (
        diagnose_taps(taps(PHONE, RULES[CoordinateConfusion.NONE])[:5], PHONE).confusion
        is CoordinateConfusion.TOO_FEW
    )
    assert diagnose_taps([], PHONE).confusion is CoordinateConfusion.TOO_FEW


def test_the_error_is_reported_in_pixels() -> None:
    found = diagnose_taps(taps(PHONE, lambda x, y, s: (x + 30, y + 40)), PHONE)
    assert found.error == pytest.approx(50)
