"""What follows an interruption: whether the agent recovers, and whether its perception drifts."""

from __future__ import annotations

import enum
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from garabench.core import events as ev
from garabench.core.geometry import Point
from garabench.core.screen_structure import SAME_STRUCTURE, structure_similarity
from garabench.core.touch import reacts_to_touch, touched_element
from garabench.core.tree import UiNode, UiTree, is_system

ScreenEvent = ev.Observed | ev.FinalObserved
OpenTree = Callable[[ScreenEvent], UiTree | None]
"""Returns the tree of an observation; None if it cannot be read."""

DRIFT_DECISIONS = 5
"""The number of decisions after an interruption in which drift is looked for."""

SYSTEM = "system"
"""The category of anomalies that stay in force and leave the app in the foreground."""
_TAPS = ("tap", "double_tap", "long_press")
_FIELD = "EditText"


class RecoveredTo(enum.StrEnum):
    """Where the agent is again after an interruption."""

    SAME = "same"
    """The interrupted screen."""
    ANOTHER = "another"
    """Another screen of the app; the interrupted one does not come back."""
    NEVER = "never"
    """The app does not come back, or the interruption is open at the end."""
    UNKNOWN = "unknown"
    """The record does not show it: the episode ends with the interruption, or a tree is missing."""


class Drift(enum.StrEnum):
    """An action that refers to what the interruption removed."""

    TEXT_GONE = "text-gone"
    """A typed text is gone, alone or with its field, and the agent continues without typing it again."""
    TARGET_GONE = "target-gone"
    """The agent taps where the interrupted screen had an element that is not there any more."""


@dataclass(frozen=True, slots=True)
class AfterInterruption:
    """What follows an interruption that was shown.

    Attributes:
        recovered: Where the agent is again.
        steps: Number of steps from shown to there; None if it is nowhere again, or unknown.
        seconds: Time from shown to there; likewise.
        drift: The kinds of drift; None if unknown.
    """

    recovered: RecoveredTo
    steps: int | None = None
    seconds: float | None = None
    drift: tuple[Drift, ...] | None = None


def aftermath(log: Sequence[ev.Event], token: str, open_tree: OpenTree) -> AfterInterruption | None:
    """Return what follows an interruption; None if it was not shown.

    The interrupted screen is the last one of another package before the injection. A later screen is the same
    if its visible state is equal, or if it is of the same activity and has nearly the same structure.

    Args:
        log: The events of an attempt.
        token: The interruption's token.
        open_tree: Opens the tree of an observation.
    """
    own = [(index, event) for index, event in enumerate(log) if getattr(event, "token", None) == token]
    injected = next((index for index, event in own if isinstance(event, ev.InterruptionInjected)), None)
    shown = next((index for index, event in own if isinstance(event, ev.InterruptionShown)), None)
    if injected is None or shown is None:
        return None
    before = _screen_before(log, injected, open_tree)
    if before is None:
        return AfterInterruption(RecoveredTo.UNKNOWN)
    resolved = next(((i, event) for i, event in own if isinstance(event, ev.InterruptionResolved)), None)
    start = _end_of(log, shown, resolved)
    if start is None:
        return AfterInterruption(RecoveredTo.NEVER, drift=())
    shown_event = log[shown]
    recovered, event = _recovery(log[start:], before)
    drift = _drift(log, start, before) if recovered is not RecoveredTo.UNKNOWN else None
    if event is None:
        return AfterInterruption(recovered, drift=drift)
    return AfterInterruption(
        recovered, event.step - shown_event.step, round(max(0.0, event.t - shown_event.t), 3), drift
    )


@dataclass(frozen=True, slots=True)
class _Interrupted:
    """The interrupted screen, with the texts that the agent had typed into it."""

    event: ev.Observed
    open_tree: OpenTree
    typed: tuple[str, ...]

    @property
    def tree(self) -> UiTree | None:
        return self.open_tree(self.event)

    def is_same(self, other: ScreenEvent) -> bool | None:
        """Return whether another screen is this one; None if a tree is missing."""
        if other.signature == self.event.signature:
            return True
        if other.activity != self.event.activity:
            return False
        one, two = self.tree, self.open_tree(other)
        return None if one is None or two is None else structure_similarity(one, two) >= SAME_STRUCTURE


def _screen_before(log: Sequence[ev.Event], injected: int, open_tree: OpenTree) -> _Interrupted | None:
    """Return the interrupted screen: the last one before the injection on which no interruption is open."""
    seen: ev.Observed | None = None
    shown: set[str] = set()
    typed: list[str] = []
    pending = ""
    for event in log[:injected]:
        match event:
            case ev.InterruptionInjected() if event.category != SYSTEM:
                shown.add(event.token)  # from here on, it may be on the screen
            case ev.InterruptionResolved() | ev.InjectionFailed():
                shown.discard(event.token)
            case ev.Observed() if not shown:
                seen = event
            case ev.Decided():
                text = event.action.get("text") if event.action.get("type") == "type" else None
                pending = text if isinstance(text, str) else ""
            case ev.PerformedEvent() if event.ok and pending:
                typed.append(pending)
                pending = ""
            case _:
                pass
    return None if seen is None else _Interrupted(seen, open_tree, tuple(typed))


