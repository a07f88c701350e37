"""Random input never crashes Weibo."""

from __future__ import annotations

import pytest

from garabench.virtual.apps.weibo.main import TABS
from tests.virtual.apps.random_input import PROFILES, send_random_input
from tests.virtual.apps.weibo.robot import Robot

WORDS = ("a", "1234", "露营", " ")


@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize("seed", range(5))
def test_random_input_never_crashes_the_app(seed: int, profile: str) -> None:
    robot = Robot(profile)
    robot.tab(TABS[seed % len(TABS)])
    send_random_input(robot, seed, WORDS)
