"""What the benchmark of model requests computes from its measurements."""

from __future__ import annotations

import pytest

from benchmarks.models import busy_share, capacity_share


@pytest.mark.parametrize(
    ("begun", "share"),
    [([0.0], 1.0), ([0.0, 2.0], 1.0), ([0.0, 1.0], 1.0), ([0.0, 6.0], 0.5), ([6.0, 0.0, 0.0], 0.5)],
)
def test_share_of_time_with_requests_in_flight(begun: list[float], share: float) -> None:
    assert busy_share(begun, 2.0) == pytest.approx(share)


@pytest.mark.parametrize(
    ("begun", "places", "share"),
    [
        ([0.0, 2.0, 4.0], 1, 1.0),
        ([0.0, 2.0, 4.0], 2, 0.5),  # never idle, and yet a place is always free
        ([0.0, 0.0, 2.0, 2.0], 2, 1.0),
        ([0.0, 1.0, 2.0, 3.0], 2, 5 / 6),
        ([5.0, 5.0, 10.0], 2, 0.4),
    ],
)
def test_free_slots_are_unused_capacity(begun: list[float], places: int, share: float) -> None:
    assert capacity_share(begun, 2.0, places) == pytest.approx(share)
