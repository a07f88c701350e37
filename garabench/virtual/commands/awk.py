"""``awk``, as much of it as device scripts use: patterns, fields, print, variables, arrays, if and for."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from garabench.virtual.commands.awk_syntax import Node, parse, unescaped
from garabench.virtual.commands.options import UsageError, Utility, data_of, lines_of, parsed
from garabench.virtual.commands.regexes import compiled
from garabench.virtual.os.files import FileSystem
from garabench.virtual.shell.call import Call
from garabench.virtual.shell.printf import PrintfProblem, formatted

_STEPS_MOST = 2_000_000
Value = str | float


class _Jump(Exception):
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
class _Machine:
    """Runs a program."""

    variables: dict[str, Value] = field(default_factory=dict)
    arrays: dict[str, dict[str, Value]] = field(default_factory=dict)
    fields: list[str] = field(default_factory=lambda: [""])
    out: list[str] = field(default_factory=list)
    steps: int = 0

    def record(self, line: str) -> None:
        separator = _text(self.variables.get("FS", " "))
        if separator == " ":
            parts = line.split()
        elif len(separator) == 1:
            parts = line.split(separator) if line else []
        else:
            parts = compiled(separator, extended=True).split(line)
        self.fields = [line, *parts]
        self.variables["NF"] = float(len(parts))

    def rejoin(self) -> None:
        self.fields[0] = _text(self.variables.get("OFS", " ")).join(self.fields[1:])
        self.variables["NF"] = float(len(self.fields) - 1)

    def true(self, node: Node) -> bool:
        value = self.value(node)
        if isinstance(value, str):
            return (
                _number(value) != 0
                if _looks_numeric(value) and node.kind in ("field", "name")
                else bool(value)
            )
        return value != 0

    def run(self, node: Node) -> None:
        self.steps += 1
        if self.steps > _STEPS_MOST:
            raise UsageError("the program runs too long")
        match node.kind:
            case "block":
                for part in node.parts:
                    self.run(part)
            case "expression":
                self.value(node.parts[0])
            case "print":
                joiner = _text(self.variables.get("OFS", " "))
                text = joiner.join(_text(self.value(p)) for p in node.parts) if node.parts else self.fields[0]
                self.out.append(text + _text(self.variables.get("ORS", "\n")))
            case "printf":
                self.out.append(self.printed(node.parts))
            case "if":
                if self.true(node.parts[0]):
                    self.run(node.parts[1])
                elif len(node.parts) > 2:
                    self.run(node.parts[2])
            case "while" | "for" | "each":
                self.loop(node)
            case "delete":
                target = node.parts[0]
                if target.kind == "index":
                    self.arrays.setdefault(target.text, {}).pop(self.key(target), None)
                else:
                    self.arrays[target.text] = {}
            case "exit":
                raise _Jump("exit", int(_number(self.value(node.parts[0]))) if node.parts else 0)
            case "next" | "break" | "continue":
                raise _Jump(node.kind)

    def printed(self, parts: tuple[Node, ...]) -> str:
        words = [_text(self.value(part)) for part in parts]
        try:
            return formatted(words[0], words[1:])[0] if words else ""
        except PrintfProblem as problem:
            raise UsageError(str(problem)) from problem

    def loop(self, node: Node) -> None:
        if node.kind == "each":
            for key in list(self.arrays.get(node.parts[0].text, {})):
                self.variables[node.text] = key
                if self.round(node.parts[1]):
                    return
            return
        if node.kind == "for":
            self.value(node.parts[0])
        condition, body = (node.parts[1], node.parts[3]) if node.kind == "for" else node.parts[:2]
        while self.true(condition):
            if self.round(body):
                return
            if node.kind == "for":
                self.value(node.parts[2])

    def round(self, body: Node) -> bool:
        try:
            self.run(body)
        except _Jump as jump:
            if jump.kind == "break":
                return True
            if jump.kind != "continue":
                raise
        return False

    def key(self, node: Node) -> str:
        return "\x1c".join(_text(self.value(part)) for part in node.parts)

    def value(self, node: Node) -> Value:
        self.steps += 1
        if self.steps > _STEPS_MOST:
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
                return self.arrays.setdefault(node.text, {}).setdefault(self.key(node), "")
            case "field":
                place = int(_number(self.value(node.parts[0])))
                return self.fields[place] if 0 <= place < len(self.fields) else ""
            case "assign":
                return self.assign(node)
            case "if":
                return self.value(node.parts[1 if self.true(node.parts[0]) else 2])
            case "||":
                return float(self.true(node.parts[0]) or self.true(node.parts[1]))
            case "&&":
                return float(self.true(node.parts[0]) and self.true(node.parts[1]))
            case "in":
                return float(_text(self.value(node.parts[0])) in self.arrays.get(node.text, {}))
            case "~" | "!~":
                return float(self.matches(node) == (node.kind == "~"))
            case "compare":
                return float(self.compare(node))
            case "join":
                return _text(self.value(node.parts[0])) + _text(self.value(node.parts[1]))
            case "calculate":
                return self.calculate(node.text, *(_number(self.value(part)) for part in node.parts))
            case "unary":
                if node.text == "!":
                    return float(not self.true(node.parts[0]))
                value = _number(self.value(node.parts[0]))
                return -value if node.text == "-" else value
            case "before" | "after":
                old = _number(self.value(node.parts[0]))
                new = old + (1 if node.text == "++" else -1)
                self.store(node.parts[0], new)
                return new if node.kind == "before" else old
            case "call":
                return self.call(node)
        raise UsageError(f"syntax error in {node.kind}")

    def pattern(self, node: Node) -> re.Pattern[str]:
        return node.pattern or compiled(_text(self.value(node)), extended=True)

    def matches(self, node: Node) -> bool:
        return self.pattern(node.parts[1]).search(_text(self.value(node.parts[0]))) is not None

    def compare(self, node: Node) -> bool:
        one, other = (self.value(part) for part in node.parts)
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

    def calculate(self, operator: str, one: float, other: float) -> float:
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

    def assign(self, node: Node) -> Value:
        target, source = node.parts
        value = self.value(source)
        if node.text != "=":
            value = self.calculate(node.text[0], _number(self.value(target)), _number(value))
        self.store(target, value)
        return value

    def store(self, target: Node, value: Value) -> None:
        match target.kind:
            case "name":
                self.variables[target.text] = value
            case "index":
                self.arrays.setdefault(target.text, {})[self.key(target)] = value
            case "field":
                place = int(_number(self.value(target.parts[0])))
                if place == 0:
                    self.record(_text(value))
                    return
                if not 0 < place < 10_000:
                    raise UsageError(f"bad field {place}")
                self.fields += [""] * (place + 1 - len(self.fields))
                self.fields[place] = _text(value)
                self.rejoin()
            case _:
                raise UsageError("syntax error: not a variable")

    def call(self, node: Node) -> Value:
        parts = node.parts
        words = [self.fields[0]] if not parts else [_text(self.value(p)) for p in parts if p.kind != "regex"]
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
                return self.printed(parts)
            case "match":
                found = self.pattern(parts[1]).search(_text(self.value(parts[0])))
                self.variables["RSTART"] = float(found.start() + 1 if found else 0)
                self.variables["RLENGTH"] = float(len(found[0]) if found else -1)
                return self.variables["RSTART"]
            case "split":
                return self.split(parts)
        return self.replace(node)

    def split(self, parts: tuple[Node, ...]) -> Value:
        text = _text(self.value(parts[0]))
        if len(parts) > 2 and parts[2].kind == "regex":
            found = self.pattern(parts[2]).split(text)
        else:
            separator = (
                _text(self.value(parts[2])) if len(parts) > 2 else _text(self.variables.get("FS", " "))
            )
            found = text.split() if separator == " " else text.split(separator) if text else []
        self.arrays[parts[1].text] = {str(k): piece for k, piece in enumerate(found, 1)}
        return float(len(found))

    def replace(self, node: Node) -> Value:
        parts = node.parts
        target = parts[2] if len(parts) > 2 else Node("field", parts=(Node("number", "0"),))
        with_ = _text(self.value(parts[1]))
        text = _text(self.value(target))
        new, count = self.pattern(parts[0]).subn(
            lambda m: re.sub(r"\\&|&", lambda a: "&" if a[0] == "\\&" else m[0], with_),
            text,
            count=0 if node.text == "gsub" else 1,
        )
        if count:
            self.store(target, new)
        return float(count)


async def awk(files: FileSystem, call: Call) -> int:
    """Run a program over lines."""
    options, rest = parsed(call, "F:v:f:")
    if "f" in options:
        program = (await data_of(files, call, options["f"])).decode("utf-8", errors="replace")
    elif rest:
        program = rest.pop(0)
    else:
        raise UsageError("no program")
    rules = parse(program)
    machine = _Machine()
    if "F" in options:
        machine.variables["FS"] = unescaped(options["F"])
    for place, word in enumerate(call.argv):
        if call.argv[place - 1] == "-v" and "=" in word:
            name, _, value = word.partition("=")
            machine.variables[name] = unescaped(value)
    status = 0
    try:
        for kind, _, body in rules:
            if kind == "BEGIN" and body is not None:
                machine.run(body)
        if any(kind != "BEGIN" for kind, _, _ in rules):
            await _records(files, call, machine, rules, rest)
    except _Jump as jump:
        status = jump.status
    if not status:
        try:
            for kind, _, body in rules:
                if kind == "END" and body is not None:
                    machine.run(body)
        except _Jump as jump:
            status = jump.status
    await call.say("".join(machine.out))
    return status


async def _records(
    files: FileSystem,
    call: Call,
    machine: _Machine,
    rules: list[tuple[str, tuple[Node, ...], Node | None]],
    names: list[str],
) -> None:
    lines: list[str] = []
    for name in names or ["-"]:
        lines += lines_of(await data_of(files, call, name))
    inside: set[int] = set()
    for number, line in enumerate(lines, 1):
        machine.variables["NR"] = machine.variables["FNR"] = float(number)
        machine.record(line)
        try:
            for place, (kind, patterns, body) in enumerate(rules):
                if kind != "each" or not _selected(machine, patterns, place, inside):
                    continue
                if body is None:
                    machine.out.append(machine.fields[0] + "\n")
                else:
                    machine.run(body)
        except _Jump as jump:
            if jump.kind != "next":
                raise


def _selected(machine: _Machine, patterns: tuple[Node, ...], place: int, inside: set[int]) -> bool:
    if not patterns:
        return True
    if len(patterns) == 1:
        return machine.true(patterns[0])
    if place in inside or machine.true(patterns[0]):
        inside.add(place)
        if machine.true(patterns[1]):
            inside.discard(place)
        return True
    return False


UTILITIES: Mapping[str, Utility] = {"awk": awk}
