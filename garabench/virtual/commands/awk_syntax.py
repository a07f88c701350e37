"""The ``awk`` parser: tokens, statements and expressions."""

from __future__ import annotations

import re
from dataclasses import dataclass

from garabench.virtual.commands.posix_regex import compile_posix
from garabench.virtual.commands.toybox_options import UsageError

_TOKEN = re.compile(
    r"""[ \t]*(?:(?P<number>\d+\.?\d*|\.\d+)|(?P<string>"(?:\\.|[^"\\])*")|(?P<name>[A-Za-z_]\w*)"""
    r"""|(?P<op>\+\+|--|\+=|-=|\*=|/=|%=|==|!=|<=|>=|&&|\|\||!~|[-+*/%^!<>=~?:,;(){}$\[\]]|\n)|(?P<skip>\#[^\n]*|\\\n))"""
)
_COMPARE = frozenset({"<", "<=", ">", ">=", "==", "!="})


@dataclass(frozen=True, slots=True)
class AwkToken:
    """A token; `kind` is number, string, name, op or regex."""

    kind: str
    text: str


@dataclass(frozen=True, slots=True)
class AwkNode:
    """A statement or expression of a `kind`, with its parts."""

    kind: str
    text: str = ""
    parts: tuple[AwkNode, ...] = ()
    pattern: re.Pattern[str] | None = None


def _tokens(text: str) -> list[AwkToken]:
    found: list[AwkToken] = []
    at = 0
    while at < len(text.rstrip()) or (at < len(text) and text[at] == "\n"):
        before = found[-1] if found else AwkToken("op", "(")
        operand = before.kind in ("number", "string", "name") or before.text in (")", "]")
        slash = re.compile(r"[ \t]*/((?:\\.|\[[^\]]*\]|[^/\\\n])+)/").match(text, at)
        if slash and not operand:
            found.append(AwkToken("regex", slash[1].replace("\\/", "/")))
            at = slash.end()
            continue
        match = _TOKEN.match(text, at)
        if match is None:
            raise UsageError(f"syntax error near {text[at : at + 10]!r}")
        kind = match.lastgroup or "op"
        if kind != "skip":
            found.append(AwkToken(kind, match[kind]))
        at = match.end()
    return found


def unescaped(text: str) -> str:
    """Process the backslash escapes of a string."""
    return re.sub(r"\\(.)", lambda m: {"n": "\n", "t": "\t", "r": "\r"}.get(m[1], m[1]), text)


