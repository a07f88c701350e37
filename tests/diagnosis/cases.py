"""Small failed cases for the tests of diagnoses."""

from __future__ import annotations

from collections.abc import Sequence

from garabench.core import action as act
from garabench.core.geometry import Rect, Size
from garabench.core.observation import Focus
from garabench.core.tree import UiNode, UiTree
from garabench.diagnosis.failed_case import CaseStep, FailedCase

APP = "org.shop"
SCREEN = Size(1000, 2000)
HOME = Focus(APP, "org.shop.Home")


def node(text: str = "", top: int = 0, *, height: int = 100, **fields: object) -> UiNode:
    given = {
        "cls": "android.widget.Button",
        "package": APP,
        "clickable": True,
        "bounds": Rect(0, top, 1000, top + height),
        "resource_id": f"{APP}:id/row",
        **fields,
    }
    return UiNode(text=text, **given)  # type: ignore[arg-type]


def screen(*nodes: UiNode, package: str = APP, scrollable: bool = False) -> UiTree:
    frame = UiNode(
        cls="android.widget.FrameLayout",
        package=package,
        bounds=Rect(0, 0, 1000, 2000),
        scrollable=scrollable,
        children=nodes,
    )
    return UiTree((frame,))


def rows(*texts: str, scrollable: bool = False) -> UiTree:
    return screen(*(node(text, place * 100) for place, text in enumerate(texts)), scrollable=scrollable)


def tap(row: int) -> act.Tap:
    return act.Tap(x=500, y=row * 100 + 50)


Moment = tuple[UiTree, act.Action | None]


def failed_case(
    moments: Sequence[Moment],
    instruction: str = "Open the Blue kettle.",
    *,
    ending: str = "false_done",
    focus: Focus = HOME,
    **fields: object,
) -> FailedCase:
    steps = tuple(
        CaseStep(place, tree, tree, f"{place:064x}", focus, action)
        for place, (tree, action) in enumerate(moments)
    )
    return FailedCase(
        "task/agent/clean/1",
        instruction,
        "en",
        APP,
        SCREEN,
        ending,
        None,
        steps,
        **fields,  # type: ignore[arg-type]
    )


SHOP = rows("Red kettle", "Blue kettle", "Green kettle")
"""A list with the thing that the default instruction names."""
PAGE = screen(node("Buy", 0, resource_id=f"{APP}:id/buy"))
DEAD_BUTTON = failed_case([(SHOP, tap(1)), (PAGE, tap(0)), (PAGE, tap(0)), (PAGE, act.GiveUp())])
"""The right row was opened, and its button does not react."""
WRONG_ROW = failed_case([(SHOP, tap(0)), (PAGE, act.Done())])
"""The row next to the right one was opened."""
