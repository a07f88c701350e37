"""Random input never crashes Ctrip."""

from __future__ import annotations

import pytest

from garabench.virtual.apps.ctrip import names
from garabench.virtual.apps.ctrip.app import APP
from tests.cases import every_case
from tests.virtual.apps.ctrip.robot import Robot
from tests.virtual.apps.random_input import PROFILES, send_random_input

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
    robot = Robot(PROFILES[seed % len(PROFILES)])
    activity, extras = STARTS[seed]
    robot.open(activity, **extras)
    send_random_input(robot, seed, WORDS)
    assert robot.front == names.MAIN


@every_case("activity", sorted(APP.activities.keys() - {names.LINKS}))
def test_every_page_opens_without_extras_and_offline(activity: str) -> None:
    robot = Robot("android-19:720x1280")
    robot.open(activity)
    assert robot.front == activity
    robot.phone.frame()
    robot.network(False)
    robot.back()
    robot.open(activity)
    robot.phone.frame()
    assert robot.front == activity
