"""Random input never crashes Bilibili."""

from __future__ import annotations

import pytest

from garabench.virtual.apps.bilibili.app import APP
from tests.virtual.apps.random_input import PROFILES, send_random_input
from tests.virtual.apps.robot import AppRobot

TABS = ("首页", "动态", "会员购", "我的")
WORDS = ("a", "12", "稻香", " ")


@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize("seed", range(len(TABS)))
def test_random_input_never_crashes_the_app(seed: int, profile: str) -> None:
    robot = AppRobot(APP, profile)
    robot.tap(text=TABS[seed])
    send_random_input(robot, seed, WORDS)
