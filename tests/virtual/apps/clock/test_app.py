"""The clock, AOSP ``packages/apps/DeskClock``; ``AlarmClock.ACTION_SET_ALARM`` of the documentation."""

from __future__ import annotations

from tests.virtual.apps.system_robot import SystemRobot

PACKAGE = "com.android.deskclock"
EXTRA = "android.intent.extra.alarm."
SET_ALARM = "android.intent.action.SET_ALARM"


def test_other_apps_set_alarms() -> None:
    robot = SystemRobot()
    extras = {f"{EXTRA}HOUR": 7, f"{EXTRA}MINUTES": 5, f"{EXTRA}MESSAGE": "Tea"}
    assert robot.start(action=SET_ALARM, extras=extras) == f"{PACKAGE}/{PACKAGE}.DeskClock"
    assert robot.texts("digital_clock") == ["07:05", "08:30", "09:00"]
    assert robot.texts("days_of_week")[0] == "Tomorrow · Tea"
    robot.start(action=SET_ALARM, extras={f"{EXTRA}HOUR": 25})
    assert len(robot.state(PACKAGE)) == 3


def test_android_4_4_joins_am_and_pm_by_a_hair_space() -> None:
    robot = SystemRobot("android-19:720x1280", lang="en")
    robot.start(action=SET_ALARM, extras={f"{EXTRA}HOUR": 12, f"{EXTRA}MINUTES": 5})
    assert robot.texts("digital_clock") == ["8:30\u200aAM", "9:00\u200aAM", "12:05\u200aPM"]
    assert ("alarm", "12:05") in robot.state(PACKAGE)
    robot = SystemRobot("android-19:720x1280", lang="zh")
    robot.start(action="android.intent.action.SHOW_ALARMS")
    assert robot.texts("digital_clock") == ["08:30", "09:00"]


def test_alarms_are_added_switched_and_deleted() -> None:
    robot = SystemRobot()
    robot.start(action="android.intent.action.SHOW_ALARMS")
    robot.tap("fab", "hour_up", "minute_down", "button1")  # the phone's time is 09:41
    assert ("alarm", "10:35") in robot.state(PACKAGE)
    robot.tap("Delete 09:00", "onoff")
    assert robot.texts("digital_clock") == ["08:30", "10:35"]
    assert [node.widget.checked for node in robot.nodes("onoff")] == [True, True]
    robot.tap("onoff")
    assert robot.texts("days_of_week") == ["Not scheduled", "Today"]


def test_the_stopwatch_counts_the_phones_time() -> None:
    robot = SystemRobot()
    robot.start(package=PACKAGE, activity=f"{PACKAGE}.StopwatchActivity")
    robot.tap("fab")
    robot.phone.clock.advance(61_000)
    assert robot.texts("stopwatch_time_text")[0].startswith("01:01.")
    robot.tap("fab")
    stopped = robot.texts("stopwatch_time_text")
    robot.phone.clock.advance(5_000)
    assert robot.texts("stopwatch_time_text") == stopped
    robot.tap("stopwatch_reset")
    assert robot.texts("stopwatch_time_text") == ["00:00.0"]
