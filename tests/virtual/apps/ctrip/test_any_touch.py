from __future__ import annotations

import pytest

from garabench.core.seeds import generator
from garabench.virtual.apps.ctrip import names
from garabench.virtual.apps.ctrip.app import APP
from tests.virtual.apps.ctrip.hand import Hand

TOUCHES = 40
WORDS = ("a", "12", "上海", " ")
PROFILES = ("android-34:1080x2400", "android-19:720x1280")
STARTS: tuple[tuple[str, dict[str, str]], ...] = (
    (names.MAIN, {}),
    (names.HOTEL_INQUIRE, {}),
    (names.FLIGHT_LIST, {"start": "上海", "end": "北京"}),
    (names.TRAIN_INQUIRE, {}),
    (names.SIGHT, {"sight": "gugong"}),
    (names.MAIN, {"tab": "我的"}),
)


@pytest.mark.parametrize("seed", range(len(STARTS)))
def test_no_touch_or_word_ends_the_app(seed: int) -> None:
    profile = PROFILES[seed % len(PROFILES)]
    chance = generator(seed, "ctrip-any-touch", profile)
    hand = Hand(profile)
    activity, extras = STARTS[seed]
    hand.open(activity, **extras)
    for _ in range(TOUCHES):
        front = hand.phone.activities.resumed
        if front is None or front.app is not APP:
            hand.launch()
            continue
        nodes = [node for node in hand.facts().tree.nodes if node.clickable]
        match chance.choice(("tap",) * 9 + ("back", "swipe", "write", "network")):
            case "tap":
                at = chance.choice(nodes).bounds.center
                hand.phone.input.tap(at.x, at.y)
            case "back":
                hand.phone.press_back()
            case "swipe":
                hand.phone.input.swipe(300, 900, 300, 300, 300)
            case "write" if hand.phone.ime.shown:
                hand.phone.ime.commit_text(chance.choice(WORDS))
            case "network":
                hand.network(chance.random() < 0.6)
        hand.settle()
        hand.phone.frame()
    hand.stop()
    assert hand.front == names.MAIN


@pytest.mark.parametrize("activity", sorted(APP.activities.keys() - {names.LINKS}))
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
