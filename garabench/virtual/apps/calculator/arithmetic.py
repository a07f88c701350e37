"""Arithmetic of the calculator: decimals with ``+ − × ÷``, exactly as the keys show them."""

from __future__ import annotations

import re
from decimal import Decimal, InvalidOperation, Overflow, localcontext

OPERATORS = "+−×÷"
MAX_LENGTH = 60
_TOKEN = re.compile(r"(\d+(?:\.\d*)?|\.\d+)|([+−×÷])")
_DIGITS = 12


class CalculationError(ValueError):
    """The expression has no value."""


def evaluate(expression: str) -> str:
    """Return the value of an expression as the display shows it.

    Raises:
        CalculationError: It is incomplete, divides by zero, or is too large.
    """
    parts, at = list[str](), 0
    while at < len(expression):
        found = _TOKEN.match(expression, at)
        if found is None:
            raise CalculationError(expression)
        parts.append(found[0])
        at = found.end()
    try:
        with localcontext() as context:
            context.prec = 30
            return _shown(_sum(parts))
    except (InvalidOperation, Overflow, ArithmeticError, IndexError) as error:
        raise CalculationError(expression) from error


def _sum(parts: list[str]) -> Decimal:
    """Return the value of terms and factors; a sign may precede each number."""
    rest = list(parts)

    def factor() -> Decimal:
        first = rest.pop(0)
        return -factor() if first == "−" else Decimal(first)

    def term() -> Decimal:
        value = factor()
        while rest and rest[0] in "×÷":
            operator, right = rest.pop(0), factor()
            value = value * right if operator == "×" else value / right
        return value

    total = term()
    while rest:
        operator = rest.pop(0)
        if operator not in "+−":
            raise CalculationError(operator)
        right = term()
        total = total + right if operator == "+" else total - right
    return total


def _shown(value: Decimal) -> str:
    """Return at most twelve significant digits, without trailing zeros."""
    rounded = +value.normalize()
    with localcontext() as context:
        context.prec = _DIGITS
        rounded = (+value).normalize()
    exponent = rounded.adjusted()
    if -7 < exponent < _DIGITS:
        return f"{rounded:f}".replace("-", "−")
    return f"{rounded:E}".replace("E+", "E").replace("-", "−")
