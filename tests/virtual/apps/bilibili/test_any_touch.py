from __future__ import annotations

import pytest

from garabench.virtual.apps.bilibili.app import APP
from tests.virtual.apps.any_touch import PROFILES, touch_at_random
from tests.virtual.apps.hand import AppHand

TABS = ("首页", "动态", "会员购", "我的")
WORDS = ("a", "12", "稻香", " ")


@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize("seed", range(len(TABS)))
def test_random_input_never_crashes_the_app(seed: int, profile: str) -> None:
    hand = AppHand(APP, profile)
    hand.tap(text=TABS[seed])
    touch_at_random(hand, seed, WORDS)
