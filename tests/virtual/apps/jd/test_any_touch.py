from __future__ import annotations

import pytest

from tests.virtual.apps.any_touch import PROFILES, touch_at_random
from tests.virtual.apps.jd.hand import Hand

TABS = ("首页", "消息", "购物车", "我的")
WORDS = ("a", "12", "小米", " ")


@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize("seed", range(4))
def test_random_input_never_crashes_the_app(seed: int, profile: str) -> None:
    hand = Hand(profile)
    hand.tab(TABS[seed % len(TABS)])
    touch_at_random(hand, seed, WORDS)
