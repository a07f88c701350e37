from __future__ import annotations

import pytest

from tests.virtual.apps.amazon.hand import Hand
from tests.virtual.apps.any_touch import PROFILES, touch_at_random

TABS = ("Home", "You", "Cart", "Menu")
WORDS = ("a", "12", "laptop", " ")


@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize("seed", range(4))
def test_no_touch_or_word_ends_the_app(seed: int, profile: str) -> None:
    hand = Hand(profile)
    hand.tab(TABS[seed % len(TABS)])
    touch_at_random(hand, seed, WORDS)
