from __future__ import annotations

import pytest

from garabench.virtual.apps.ctrip import names
from garabench.virtual.apps.ctrip.app import APP
from tests.cases import every_case
from tests.virtual.apps.any_touch import PROFILES, touch_at_random
from tests.virtual.apps.ctrip.hand import Hand

WORDS = ("a", "12", "上海", " ")
STARTS: tuple[tuple[str, dict[str, str]], ...] = (
    (names.MAIN, {}),
    (names.HOTEL_INQUIRE, {}),
    (names.FLIGHT_LIST, {"start": "上海", "end": "北京"}),
    (names.TRAIN_INQUIRE, {}),
    (names.SIGHT, {"sight": "gugong"}),
    (names.MAIN, {"tab": "我的"}),
)


@pytest.mark.parametrize("seed", range(len(STARTS)))
def test_random_input_never_crashes_the_app(seed: int) -> None:
    hand = Hand(PROFILES[seed % len(PROFILES)])
    activity, extras = STARTS[seed]
    hand.open(activity, **extras)
    touch_at_random(hand, seed, WORDS)
    assert hand.front == names.MAIN


@every_case("activity", sorted(APP.activities.keys() - {names.LINKS}))
def test_every_page_opens_without_extras_and_offline(activity: str) -> None:
    hand = Hand("android-19:720x1280")
    hand.open(activity)
    assert hand.front == activity
    hand.phone.frame()
    hand.network(False)
    hand.back()
    hand.open(activity)
    hand.phone.frame()
    assert hand.front == activity
