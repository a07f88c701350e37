"""Random input never crashes Facebook."""

from __future__ import annotations

import pytest

from tests.virtual.apps.facebook.robot import Robot
from tests.virtual.apps.random_input import PROFILES, send_random_input

TABS = ("Home", "Friends", "Marketplace", "Notifications", "Menu")
WORDS = ("a", "12", "desk", " ")


@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize("seed", range(4))
def test_random_input_never_crashes_the_app(seed: int, profile: str) -> None:
    robot = Robot(profile)
    robot.tab(TABS[seed % len(TABS)])
    send_random_input(robot, seed, WORDS)
