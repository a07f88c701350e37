"""Screens for tests of the dialects."""

from __future__ import annotations

from garabench.agents.dialects.coordinates import ScreenView
from garabench.agents.dialects.dialect import Dialect
from garabench.core.geometry import Rect, Size

APPS = {"哔哩哔哩": "tv.danmaku.bili", "JD": "com.jingdong.app.mall"}
SCREEN = Size(1080, 2400)


def elements(screen: Size) -> tuple[Rect, ...]:
    """Return a grid of 4 x 6 elements that fill the screen."""
    wide, high = screen.width // 4, screen.height // 6
    return tuple(
        Rect(column * wide, row * high, (column + 1) * wide, (row + 1) * high)
        for row in range(6)
        for column in range(4)
    )


def view_of(dialect: Dialect, screen: Size = SCREEN, *, numbered: bool = True) -> ScreenView:
    return ScreenView(screen, dialect.image.size(screen), elements(screen) if numbered else (), APPS)
