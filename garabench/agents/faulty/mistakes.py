"""The mistakes of faulty agents: what they press, type or answer instead."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence

from garabench.core import action as act
from garabench.core.geometry import Point
from garabench.core.observation import Observation
from garabench.core.touch import touched_element
from garabench.core.tree import UiNode, UiTree, is_system

COMMITS = frozenset(
    (
        *("完成", "保存", "提交", "发送", "发布", "确定", "确认", "投币", "删除"),
        *("done", "save", "submit", "send", "post", "ok", "apply", "confirm", "add"),
    )
)
"""Words on the buttons that complete something."""
_NUMBER = re.compile(r"\d+")
_SAME_LINE = 0.5

Press = act.Tap | act.LongPress | act.DoubleTap
PRESSES = (act.Tap, act.LongPress, act.DoubleTap)
NodeKey = tuple[str, str, str]
"""What an agent recognizes an element by: its id, text and description."""


def pressed_node(tree: UiTree, at: Point) -> UiNode | None:
    """Return the element of an app that a touch reaches, or None."""
    node = touched_element(tree, at)
    return None if node is None or is_system(node.package) else node


def key_of(node: UiNode) -> NodeKey:
    """Return what an element is recognized by."""
    return node.resource_id, node.text, node.desc


def candidates(observation: Observation) -> tuple[UiNode, ...]:
    """Return the elements of the app in front that can be pressed, in reading order."""
    found = [
        node
        for node in observation.tree.nodes
        if node.clickable
        and node.enabled
        and not node.bounds.is_empty
        and node.package == observation.focus.package
    ]
    return tuple(sorted(found, key=lambda node: (node.bounds.top, node.bounds.left)))


def another(observation: Observation, node: UiNode, draw: random.Random) -> UiNode | None:
    """Return another element, or None if there is none."""
    others = [other for other in candidates(observation) if other.bounds != node.bounds]
    return draw.choice(others) if others else None


def next_one(observation: Observation, node: UiNode) -> UiNode | None:
    """Return the next element in reading order, or the previous one after the last."""
    found = candidates(observation)
    at = next((index for index, other in enumerate(found) if other.bounds == node.bounds), None)
    if at is None or len(found) < 2:
        return None
    return found[at + 1] if at + 1 < len(found) else found[at - 1]


def next_row(tree: UiTree, at: Point) -> UiNode | None:
    """Return the same control in the next row: an element with the same id at another height."""
    here = [node for node in tree.nodes if node.bounds.contains(at) and node.resource_id]
    for node in sorted(here, key=lambda node: node.bounds.width * node.bounds.height):
        others = [
            other
            for other in tree.nodes
            if other.resource_id == node.resource_id
            and abs(other.bounds.center.y - node.bounds.center.y) > node.bounds.height * _SAME_LINE
        ]
        below = [other for other in others if other.bounds.top > node.bounds.top]
        if others:
            return min(below or others, key=lambda other: abs(other.bounds.top - node.bounds.top))
    return None


def press_at(action: Press, node: UiNode) -> Press:
    """Return the same press on another element."""
    center = node.bounds.center
    return action.model_copy(update={"x": center.x, "y": center.y})


def misspelled(text: str) -> str:
    """Return another text with the same characters, or twice the text if there is no other."""
    return text[::-1] if text[::-1] != text else text + text


def completes(tree: UiTree, at: Point) -> bool:
    """Return whether a press at a point completes something, by the words on the element."""
    node = pressed_node(tree, at)
    if node is None:
        return False
    shown = {text.strip().lower() for each in node.walk() for text in (each.text, each.desc)}
    return any(
        text in COMMITS or (len(text) <= _LONGEST_LABEL and any(w in text for w in COMMITS if len(w) > 1))
        for text in shown
        if text
    )


_LONGEST_LABEL = 6


def other_answer(tree: UiTree, answer: str) -> str:
    """Return another value of the same form on the screen, or the answer with another number."""
    form = _NUMBER.sub("0", answer)
    others = [
        text
        for node in tree.nodes
        for text in (node.text, node.desc)
        if text and text != answer and _NUMBER.sub("0", text) == form
    ]
    if others:
        return others[0]
    if _NUMBER.search(answer):
        return _NUMBER.sub(lambda found: str(int(found[0]) + 1), answer, count=1)
    return _first_title(tree.nodes, answer)


def _first_title(nodes: Sequence[UiNode], answer: str) -> str:
    texts = (node.text for node in nodes if node.text and node.text != answer and not is_system(node.package))
    return next(texts, "unknown")
