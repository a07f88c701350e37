"""Launcher icons as widgets, identical on the home screen, in Settings and in the market."""

from __future__ import annotations

from garabench.virtual.kit.framework import App
from garabench.virtual.ui.widgets import Align, Box, Icon, Text, Widget

ICON_PREFIX = "icon:"
"""An `App.icon_glyph` with this prefix names a vector icon; any other consists of letters."""
_ROUNDING = 0.26
_GLYPH_SHARE = 0.5


def app_icon(app: App, size: float, *, id_: str = "") -> Widget:
    """Return the icon of an app, `size` dp square; it is in the UI tree only if it has an id."""
    glyph = app.icon_glyph or app.label.get("zh", "?")[:1]
    middle: Widget
    if glyph.startswith(ICON_PREFIX):
        middle = Icon(
            name=glyph.removeprefix(ICON_PREFIX),
            size=size * 0.6,
            color="#FFFFFF",
            align_self=Align.CENTER,
            align_vertical=Align.CENTER,
            important=False,
        )
    else:
        middle = Text(
            text=glyph,
            size=size * _GLYPH_SHARE / max(1.0, len(glyph) * 0.62),
            bold=True,
            color="#FFFFFF",
            max_lines=1,
            align=Align.CENTER,
            align_self=Align.CENTER,
            align_vertical=Align.CENTER,
            important=False,
        )
    return Box(
        id=id_,
        children=[middle],
        width=size,
        height=size,
        radius=size * _ROUNDING,
        background=app.icon_color,
        important=bool(id_),
    )
