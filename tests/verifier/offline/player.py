"""A small app for tests of the offline judge: a list of videos, a page with a like button, trees on disk."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from xml.sax.saxutils import quoteattr

from garabench.core import action as act
from garabench.core.goal import Goal
from garabench.core.task import Task
from garabench.suite.suite import Suite, SuiteTask
from garabench.verifier.offline.offline_judge import OfflineJudge
from garabench.verifier.trajectory import (
    Ending,
    Trajectory,
    TrajectoryFrame,
    TrajectorySource,
    TrajectoryStep,
)

APP = "p.q"
INSTRUCTION = "Search for Song, open Song by Ann, and like it."
LIKED: dict[str, Any] = {
    "all": [
        {"exists": {"id": "title", "text": "Song"}},
        {"exists": {"id": "author", "text": "Ann"}},
        {"exists": {"id": "like", "desc": "Liked"}},
        {"absent": {"id": "coin", "desc": "Coin given"}},
    ]
}
SOLUTION: list[Any] = [
    {"type": {"text": "Song", "into": {"id": "search"}, "submit": True}},
    {"tap": {"id": "row", "has": {"text": "Ann"}}},
    {"tap": {"id": "like"}},
]
Row = tuple[str, dict[str, Any]]


def suite(
    goal: dict[str, Any] = LIKED,
    solution: Sequence[Any] = SOLUTION,
    names: dict[str, Any] | None = None,
    **more: Any,
) -> Suite:
    """Return a suite with one task."""
    task = Task.model_validate(
        {
            "id": "like-song",
            "instruction": {"en": INSTRUCTION},
            "goal": {"use": "liked", "with": {"title": "Song", "author": "Ann"} if names is None else names},
            "solution": solution,
            **more,
        }
    )
    item = SuiteTask(task, APP, "app", Goal.model_validate({"id": "liked", "condition": goal}))
    return Suite({"like-song": item}, {}, {}, {}, "", Path())


def screen(*rows: Row) -> bytes:
    """Return a tree with one row below the other, each 100 pixels high; ``inside`` puts one into the last."""
    nodes = ""
    for at, (name, values) in enumerate(rows):
        attributes = {"text": "", "desc": "", "checked": "false", "clickable": "true", **values}
        cls = "android.widget.Switch" if "checked" in values else "android.view.View"
        inner = attributes.pop("texts", ())
        top = 100 * at
        below = "".join(
            f'<node index="{place}" text={quoteattr(text)} class="android.widget.TextView" package="{APP}"'
            f' bounds="[10,{top + 10}][500,{top + 90}]"/>'
            for place, text in enumerate(inner)
        )
        nodes += (
            f'<node index="{at}" resource-id="{APP}:id/{name}" class="{cls}" package="{APP}"'
            f" text={quoteattr(attributes['text'])} content-desc={quoteattr(attributes['desc'])}"
            f' checked="{attributes["checked"]}" checkable="{"true" if "checked" in values else "false"}"'
            f' clickable="{attributes["clickable"]}" bounds="[0,{top}][1000,{top + 100}]">{below}</node>'
        )
    return (
        '<hierarchy rotation="0"><node class="android.widget.FrameLayout" package="p.q"'
        f' bounds="[0,0][1000,2000]">{nodes}</node></hierarchy>'
    ).encode()


HOME = screen(("search", {"text": "Search"}))
LIST = screen(("row", {"texts": ("Song", "Bob")}), ("row", {"texts": ("Song", "Ann")}))


def page(author: str = "Ann", like: str = "Like", *more: Row) -> bytes:
    """Return the page of the song by an author."""
    return screen(
        ("title", {"text": "Song", "clickable": "false"}),
        ("author", {"text": author, "clickable": "false"}),
        ("like", {"desc": like}),
        *more,
    )


def press(row: int) -> act.Action:
    """Return a tap on a row."""
    return act.Tap(x=600, y=100 * row + 50)


TYPED = act.Type(text="Song", submit=True)
DONE = act.Done()
LIKES = ((HOME, TYPED), (LIST, press(1)), (page(), press(2)))
"""The solution: screens, each with the action on it."""


def walk(
    folder: Path, path: Sequence[tuple[bytes | None, act.Action]], last: bytes | None, **more: Any
) -> Trajectory:
    """Return a trajectory of screens and the actions on them, with the screen after the last action."""
    screens = [*(tree for tree, _ in path), last]
    frames = tuple(_frame(folder, at, tree, final=at == len(path)) for at, tree in enumerate(screens))
    steps = tuple(
        TrajectoryStep(
            number=at, action=action, text=f"{action.type}()", thought="", ok=True, before=at, after=at + 1
        )
        for at, (_, action) in enumerate(path)
    )
    fields: dict[str, Any] = {
        "key": "like-song/agent/clean/1",
        "source": TrajectorySource.GARABENCH,
        "digest": "0" * 64,
        "instruction": INSTRUCTION,
        "task": "like-song",
        "app": APP,
        "frames": frames,
        "steps": steps,
        "ending": Ending.STOPPED,
    }
    return Trajectory(**{**fields, **more})


def _frame(folder: Path, at: int, tree: bytes | None, *, final: bool) -> TrajectoryFrame:
    if tree is None:
        return TrajectoryFrame(index=at, step=at, package=APP, final=final)
    digest = hashlib.sha256(tree).hexdigest()
    path = folder / f"{digest}.xml"
    path.write_bytes(tree)
    return TrajectoryFrame(
        index=at, step=at, tree_sha256=digest, tree=path, package=APP, activity=f"{APP}.Main", final=final
    )


def judge(**more: Any) -> OfflineJudge:
    """Return the judge of a suite with one task."""
    return OfflineJudge(suite(**more))
