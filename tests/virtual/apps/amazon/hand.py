"""A hand on a phone with Amazon: taps what selectors name, types, swipes, and looks."""

from __future__ import annotations

from typing import Any

from garabench.virtual.apps.amazon.app import APP
from tests.virtual.apps.hand import AppHand


class Hand(AppHand):
    """A phone with Amazon in front; selectors are given as keyword arguments."""

    def __init__(self, profile: str = "android-34:1080x2400") -> None:
        super().__init__(APP, profile)


def line(title: str) -> dict[str, Any]:
    """What is inside the line of the cart with this title."""
    return {"id": "sc-item", "has": {"id": "item_title", "text_contains": title}}
