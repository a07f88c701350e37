"""The steps of an episode as they are compared: screens by signature, actions by their target's name."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

from garabench.core import action as act
from garabench.core.geometry import Point
from garabench.core.touch import touched_element
from garabench.errors import InputError
from garabench.records.episode import Attempt, RecordedObservation
from garabench.report.viewer.alignment import AlignedStep

_GRID = 90
"""Size in pixels of the cells by which taps on nameless elements are compared."""
_MAX_NAME = 80
_LEVELS, _ELEMENTS = 3, 12
"""Number of ancestors, and of their descendants, that may name a nameless element."""


def aligned_steps(attempt: Attempt) -> tuple[tuple[int, AlignedStep], ...]:
    """Return the steps of an attempt that have an action, each with its number.

    Raises:
        InputError: The log is broken.
    """
    return tuple(_aligned(attempt))


def _aligned(attempt: Attempt) -> Iterator[tuple[int, AlignedStep]]:
    seen: dict[int, RecordedObservation] = {each.step: each for each in attempt.observations}
    for recorded in attempt.actions:
        observation = seen.get(recorded.step)
        if observation is None:
            continue
        event = observation.event
        action = recorded.action
        name = "observed" if action is None else comparable_action(action, observation)
        yield recorded.step, AlignedStep(event.signature, f"{event.package}/{event.activity}", name)


def comparable_action(action: act.Action, observation: RecordedObservation) -> str:
    """Return an action with its target's name instead of its coordinates, as far as the target has one."""
    match action:
        case act.Tap() | act.DoubleTap() | act.LongPress():
            return f"{action.type} {_target(observation, Point(action.x, action.y))}"
        case act.Type():
            return f"type {action.text}{' submit' if action.submit else ''}"
        case act.Swipe() | act.Drag():
            dx, dy = action.x2 - action.x1, action.y2 - action.y1
            return f"{action.type} {_direction(dx, dy)}"
        case act.Scroll():
            return f"scroll {action.direction}"
        case act.Done():
            return f"done {action.answer}"
        case act.GiveUp():
            return "give_up"
        case _:
            return str(act.to_json(action))


def _direction(dx: int, dy: int) -> str:
    if abs(dx) > abs(dy):
        return "right" if dx > 0 else "left"
    return "down" if dy > 0 else "up"


def _target(observation: RecordedObservation, point: Point) -> str:
    try:
        node = touched_element(observation.open_tree(), point)
    except InputError:
        node = None
    name = "" if node is None else " ".join(filter(None, (node.entry, node.text, node.desc)))
    return name[:_MAX_NAME] or f"{point.x // _GRID},{point.y // _GRID}"


def target_name(action: act.Action, observation: RecordedObservation) -> str:
    """Return the name of the element that an action touches, for people; empty if it has none."""
    match action:
        case act.Tap() | act.DoubleTap() | act.LongPress():
            try:
                tree = observation.open_tree()
            except InputError:
                return ""
        case _:
            return ""
    node = touched_element(tree, Point(action.x, action.y))
    if node is None:
        return ""
    # An icon has no text; its row or button has.
    for each in itertools.islice((node, *tree.ancestors(node)), _LEVELS):
        inner = itertools.islice(each.walk(), _ELEMENTS)
        text = next((below.text or below.desc for below in inner if below.text or below.desc), "")
        if text:
            return f"“{text[:_MAX_NAME]}”"
        if each.clickable:
            break
    return f"#{node.entry}" if node.entry else ""
