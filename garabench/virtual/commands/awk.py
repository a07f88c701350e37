"""``awk``, as much of it as device scripts use: patterns, fields, print, variables, arrays, if and for."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from garabench.virtual.commands.options import UsageError, Utility, data_of, lines_of, parsed
from garabench.virtual.commands.regexes import compiled
from garabench.virtual.os.files import FileSystem
from garabench.virtual.shell.call import Call
from garabench.virtual.shell.printf import PrintfProblem, formatted

_TOKEN = re.compile(
    r"""[ \t]*(?:(?P<number>\d+\.?\d*|\.\d+)|(?P<string>"(?:\\.|[^"\\])*")|(?P<name>[A-Za-z_]\w*)"""
    r"""|(?P<op>\+\+|--|\+=|-=|\*=|/=|%=|==|!=|<=|>=|&&|\|\||!~|[-+*/%^!<>=~?:,;(){}$\[\]]|\n)|(?P<skip>\#[^\n]*|\\\n))"""
)
_COMPARE = frozenset({"<", "<=", ">", ">=", "==", "!="})
_STEPS_MOST = 2_000_000
Value = str | float


@dataclass(frozen=True, slots=True)
class Token:
    """A piece of a program; `kind` is number, string, name, op or regex."""

    kind: str
    text: str


@dataclass(frozen=True, slots=True)
class Node:
    """A statement or expression: `kind` says which, the others are its parts."""

    kind: str
    text: str = ""
    parts: tuple[Node, ...] = ()
    pattern: re.Pattern[str] | None = None


def _tokens(text: str) -> list[Token]:
    found: list[Token] = []
    at = 0
    while at < len(text.rstrip()) or (at < len(text) and text[at] == "\n"):
        before = found[-1] if found else Token("op", "(")
        operand = before.kind in ("number", "string", "name") or before.text in (")", "]")
        slash = re.compile(r"[ \t]*/((?:\\.|\[[^\]]*\]|[^/\\\n])+)/").match(text, at)
        if slash and not operand:
            found.append(Token("regex", slash[1].replace("\\/", "/")))
            at = slash.end()
            continue
        match = _TOKEN.match(text, at)
        if match is None:
            raise UsageError(f"syntax error near {text[at : at + 10]!r}")
        kind = match.lastgroup or "op"
        if kind != "skip":
            found.append(Token(kind, match[kind]))
        at = match.end()
    return found


def _unescaped(text: str) -> str:
    return re.sub(r"\\(.)", lambda m: {"n": "\n", "t": "\t", "r": "\r"}.get(m[1], m[1]), text)


