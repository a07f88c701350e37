"""Small laid-out screens for the tests of the selector."""

from __future__ import annotations

from typing import Any

from garabench.core.geometry import Rect, Size
from garabench.virtual.ui.scene import PlacedNode, PlacedWindow, Scene, WindowKind
from garabench.virtual.ui.widgets import Button, Text, TextField, Widget

SCREEN = Rect(0, 0, 1080, 2400)
WIDGETS: dict[str, type[Widget]] = {
    "android.widget.TextView": Text,
    "android.widget.Button": Button,
    "android.widget.EditText": TextField,
}


def node(
    cls: str = "android.view.View",
    *children: PlacedNode,
    text: str = "",
    desc: str = "",
    rid: str = "",
    bounds: Rect = SCREEN,
    visible: Rect | None = None,
    package: str = "app.one",
    index: int = 0,
    clickable: bool = False,
    focused: bool = False,
    **attributes: Any,
) -> PlacedNode:
    full = cls if "." in cls else f"android.widget.{cls}"
    return PlacedNode(
        widget=WIDGETS.get(full, Widget)(**attributes),
        cls=full,
        resource_id=rid,
        text=text,
        desc=desc,
        hint="",
        package=package,
        bounds=bounds,
        visible=bounds if visible is None else visible,
        key_path=(),
        index=index,
        clickable=clickable,
        long_clickable=False,
        focusable=clickable,
        focused=focused,
        density=420,
        children=children,
    )


def window(root: PlacedNode, *, focused: bool = True, title: str = "app.one/.Main") -> PlacedWindow:
    return PlacedWindow(
        title=title,
        package=root.package,
        kind=WindowKind.APPLICATION,
        bounds=SCREEN,
        root=root,
        focused=focused,
    )


def scene(*windows: PlacedWindow) -> Scene:
    return Scene(size=Size(1080, 2400), windows=windows)
