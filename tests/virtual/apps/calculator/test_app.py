"""The calculator, AOSP ``packages/apps/ExactCalculator``: its ids, a preview, and the value by ``=``."""

from __future__ import annotations

from tests.virtual.apps.system_robot import SystemRobot

MAIN = "android.intent.action.MAIN"


def test_the_calculator_computes_what_its_keys_say() -> None:
    robot = SystemRobot()
    shown = robot.start(action=MAIN, categories=frozenset({"android.intent.category.APP_CALCULATOR"}))
    assert shown == "com.android.calculator2/com.android.calculator2.Calculator"
    robot.tap("digit_7", "op_mul", "digit_8", "dec_point", "digit_5")
    assert (robot.texts("formula"), robot.texts("result")) == (["7×8.5"], ["59.5"])
    robot.tap("eq")
    assert (robot.texts("formula"), robot.texts("result")) == (["59.5"], [""])
    robot.tap("op_add", "op_div", "digit_0", "eq")
    assert (robot.texts("formula"), robot.texts("result")) == (["59.5÷0"], ["Can't divide by zero"])
    robot.tap("del", "digit_2", "eq", "digit_9")
    assert robot.texts("formula") == ["9"]
    robot.tap("clr")
    assert robot.texts("formula") == [""]
