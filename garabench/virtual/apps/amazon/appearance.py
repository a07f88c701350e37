"""The dark theme: the same screens in other colours."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, replace
from typing import Any

from garabench.virtual.apps.amazon import theme
from garabench.virtual.ui.widgets import Container, Gradient, ListView, Widget

LIGHT, DARK, DEVICE = "Light", "Dark", "Use device settings"
BACKGROUND_DARK = "#12181B"
_TEXT_COLORS: Mapping[str, str] = {
    theme.INK: "#F1F3F3",
    theme.INK_2: "#B9C0C2",
    theme.INK_3: "#8A9396",
    theme.TEAL: "#4FC3D9",
    theme.TEAL_DEEP: "#4FC3D9",
    theme.RED: "#FF6B81",
    theme.GREEN: "#6CCB7A",
    theme.STAR: "#FFA64D",
    theme.NAVY: "#F1F3F3",
}
_BACKGROUNDS: Mapping[str, str] = {
    theme.WHITE: "#1B2327",
    theme.BACKGROUND: BACKGROUND_DARK,
    theme.PALE: "#222C31",
    theme.LINE: "#333E43",
    "#EDFDFF": "#12383F",
    "#D5D9D9": "#46545A",
}
_ON_COLOR = frozenset({theme.YELLOW, theme.ORANGE})
_BAR = Gradient(start="#1F3B44", end="#1E433F", horizontal=True)


def is_dark(theme_setting: str, device_dark: bool) -> bool:
    """Return whether the app is dark, by its setting and the phone's."""
    return theme_setting == DARK or (theme_setting == DEVICE and device_dark)


def darkened(view: Widget) -> Widget:
    """Return the view in the dark theme."""
    changes: dict[str, Any] = {}
    for name in ("background", "border"):
        value = getattr(view, name)
        if isinstance(value, str) and value in _BACKGROUNDS:
            changes[name] = _BACKGROUNDS[value]
        elif value in (theme.BAR, theme.PLACE_BAR):
            changes[name] = _BAR
    if view.background not in _ON_COLOR and any(field.name == "color" for field in fields(view)):
        color: str = getattr(view, "color", "")
        if color in _TEXT_COLORS:
            changes["color"] = _TEXT_COLORS[color]
    if isinstance(view, Container):
        changes["children"] = [darkened(child) for child in view.children]
    elif isinstance(view, ListView):
        build = view.build
        changes["build"] = lambda item, index: darkened(build(item, index))
        changes["header"] = [darkened(child) for child in view.header]
    return replace(view, **changes) if changes else view
