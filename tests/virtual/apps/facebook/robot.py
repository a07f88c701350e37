"""The robot for Facebook: taps what selectors name, types, swipes, and reads the screen."""

from __future__ import annotations

from typing import Any

from garabench.virtual.apps.facebook.app import APP
from tests.virtual.apps.robot import AppRobot


class Robot(AppRobot):
    """A phone with Facebook in the foreground; selectors are given as keyword arguments."""

    def __init__(self, profile: str = "android-34:1080x2400") -> None:
        super().__init__(APP, profile)


def post(text: str) -> dict[str, Any]:
    """Return the selector of what is inside the post with this text."""
    return {"id": "post", "has": {"id": "post_text", "text_contains": text}}
