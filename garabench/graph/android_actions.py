"""Canonical actions on Android: the element that an action reaches, by resource id first."""

from __future__ import annotations

from dataclasses import dataclass

from garabench.core import action as act
from garabench.core.companion_app import PACKAGE as COMPANION
from garabench.core.geometry import Point
from garabench.core.observation import Focus
from garabench.core.touch import TEXT_FIELDS, element_paths, touched_element
from garabench.core.tree import UiNode, UiTree
from garabench.graph.canonical_action import ARRIVAL, UNKNOWN, CanonicalAction, normalize_literal
from garabench.graph.slots import NO_SLOTS, Slots

OUTSIDE = "(outside)"
"""The target of a tap where no window is, such as next to a dialog."""
_MOST_DEPTH = 6
_PATHS = {"up": "down", "down": "up", "left": "right", "right": "left"}
"""A finger that moves up shows the content below."""


@dataclass(frozen=True, slots=True)
class ActionScreen:
    """The screen on which an agent acted.

    Attributes:
        focus: The focused window.
        tree: Its UI tree; None if it is not recorded.
        interruption: The id of the interruption on screen; empty without one.
    """

    focus: Focus
    tree: UiTree | None = None
    interruption: str = ""

    def place(self, package: str = "") -> str:
        """Return the place of an action: the interruption, or package and activity.

        Args:
            package: The package of the element, if it may be in another window than the focused one.
        """
        package = package or self.focus.package
        if package == COMPANION:
            return f"{ARRIVAL}:{self.interruption}" if self.interruption else ARRIVAL
        if package != self.focus.package:
            return package
        activity = self.focus.activity.removeprefix(package)
        return f"{package}/{activity}" if activity else package


def arrival(interruption: str) -> CanonicalAction:
    """Return the step at which an interruption appears."""
    return CanonicalAction(ARRIVAL, "", interruption)


def unknown_action(screen: ActionScreen) -> CanonicalAction:
    """Return the action of an autonomous agent, of which only the changed screen is known."""
    return CanonicalAction("change", screen.place())


def canonical_action(action: act.Action, screen: ActionScreen, slots: Slots = NO_SLOTS) -> CanonicalAction:
    """Return the canonical form of an action.

    Coordinates become the element that they reach, identified by its resource id. An id that occurs several
    times on the screen is completed by the element's text, with slots for the instruction's phrases, and by
    its number among those with the same text.

    Args:
        action: The action.
        screen: The screen on which it was performed.
        slots: The phrases of the instruction.
    """
    match action:
        case act.Tap() | act.DoubleTap() | act.LongPress():
            place, target = _element(screen, action.x, action.y, slots)
            return CanonicalAction(action.type, place, target)
        case act.Type():
            place, target, filled = _field(screen, action, slots)
            text = slots.abstract(action.text)
            modifiers = ("clear+" if action.clear and filled else "") + ("submit+" if action.submit else "")
            return CanonicalAction("type", place, f"{modifiers}{target}" if modifiers else target, text)
        case act.Clear():
            place, target, _ = _focused(screen, slots)
            return CanonicalAction("clear", place, target)
        case act.Scroll():
            return CanonicalAction(
                "scroll", screen.place(), _list(screen, action.x, action.y), action.direction
            )
        case act.Swipe():
            direction = _PATHS[_direction(action.x2 - action.x1, action.y2 - action.y1)]
            return CanonicalAction("scroll", screen.place(), _list(screen, action.x1, action.y1), direction)
        case act.Drag():
            place, target = _element(screen, action.x1, action.y1, slots)
            _, drop = _element(screen, action.x2, action.y2, slots)
            return CanonicalAction("drag", place, target, drop)
        case act.Key():
            return CanonicalAction("key", screen.place(), action.name)
        case act.OpenApp():
            return CanonicalAction("open_app", "", action.package)
        case act.Done():
            return CanonicalAction("done", "", "", slots.abstract(action.answer))
        case act.GiveUp():
            return CanonicalAction("give_up")
        case _:
            return CanonicalAction(action.type, screen.place())


def _direction(dx: int, dy: int) -> str:
    if abs(dx) > abs(dy):
        return "right" if dx > 0 else "left"
    return "down" if dy > 0 else "up"


