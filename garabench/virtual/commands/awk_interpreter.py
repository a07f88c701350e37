"""The ``awk`` interpreter: values, variables, arrays, fields, output."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, field

from garabench.virtual.commands.awk_syntax import AwkNode
from garabench.virtual.commands.posix_regex import compile_posix
from garabench.virtual.commands.toybox_options import UsageError
from garabench.virtual.shell.printf import PrintfFormatError, format_arguments

_MAX_STEPS = 2_000_000
Value = str | float


class AwkJumpError(Exception):
    """Leaves a rule, a loop or the program: ``next``, ``break``, ``continue`` or ``exit``.

    Attributes:
        kind: Name of the statement.
        status: Exit status of ``exit``.
    """

    def __init__(self, kind: str, status: int = 0) -> None:
        super().__init__(kind)
        self.kind = kind
        self.status = status


def _text(value: Value) -> str:
    if isinstance(value, str):
        return value
    return str(int(value)) if math.isfinite(value) and value == int(value) else f"{value:.6g}"


def _number(value: Value) -> float:
    if isinstance(value, float):
        return value
    match = re.match(r"\s*[-+]?(\d+\.?\d*([eE][-+]?\d+)?|\.\d+)", value)
    return float(match[0]) if match else 0.0


def _looks_numeric(value: Value) -> bool:
    numeric = re.fullmatch(r"\s*[-+]?(\d+\.?\d*|\.\d+)\s*", value) if isinstance(value, str) else True
    return bool(numeric)


@dataclass(slots=True)
class AwkInterpreter:
    """Runs a program.

    Attributes:
        variables, arrays: Values by name.
        fields: The record, then its fields.
        out: The output.
        steps: Number of statements run, which is limited.
    """

    variables: dict[str, Value] = field(default_factory=dict)
    arrays: dict[str, dict[str, Value]] = field(default_factory=dict)
    fields: list[str] = field(default_factory=lambda: [""])
    out: list[str] = field(default_factory=list)
    steps: int = 0

    def record(self, line: str) -> None:
        """Set the record and split it into fields."""
        separator = _text(self.variables.get("FS", " "))
        if separator == " ":
            parts = line.split()
        elif len(separator) == 1:
            parts = line.split(separator) if line else []
        else:
            parts = compile_posix(separator, extended=True).split(line)
        self.fields = [line, *parts]
        self.variables["NF"] = float(len(parts))

    def _rejoin(self) -> None:
        self.fields[0] = _text(self.variables.get("OFS", " ")).join(self.fields[1:])
        self.variables["NF"] = float(len(self.fields) - 1)

    def true(self, node: AwkNode) -> bool:
        """Return whether an expression is true."""
        value = self._value(node)
        if isinstance(value, str):
            return (
                _number(value) != 0
                if _looks_numeric(value) and node.kind in ("field", "name")
                else bool(value)
            )
        return value != 0

    def run(self, node: AwkNode) -> None:
        """Run a statement.

        Raises:
            AwkJumpError: It was left by ``next``, ``break``, ``continue`` or ``exit``.
            UsageError: It is invalid, or the program runs too long.
        """
        self.steps += 1
        if self.steps > _MAX_STEPS:
            raise UsageError("the program runs too long")
        match node.kind:
            case "block":
                for part in node.parts:
                    self.run(part)
            case "expression":
                self._value(node.parts[0])
            case "print":
                joiner = _text(self.variables.get("OFS", " "))
                text = (
                    joiner.join(_text(self._value(p)) for p in node.parts) if node.parts else self.fields[0]
                )
                self.out.append(text + _text(self.variables.get("ORS", "\n")))
            case "printf":
                self.out.append(self._format_print(node.parts))
            case "if":
                if self.true(node.parts[0]):
                    self.run(node.parts[1])
                elif len(node.parts) > 2:
                    self.run(node.parts[2])
            case "while" | "for" | "each":
                self._loop(node)
            case "delete":
                target = node.parts[0]
                if target.kind == "index":
                    self.arrays.setdefault(target.text, {}).pop(self._key(target), None)
                else:
                    self.arrays[target.text] = {}
            case "exit":
                raise AwkJumpError("exit", int(_number(self._value(node.parts[0]))) if node.parts else 0)
            case "next" | "break" | "continue":
                raise AwkJumpError(node.kind)

    def _format_print(self, parts: tuple[AwkNode, ...]) -> str:
        words = [_text(self._value(part)) for part in parts]
        try:
            return format_arguments(words[0], words[1:])[0] if words else ""
        except PrintfFormatError as problem:
            raise UsageError(str(problem)) from problem

    def _loop(self, node: AwkNode) -> None:
        if node.kind == "each":
            for key in list(self.arrays.get(node.parts[0].text, {})):
                self.variables[node.text] = key
                if self._run_body(node.parts[1]):
                    return
            return
        if node.kind == "for":
            self._value(node.parts[0])
        condition, body = (node.parts[1], node.parts[3]) if node.kind == "for" else node.parts[:2]
        while self.true(condition):
            if self._run_body(body):
                return
            if node.kind == "for":
                self._value(node.parts[2])

    def _run_body(self, body: AwkNode) -> bool:
        try:
            self.run(body)
        except AwkJumpError as jump:
            if jump.kind == "break":
                return True
            if jump.kind != "continue":
                raise
        return False

    def _key(self, node: AwkNode) -> str:
        return "\x1c".join(_text(self._value(part)) for part in node.parts)

    def _value(self, node: AwkNode) -> Value:
        self.steps += 1
        if self.steps > _MAX_STEPS:
            raise UsageError("the program runs too long")
        match node.kind:
            case "number":
                return float(node.text)
            case "string":
                return node.text
            case "regex":
                return float(node.pattern.search(self.fields[0]) is not None) if node.pattern else 0.0
            case "name":
                return self.variables.get(node.text, "")
            case "index":
                return self.arrays.setdefault(node.text, {}).setdefault(self._key(node), "")
            case "field":
                index = int(_number(self._value(node.parts[0])))
                return self.fields[index] if 0 <= index < len(self.fields) else ""
            case "assign":
                return self._assign(node)
            case "if":
                return self._value(node.parts[1 if self.true(node.parts[0]) else 2])
            case "||":
                return float(self.true(node.parts[0]) or self.true(node.parts[1]))
            case "&&":
                return float(self.true(node.parts[0]) and self.true(node.parts[1]))
            case "in":
                return float(_text(self._value(node.parts[0])) in self.arrays.get(node.text, {}))
            case "~" | "!~":
                return float(self._matches(node) == (node.kind == "~"))
            case "compare":
                return float(self._compare(node))
            case "join":
                return _text(self._value(node.parts[0])) + _text(self._value(node.parts[1]))
            case "calculate":
                return self._calculate(node.text, *(_number(self._value(part)) for part in node.parts))
            case "unary":
                if node.text == "!":
                    return float(not self.true(node.parts[0]))
                value = _number(self._value(node.parts[0]))
                return -value if node.text == "-" else value
            case "before" | "after":
                old = _number(self._value(node.parts[0]))
                new = old + (1 if node.text == "++" else -1)
                self._store(node.parts[0], new)
                return new if node.kind == "before" else old
            case "call":
                return self._call(node)
        raise UsageError(f"syntax error in {node.kind}")

    def _pattern(self, node: AwkNode) -> re.Pattern[str]:
        return node.pattern or compile_posix(_text(self._value(node)), extended=True)

    def _matches(self, node: AwkNode) -> bool:
        return self._pattern(node.parts[1]).search(_text(self._value(node.parts[0]))) is not None

    def _compare(self, node: AwkNode) -> bool:
        one, other = (self._value(part) for part in node.parts)
        literal = any(part.kind == "string" for part in node.parts)
        order: int
        if not literal and _looks_numeric(one) and _looks_numeric(other):
            order = (_number(one) > _number(other)) - (_number(one) < _number(other))
        else:
            order = (_text(one) > _text(other)) - (_text(one) < _text(other))
        return {
            "<": order < 0,
            "<=": order <= 0,
            ">": order > 0,
            ">=": order >= 0,
            "==": order == 0,
            "!=": order != 0,
        }[node.text]

    def _calculate(self, operator: str, one: float, other: float) -> float:
        match operator:
            case "+":
                return one + other
            case "-":
                return one - other
            case "*":
                return one * other
            case "^":
                return float(one**other) if abs(other) < 1024 else math.inf
        if other == 0:
            raise UsageError("division by zero")
        return one / other if operator == "/" else math.fmod(one, other)

    def _assign(self, node: AwkNode) -> Value:
        target, source = node.parts
        value = self._value(source)
        if node.text != "=":
            value = self._calculate(node.text[0], _number(self._value(target)), _number(value))
        self._store(target, value)
        return value

    def _store(self, target: AwkNode, value: Value) -> None:
        match target.kind:
            case "name":
                self.variables[target.text] = value
            case "index":
                self.arrays.setdefault(target.text, {})[self._key(target)] = value
            case "field":
                index = int(_number(self._value(target.parts[0])))
                if index == 0:
                    self.record(_text(value))
                    return
                if not 0 < index < 10_000:
                    raise UsageError(f"bad field {index}")
                self.fields += [""] * (index + 1 - len(self.fields))
                self.fields[index] = _text(value)
                self._rejoin()
            case _:
                raise UsageError("syntax error: not a variable")

    def _call(self, node: AwkNode) -> Value:
        parts = node.parts
        words = [self.fields[0]] if not parts else [_text(self._value(p)) for p in parts if p.kind != "regex"]
        match node.text:
            case "length":
                array = self.arrays.get(parts[0].text) if parts and parts[0].kind == "name" else None
                return float(len(array) if array is not None else len(words[0]))
            case "substr":
                start = int(_number(words[1]))
                end = start + int(_number(words[2])) if len(words) > 2 else len(words[0]) + 1
                return words[0][max(1, start) - 1 : max(0, end - 1)]
            case "index":
                return float(words[0].find(words[1]) + 1)
            case "toupper":
                return words[0].upper()
            case "tolower":
                return words[0].lower()
            case "int":
                return float(int(_number(words[0])))
            case "sqrt":
                return math.sqrt(max(0.0, _number(words[0])))
            case "sprintf":
                return self._format_print(parts)
            case "match":
                found = self._pattern(parts[1]).search(_text(self._value(parts[0])))
                self.variables["RSTART"] = float(found.start() + 1 if found else 0)
                self.variables["RLENGTH"] = float(len(found[0]) if found else -1)
                return self.variables["RSTART"]
            case "split":
                return self._split(parts)
        return self._replace(node)

    def _split(self, parts: tuple[AwkNode, ...]) -> Value:
        text = _text(self._value(parts[0]))
        if len(parts) > 2 and parts[2].kind == "regex":
            found = self._pattern(parts[2]).split(text)
        else:
            separator = (
                _text(self._value(parts[2])) if len(parts) > 2 else _text(self.variables.get("FS", " "))
            )
            found = text.split() if separator == " " else text.split(separator) if text else []
        self.arrays[parts[1].text] = {str(k): piece for k, piece in enumerate(found, 1)}
        return float(len(found))

    def _replace(self, node: AwkNode) -> Value:
        parts = node.parts
        target = parts[2] if len(parts) > 2 else AwkNode("field", parts=(AwkNode("number", "0"),))
        with_ = _text(self._value(parts[1]))
        text = _text(self._value(target))
        new, count = self._pattern(parts[0]).subn(
            lambda m: re.sub(r"\\&|&", lambda a: "&" if a[0] == "\\&" else m[0], with_),
            text,
            count=0 if node.text == "gsub" else 1,
        )
        if count:
            self._store(target, new)
        return float(count)
