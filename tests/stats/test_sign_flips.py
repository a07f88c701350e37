from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from garabench.stats.paired_tests import PairedOutcomes
from garabench.stats.sign_flips import sign_flip_p_value


@given(st.lists(st.sampled_from([-1, 0, 1]), max_size=40))
def test_with_one_seed_the_sign_flip_test_is_mcnemars(differences: list[int]) -> None:
    paired = PairedOutcomes(0, differences.count(1), differences.count(-1), differences.count(0))
    assert sign_flip_p_value(differences) == pytest.approx(paired.p_value)


def test_the_sign_flip_test_of_ten_thousand_pairs_is_finite() -> None:
    assert 0 < sign_flip_p_value([5] * 1000 + [-5] * 1000) <= 1
