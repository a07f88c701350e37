"""The catalog of probes: for a fork, every plan of types A, B and C that its screen allows, best first."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from garabench.core import action as act
from garabench.core import steps as st
from garabench.core.tree import UiNode, UiTree, is_system
from garabench.diagnosis.deep_links import search_link
from garabench.diagnosis.failed_case import CaseStep, FailedCase
from garabench.diagnosis.features import fit, plain_words
from garabench.diagnosis.probe import (
    Continuation,
    DiagnosticProbe,
    EvidenceKind,
    Expected,
    ProbeStep,
    ProbeType,
    TurnScreen,
)
from garabench.diagnosis.touched_elements import moved_to, selector_of, words_on

_CHANGED = Expected(EvidenceKind.CHANGED)
_HEALTHY = Expected(EvidenceKind.HEALTHY)
_OVERFLOW = re.compile(r"more options|更多|菜单|overflow", re.IGNORECASE)
_DRAWER = re.compile(r"navigation drawer|open menu|侧边栏|抽屉|hamburger", re.IGNORECASE)
_SEARCH = re.compile(r"search|搜索|查找", re.IGNORECASE)
_CLOSE = re.compile(r"^(close|cancel|dismiss|not now|关闭|取消|以后再说|我知道了|×)$", re.IGNORECASE)
_PAUSE = 1.0
_WAIT_FOR_LOAD = 1.5


def catalog(
    case: FailedCase, fork: int, *, repeatable: bool, continuation: Continuation, silent: bool = False
) -> dict[ProbeType, tuple[DiagnosticProbe, ...]]:
    """Return the probes that the fork's screen allows, by type, best first.

    Args:
        case: The failed episode.
        fork: Place of the fork in its steps.
        repeatable: Whether the fork's own action is right, as far as known, so that repeating it shows
            something; it is not repeated if it acted on a wrong element.
        continuation: Who continues after a probe's steps.
        silent: Whether the fork's element did not react to the action: then it is pressed in other manners
            first.
    """
    step = case.steps[fork]

    def probe(name: str, kind: ProbeType, reason: str, *steps: ProbeStep) -> DiagnosticProbe:
        return DiagnosticProbe(
            f"{kind.lower()}-{name}",
            kind,
            steps,
            reason,
            continuation,
            until_reaction=name == _OTHER_PRESSES,
            p_success_agent=success_estimate(name),
        )

    found: dict[ProbeType, list[DiagnosticProbe]] = {kind: [] for kind in ProbeType}
    for kind, plans in (
        (ProbeType.A, _alternatives(case, fork, repeatable=repeatable, silent=silent)),
        (ProbeType.B, _observations(case, step)),
        (ProbeType.C, _reproductions(step, repeatable=repeatable)),
    ):
        for name, reason, steps in plans:
            found[kind].append(probe(name, kind, reason, *steps))
    return {kind: tuple(probes) for kind, probes in found.items()}


def success_estimate(name: str) -> float:
    """Return the chance that a plan of the catalog meets the goal if the agent is at fault.

    What only waits or looks leaves the fork as it was, so that the continuation begins where the agent should
    have. What presses something may change the app's data.

    Args:
        name: The plan's name, without its type.
    """
    return next((share for share, names in _ESTIMATES if name in names), _PRESSES)


_OTHER_PRESSES = "other-presses"
_ESTIMATES = (
    (0.9, ("continue", "look", "health", "load", _OTHER_PRESSES)),
    (
        0.8,
        (
            "keyboard",
            "scroll-down",
            "scroll-up",
            "scroll-right",
            "scroll-left",
            "rotate-back",
            "restart",
            "back",
        ),
    ),
    (0.7, ("overflow", "drawer", "search", "dialog", "tab")),
)
_PRESSES = 0.5


_Plan = tuple[str, str, tuple[ProbeStep, ...]]


def _press(tree: UiTree, node: UiNode, *, long: bool = False) -> ProbeStep | None:
    selector = selector_of(tree, node)
    verb = "long-press" if long else "press"
    label = f"{verb} {words_on(node)!r}"
    if selector is None:
        at = node.bounds.center
        action: act.Action = act.LongPress(x=at.x, y=at.y) if long else act.Tap(x=at.x, y=at.y)
        return ProbeStep(action, _CHANGED, label)
    return ProbeStep(
        st.LongPressStep(long_press=selector) if long else st.TapStep(tap=selector), _CHANGED, label
    )


def _alternatives(case: FailedCase, fork: int, *, repeatable: bool, silent: bool) -> Iterator[_Plan]:
    step = case.steps[fork]
    tree, target = step.tree, step.target
    words = plain_words(case.instruction)
    if silent and target is not None and (presses := _other_presses(tree, target, step.action)):
        yield _OTHER_PRESSES, "the element may react to another manner of pressing it", presses
    yield "continue", "another transition from here, without the failed action", ()
    better = sorted(
        (node for node in _pressable(tree) if node is not target and fit(node, words) >= 0.5),
        key=lambda each: -fit(each, words),
    )
    for number, node in enumerate(better[:2], start=1):
        if press := _press(tree, node):
            yield f"fitting-{number}", "another element fits the instruction's words", (press,)
    if isinstance(step.action, act.Type):
        retyped = step.action.model_copy(update={"clear": True, "submit": False})
        yield (
            "enter",
            "submit the text by the keyboard's Enter instead of a button",
            (
                ProbeStep(retyped, _CHANGED, "type the text anew"),
                ProbeStep(act.Key(name="enter"), _CHANGED, "press Enter"),
            ),
        )
    if target is not None and repeatable:
        if press := _press(tree, target, long=True):
            yield "long-press", "the element may react to a long press", (press,)
        parent = tree.parent_of(target)
        if parent is not None and parent.clickable and (press := _press(tree, parent)):
            yield "parent", "the element around it may react", (press,)
        child = next((each for each in target.walk() if each is not target and each.clickable), None)
        if child is not None and (press := _press(tree, child)):
            yield "child", "an element in it may react", (press,)
        corner = act.Tap(x=target.bounds.left + 6, y=target.bounds.center.y)
        yield (
            "edge",
            "another place of the element may react",
            (ProbeStep(corner, _CHANGED, "press its edge"),),
        )
    yield (
        "restart",
        "another navigation path: leave the app and open it again",
        (
            ProbeStep(act.Home(), _CHANGED, "press Home"),
            ProbeStep(act.OpenApp(package=case.app), _HEALTHY, "open the app"),
        ),
    )
    link = search_link(case, fork)
    if link is not None:  # last: a success shows that the app works behind the link, not that an agent could
        opened = ProbeStep(link, _HEALTHY, f"open the link {link.uri}")
        yield "deep-link", "the app's deep link is another path to the search results", (opened,)


def _other_presses(tree: UiTree, target: UiNode, failed: act.Action | None) -> tuple[ProbeStep, ...]:
    """Return the manners of pressing an element other than the failed one."""
    name, bounds = words_on(target), target.bounds
    on = repr(name) if name else "the element"
    left = act.Tap(x=bounds.left + 6, y=bounds.center.y)
    steps = [ProbeStep(left, _CHANGED, f"press the edge of {on}")]
    parent = tree.parent_of(target)
    if parent is not None and parent.clickable and (press := _press(tree, parent)):
        steps.append(replace(press, label=f"press what is around {on}"))
    manner = _press(tree, target, long=not isinstance(failed, act.LongPress))
    if manner is not None:
        steps.append(manner)
    return tuple(steps)


def _observations(case: FailedCase, step: CaseStep) -> Iterator[_Plan]:
    tree = step.tree
    if any(is_system(root.package) and "inputmethod" in root.package for root in tree.roots):
        hide = ProbeStep(act.Back(), _CHANGED, "close the keyboard")
        yield "keyboard", "the keyboard may hide the element", (hide,)
    upright = case.steps[0].tree.rotation
    if tree.rotation != upright:
        back = ProbeStep(TurnScreen(upright), _CHANGED, "turn the screen back")
        yield "rotate-back", "the turned screen may hide the element", (back,)
    scrollable = [node for node in tree.app_nodes if node.scrollable and node.visible]
    if scrollable:
        area = max(scrollable, key=lambda each: each.bounds.width * each.bounds.height).bounds.center
        down = ProbeStep(act.Scroll(direction="down", x=area.x, y=area.y), _CHANGED, "scroll down")
        up = ProbeStep(act.Scroll(direction="up", x=area.x, y=area.y), _CHANGED, "scroll up")
        yield "scroll-down", "the element may be below the visible part", (down, down)
        yield "scroll-up", "the element may be above the visible part", (up,)
    for name, pattern, reason in (
        ("overflow", _OVERFLOW, "the element may be in the overflow menu"),
        ("drawer", _DRAWER, "the element may be in the navigation drawer"),
        ("search", _SEARCH, "the element may be found by the search"),
    ):
        node = next((each for each in _pressable(tree) if pattern.search(f"{each.desc} {each.text}")), None)
        if node is not None and (press := _press(tree, node)):
            yield name, reason, (press,)
    dialog = next((each for each in _pressable(tree) if _CLOSE.match(words_on(each))), None)
    if dialog is not None and (press := _press(tree, dialog)):
        yield "dialog", "a dialog may hide the element", (press,)
    tabs = [node for node in _pressable(tree) if _is_tab(tree, node) and not node.selected]
    if tabs and (press := _press(tree, tabs[0])):
        yield "tab", "the element may be on another tab", (press,)
    yield (
        "load",
        "the page may still be loading",
        (ProbeStep(act.Wait(seconds=_WAIT_FOR_LOAD), Expected(EvidenceKind.STEADY), "wait for the page"),),
    )
    yield "back", "the way on may be on the previous screen", (ProbeStep(act.Back(), _CHANGED, "go back"),)
    if scrollable:
        area = scrollable[0].bounds.center
        for direction in ("right", "left"):
            beside = act.Scroll(direction=direction, x=area.x, y=area.y)
            scroll = ProbeStep(beside, _CHANGED, f"scroll {direction}")
            yield f"scroll-{direction}", "the element may be outside the visible part", (scroll,)


def _reproductions(step: CaseStep, *, repeatable: bool) -> Iterator[_Plan]:
    tree, target = step.tree, step.target
    pause = ProbeStep(act.Wait(seconds=_PAUSE), Expected(EvidenceKind.STEADY), "wait and look")
    selector = None if target is None else selector_of(tree, target)
    able = Expected(EvidenceKind.ENABLED, selector) if selector is not None else _HEALTHY
    look = ProbeStep(act.Wait(seconds=_PAUSE), able, "check that the element is enabled")
    if repeatable and step.action is not None and not isinstance(step.action, act.Done | act.GiveUp):
        same = ProbeStep(step.action, _CHANGED, "repeat the action")
        yield "repeat", "the identical action may have another result", (same,)
        yield "slow", "the action may need time before and after it", (pause, same, pause)
        sibling = None if target is None else _sibling(tree, target)
        if sibling is not None:
            at = sibling.bounds.center
            other = ProbeStep(
                moved_to(step.action, at), _CHANGED, f"the same action on {words_on(sibling)!r}"
            )
            yield "sibling", "the same action on a sibling shows whether such elements work", (other,)
    yield (
        "health",
        "the device or the app may be unwell",
        (
            ProbeStep(act.Wait(seconds=_PAUSE), _HEALTHY, "check the device"),
            *((look,) if selector is not None else ()),
        ),
    )
    yield "look", "the screen may need time", (pause,)


def _pressable(tree: UiTree) -> list[UiNode]:
    return [node for node in tree.app_nodes if node.clickable and node.enabled and node.visible]


def _is_tab(tree: UiTree, node: UiNode) -> bool:
    parent = tree.parent_of(node)
    return parent is not None and any(each.selected for each in parent.children)


def _sibling(tree: UiTree, node: UiNode) -> UiNode | None:
    parent = tree.parent_of(node)
    peers = () if parent is None else parent.children
    return next(
        (each for each in peers if each is not node and each.cls == node.cls and each.clickable), None
    )