class _Parser:
    def __init__(self, text: str) -> None:
        self.tokens = _tokens(text)
        self.at = 0

    def peek(self, ahead: int = 0) -> AwkToken:
        index = self.at + ahead
        return self.tokens[index] if index < len(self.tokens) else AwkToken("end", "")

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

    def rules(self) -> list[tuple[str, tuple[AwkNode, ...], AwkNode | None]]:
        found: list[tuple[str, tuple[AwkNode, ...], AwkNode | None]] = []
        self.skip()
        while self.peek().kind != "end":
            kind = "each"
            patterns: tuple[AwkNode, ...] = ()
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

    def block(self) -> AwkNode:
        self.need("{")
        statements: list[AwkNode] = []
        self.skip()
        while not self.take("}"):
            if self.peek().kind == "end":
                raise UsageError("syntax error: no }")
            statements.append(self.statement())
            self.skip()
        return AwkNode("block", parts=tuple(statements))

    def statement(self) -> AwkNode:
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
                    return AwkNode("while", parts=(condition, self.statement()))
                case "for":
                    return self._for()
                case "print" | "printf":
                    return self._print(token.text)
                case "next" | "exit" | "break" | "continue" | "delete":
                    self.at += 1
                    if token.text == "delete":
                        return AwkNode("delete", parts=(self.expression(),))
                    bare = self.peek().text in (";", "\n", "}", "")
                    return AwkNode(token.text, parts=() if bare else (self.expression(),))
        return AwkNode("expression", parts=(self.expression(),))

    def _if(self) -> AwkNode:
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
            return AwkNode("if", parts=(condition, yes, self.statement()))
        self.at = mark
        return AwkNode("if", parts=(condition, yes))

    def _for(self) -> AwkNode:
        self.at += 1
        self.need("(")
        if self.peek(1).text == "in" and self.peek(3).text == ")":
            name, array = self.peek().text, self.peek(2).text
            self.at += 4
            return AwkNode("each", name, (AwkNode("name", array), self.statement()))
        empty = AwkNode("number", "1")
        first = empty if self.peek().text == ";" else self.expression()
        self.need(";")
        condition = empty if self.peek().text == ";" else self.expression()
        self.need(";")
        step = empty if self.peek().text == ")" else self.expression()
        self.need(")")
        return AwkNode("for", parts=(first, condition, step, self.statement()))

    def _print(self, name: str) -> AwkNode:
        self.at += 1
        values: list[AwkNode] = []
        if self.peek().text not in (";", "\n", "}", "") or self.peek().kind == "string":
            values.append(self.expression(compare=False))
            while self.take(","):
                values.append(self.expression(compare=False))
        if len(values) == 1 and values[0].kind == "group":
            values = list(values[0].parts)
        return AwkNode(name, parts=tuple(values))

    # Expressions, from the lowest precedence

    def expression(self, *, compare: bool = True) -> AwkNode:
        left = self._ternary(compare)
        token = self.peek()
        if token.kind == "op" and token.text in ("=", "+=", "-=", "*=", "/=", "%="):
            self.at += 1
            return AwkNode("assign", token.text, (left, self.expression(compare=compare)))
        return left

    def _ternary(self, compare: bool) -> AwkNode:
        condition = self._or(compare)
        if not self.take("?"):
            return condition
        yes = self.expression(compare=compare)
        self.need(":")
        return AwkNode("if", parts=(condition, yes, self.expression(compare=compare)))

    def _or(self, compare: bool) -> AwkNode:
        left = self._and(compare)
        while self.take("||"):
            left = AwkNode("||", parts=(left, self._and(compare)))
        return left

    def _and(self, compare: bool) -> AwkNode:
        left = self._in(compare)
        while self.take("&&"):
            left = AwkNode("&&", parts=(left, self._in(compare)))
        return left

    def _in(self, compare: bool) -> AwkNode:
        left = self._match(compare)
        while self.take("in"):
            left = AwkNode("in", self.peek().text, (left,))
            self.at += 1
        return left

    def _match(self, compare: bool) -> AwkNode:
        left = self._comparison(compare)
        while self.peek().text in ("~", "!~") and self.peek().kind == "op":
            operator = self.peek().text
            self.at += 1
            left = AwkNode(operator, parts=(left, self._comparison(compare)))
        return left

    def _comparison(self, compare: bool) -> AwkNode:
        left = self._concatenation()
        token = self.peek()
        if token.kind == "op" and token.text in _COMPARE and (compare or token.text != ">"):
            self.at += 1
            return AwkNode("compare", token.text, (left, self._concatenation()))
        return left

    def _concatenation(self) -> AwkNode:
        left = self._sum()
        while self._starts_value():
            left = AwkNode("join", parts=(left, self._sum()))
        return left

    def _starts_value(self) -> bool:
        token = self.peek()
        if token.kind in ("number", "string"):
            return True
        if token.kind == "name":
            return token.text not in ("in", "else")
        return token.kind == "op" and token.text in ("$", "(", "!", "-", "+") and token.text in ("$", "(")

    def _sum(self) -> AwkNode:
        left = self._product()
        while self.peek().kind == "op" and self.peek().text in ("+", "-"):
            operator = self.peek().text
            self.at += 1
            left = AwkNode("calculate", operator, (left, self._product()))
        return left

    def _product(self) -> AwkNode:
        left = self._unary()
        while self.peek().kind == "op" and self.peek().text in ("*", "/", "%"):
            operator = self.peek().text
            self.at += 1
            left = AwkNode("calculate", operator, (left, self._unary()))
        return left

    def _unary(self) -> AwkNode:
        token = self.peek()
        if token.kind == "op" and token.text in ("!", "-", "+"):
            self.at += 1
            return AwkNode("unary", token.text, (self._unary(),))
        base = self._step()
        if self.take("^"):
            return AwkNode("calculate", "^", (base, self._unary()))
        return base

    def _step(self) -> AwkNode:
        token = self.peek()
        if token.kind == "op" and token.text in ("++", "--"):
            self.at += 1
            return AwkNode("before", token.text, (self._primary(),))
        value = self._primary()
        if value.kind in ("name", "field", "index") and self.peek().text in ("++", "--"):
            self.at += 1
            return AwkNode("after", self.tokens[self.at - 1].text, (value,))
        return value

    def _primary(self) -> AwkNode:
        token = self.peek()
        self.at += 1
        match token.kind:
            case "number":
                return AwkNode("number", token.text)
            case "string":
                return AwkNode("string", unescaped(token.text[1:-1]))
            case "regex":
                return AwkNode("regex", token.text, pattern=compile_posix(token.text, extended=True))
            case "name" if self.peek().text == "(" and self.peek().kind == "op" and token.text in _FUNCTIONS:
                return AwkNode("call", token.text, self._list("(", ")"))
            case "name" if self.peek().text == "[":
                return AwkNode("index", token.text, self._list("[", "]"))
            case "name":
                return AwkNode("call" if token.text == "length" else "name", token.text)
            case "op" if token.text == "$":
                return AwkNode("field", parts=(self._step(),))
            case "op" if token.text == "(":
                self.at -= 1
                parts = self._list("(", ")")
                return parts[0] if len(parts) == 1 else AwkNode("group", parts=parts)
        raise UsageError(f"syntax error near {token.text!r}")

    def _list(self, start: str, end: str) -> tuple[AwkNode, ...]:
        self.need(start)
        found: list[AwkNode] = []
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


def parse_awk(program: str) -> list[tuple[str, tuple[AwkNode, ...], AwkNode | None]]:
    """Parse a program into rules: kind, patterns and action.

    Raises:
        UsageError: It has a syntax error.
    """
    return _Parser(program).rules()