class _Parser:
    def __init__(self, text: str) -> None:
        self.tokens = _tokens(text)
        self.at = 0

    def peek(self, ahead: int = 0) -> Token:
        place = self.at + ahead
        return self.tokens[place] if place < len(self.tokens) else Token("end", "")

    def take(self, *texts: str) -> bool:
        if self.peek().kind in ("op", "name") and self.peek().text in texts:
            self.at += 1
            return True
        return False

    def need(self, text: str) -> None:
        if not self.take(text):
            raise UsageError(f"syntax error near {self.peek().text!r}, not {text!r}")

    def skip(self) -> None:
        while self.take("\n", ";"):
            pass

    def rules(self) -> list[tuple[str, tuple[Node, ...], Node | None]]:
        found: list[tuple[str, tuple[Node, ...], Node | None]] = []
        self.skip()
        while self.peek().kind != "end":
            kind = "each"
            patterns: tuple[Node, ...] = ()
            if self.peek().text in ("BEGIN", "END") and self.peek().kind == "name":
                kind = self.peek().text
                self.at += 1
            elif self.peek().text != "{" or self.peek().kind != "op":
                first = self.expression()
                patterns = (first, self.expression()) if self.take(",") else (first,)
            body = self.block() if self.peek().text == "{" and self.peek().kind == "op" else None
            found.append((kind, patterns, body))
            self.skip()
        return found

    def block(self) -> Node:
        self.need("{")
        statements: list[Node] = []
        self.skip()
        while not self.take("}"):
            if self.peek().kind == "end":
                raise UsageError("syntax error: no }")
            statements.append(self.statement())
            self.skip()
        return Node("block", parts=tuple(statements))

    def statement(self) -> Node:
        token = self.peek()
        if token.kind == "op" and token.text == "{":
            return self.block()
        if token.kind == "name":
            match token.text:
                case "if":
                    return self._if()
                case "while":
                    self.at += 1
                    self.need("(")
                    condition = self.expression()
                    self.need(")")
                    return Node("while", parts=(condition, self.statement()))
                case "for":
                    return self._for()
                case "print" | "printf":
                    return self._print(token.text)
                case "next" | "exit" | "break" | "continue" | "delete":
                    self.at += 1
                    if token.text == "delete":
                        return Node("delete", parts=(self.expression(),))
                    bare = self.peek().text in (";", "\n", "}", "")
                    return Node(token.text, parts=() if bare else (self.expression(),))
        return Node("expression", parts=(self.expression(),))

    def _if(self) -> Node:
        self.at += 1
        self.need("(")
        condition = self.expression()
        self.need(")")
        while self.take("\n"):
            pass
        yes = self.statement()
        mark = self.at
        self.skip()
        if self.take("else"):
            while self.take("\n"):
                pass
            return Node("if", parts=(condition, yes, self.statement()))
        self.at = mark
        return Node("if", parts=(condition, yes))

    def _for(self) -> Node:
        self.at += 1
        self.need("(")
        if self.peek(1).text == "in" and self.peek(3).text == ")":
            name, array = self.peek().text, self.peek(2).text
            self.at += 4
            return Node("each", name, (Node("name", array), self.statement()))
        empty = Node("number", "1")
        first = empty if self.peek().text == ";" else self.expression()
        self.need(";")
        condition = empty if self.peek().text == ";" else self.expression()
        self.need(";")
        step = empty if self.peek().text == ")" else self.expression()
        self.need(")")
        return Node("for", parts=(first, condition, step, self.statement()))

    def _print(self, name: str) -> Node:
        self.at += 1
        values: list[Node] = []
        if self.peek().text not in (";", "\n", "}", "") or self.peek().kind == "string":
            values.append(self.expression(compare=False))
            while self.take(","):
                values.append(self.expression(compare=False))
        if len(values) == 1 and values[0].kind == "group":
            values = list(values[0].parts)
        return Node(name, parts=tuple(values))

    # Expressions, the weakest binding first

    def expression(self, *, compare: bool = True) -> Node:
        left = self._ternary(compare)
        token = self.peek()
        if token.kind == "op" and token.text in ("=", "+=", "-=", "*=", "/=", "%="):
            self.at += 1
            return Node("assign", token.text, (left, self.expression(compare=compare)))
        return left

    def _ternary(self, compare: bool) -> Node:
        condition = self._either(compare)
        if not self.take("?"):
            return condition
        yes = self.expression(compare=compare)
        self.need(":")
        return Node("if", parts=(condition, yes, self.expression(compare=compare)))

    def _either(self, compare: bool) -> Node:
        left = self._both(compare)
        while self.take("||"):
            left = Node("||", parts=(left, self._both(compare)))
        return left

    def _both(self, compare: bool) -> Node:
        left = self._in(compare)
        while self.take("&&"):
            left = Node("&&", parts=(left, self._in(compare)))
        return left

    def _in(self, compare: bool) -> Node:
        left = self._match(compare)
        while self.take("in"):
            left = Node("in", self.peek().text, (left,))
            self.at += 1
        return left

    def _match(self, compare: bool) -> Node:
        left = self._comparison(compare)
        while self.peek().text in ("~", "!~") and self.peek().kind == "op":
            operator = self.peek().text
            self.at += 1
            left = Node(operator, parts=(left, self._comparison(compare)))
        return left

    def _comparison(self, compare: bool) -> Node:
        left = self._joined()
        token = self.peek()
        if token.kind == "op" and token.text in _COMPARE and (compare or token.text != ">"):
            self.at += 1
            return Node("compare", token.text, (left, self._joined()))
        return left

    def _joined(self) -> Node:
        left = self._sum()
        while self._starts_value():
            left = Node("join", parts=(left, self._sum()))
        return left

    def _starts_value(self) -> bool:
        token = self.peek()
        if token.kind in ("number", "string"):
            return True
        if token.kind == "name":
            return token.text not in ("in", "else")
        return token.kind == "op" and token.text in ("$", "(", "!", "-", "+") and token.text in ("$", "(")

    def _sum(self) -> Node:
        left = self._product()
        while self.peek().kind == "op" and self.peek().text in ("+", "-"):
            operator = self.peek().text
            self.at += 1
            left = Node("calculate", operator, (left, self._product()))
        return left

    def _product(self) -> Node:
        left = self._unary()
        while self.peek().kind == "op" and self.peek().text in ("*", "/", "%"):
            operator = self.peek().text
            self.at += 1
            left = Node("calculate", operator, (left, self._unary()))
        return left

    def _unary(self) -> Node:
        token = self.peek()
        if token.kind == "op" and token.text in ("!", "-", "+"):
            self.at += 1
            return Node("unary", token.text, (self._unary(),))
        base = self._step()
        if self.take("^"):
            return Node("calculate", "^", (base, self._unary()))
        return base

    def _step(self) -> Node:
        token = self.peek()
        if token.kind == "op" and token.text in ("++", "--"):
            self.at += 1
            return Node("before", token.text, (self._primary(),))
        value = self._primary()
        if value.kind in ("name", "field", "index") and self.peek().text in ("++", "--"):
            self.at += 1
            return Node("after", self.tokens[self.at - 1].text, (value,))
        return value

    def _primary(self) -> Node:
        token = self.peek()
        self.at += 1
        match token.kind:
            case "number":
                return Node("number", token.text)
            case "string":
                return Node("string", _unescaped(token.text[1:-1]))
            case "regex":
                return Node("regex", token.text, pattern=compiled(token.text, extended=True))
            case "name" if self.peek().text == "(" and self.peek().kind == "op" and token.text in _FUNCTIONS:
                return Node("call", token.text, self._list("(", ")"))
            case "name" if self.peek().text == "[":
                return Node("index", token.text, self._list("[", "]"))
            case "name":
                return Node("call" if token.text == "length" else "name", token.text)
            case "op" if token.text == "$":
                return Node("field", parts=(self._step(),))
            case "op" if token.text == "(":
                self.at -= 1
                parts = self._list("(", ")")
                return parts[0] if len(parts) == 1 else Node("group", parts=parts)
        raise UsageError(f"syntax error near {token.text!r}")

    def _list(self, start: str, end: str) -> tuple[Node, ...]:
        self.need(start)
        found: list[Node] = []
        while not self.take(end):
            found.append(self.expression())
            if not self.take(",") and self.peek().text != end:
                raise UsageError(f"syntax error near {self.peek().text!r}")
        return tuple(found)


_FUNCTIONS = frozenset(
    {
        "length",
        "substr",
        "index",
        "split",
        "gsub",
        "sub",
        "toupper",
        "tolower",
        "int",
        "sprintf",
        "match",
        "sqrt",
    }
)


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
    rules = _Parser(program).rules()
    machine = _Machine()
    if "F" in options:
        machine.variables["FS"] = _unescaped(options["F"])
    for place, word in enumerate(call.argv):
        if call.argv[place - 1] == "-v" and "=" in word:
            name, _, value = word.partition("=")
            machine.variables[name] = _unescaped(value)
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
