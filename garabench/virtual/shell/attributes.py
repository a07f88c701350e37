"""The attributes that ``typeset`` gives variables, and values as they print them (``mksh.1``: typeset)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

_DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"


@dataclass(frozen=True, slots=True)
class Attributes:
    """The attributes of a variable.

    Attributes:
        integer: Whether its value is an expression, which is evaluated (``-i``).
        base: The base in which an integer is printed; 10 without one.
        unsigned: Whether an integer is unsigned (``-U``).
        case: ``u`` for upper case, ``l`` for lower case, else empty.
        justify: ``L``, ``R`` or ``Z`` (with zeros) for a fixed width, else empty.
        width: The fixed width; 0 for that of the first value.
    """

    integer: bool = False
    base: int = 10
    unsigned: bool = False
    case: str = ""
    justify: str = ""
    width: int = 0

    @property
    def flags(self) -> str:
        """The options that ``typeset -p`` prints for them."""
        integer = ("-U " if self.unsigned else "") + ("-i" if self.base == 10 else f"-i{self.base}")
        parts = [f"-{self.justify}{self.width or ''}"] if self.justify else []
        parts += [f"-{self.case}"] if self.case else []
        return " ".join([*parts, *([integer] if self.integer else [])])


def formatted(value: str, attributes: Attributes, evaluate: Callable[[str], int]) -> str:
    """Return a value as its variable's attributes print it.

    Args:
        value: The value assigned.
        attributes: The attributes of the variable.
        evaluate: Evaluates an expression.
    """
    if attributes.integer:
        number = evaluate(value)
        if attributes.unsigned:
            number %= 1 << 32
        value = str(number) if attributes.base == 10 else _in_base(number, attributes.base)
    match attributes.case:
        case "u":
            value = value.upper()
        case "l":
            value = value.lower()
    width = attributes.width or len(value)
    match attributes.justify:
        case "L":
            value = value.lstrip(" ")[:width].ljust(width)
        case "R":
            value = value.rstrip(" ")[-width:].rjust(width)
        case "Z":
            value = value[-width:].rjust(width, "0")
    return value


def _in_base(number: int, base: int) -> str:
    digits, rest = "", abs(number)
    while rest or not digits:
        rest, digit = divmod(rest, base)
        digits = _DIGITS[digit] + digits
    return f"{'-' if number < 0 else ''}{base}#{digits}"
