"""Shell arithmetic on 32-bit integers, as in mksh."""

from __future__ import annotations

import re
from collections.abc import Callable, MutableMapping

_TOKEN = re.compile(
    r"\s*(0[xX][0-9a-fA-F]+|\d+#\w+|\d+|[A-Za-z_]\w*(?:\[[^\[\]]*\])?|\+\+|--|<<=|>>=|<<|>>|<=|>=|==|!=|&&|\|\||[-+*/%&|^]=|[-+*/%<>=!~&|^?:(),])"
)
_BINARY: dict[str, tuple[int, Callable[[int, int], int]]] = {
    "||": (1, lambda a, b: int(bool(a) or bool(b))),
    "&&": (2, lambda a, b: int(bool(a) and bool(b))),
    "|": (3, lambda a, b: a | b),
    "^": (4, lambda a, b: a ^ b),
    "&": (5, lambda a, b: a & b),
    "==": (6, lambda a, b: int(a == b)),
    "!=": (6, lambda a, b: int(a != b)),
    "<": (7, lambda a, b: int(a < b)),
    ">": (7, lambda a, b: int(a > b)),
    "<=": (7, lambda a, b: int(a <= b)),
    ">=": (7, lambda a, b: int(a >= b)),
    "<<": (8, lambda a, b: a << (b & 31)),
    ">>": (8, lambda a, b: a >> (b & 31)),
    "+": (9, lambda a, b: a + b),
    "-": (9, lambda a, b: a - b),
    "*": (10, lambda a, b: a * b),
    "/": (10, lambda a, b: _divide(a, b)),
    "%": (10, lambda a, b: a - b * _divide(a, b)),
}
_MAX_DEPTH = 60


_VARIABLE = re.compile(r"[A-Za-z_]\w*(?:\[[^\[\]]*\])?")
"""A variable, or an element of an array."""


def _is_variable(token: str) -> bool:
    return _VARIABLE.fullmatch(token) is not None


class ShellArithmeticError(ValueError):
    """The expression is invalid."""


def _divide(a: int, b: int) -> int:
    if b == 0:
        raise ShellArithmeticError("zero divisor")
    quotient = abs(a) // abs(b)
    return quotient if (a < 0) == (b < 0) else -quotient


def _wrap(value: int) -> int:
    return (value + 2**31) % 2**32 - 2**31


def number(text: str) -> int:
    """Parse a number as mksh does: decimal also after 0, ``BASE#DIGITS``, hexadecimal after 0x; empty is 0.

    Raises:
        ShellArithmeticError: It is not a number.
    """
    text = text.strip()
    sign = -1 if text.startswith("-") else 1
    digits = text.lstrip("+-")
    try:
        if digits[:2] in ("0x", "0X"):
            return _wrap(sign * int(digits, 16))
        base, hash_, rest = digits.partition("#")
        if hash_:
            return _wrap(sign * int(rest, int(base)))
        return _wrap(sign * int(digits)) if digits else 0
    except ValueError as error:
        raise ShellArithmeticError(f"{text}: bad number") from error


def evaluate_arithmetic(text: str, variables: MutableMapping[str, str]) -> int:
    """Evaluate an expression; assignments change the variables.

    Raises:
        ShellArithmeticError: The expression is invalid.
    """
    return _Evaluation(text, variables, 0).evaluate()


class _Evaluation:
    def __init__(self, text: str, variables: MutableMapping[str, str], depth: int) -> None:
        if depth > _MAX_DEPTH:
            raise ShellArithmeticError("expression recurses too deeply")
        self.text = text
        self.variables = variables
        self.depth = depth
        self.tokens: list[str] = []
        at = 0
        while at < len(text.rstrip()):
            match = _TOKEN.match(text, at)
            if match is None:
                raise ShellArithmeticError(f"{text}: unexpected {text[at:].strip()[:1]!r}")
            self.tokens.append(match[1])
            at = match.end()
        self.at = 0

    def evaluate(self) -> int:
        if not self.tokens:
            return 0
        value = self.comma()
        if self.at < len(self.tokens):
            raise ShellArithmeticError(f"{self.text}: unexpected {self.tokens[self.at]!r}")
        return value

    def _peek(self) -> str:
        return self.tokens[self.at] if self.at < len(self.tokens) else ""

    def _take(self, *wanted: str) -> str:
        token = self._peek()
        if token and token in wanted:
            self.at += 1
            return token
        return ""

    def comma(self) -> int:
        value = self.assignment()
        while self._take(","):
            value = self.assignment()
        return value

    def assignment(self) -> int:
        name = self._peek()
        following = self.tokens[self.at + 1] if self.at + 1 < len(self.tokens) else ""
        if _is_variable(name) and following.endswith("=") and following not in ("==", "!=", "<=", ">="):
            self.at += 2
            value = self.assignment()
            if following != "=":
                value = _BINARY[following[:-1]][1](self._value(name), value)
            return self._set(name, value)
        return self._ternary()

    def _ternary(self) -> int:
        condition = self._binary(1)
        if not self._take("?"):
            return condition
        yes = self.assignment()
        if not self._take(":"):
            raise ShellArithmeticError(f"{self.text}: missing ':'")
        no = self.assignment()
        return yes if condition else no

    def _binary(self, lowest: int) -> int:
        left = self._unary()
        while (entry := _BINARY.get(self._peek())) is not None and entry[0] >= lowest:
            operator = self.tokens[self.at]
            self.at += 1
            if operator in ("&&", "||") and bool(left) == (operator == "||"):
                before = dict(self.variables)
                self._binary(entry[0] + 1)
                self.variables.clear()
                self.variables.update(before)  # an unevaluated branch assigns nothing
                left = int(bool(left))
                continue
            left = _wrap(entry[1](left, self._binary(entry[0] + 1)))
        return left

    def _unary(self) -> int:
        match self._take("+", "-", "!", "~", "++", "--", "("):
            case "+":
                return self._unary()
            case "-":
                return _wrap(-self._unary())
            case "!":
                return int(not self._unary())
            case "~":
                return ~self._unary()
            case "(":
                value = self.comma()
                if not self._take(")"):
                    raise ShellArithmeticError(f"{self.text}: missing ')'")
                return value
            case "++" | "--" as step:
                name = self._peek()
                if not _is_variable(name):
                    raise ShellArithmeticError(f"{self.text}: {step} needs a variable")
                self.at += 1
                return self._set(name, self._value(name) + (1 if step == "++" else -1))
        token = self._peek()
        if not token or not (token[0].isdigit() or _is_variable(token)):
            raise ShellArithmeticError(f"{self.text}: unexpected {token or 'end of expression'!r}")
        self.at += 1
        if token[0].isdigit():
            return number(token)
        value = self._value(token)
        if after := self._take("++", "--"):
            self._set(token, value + (1 if after == "++" else -1))
        return value

    def _value(self, name: str) -> int:
        text = self.variables.get(name, "")
        try:
            return number(text)
        except ShellArithmeticError:
            return _Evaluation(text, self.variables, self.depth + 1).evaluate()

    def _set(self, name: str, value: int) -> int:
        value = _wrap(value)
        self.variables[name] = str(value)
        return value
