"""Translate an action into actions that a dialect can express.

Most dialects type into the focused field only, some can swipe but not scroll, some refer to elements by
number. So one action may need several moves in a dialect: tap the field, type, press Enter.
"""

from __future__ import annotations

from collections.abc import Iterator

from garabench.agents.dialects.arguments import opposite
from garabench.agents.dialects.coordinates import ScreenView
from garabench.agents.dialects.dialect import Dialect, PointFormatter
from garabench.core import action as act
from garabench.core.action import Action
from garabench.core.geometry import Direction, Point, Rect
from garabench.core.tree import UiTree

_SWIPE_LENGTHS = (0.5, 0.25, 0.4)
"""Swipe lengths to try for a scroll, as fractions of the screen."""
_MAX_DELETED = 12
"""Longest text to delete key by key."""


class UnsupportedActionError(Exception):
    """A dialect cannot express an action."""


class ActionTranslator:
    """Translates actions into a dialect, for one screen."""

    def __init__(self, dialect: Dialect, view: ScreenView, tree: UiTree) -> None:
        """Prepare.

        Args:
            dialect: The model's dialect.
            view: The screen as the model sees it.
            tree: The UI tree.
        """
        self._dialect = dialect
        self._view = view
        self._tree = tree

    def moves(self, action: Action) -> tuple[Action, ...]:
        """Return actions that the dialect can express and that together have the effect of an action.

        Raises:
            UnsupportedActionError: The action has no equivalent.
        """
        if self._can_express(action):
            return (action,)
        for alternative in self._alternatives(action):
            try:
                return tuple(move for each in alternative for move in self.moves(each))
            except UnsupportedActionError:
                continue
        raise UnsupportedActionError(f"{self._dialect.name} cannot express {action.type}")

    def _can_express(self, action: Action) -> bool:
        return (
            self._dialect.call_for(action, PointFormatter(self._view, self._dialect.coordinates)) is not None
        )

    def _alternatives(self, action: Action) -> Iterator[tuple[Action, ...]]:
        """Yield equivalent sequences, each simpler than the action itself, so that the recursion ends."""
        match action:
            case act.Tap(x=x, y=y) | act.LongPress(x=x, y=y):
                if (place := self._numbered(Point(x, y))) != Point(x, y):
                    yield (action.model_copy(update={"x": place.x, "y": place.y}),)
            case act.Type():
                yield from self._typing(action)
            case act.Clear():
                field = self._field()
                if not (held := self._field_text()):
                    yield ()
                elif field is not None and self._can_express(_into(act.Type(text="", clear=True), field)):
                    yield (_into(act.Type(text="", clear=True), field),)
                elif len(held) <= _MAX_DELETED:
                    yield (act.Key(name="delete"),) * len(held)
            case act.Scroll(direction=direction, x=x, y=y):
                yield from self._scrolling(direction, x, y, action)
            case act.Swipe(x1=x1, y1=y1, x2=x2, y2=y2):
                yield (act.Scroll(direction=opposite(_direction_of(x1, y1, x2, y2)), x=x1, y=y1),)
                yield (act.Drag(x1=x1, y1=y1, x2=x2, y2=y2),)
            case act.Key(name="enter"):
                yield (act.Type(text="", submit=True),)
            case act.Wait():
                waits = (act.Wait(seconds=seconds) for seconds in (1, 5))
                yield from ((wait,) for wait in waits if self._can_express(wait))
                yield (act.Type(text=""),)  # a step that changes nothing
            case act.GiveUp():
                yield (act.Done(),)
            case _:
                return

    def _typing(self, action: act.Type) -> Iterator[tuple[Action, ...]]:
        """Yield sequences that tap the field, clear it, type and press Enter, each step only if needed."""
        if action.at is not None:
            x, y = action.at
            yield (act.Tap(x=x, y=y), action.model_copy(update={"at": None}))
            return
        field = self._field()
        if field is not None and self._can_express(_into(action, field)):
            yield (_into(action, field),)
        whole = action.model_copy(update={"clear": True, "text": self._field_text() + action.text})
        if not action.clear and self._can_express(whole):
            yield (whole,)  # a dialect whose typing always replaces the text repeats it
        if action.clear and not self._field_text():
            yield (action.model_copy(update={"clear": False}),)
        elif action.clear:
            yield (act.Clear(), action.model_copy(update={"clear": False}))
        if action.submit and action.text:
            yield (action.model_copy(update={"submit": False}), act.Key(name="enter"))

    def _scrolling(
        self, direction: Direction, x: int | None, y: int | None, action: act.Scroll
    ) -> Iterator[tuple[Action, ...]]:
        screen = self._view.screen
        middle = Point(screen.width // 2 if x is None else x, screen.height // 2 if y is None else y)
        if x is None:
            yield (action.model_copy(update={"x": middle.x, "y": middle.y}),)
        for start in (middle, *self._near(middle)):
            for share in _SWIPE_LENGTHS:
                swipe = _swipe(start, opposite(direction), share, self._view)
                if self._can_express(swipe):
                    yield (swipe,)

    def _near(self, point: Point) -> list[Point]:
        """Return the centers of the numbered elements, nearest first."""
        middles = {rect.center for rect in self._view.elements}
        return sorted(middles, key=lambda one: (abs(one.x - point.x) + abs(one.y - point.y), one.y, one.x))

    def _numbered(self, point: Point) -> Point:
        """Return the center of the smallest numbered element around a point, or the point itself."""
        around = [rect for rect in self._view.elements if rect.contains(point)]
        return min(around, key=lambda rect: rect.width * rect.height).center if around else point

    def _field(self) -> Rect | None:
        """Return the bounds of the focused field."""
        return next((node.bounds for node in self._tree.nodes if node.focused and _is_field(node.cls)), None)

    def _field_text(self) -> str:
        """Return the text of the focused field, or of the first field if none is focused."""
        fields = [node for node in self._tree.nodes if _is_field(node.cls)]
        held = next((node for node in fields if node.focused), fields[0] if fields else None)
        return "" if held is None or held.text == held.hint else held.text


def _is_field(cls: str) -> bool:
    return cls.endswith(("EditText", "AutoCompleteTextView"))


def _into(action: act.Type, field: Rect) -> act.Type:
    return action.model_copy(update={"at": (field.center.x, field.center.y)})


def _direction_of(x1: int, y1: int, x2: int, y2: int) -> Direction:
    """Return the main direction of a swipe."""
    if abs(x2 - x1) > abs(y2 - y1):
        return "right" if x2 > x1 else "left"
    return "down" if y2 > y1 else "up"


def _swipe(start: Point, direction: Direction, share: float, view: ScreenView) -> act.Swipe:
    """Return a swipe of a fraction of the screen, clipped at its edge."""
    across, along = int(view.screen.width * share), int(view.screen.height * share)
    x = start.x + {"left": -across, "right": across}.get(direction, 0)
    y = start.y + {"up": -along, "down": along}.get(direction, 0)
    x, y = min(max(x, 0), view.screen.width - 1), min(max(y, 0), view.screen.height - 1)
    return act.Swipe(x1=start.x, y1=start.y, x2=x, y2=y)
