"""Get a call's arguments by name and type; errors are worded so that a model can correct its reply."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, get_args

from garabench.agents.dialects.calls import ActionCall
from garabench.agents.dialects.coordinates import Coordinates, ScreenView, to_screen
from garabench.agents.dialects.reply import MalformedReplyError, ReplyFlaw, short_repr
from garabench.core.geometry import Direction, Point

_NUMBERS = re.compile(r"[-+]?\d+(?:\.\d+)?")
_NAMED = re.compile(r"\b([xy])\b[\"']?\s*[:=]\s*([-+]?\d+(?:\.\d+)?)")
_TAG = re.compile(r"<[^<>]{0,20}>")
_MARKS = ("<point>", "<|box_start|>")
_TWO_POINTS = re.compile(r"\)\s{0,9}[,;，]?\s{0,9}\(")
_WORD = re.compile(r"[^\W\d_]")
_MAX_TEXT_LENGTH = 10_000
_DIRECTIONS = get_args(Direction)
_OPPOSITE: dict[str, Direction] = {"up": "down", "down": "up", "left": "right", "right": "left"}


def opposite(direction: Direction) -> Direction:
    """Return the direction of the finger that scrolls in a direction, and vice versa."""
    return _OPPOSITE[direction]


@dataclass(frozen=True, slots=True)
class Arguments:
    """A call's arguments within a view.

    Attributes:
        call: The call.
        view: The view to which its coordinates refer.
        rule: The coordinate rule of the dialect.
    """

    call: ActionCall
    view: ScreenView
    rule: Coordinates

    def has(self, *names: str) -> bool:
        """Return whether any of these arguments is present."""
        return any(self.call.arguments.get(name) is not None for name in names)

    def raw(self, *names: str) -> Any:
        """Return the first of these arguments that is present.

        Raises:
            MalformedReplyError: None of them is present.
        """
        for name in names:
            if self.call.arguments.get(name) is not None:
                return self.call.arguments[name]
        raise MalformedReplyError(ReplyFlaw.BAD_ARGUMENT, f"{self.call.verb} needs {' or '.join(names)}")

    def without(self, *names: str) -> Arguments:
        """Return these arguments after checking that some names, which would contradict them, are absent.

        Raises:
            MalformedReplyError: One of the names is present.
        """
        for name in names:
            if self.has(name):
                raise MalformedReplyError(
                    ReplyFlaw.BAD_ARGUMENT, f"{self.call.verb} does not accept {name} here"
                )
        return self

    def one_of(self, *groups: Sequence[str]) -> Arguments:
        """Return these arguments after checking that at most one group is present.

        Raises:
            MalformedReplyError: Two groups are present, which is ambiguous.
        """
        present = [name for group in groups for name in group if self.has(name)]
        if sum(self.has(*group) for group in groups) > 1:
            raise MalformedReplyError(
                ReplyFlaw.BAD_ARGUMENT, f"{' and '.join(present)} are alternatives; write only one"
            )
        return self

    def text(self, *names: str, default: str | None = None) -> str:
        """Return a text argument; a number is converted to its digits."""
        if default is not None and not self.has(*names):
            return default
        value = self.raw(*names)
        if isinstance(value, bool) or not isinstance(value, str | int | float):
            raise MalformedReplyError(
                ReplyFlaw.BAD_ARGUMENT, f"{names[0]} must be a string, not {short_repr(value)}"
            )
        if len(text := str(value)) > _MAX_TEXT_LENGTH:
            raise MalformedReplyError(
                ReplyFlaw.BAD_ARGUMENT, f"{names[0]} has more than {_MAX_TEXT_LENGTH} characters"
            )
        return text

    def number(self, *names: str, default: float | None = None) -> float:
        """Return a number argument; a string of digits is converted."""
        if default is not None and not self.has(*names):
            return default
        return _number(self.raw(*names), names[0])

    def flag(self, name: str, default: bool = False) -> bool:
        """Return a boolean argument."""
        value = self.call.arguments.get(name, default)
        if isinstance(value, str) and value.casefold() in ("true", "false"):
            return value.casefold() == "true"
        if not isinstance(value, bool):
            raise MalformedReplyError(
                ReplyFlaw.BAD_ARGUMENT, f"{name} must be true or false, not {short_repr(value)}"
            )
        return value

    def direction(self, *names: str) -> Direction:
        """Return a direction argument."""
        value = str(self.raw(*names)).strip().casefold()
        for known in _DIRECTIONS:
            if value == known:
                return known  # type: ignore[no-any-return]  # get_args gives the literals as Any
        raise MalformedReplyError(
            ReplyFlaw.BAD_ARGUMENT, f"{names[0]} must be up, down, left or right, not {short_repr(value)}"
        )

    def element(self, *names: str, first: int = 0) -> Point:
        """Return the center of the element with a number, counted from `first`."""
        number = self.number(*names)
        if number != int(number):
            raise MalformedReplyError(
                ReplyFlaw.BAD_ARGUMENT, f"{names[0]} must be a whole number, not {number}"
            )
        return self.view.element(int(number) - first)

    def point(self, *names: str) -> Point:
        """Return a point on the screen from a pair ``[x, y]``, a string with one, or the center of a box."""
        return self.place(self.raw(*names))

    def place(self, value: Any) -> Point:
        """Return the point on the screen that a value denotes."""
        if (named := _named(value)) is not None:
            x, y = named  # named, so the order of the dialect's pairs does not matter
            return to_screen(*((y, x) if self.rule.y_first else (x, y)), self.rule, self.view)
        numbers = _flat(value)
        if len(numbers) == 4:
            for corner in (numbers[:2], numbers[2:]):
                to_screen(corner[0], corner[1], self.rule, self.view)  # the whole box must be on the screen
            numbers = [(numbers[0] + numbers[2]) / 2, (numbers[1] + numbers[3]) / 2]
        if len(numbers) != 2:
            raise MalformedReplyError(
                ReplyFlaw.BAD_ARGUMENT,
                f"a point must be two numbers, or a box of four numbers, not {short_repr(value)}",
            )
        return to_screen(numbers[0], numbers[1], self.rule, self.view)

    def at(self, x: str = "x", y: str = "y") -> Point:
        """Return a point on the screen from two arguments."""
        first, second = self.number(x), self.number(y)
        return to_screen(*((second, first) if self.rule.y_first else (first, second)), self.rule, self.view)


def _number(value: Any, name: str) -> float:
    if isinstance(value, str) and _NUMBERS.fullmatch(value.strip()):
        value = float(value)
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise MalformedReplyError(ReplyFlaw.BAD_ARGUMENT, f"{name} must be a number, not {short_repr(value)}")
    return float(value)


def _named(value: Any) -> tuple[float, float] | None:
    """Return the x and y of a point that names them: ``{"x": …, "y": …}``, ``"x=…, y=…"``."""
    while isinstance(value, list) and len(value) == 1:
        value = value[0]
    if isinstance(value, str):
        found = dict(_NAMED.findall(value.casefold()))
        value = found if found.keys() >= {"x", "y"} else None
    if isinstance(value, dict) and value.keys() >= {"x", "y"}:
        return _number(value["x"], "x"), _number(value["y"], "y")
    return None


def _flat(value: Any) -> list[float]:
    """Return the numbers of an unnamed point, possibly nested: ``[[x, y]]``, ``"(x, y)"``."""
    if isinstance(value, str):
        if _WORD.search(_TAG.sub("", value)):
            raise MalformedReplyError(
                ReplyFlaw.BAD_ARGUMENT, f"a point must be numbers without words, not {short_repr(value)}"
            )
        if max(map(value.count, _MARKS)) > 1 or _TWO_POINTS.search(value):
            raise MalformedReplyError(
                ReplyFlaw.BAD_ARGUMENT, f"expected a single point, not {short_repr(value)}"
            )
        return [float(digits) for digits in _NUMBERS.findall(value)[:5]]
    while isinstance(value, Sequence) and len(value) == 1 and isinstance(value[0], list | str):
        value = value[0]
        if not isinstance(value, list):
            return _flat(value)
    if isinstance(value, list):
        return [_number(part, "a coordinate") for part in value[:5]]
    raise MalformedReplyError(ReplyFlaw.BAD_ARGUMENT, f"a point must be two numbers, not {short_repr(value)}")
