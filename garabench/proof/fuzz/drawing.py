"""Draw legal actions on a screen: a function of its UI tree and of a random generator.

Every element that a finger can reach on the topmost window is a candidate. Words and attributes sort the
candidates into kinds, so that rare and dangerous ones, such as a button that deletes, are drawn as often as
the many links around them.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from garabench.core.selector import Selector, find
from garabench.core.shortest_selector import shortest_selector
from garabench.core.step_planner import target_of
from garabench.core.steps import (
    BackStep,
    HomeStep,
    KeyStep,
    LongPressStep,
    OpenAppStep,
    ScrollSpec,
    ScrollStep,
    SolutionStep,
    TapStep,
    TypeSpec,
    TypeStep,
)
from garabench.core.tree import UiNode, UiTree, is_system
from garabench.core.window_order import top_app_window
from garabench.proof.fuzz.walk import ActionKind

LITTLE = 0.1
"""Share of the screen by which a little scroll moves the finger."""
_MAX_LABEL = 40
_KEYBOARD = "EditText"
_TEXTS = ("好的", "test", "明天见")
_WORDS: tuple[tuple[ActionKind, re.Pattern[str]], ...] = (
    (
        ActionKind.CONFIRM,
        re.compile(r"确定|确认|完成|好的|知道了|\bok\b|confirm|done|\byes\b", re.IGNORECASE),
    ),
    (
        ActionKind.DELETE,
        re.compile(r"删除|取消|清空|移除|退|撤回|delete|remove|cancel|clear|unfollow|undo", re.IGNORECASE),
    ),
    (
        ActionKind.LIKE,
        re.compile(
            r"赞|收藏|关注|订阅|喜欢|投币|转发|like|fav|follow|save|star|subscribe|coin|react|repost|share",
            re.IGNORECASE,
        ),
    ),
    (
        ActionKind.ADD,
        re.compile(
            r"添加|加入|购买|购物车|下单|提交|发送|发布|发表|评论|新建|领取|预订|add|buy|cart|order|send|post|comment|create|new|submit|book|reserve|claim",
            re.IGNORECASE,
        ),
    ),
)
_WEIGHTS = {
    ActionKind.LIKE: 5,
    ActionKind.DELETE: 4,
    ActionKind.ADD: 4,
    ActionKind.TOGGLE: 4,
    ActionKind.OTHER: 3,
    ActionKind.CONFIRM: 3,
    ActionKind.PRESS: 3,
    ActionKind.HOLD: 1,
    ActionKind.WRITE: 1,
    ActionKind.REPEAT: 1,
}
_AFTER_ACTION = {**_WEIGHTS, ActionKind.CONFIRM: 8, ActionKind.REPEAT: 0}
_HARMLESS_WEIGHTS = {
    ActionKind.SCROLL: 4,
    ActionKind.TAB: 2,
    ActionKind.BACKGROUND: 2,
    ActionKind.ROTATE: 1,
    ActionKind.KEYBOARD: 2,
    ActionKind.RECENTS: 1,
    ActionKind.REOPEN: 2,
}


@dataclass(frozen=True, slots=True)
class Drawn:
    """A drawn action.

    Attributes:
        kind: What it is.
        steps: How it is performed.
    """

    kind: ActionKind
    steps: tuple[SolutionStep, ...]


@dataclass(frozen=True, slots=True)
class Screen:
    """What actions are drawn from.

    Attributes:
        tree: The UI tree.
        app: The task's app.
        path: The path's steps.
        done: How many of them have been performed.
        opened: Whether the last of them has opened this page.
    """

    tree: UiTree
    app: str
    path: Sequence[SolutionStep]
    done: int
    opened: bool = False


def draw_acting(screen: Screen, rng: random.Random, *, follows: bool = False) -> Drawn | None:
    """Draw an action that may change something; None if the screen offers none.

    Args:
        screen: The screen.
        rng: The generator.
        follows: Whether it follows another drawn action at the same place of the path.
    """
    candidates: dict[ActionKind, list[tuple[UiNode, bool]]] = {}
    targets = [target for step in screen.path if (target := target_of(step)) is not None]
    upcoming = _matching(screen.tree, targets[screen.done :])
    similar = {node.resource_id for node in _matching(screen.tree, targets).values() if node.resource_id}
    for node in reachable(screen.tree):
        if node.cls.endswith(_KEYBOARD):
            candidates.setdefault(ActionKind.WRITE, []).append((node, False))
            continue
        if node.clickable and id(node) not in upcoming:
            candidates.setdefault(action_kind(node, similar), []).append((node, False))
        if node.long_clickable:
            candidates.setdefault(ActionKind.HOLD, []).append((node, True))
    repeated = screen.path[screen.done - 1] if screen.done else None
    if isinstance(repeated, TapStep) and find(screen.tree, repeated.tap):
        candidates[ActionKind.REPEAT] = []
    weights = _AFTER_ACTION if follows else _WEIGHTS
    kinds = [kind for kind in weights if kind in candidates and weights[kind]]
    if not kinds:
        return None
    kind = rng.choices(kinds, [weights[each] for each in kinds])[0]
    if kind is ActionKind.REPEAT and isinstance(repeated, TapStep):
        return Drawn(kind, (repeated,))
    node, hold = rng.choice(candidates[kind])
    selector = shortest_selector(screen.tree, node)
    if kind is ActionKind.WRITE:
        spec = TypeSpec(text=rng.choice(_TEXTS), into=selector, submit=rng.random() < 0.5)
        return Drawn(kind, (TypeStep(type=spec),))
    return Drawn(kind, (LongPressStep(long_press=selector) if hold else TapStep(tap=selector),))


def draw_harmless(screen: Screen, rng: random.Random) -> Drawn:
    """Draw an action that changes nothing a task could be about."""
    possible = dict(_possible_harmless(screen, rng))
    kinds = list(possible)
    kind = rng.choices(kinds, [_HARMLESS_WEIGHTS[each] for each in kinds])[0]
    return Drawn(kind, possible[kind])


def _possible_harmless(
    screen: Screen, rng: random.Random
) -> Iterator[tuple[ActionKind, tuple[SolutionStep, ...]]]:
    """Yield one action of each harmless kind that the screen permits; all consume the same random numbers."""
    chance, back_too = rng.random(), rng.random() < 0.3
    down = ScrollStep(scroll=ScrollSpec(direction="down", amount=LITTLE))
    up = ScrollStep(scroll=ScrollSpec(direction="up", amount=LITTLE))
    yield ActionKind.SCROLL, (down, up) if back_too else (down,)
    yield ActionKind.BACKGROUND, (HomeStep(), OpenAppStep(open_app=screen.app))
    yield ActionKind.RECENTS, (KeyStep(key="recents"), BackStep())
    yield ActionKind.ROTATE, ()
    sheets = sum(1 for root in screen.tree.roots if not is_system(root.package)) - 1
    tabs = list(_tabs(screen.tree)) if not sheets else []  # in a sheet, they are options
    if tabs:
        other, current = tabs[int(chance * len(tabs))]
        yield (
            ActionKind.TAB,
            (TapStep(tap=_lasting(screen.tree, other)), TapStep(tap=_lasting(screen.tree, current))),
        )
    fields = [node for node in reachable(screen.tree) if node.cls.endswith(_KEYBOARD) and not node.focused]
    if fields:
        chosen = fields[int(chance * len(fields))]
        yield ActionKind.KEYBOARD, (TapStep(tap=shortest_selector(screen.tree, chosen)), BackStep())
    last = screen.path[screen.done - 1] if screen.done else None
    if screen.opened and isinstance(last, TapStep):
        yield ActionKind.REOPEN, (BackStep(), last)


def unselected_tab(before: UiTree, now: UiTree) -> Selector | None:
    """Return a tab or chip that was selected on a page and no longer is; None if there is none."""
    chosen = {
        (node.entry, node.text, node.desc)
        for node in before.app_nodes
        if node.selected and node.clickable and not node.checkable and (node.text or node.desc)
    }
    for node in reachable(now):
        if node.clickable and not node.selected and (node.entry, node.text, node.desc) in chosen:
            return shortest_selector(now, node)
    return None


def reachable(tree: UiTree) -> list[UiNode]:
    """Return the elements of the topmost window of an app that a finger can reach."""
    window = top_app_window(tree)
    if window is None:
        return []
    keyboard = [root.bounds for root in tree.roots if is_system(root.package) and root.bounds.height > 0]
    return [
        node
        for node in window.walk()
        if node.enabled
        and node.visible
        and node.bounds.width > 0
        and node.bounds.height > 0
        and not any(each.contains(node.bounds.center) for each in keyboard)
    ]


def action_kind(node: UiNode, similar: set[str]) -> ActionKind:
    """Return what a tap on an element is, by its words and attributes.

    Args:
        node: The element.
        similar: Ids of the elements that the path acts on.
    """
    label = words_of(node)
    for kind, pattern in _WORDS:
        if pattern.search(label):
            return kind
    if node.checkable or node.selected:
        return ActionKind.TOGGLE
    if node.resource_id and node.resource_id in similar:
        return ActionKind.OTHER
    return ActionKind.PRESS


def words_of(node: UiNode) -> str:
    """Return the words of an element: its id, description and text, or else the first text in it."""
    own = f"{node.entry.replace('_', ' ')} {node.desc} {node.text}".strip()
    if node.text or node.desc:
        return own[: 2 * _MAX_LABEL]
    inner = next((each.text or each.desc for each in node.walk() if each.text or each.desc), "")
    return f"{own} {inner[:_MAX_LABEL]}"


def _tabs(tree: UiTree) -> Iterator[tuple[UiNode, UiNode]]:
    """Yield pairs of another tab and the selected one: siblings of one class, exactly one selected."""
    nodes = reachable(tree)
    known = {id(node) for node in nodes}
    for node in nodes:
        tabs = [
            child
            for child in node.children
            if id(child) in known
            and child.clickable
            and not child.checkable
            and (child.text or child.desc)
            and not any(pattern.search(words_of(child)) for _, pattern in _WORDS)
        ]
        chosen = [child for child in tabs if child.selected]
        if len(tabs) >= 3 and len(chosen) == 1 and len({child.cls for child in tabs}) == 1:
            yield from ((other, chosen[0]) for other in tabs if other is not chosen[0])


def _lasting(tree: UiTree, node: UiNode) -> Selector:
    """Return a selector of a tab that still holds when another one is selected."""
    found = shortest_selector(tree, node)
    if "selected" not in found.model_fields_set and found.index is None and found.xpath is None:
        return found
    fields = {"desc": node.desc} if node.desc else {"text": node.text}
    return Selector.model_validate(fields)


def _matching(tree: UiTree, targets: Sequence[Selector]) -> dict[int, UiNode]:
    """Return the elements that selectors select, with the clickable elements around and within them."""
    found: dict[int, UiNode] = {}
    for target in targets:
        for node in find(tree, target)[:1]:
            found[id(node)] = node
            for up in tree.ancestors(node):
                if up.clickable:
                    found[id(up)] = up
                    break
    return found
