"""The camera, AOSP ``packages/apps/Camera2``; ``MediaStore.INTENT_ACTION_STILL_IMAGE_CAMERA``."""

from __future__ import annotations

from tests.virtual.apps.system_robot import SystemRobot

PACKAGE = "com.android.camera2"


def test_photos_are_taken_browsed_and_deleted() -> None:
    robot = SystemRobot()
    assert robot.start(action="android.media.action.STILL_IMAGE_CAMERA").startswith(f"{PACKAGE}/")
    robot.tap("shutter_button", "camera_toggle_button", "shutter_button", "rounded_thumbnail_view")
    assert robot.texts("photo_number") == ["2 / 2"]
    robot.tap("previous", "delete")
    assert robot.texts("photo_number") == ["1 / 1"]
    assert robot.state(PACKAGE) == [("photo", "1-front-1")]
    robot.tap("delete")
    assert robot.texts("empty") == ["No photos"]
