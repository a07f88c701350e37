from __future__ import annotations

import pytest

from garabench.core.seeds import generator
from garabench.virtual.apps.gmaps.app import APP
from tests.virtual.apps.gmaps.hand import Hand

TOUCHES = 40
WORDS = ("a", "12", "coffee", "Apple", "zzz", " ")


@pytest.mark.parametrize("profile", ["android-34:1080x2400", "android-19:720x1280"])
@pytest.mark.parametrize("seed", range(3))
def test_no_touch_or_word_ends_the_app(seed: int, profile: str) -> None:
    chance = generator(seed, "gmaps-any-touch")
    hand = Hand(profile)
    hand.tab(chance.choice(("Explore", "You", "Contribute")))
    for number in range(TOUCHES):
        front = hand.phone.activities.resumed
        if front is None or front.app is not APP:
            hand.launch()
            continue
        nodes = [node for node in hand.facts().tree.nodes if node.clickable]
        match chance.choice(("tap",) * 9 + ("hold", "back", "swipe", "pinch", "write", "network")):
            case "tap" | "hold" as how:
                at = chance.choice(nodes).bounds.center
                hand.phone.input.long_press(at.x, at.y, 800 if how == "hold" else 40)
            case "back":
                hand.phone.press_back()
            case "swipe":
                hand.phone.input.swipe(300, 900, chance.choice((20, 300, 600)), 300, 300)
            case "pinch":
                hand.phone.input.double_tap(300, 500)
            case "write" if hand.phone.ime.shown:
                hand.phone.ime.commit_text(chance.choice(WORDS))
            case "network":
                hand.network(chance.random() < 0.6)
        hand.settle()
        if number % 4 == 0:
            hand.phone.frame()
    hand.stop()
    assert hand.phone.activities.resumed is not None
    assert hand.phone.activities.resumed.app is APP