def _element(screen: ActionScreen, x: int, y: int, slots: Slots) -> tuple[str, str]:
    """Return place and target of the element at a point."""
    if screen.tree is None:
        return screen.place(), UNKNOWN
    node = touched_element(screen.tree, Point(x, y))
    if node is None:
        return screen.place(), OUTSIDE
    return screen.place(node.package), element_name(node, screen.tree, slots)


def _field(screen: ActionScreen, action: act.Type, slots: Slots) -> tuple[str, str, bool]:
    """Return place and target of a field, and whether clearing it may matter: it may have a content."""
    if action.at is None:
        return _focused(screen, slots)
    node = None if screen.tree is None else touched_element(screen.tree, Point(*action.at))
    return (*_element(screen, *action.at, slots), node is None or _is_filled(node))


def _focused(screen: ActionScreen, slots: Slots) -> tuple[str, str, bool]:
    tree = screen.tree
    node = None if tree is None else next((each for each in tree.app_nodes if each.focused), None)
    if tree is None or node is None:
        return screen.place(), "", True
    return screen.place(node.package), element_name(node, tree, slots), _is_filled(node)


def _is_filled(node: UiNode) -> bool:
    return bool(node.text) and node.text != node.hint


def _list(screen: ActionScreen, x: int | None, y: int | None) -> str:
    """Return the innermost scrollable element at a point that has an id; empty for the screen's center."""
    if screen.tree is None or x is None or y is None:
        return ""
    path = next(element_paths(screen.tree, Point(x, y)), ())
    return next((node.entry for node in reversed(path) if node.scrollable and node.entry), "")


def element_name(node: UiNode, tree: UiTree, slots: Slots = NO_SLOTS) -> str:
    """Return the name of an element within its screen: resource id, or text, or position."""
    named = node if node.entry else next((each for each in node.walk() if each.entry), node)
    entry = named.entry
    if entry and _count(tree).get(named.resource_id, 0) == 1:
        return entry
    label = _label(node, slots)
    if entry:
        if label:
            return f"{entry}[{label}{_ordinal(node, named, label, tree, slots)}]"
        same = [id(each) for each in tree.app_nodes if each.resource_id == named.resource_id]
        return f"{entry}[#{same.index(id(named)) + 1}]" if id(named) in same else entry
    kind = node.cls.rpartition(".")[2] or "View"
    return f"{kind}[{label}]" if label else f"{kind}[{_position(node, tree)}]"


def _ordinal(node: UiNode, named: UiNode, label: str, tree: UiTree, slots: Slots) -> str:
    """Return which of the elements with the same id and text an element is; empty if there is one."""
    height = next((at for at, each in enumerate((named, *tree.ancestors(named))) if each is node), 0)
    alike = []
    for each in tree.app_nodes:
        if each.resource_id == named.resource_id:
            path = (each, *tree.ancestors(each))
            if height < len(path) and _label(path[height], slots) == label:
                alike.append(id(each))
    return f"#{alike.index(id(named)) + 1}" if len(alike) > 1 and id(named) in alike else ""


def _count(tree: UiTree) -> dict[str, int]:
    return tree.derived(_count_ids)


def _count_ids(tree: UiTree) -> dict[str, int]:
    found: dict[str, int] = {}
    for node in tree.nodes:
        if node.resource_id:
            found[node.resource_id] = found.get(node.resource_id, 0) + 1
    return found


def _label(node: UiNode, slots: Slots) -> str:
    """Return an element's text: one with a slot if there is one, else the first one."""
    if node.cls.endswith(TEXT_FIELDS):  # its text is what was typed
        return slots.abstract(node.hint or node.desc)
    texts = [
        slots.abstract(text)
        for each in node.walk()
        if each.visible
        for text in (each.text or each.desc,)
        if normalize_literal(text)
    ]
    return next((text for text in texts if "<" in text), texts[0] if texts else "")


def _position(node: UiNode, tree: UiTree) -> str:
    """Return the indexes of an element and its ancestors, up to the nearest one with an id."""
    indexes = [str(node.index)]
    for parent in tree.ancestors(node):
        if parent.entry:
            return f"{parent.entry}/{'.'.join(reversed(indexes))}"
        if len(indexes) == _MOST_DEPTH:
            break
        indexes.append(str(parent.index))
    return ".".join(reversed(indexes))
