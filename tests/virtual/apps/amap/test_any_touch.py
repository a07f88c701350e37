from __future__ import annotations

import pytest

from tests.virtual.apps.amap.hand import Hand
from tests.virtual.apps.any_touch import PROFILES, touch_at_random

TABS = ("首页", "附近", "消息", "打车", "我的")
WORDS = ("a", "12", "北京", "同济", "E8K326", " ")


@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize("seed", range(3))
def test_random_input_never_crashes_the_app(seed: int, profile: str) -> None:
    hand = Hand(profile)
    hand.tab(TABS[seed % len(TABS)])
    touch_at_random(hand, seed, WORDS)
