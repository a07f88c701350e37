"""The robot for JD: taps what selectors name, types, swipes, and reads the screen."""

from __future__ import annotations

from typing import Any

from garabench.virtual.apps.jd.app import APP
from tests.virtual.apps.robot import AppRobot


class Robot(AppRobot):
    """A phone with JD in the foreground; selectors are given as keyword arguments."""

    def __init__(self, profile: str = "android-34:1080x2400") -> None:
        super().__init__(APP, profile)


def line(title: str) -> dict[str, Any]:
    """Return the selector of what is inside the cart line with this title."""
    return {"id": "cart_item", "has": {"id": "item_title", "text_contains": title}}
