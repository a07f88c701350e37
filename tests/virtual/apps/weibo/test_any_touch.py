from __future__ import annotations

import pytest

from garabench.virtual.apps.weibo.main import TABS
from tests.virtual.apps.any_touch import PROFILES, touch_at_random
from tests.virtual.apps.weibo.hand import Hand

WORDS = ("a", "1234", "露营", " ")


@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize("seed", range(5))
def test_random_input_never_crashes_the_app(seed: int, profile: str) -> None:
    hand = Hand(profile)
    hand.tab(TABS[seed % len(TABS)])
    touch_at_random(hand, seed, WORDS)
