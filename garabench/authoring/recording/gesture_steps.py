"""Turn a person's gesture on a screen into a step of a solution."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from garabench.authoring.recording.element_selector import ElementSelector, element_selector
from garabench.core.geometry import Direction, Point
from garabench.core.keys import KEYS
from garabench.core.selector import Selector, find
from garabench.core.step_planner import target_of
from garabench.core.steps import (
    BackStep,
    HomeStep,
    KeyStep,
    LongPressStep,
    ScrollSpec,
    ScrollStep,
    SolutionStep,
    SwipeStep,
    TapStep,
    TypeSpec,
    TypeStep,
)
from garabench.core.touch import TEXT_FIELDS, element_paths, touched_element
from garabench.core.tree import UiNode, UiTree, is_system
from garabench.errors import InputError


@dataclass(frozen=True, slots=True)
class TouchGesture:
    """A finger that touches the screen.

    Attributes:
        start, end: Where it goes down and up; the same for a tap.
        held: Whether it is held down before it goes up.
    """

    start: Point
    end: Point
    held: bool = False


@dataclass(frozen=True, slots=True)
class TypedText:
    """A text that is typed into the focused field; see `garabench.core.steps.TypeSpec`."""

    text: str
    clear: bool = False
    submit: bool = False


@dataclass(frozen=True, slots=True)
class PressedKey:
    """A key that is pressed, by its name: ``back``, ``home``, ``enter``, …."""

    name: str


PersonGesture = TouchGesture | TypedText | PressedKey
"""What a person does."""
_TALL_SHARE = 0.3
"""Share of the screen's height from which a scrolling area is a list that a smaller screen cuts."""
_TAP_SHARE = 1 / 30
"""Share of the screen's width up to which a movement is still a tap."""


@dataclass(frozen=True, slots=True)
class RecordedStep:
    """A step that repeats a gesture.

    Attributes:
        step: The step.
        warning: Why it may not find its element again, or empty.
    """

    step: SolutionStep
    warning: str = ""


def step_of(gesture: PersonGesture, tree: UiTree, width: int) -> RecordedStep:
    """Return the step that repeats a gesture on other devices.

    Args:
        gesture: The gesture.
        tree: The screen before it.
        width: Width of the screen in pixels.

    Raises:
        InputError: The gesture reaches no element, or the key is unknown.
    """
    match gesture:
        case PressedKey(name="back"):
            return RecordedStep(BackStep())
        case PressedKey(name="home"):
            return RecordedStep(HomeStep())
        case PressedKey(name=name):
            if name not in KEYS:
                raise InputError(f"unknown key {name!r}")
            return RecordedStep(KeyStep.model_validate({"key": name}))
        case TypedText():
            return _typed(gesture, tree)
        case TouchGesture(start=start, end=end):
            if max(abs(end.x - start.x), abs(end.y - start.y)) > width * _TAP_SHARE:
                return _moved(start, end, tree)
            return _touched(gesture, tree)


def target_at(tree: UiTree, point: Point) -> UiNode:
    """Return the element that a touch at a point is meant for.

    It is the element that reacts to the touch; among several equal rows, the row.

    Raises:
        InputError: No window of an app is there.
    """
    node = touched_element(tree, point)
    if node is None or is_system(node.package):
        raise InputError(
            "this point belongs to no app; use the keys for Back and Home, and the field for text"
        )
    return node


def _touched(gesture: TouchGesture, tree: UiTree) -> RecordedStep:
    found = _best(tree, target_at(tree, gesture.start), gesture.start)
    if gesture.held:
        return RecordedStep(LongPressStep(long_press=found.selector), found.fragile)
    return RecordedStep(TapStep(tap=found.selector), found.fragile)


def _best(tree: UiTree, node: UiNode, point: Point) -> ElementSelector:
    """Return the selector of a touched element, or of a named element inside it that a tap reaches as well.

    A tap on the centre of the inner element must reach the same element.
    """
    own = element_selector(tree, node)
    if not own.fragile and own.selector.has is None:
        return own
    inner = [path[-1] for path in element_paths(tree, point)]
    named = [
        element_selector(tree, each)
        for each in (*inner, *node.walk())
        if each is not node and (each.text or each.desc) and touched_element(tree, each.bounds.center) is node
    ]
    lasting = [found for found in named if not found.fragile and found.selector.text is not None]
    lasting.sort(key=lambda found: found.selector.id is None)
    return lasting[0] if lasting else own


