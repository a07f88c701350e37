from __future__ import annotations

import pytest

from tests.virtual.apps.amazon.hand import Hand
from tests.virtual.apps.any_touch import PROFILES, touch_at_random

TABS = ("Home", "You", "Cart", "Menu")
WORDS = ("a", "12", "laptop", " ")


@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize("seed", range(4))
def test_random_input_never_crashes_the_app(seed: int, profile: str) -> None:
    hand = Hand(profile)
    hand.tab(TABS[seed % len(TABS)])
    touch_at_random(hand, seed, WORDS)
