from __future__ import annotations

import pytest

from garabench.virtual.kit.maps.units import distance_text, duration_text


@pytest.mark.parametrize(
    ("metres", "text"),
    [
        (0, "1米"),
        (849.6, "850米"),
        (1000, "1.0公里"),
        (3249, "3.2公里"),
        (99_940, "99.9公里"),
        (1_078_374, "1078公里"),
    ],
)
def test_distances(metres: float, text: str) -> None:
    assert distance_text(metres) == text


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (0, "1分钟"),
        (89, "1分钟"),
        (1500, "25分钟"),
        (3600, "1小时"),
        (4080, "1小时8分钟"),
        (46_800, "13小时"),
    ],
)
def test_durations(seconds: float, text: str) -> None:
    assert duration_text(seconds) == text