def _typed(gesture: TypedText, tree: UiTree) -> RecordedStep:
    field = next((node for node in tree.app_nodes if node.focused and node.cls.endswith(TEXT_FIELDS)), None)
    spec: dict[str, Any] = {"text": gesture.text}
    if gesture.clear:
        spec["clear"] = True
    if gesture.submit:
        spec["submit"] = True
    warning = ""
    if field is not None:
        found = element_selector(tree, field)
        spec["into"], warning = found.selector, found.fragile
    return RecordedStep(TypeStep(type=TypeSpec.model_validate(spec)), warning)


def _moved(start: Point, end: Point, tree: UiTree) -> RecordedStep:
    dx, dy = end.x - start.x, end.y - start.y
    vertical: Direction
    horizontal: Direction
    vertical, horizontal = ("up" if dy < 0 else "down"), ("left" if dx < 0 else "right")
    finger = vertical if abs(dy) >= abs(dx) else horizontal
    hidden: dict[Direction, Direction] = {"up": "down", "down": "up", "left": "right", "right": "left"}
    areas = [node for path in element_paths(tree, start) for node in path if node.scrollable]
    if not areas:
        return RecordedStep(SwipeStep(swipe=finger))
    if sum(node.scrollable and node.visible for node in tree.app_nodes) == 1:
        return RecordedStep(ScrollStep(scroll=ScrollSpec(direction=hidden[finger])))
    found = element_selector(tree, areas[-1])
    return RecordedStep(
        ScrollStep(scroll=ScrollSpec(direction=hidden[finger], inside=found.selector)), found.fragile
    )


@dataclass(frozen=True, slots=True)
class StepOnScreen:
    """A recorded step and the screen before it."""

    step: SolutionStep
    tree: UiTree


def solution_of(recorded: Sequence[StepOnScreen]) -> tuple[SolutionStep, ...]:
    """Return the solution of recorded steps.

    Screens of another size show more or less of a list: scrolling to an element becomes scrolling until the
    element is there, and so does a touch in the lower half of a list. A tap on a field before typing into it
    is left out.
    """
    result: list[SolutionStep] = []
    at = 0
    while at < len(recorded):
        here = recorded[at]
        end = at
        while end < len(recorded) and recorded[end].step == here.step and _plain_scroll(here.step):
            end += 1
        wanted = _target(recorded[end].step) if at < end < len(recorded) else None
        if isinstance(here.step, ScrollStep) and wanted is not None:
            result.append(_scroll_until(here.step, wanted))
            at = end
            continue
        following = recorded[at + 1].step if at + 1 < len(recorded) else None
        repeated = (
            isinstance(here.step, TapStep)
            and isinstance(following, TypeStep)
            and following.type.into == here.step.tap
        )
        if not repeated:
            after_scroll = bool(result) and isinstance(result[-1], ScrollStep)
            scrolled = any(isinstance(step, ScrollStep) for step in result)
            if not after_scroll and (scroll := _scroll_to_hidden(here, scrolled=scrolled)) is not None:
                result.append(scroll)
            result.append(here.step)
        at += 1
    return tuple(result)


def _scroll_until(step: ScrollStep, wanted: Selector) -> ScrollStep:
    fields = {name: getattr(step.scroll, name) for name in ("direction", "inside")}
    given = {name: value for name, value in fields.items() if value is not None}
    return ScrollStep(scroll=ScrollSpec.model_validate({**given, "until": wanted}))


def _scroll_to_hidden(recorded: StepOnScreen, *, scrolled: bool) -> ScrollStep | None:
    """Return a scroll to the element of a step if a smaller screen may not show it.

    It does nothing where the element is on the screen.

    Args:
        recorded: The step.
        scrolled: Whether an earlier step scrolls, so that the upper half may be hidden as well.
    """
    wanted = _target(recorded.step)
    found = () if wanted is None else find(recorded.tree, wanted)
    if wanted is None or not found:
        return None
    tree = recorded.tree
    height = max((root.bounds.bottom for root in tree.roots), default=0)
    areas = [node for node in tree.ancestors(found[0]) if node.scrollable]
    tall = [node for node in areas if node.bounds.height > height * _TALL_SHARE]
    lower = found[0].bounds.center.y > height / 2
    if not tall or not (lower or scrolled):
        return None
    fields: dict[str, Any] = {"direction": "down" if lower else "up", "until": wanted}
    if sum(node.scrollable and node.visible for node in tree.app_nodes) > 1:
        fields["inside"] = element_selector(tree, tall[0]).selector
    return ScrollStep(scroll=ScrollSpec.model_validate(fields))


def _plain_scroll(step: SolutionStep) -> bool:
    return isinstance(step, ScrollStep) and step.scroll.until is None


def _target(step: SolutionStep) -> Selector | None:
    return None if isinstance(step, ScrollStep) else target_of(step)
