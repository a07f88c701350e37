"""Touches and words at random: nothing that a finger does may end an app."""

from __future__ import annotations

from collections.abc import Sequence

from garabench.core.seeds import generator
from tests.virtual.apps.hand import AppHand

TOUCHES = 40
DRAWN_EACH = 4
PROFILES = ("android-34:1080x2400", "android-19:720x1280")
_GESTURES = ("tap",) * 9 + ("hold", "back", "swipe", "double", "write", "network")


def touch_at_random(hand: AppHand, seed: int, words: Sequence[str]) -> None:
    """Touch an app at random, then stop it and start it again.

    Args:
        hand: On the app, on the page to begin with.
        seed: Of what is drawn.
        words: What is typed where the keyboard is up.

    Raises:
        AssertionError: The app is not in front at the end; what it raises itself comes through.
    """
    chance = generator(seed, "any-touch", hand.app.package)
    touch = hand.phone.input
    for number in range(TOUCHES):
        if not hand.in_front:
            hand.launch()
            continue
        nodes = [node for node in hand.facts().tree.nodes if node.clickable]
        match chance.choice(_GESTURES):
            case "tap" | "hold" as how:
                at = chance.choice(nodes).bounds.center
                touch.long_press(at.x, at.y, 800 if how == "hold" else 40)
            case "back":
                hand.phone.press_back()
            case "swipe":
                touch.swipe(300, 900, chance.choice((20, 300, 600)), 300, 300)
            case "double":
                touch.double_tap(300, 500)
            case "write" if hand.phone.ime.shown:
                hand.phone.ime.commit_text(chance.choice(words))
            case "network":
                hand.network(chance.random() < 0.6)
        hand.settle()
        if number % DRAWN_EACH == 0:
            hand.phone.frame()
    hand.stop()
    assert hand.in_front
