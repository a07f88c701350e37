"""The telephone, AOSP ``packages/apps/Dialer``; ``Intent.ACTION_DIAL``, ``Intent.ACTION_CALL``."""

from __future__ import annotations

import pytest

from garabench.virtual.apps.dialer.app import number_of
from tests.virtual.apps.system_robot import SystemRobot

DIAL, CALL = "android.intent.action.DIAL", "android.intent.action.CALL"
PACKAGE = "com.android.dialer"


@pytest.mark.parametrize(
    ("uri", "number"),
    [
        ("tel:%2B49%20301", "+49301"),
        ("tel:110", "110"),
        ("mailto:110", ""),
        ("", ""),
        ("tel:" + "1" * 99, "1" * 30),
    ],
)
def test_number_of_a_uri(uri: str, number: str) -> None:
    assert number_of(uri) == number


def test_dialling_fills_the_keypad_and_calls_are_listed() -> None:
    robot = SystemRobot()
    assert robot.start(action=DIAL, data="tel:11").startswith(f"{PACKAGE}/")
    robot.tap("zero", "one", "deleteButton")
    assert robot.texts("digits") == ["110"]
    robot.tap("dialpad_floating_action_button")
    assert robot.texts("contactgrid_contact_name") == ["110"]
    robot.tap("incall_end_call")
    robot.phone.press_back()
    assert robot.texts("primary_text") == ["110"]
    assert robot.start(action=CALL, data="tel:112") == f"{PACKAGE}/com.android.incallui.InCallActivity"
    assert robot.state(PACKAGE) == [("call", "110"), ("call", "112")]
