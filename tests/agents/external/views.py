"""Observations, a brief and a history for tests of external agents."""

from __future__ import annotations

import io

from PIL import Image

from garabench.agents.interface import Brief, Decision, Turn
from garabench.core import action as act
from garabench.core.geometry import Size
from garabench.core.observation import Focus, Observation, Screenshot, TreeSource
from garabench.core.tree import parse_tree

SCREEN = Size(72, 128)
BRIEF = Brief(instruction="搜索“稻香”", language="zh", app="com.example", max_steps=7, screen=SCREEN, seed=11)
TREE = parse_tree(
    '<hierarchy rotation="1"><node package="com.example" text="稻香 &lt;1&gt;" bounds="[0,0][9,9]"/>'
    "</hierarchy>"
)
HISTORY = (
    Turn(Decision(act.Tap(x=1, y=2), "first"), ok=True),
    Turn(Decision(act.Type(text="稻香", at=(3, 4))), ok=False, detail="no field has the focus"),
)


def png() -> bytes:
    file = io.BytesIO()
    Image.new("RGB", (SCREEN.width, SCREEN.height), "red").save(file, "PNG")
    return file.getvalue()


def an_observation(step: int = 0) -> Observation:
    """Return an observation of a small screen."""
    shot = Screenshot(png(), SCREEN)
    focus = Focus("com.example", "com.example.Page")
    return Observation(step, TREE, shot, focus, TreeSource.U2, "", 1.23456, SCREEN, 1)
