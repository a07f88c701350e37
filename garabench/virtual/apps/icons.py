"""Launcher icons as widgets, the same on the home screen, in Settings and in the market."""

from __future__ import annotations

from garabench.virtual.apps.framework import App
from garabench.virtual.ui.widgets import Picture, View


def app_icon(app: App, size: float, *, id_: str = "") -> View:
    """The icon of an app, `size` dp square; out of the UI tree unless it has an id."""
    return Picture(
        id=id_,
        seed=app.icon_seed or app.package,
        kind="logo",
        label=app.icon_glyph or app.label.get("zh", "?")[:1],
        width=size,
        height=size,
        radius=size * 0.26,
        important=bool(id_),
    )