def _end_of(
    log: Sequence[ev.Event], shown: int, resolved: tuple[int, ev.InterruptionResolved] | None
) -> int | None:
    """Return the index from which the interruption is over; None if it is open at the end."""
    if getattr(log[shown], "category", "") == SYSTEM:
        return shown  # a system anomaly stays in force, and leaves the app in the foreground
    if resolved is None or resolved[1].how == "open":
        return None
    return resolved[0]


def _recovery(after: Sequence[ev.Event], before: _Interrupted) -> tuple[RecoveredTo, ScreenEvent | None]:
    seen = [event for event in after if isinstance(event, ScreenEvent)]
    if not seen:
        return RecoveredTo.UNKNOWN, None
    in_app = [event for event in seen if event.package == before.event.package]
    if not in_app:
        return RecoveredTo.NEVER, None
    unknown = False
    for event in in_app:
        same = before.is_same(event)
        if same:
            return RecoveredTo.SAME, event
        unknown = unknown or same is None
    return (RecoveredTo.UNKNOWN, None) if unknown else (RecoveredTo.ANOTHER, in_app[0])


def _drift(log: Sequence[ev.Event], start: int, before: _Interrupted) -> tuple[Drift, ...] | None:
    """Return the kinds of drift in the first decisions after the interruption; None if a tree is missing."""
    found: set[Drift] = set()
    text_matters = bool(before.typed)
    for seen, decided, performed in _decisions(log, start):
        if seen.signature == before.event.signature:
            break  # nothing was removed
        action = decided.action
        if action.get("type") not in (*_TAPS, "type", "key"):
            continue
        then, now = before.tree, before.open_tree(seen)
        if then is None or now is None:
            return None
        if action.get("type") == "type":
            text_matters = False  # it noticed
            continue
        point = _point(action)
        if text_matters and _text_is_gone(then, now, before.typed):
            field = _emptied_field(then, now, before.typed)
            if point is not None and field is not None and field.bounds.contains(point):
                text_matters = False  # it goes to the field to type again
            elif action.get("name") == "enter" or (field is not None and _target(now, point) is not None):
                found.add(Drift.TEXT_GONE)
        if point is not None and _target_is_gone(then, now, point, performed):
            found.add(Drift.TARGET_GONE)
    return tuple(sorted(found))


def _decisions(
    log: Sequence[ev.Event], start: int
) -> Iterator[tuple[ev.Observed, ev.Decided, ev.PerformedEvent | None]]:
    """Yield the first decisions after an interruption, each with the screen and the result."""
    seen: ev.Observed | None = None
    count = 0
    for index in range(start, len(log)):
        event = log[index]
        if isinstance(event, ev.Observed):
            seen = event
        elif isinstance(event, ev.InterruptionInjected) and index > start:
            return  # what follows belongs to the next interruption
        elif isinstance(event, ev.Decided) and seen is not None:
            later = log[index + 1] if index + 1 < len(log) else None
            yield seen, event, later if isinstance(later, ev.PerformedEvent) else None
            count += 1
            if count == DRIFT_DECISIONS:
                return


def _point(action: dict[str, object]) -> Point | None:
    x, y = action.get("x"), action.get("y")
    return Point(x, y) if isinstance(x, int) and isinstance(y, int) and action["type"] in _TAPS else None


def _target(tree: UiTree, point: Point | None) -> UiNode | None:
    """Return the element of an app at a point that reacts to a touch; None if nothing does."""
    node = None if point is None else touched_element(tree, point)
    return node if node is not None and reacts_to_touch(node) and not is_system(node.package) else None


def _target_is_gone(then: UiTree, now: UiTree, point: Point, performed: ev.PerformedEvent | None) -> bool:
    wanted = _target(then, point)
    if wanted is None or (_target(now, point) is not None and (performed is None or performed.ok)):
        return False
    identity = _identity(wanted)
    return all(_identity(node) != identity for node in now.app_nodes if node.visible)


def _identity(node: UiNode) -> tuple[str, ...]:
    """Return what identifies an element: its id and class, and the texts in it."""
    texts = (each.text or each.desc for each in node.walk())
    return (node.resource_id, node.cls, *filter(None, texts))


def _text_is_gone(then: UiTree, now: UiTree, typed: Sequence[str]) -> bool:
    """Return whether a field held a typed text, and no field does any more."""

    def held(tree: UiTree) -> bool:
        return any(
            _holds(node, typed) for node in tree.app_nodes if node.visible and node.cls.endswith(_FIELD)
        )

    return held(then) and not held(now)


def _emptied_field(then: UiTree, now: UiTree, typed: Sequence[str]) -> UiNode | None:
    """Return the field that held a typed text and does not hold it any more; None without such a field."""
    for field in then.app_nodes:
        if not field.cls.endswith(_FIELD) or not _holds(field, typed):
            continue
        for node in now.app_nodes:
            if node.visible and node.resource_id == field.resource_id and node.cls == field.cls:
                return None if _holds(node, typed) else node
    return None


def _holds(node: UiNode, typed: Sequence[str]) -> bool:
    return any(text in node.text for text in typed)
