"""The growth of a figure over many episodes: late ones against fresh ones."""

from __future__ import annotations

import pytest

from benchmarks.many_episodes import relative_growth


def test_growth_is_that_against_the_fresh_blocks_nearby() -> None:
    load = (1.0, 3.0, 2.0)  # the computer is busier at times, for both
    used = [0.105 * each for each in load for _ in range(4)]
    assert relative_growth(used, [0.1 * each for each in load]) == pytest.approx(5)


def test_load_during_one_block_alone_does_not_decide() -> None:
    assert relative_growth([0.1] * 12, [0.1, 0.3, 0.1]) == pytest.approx(0)


def test_a_true_growth_is_found() -> None:
    assert relative_growth([0.12] * 8, [0.1] * 4) == pytest.approx(20)
