"""Random touches and texts: no user input may crash an app."""

from __future__ import annotations

from collections.abc import Sequence

from garabench.core.seeds import generator
from garabench.effects.parse import parse_state
from garabench.effects.state import AppState, State
from garabench.virtual.kit import state as kit
from tests.virtual.apps.robot import AppRobot

TOUCHES = 30
FRAME_EVERY = 4
PROFILES = ("android-34:1080x2400", "android-19:720x1280")
_GESTURES = ("tap",) * 9 + ("hold", "back", "swipe", "double", "write", "network")


def send_random_input(robot: AppRobot, seed: int, words: Sequence[str]) -> None:
    """Send random input to an app, then stop it and start it again.

    Args:
        robot: The robot, on the first page.
        seed: The random seed.
        words: Texts to type while the keyboard is open.

    Raises:
        AssertionError: The app is not in the foreground at the end, or its state is not valid. The app's
            own exceptions propagate.
    """
    chance = generator(seed, "any-touch", robot.app.package)
    touch = robot.phone.input
    for number in range(TOUCHES):
        if not robot.in_front:
            robot.launch()
            continue
        nodes = [node for node in robot.facts().tree.nodes if node.clickable]
        match chance.choice(_GESTURES):
            case "tap" | "hold" as how:
                at = chance.choice(nodes).bounds.center
                touch.long_press(at.x, at.y, 800 if how == "hold" else 40)
            case "back":
                robot.phone.press_back()
            case "swipe":
                touch.swipe(300, 900, chance.choice((20, 300, 600)), 300, 300)
            case "double":
                touch.double_tap(300, 500)
            case "write" if robot.phone.ime.shown:
                robot.phone.ime.commit_text(chance.choice(words))
            case "network":
                robot.network(chance.random() < 0.6)
        robot.settle()
        if number % FRAME_EVERY == 0:
            robot.phone.frame()
    assert isinstance(_state(robot), AppState), _state(robot)
    robot.stop()
    assert robot.in_front


def _state(robot: AppRobot) -> State:
    assert robot.app.state is not None
    rows = kit.provider_rows(robot.app.state(robot.phone.make_context(robot.app)))
    return parse_state("".join(f"Row: {at} record={row}\n" for at, row in enumerate(rows)))
