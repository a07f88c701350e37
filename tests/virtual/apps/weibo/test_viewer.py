from __future__ import annotations

import pytest

from garabench.virtual.apps.weibo import names
from tests.virtual.apps.weibo.robot import Robot


@pytest.fixture
def robot() -> Robot:
    robot = Robot()
    robot.open(names.DETAIL, post="camp-list")
    return robot


def test_a_picture_opens_and_turns_to_the_next(robot: Robot) -> None:
    robot.tap(id="iv_picture", desc="图片2")
    assert robot.text(id="picture_number") == "2/9"
    robot.tap(id="picture_after")
    assert robot.text(id="picture_number") == "3/9"
    for _ in range(4):
        robot.tap(id="picture_before")
    assert robot.text(id="picture_number") == "1/9"
    robot.tap(id="picture_close")
    assert robot.front == names.DETAIL


def test_there_is_no_picture_after_the_last(robot: Robot) -> None:
    robot.open(names.PICTURES, post="camp-list", place=40)
    robot.tap(id="picture_after")
    assert robot.text(id="picture_number") == "9/9"


def test_a_post_without_pictures(robot: Robot) -> None:
    robot.open(names.PICTURES, post="noisy-1")
    assert "不存在" in robot.text(id="tips")
