"""A small screen, and an episode on it."""

from __future__ import annotations

import io
from typing import Any

from PIL import Image

from garabench.agents.interface import Brief, Decision, Turn
from garabench.core import action as act
from garabench.core.geometry import Rect, Size
from garabench.core.observation import Focus, Observation, Screenshot, TreeSource
from garabench.core.tree import UiNode, UiTree

SCREEN = Size(1080, 2400)
PACKAGE = "tv.danmaku.bili"
BRIEF = Brief("在哔哩哔哩搜索“稻香”", "zh", PACKAGE, 15, SCREEN, 0)
TURNS = (
    Turn(Decision(act.Tap(x=540, y=100), "open the search"), True),
    Turn(Decision(act.Type(text="稻香", submit=True), "type the name"), True),
    Turn(Decision(act.Recents(), "look around"), False, "nothing was there"),
)


def node(*, at: tuple[int, int, int, int] = (0, 0, 1080, 2400), **fields: Any) -> UiNode:
    return UiNode(**{"cls": "android.widget.TextView", "package": PACKAGE, "bounds": Rect(*at), **fields})


def page(*children: UiNode, **fields: Any) -> UiNode:
    return node(cls="android.widget.FrameLayout", children=children, **fields)


SEARCH = node(
    at=(100, 60, 980, 140),
    cls="android.widget.EditText",
    hint="搜索",
    clickable=True,
    resource_id="x:id/search",
)
ROW = node(
    at=(0, 200, 1080, 400),
    cls="android.widget.LinearLayout",
    clickable=True,
    resource_id="x:id/row",
    children=(node(at=(20, 210, 900, 300), text="稻香"), node(at=(20, 310, 900, 390), text="12万播放")),
)
NOTE = node(at=(0, 500, 1080, 600), text="没有更多了")
LIKE = node(
    at=(900, 700, 1000, 800), cls="android.widget.CheckBox", desc="点赞", checkable=True, clickable=True
)
BAR = page(
    node(at=(0, 2274, 360, 2400), desc="返回", clickable=True, package="com.android.systemui"),
    at=(0, 2274, 1080, 2400),
    package="com.android.systemui",
)
TREE = UiTree((BAR, page(SEARCH, ROW, NOTE, LIKE)))


def png(size: Size = SCREEN, colour: str = "white") -> bytes:
    out = io.BytesIO()
    Image.new("RGB", (size.width, size.height), colour).save(out, "PNG", compress_level=1)
    return out.getvalue()


_PNG = png()


def observation(tree: UiTree = TREE, step: int = 3, screenshot: bytes = _PNG) -> Observation:
    return Observation(
        step=step,
        tree=tree,
        screenshot=Screenshot(screenshot, SCREEN),
        focus=Focus(PACKAGE, f"{PACKAGE}.MainActivity"),
        source=TreeSource.U2,
        source_reason="",
        elapsed=1.0,
        screen=SCREEN,
    )
