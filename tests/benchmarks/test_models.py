from __future__ import annotations

import pytest

from benchmarks.models import busy


@pytest.mark.parametrize(
    ("begun", "share"),
    [([0.0], 1.0), ([0.0, 2.0], 1.0), ([0.0, 1.0], 1.0), ([0.0, 6.0], 0.5), ([6.0, 0.0, 0.0], 0.5)],
)
def test_the_share_of_the_time_in_which_something_is_asked(begun: list[float], share: float) -> None:
    assert busy(begun, 2.0) == pytest.approx(share)
