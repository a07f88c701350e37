"""Pages of an app, as UI trees, and effects, for tests of fuzzed walks."""

from __future__ import annotations

from typing import Any

from garabench.core.app_state import AppEffects, StateRecord
from garabench.core.expected_effects import StateChange, effects_of
from garabench.core.geometry import Rect
from garabench.core.tree import UiNode, UiTree

APP = "com.example"


def element(text: str = "", entry: str = "", *children: UiNode, top: int = 100, **more: Any) -> UiNode:
    """Return an element that can be clicked if it has an id."""
    values: dict[str, Any] = {
        "cls": "android.widget.TextView",
        "package": APP,
        "bounds": Rect(0, top, 1000, top + 80),
        "clickable": bool(entry),
        **more,
    }
    id_ = f"{APP}:id/{entry}" if entry else ""
    return UiNode(text=text, resource_id=id_, children=children, **values)


def page(*children: UiNode) -> UiTree:
    """Return a page with these elements."""
    return UiTree((element("", "", *children, top=0, bounds=Rect(0, 0, 1080, 2400)),))


def added(kind: str, object_: str, zh: str, **fields: Any) -> AppEffects:
    """Return the effects on an app to which one record was added."""
    return AppEffects(
        package=APP, added=(StateRecord(kind=kind, object=object_, fields=fields, text={"zh": zh}),)
    )


def removed(kind: str, object_: str, zh: str) -> AppEffects:
    """Return the effects on an app from which one record was removed."""
    return AppEffects(package=APP, removed=(StateRecord(kind=kind, object=object_, text={"zh": zh}),))


def change(effects: AppEffects) -> StateChange:
    """Return the only change."""
    (found,) = effects_of(effects)
    return found
