"""Random input never crashes JD."""

from __future__ import annotations

import pytest

from tests.virtual.apps.jd.robot import Robot
from tests.virtual.apps.random_input import PROFILES, send_random_input

TABS = ("首页", "消息", "购物车", "我的")
WORDS = ("a", "12", "小米", " ")


@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize("seed", range(4))
def test_random_input_never_crashes_the_app(seed: int, profile: str) -> None:
    robot = Robot(profile)
    robot.tab(TABS[seed % len(TABS)])
    send_random_input(robot, seed, WORDS)
