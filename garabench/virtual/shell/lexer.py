"""The lexer: words, operators and redirections of a script, read on demand by the parser."""

from __future__ import annotations

import re
from collections.abc import Callable

from garabench.virtual.shell import nodes as n

_OPERATORS = re.compile(r"&&|&>>|&>|\|\||;;|;&|;\||<<<|<<-|<<|>>|<&|>&|>\||<>|[&;|()<>\n]")
_REDIRECTION = re.compile(r"(\d?)(&>>|&>|<<<|<<-|<<|>>|<&|>&|>\||<>|<|>)")
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_INDICES = re.compile(r"!(?=[A-Za-z_][A-Za-z0-9_]*(?:\[[@*]\])?\})")
_NUMBER_ESCAPE = re.compile(r"\\(?:x([0-9a-fA-F]{1,2})|u([0-9a-fA-F]{1,4})|([0-7]{1,3}))")
_OPERATOR = re.compile(r":[-=+?]|[-=+?]|##?|%%?|//|/[#%]|/|@(?=Q\})|:")
_EXTENDED = "@!+*?"
_SPECIAL = "?#@*$!-0123456789"
_ENDS_WORD = frozenset(" \t\n&;|()<>")
_ESCAPES = {
    "n": "\n",
    "t": "\t",
    "r": "\r",
    "\\": "\\",
    "'": "'",
    '"': '"',
    "a": "\a",
    "e": "\x1b",
    "0": "\0",
}
MAX_DEPTH = 40
MAX_LENGTH = 1 << 20


class ShellSyntaxError(ValueError):
    """The script has a syntax error."""


class ShellLexer:
    """A position in a script.

    Attributes:
        text: The whole script.
        at: Offset of the next token.
        substitute: Parses a command substitution at this position; set by the parser.
    """

    def __init__(self, text: str, at: int = 0, depth: int = 0) -> None:
        if len(text) > MAX_LENGTH:
            raise ShellSyntaxError("the script is too long")
        self.text = text
        self.at = at
        self.depth = depth
        self.substitute: Callable[[ShellLexer, bool, str], n.CommandSubstitution] | None = None
        self._here: list[tuple[str, bool, bool, list[n.Word]]] = []

    # Looking ahead

    def _skip(self) -> None:
        while self.at < len(self.text):
            char = self.text[self.at]
            if char in " \t":
                self.at += 1
            elif self.text.startswith("\\\n", self.at):
                self.at += 2
            elif char == "#":
                end = self.text.find("\n", self.at)
                self.at = len(self.text) if end < 0 else end
            else:
                return

    @property
    def at_end(self) -> bool:
        """Whether the script ends here."""
        self._skip()
        return self.at >= len(self.text)

    def peek_operator(self) -> str | None:
        """Return the operator at this position, or None before a word."""
        self._skip()
        match = _OPERATORS.match(self.text, self.at)
        return match[0] if match else None

    def take_operator(self, *wanted: str) -> str | None:
        """Consume one of the operators, if it is next."""
        operator = self.peek_operator()
        if operator is None or operator not in wanted:
            return None
        self.at += len(operator)
        if operator == "\n":
            self._read_here_documents()
        return operator

    def peek_bare(self) -> str | None:
        """Return the unquoted word at this position, such as a reserved word, or None."""
        self._skip()
        end = self.at
        while end < len(self.text) and self.text[end] not in _ENDS_WORD:
            if self.text[end] in "\\'\"$`":
                return None
            end += 1
        return self.text[self.at : end] or None

    # Consuming

    def take_text(self, text: str) -> bool:
        """Consume a text, if it is next; the rest of its word may follow."""
        self._skip()
        if not self.text.startswith(text, self.at):
            return False
        self.at += len(text)
        return True

    def redirection(self) -> n.Redirection | None:
        """Consume a redirection, if one is next."""
        self._skip()
        match = _REDIRECTION.match(self.text, self.at)
        if match is None:
            return None
        operator = match[2]
        self.at = match.end()
        if match[1] and operator[0] == "&":  # a word that ends in a digit
            return None
        fd = int(match[1]) if match[1] else (0 if operator[0] == "<" else 1)
        if operator in ("<<", "<<-"):
            return self._here_document(fd, strip=operator == "<<-")
        target = self.word()
        if operator == "<<<":
            return n.Redirection(fd, "<<", n.Word((*target.parts, n.Literal("\n", quoted=True))))
        return n.Redirection(fd, {"<>": "<"}.get(operator, operator), target)

    def _here_document(self, fd: int, *, strip: bool) -> n.Redirection:
        word = self.word()
        quoted = word.bare is None
        end = "".join(part.text for part in word.parts if isinstance(part, n.Literal))
        holder: list[n.Word] = []
        line_end = self.text.find("\n", self.at)
        if line_end < 0:
            raise ShellSyntaxError(f"here document '{end}' unclosed")
        # Its text starts after the line; it is read now, and skipped at the end of the line.
        start = self._here[-1][3] if self._here else None
        at = line_end + 1 if start is None else self._here_at
        body, self._here_at = self._until(end, at, strip)
        self._here.append((end, strip, quoted, holder))
        text = n.Word((n.Literal(body, quoted=True),)) if quoted else self._expand(body)
        return n.Redirection(fd, "<<", text)

    _here_at = 0

    def _until(self, end: str, at: int, strip: bool) -> tuple[str, int]:
        lines: list[str] = []
        while at < len(self.text):
            stop = self.text.find("\n", at)
            stop = len(self.text) if stop < 0 else stop
            line = self.text[at:stop]
            at = min(len(self.text), stop + 1)
            if strip:
                line = line.lstrip("\t")
            if line == end:
                return "".join(f"{line}\n" for line in lines), at
            lines.append(line)
        raise ShellSyntaxError(f"here document '{end}' unclosed")

    def _read_here_documents(self) -> None:
        if self._here:
            self._here.clear()
            self.at = self._here_at

    def _expand(self, body: str) -> n.Word:
        inner = ShellLexer(body, depth=self.depth)
        inner.substitute = self.substitute
        parts: list[n.Part] = []
        while inner.at < len(body):
            inner._quoted_part(parts, closing="")
        return n.Word(tuple(parts))

    def word(self) -> n.Word:
        """Consume a word.

        Raises:
            ShellSyntaxError: No word is next, or a quote in it is not closed.
        """
        self._skip()
        parts: list[n.Part] = []
        start = self.at
        while self.at < len(self.text) and self.text[self.at] not in _ENDS_WORD:
            self._part(parts)
        if self.at == start:
            operator = self.peek_operator()
            shown = {"\n": "newline", None: "EOF"}.get(operator, operator)
            raise ShellSyntaxError(f"unexpected {shown!r}")
        return n.Word(_join(parts))

    def _part(self, parts: list[n.Part]) -> None:
        char = self.text[self.at]
        if char == "'":
            end = self.text.find("'", self.at + 1)
            if end < 0:
                raise ShellSyntaxError("no closing quote")
            parts.append(n.Literal(self.text[self.at + 1 : end], quoted=True))
            self.at = end + 1
        elif char == '"':
            self.at += 1
            if self.text.startswith('"', self.at):
                parts.append(n.Literal("", quoted=True))
            while not self.text.startswith('"', self.at):
                if self.at >= len(self.text):
                    raise ShellSyntaxError("no closing quote")
                self._quoted_part(parts, closing='"')
            self.at += 1
        elif char == "\\":
            following = self.text[self.at + 1 : self.at + 2]
            if following != "\n":
                parts.append(n.Literal(following, quoted=True))
            self.at += 2
        elif char == "$" and self.text.startswith("$'", self.at):
            self._ansi(parts)
        elif char in "$`":
            self._dollar(parts, quoted=False)
        elif char in _EXTENDED and self.text.startswith("(", self.at + 1):
            self._extended(parts)
        else:
            end = self.at + 1
            while (
                end < len(self.text)
                and self.text[end] not in _ENDS_WORD
                and self.text[end] not in "\\'\"$`"
                and not (self.text[end] in _EXTENDED and self.text.startswith("(", end + 1))
            ):
                end += 1
            parts.append(n.Literal(self.text[self.at : end]))
            self.at = end

    def _extended(self, parts: list[n.Part]) -> None:
        """Consume ``@(…)`` and its like, whose blanks and ``|`` do not end the word."""
        parts.append(n.Literal(self.text[self.at : self.at + 2]))
        self.at += 2
        while not self.text.startswith(")", self.at):
            if self.at >= len(self.text):
                raise ShellSyntaxError("no closing quote")
            if self.text[self.at] in _ENDS_WORD:
                parts.append(n.Literal(self.text[self.at]))
                self.at += 1
            else:
                self._part(parts)
        parts.append(n.Literal(")"))
        self.at += 1

    def _quoted_part(self, parts: list[n.Part], *, closing: str) -> None:
        char = self.text[self.at]
        if char == "\\":
            following = self.text[self.at + 1 : self.at + 2]
            self.at += 2
            if following == "\n":
                return
            special = following in ("$", "`", "\\") or following == closing != ""
            parts.append(n.Literal(following if special else "\\" + following, quoted=True))
        elif char in "$`":
            self._dollar(parts, quoted=True)
        else:
            end = self.at + 1
            while end < len(self.text) and self.text[end] not in "\\$`" and self.text[end] != closing:
                end += 1
            parts.append(n.Literal(self.text[self.at : end], quoted=True))
            self.at = end

    def _ansi(self, parts: list[n.Part]) -> None:
        self.at += 2
        text = ""
        while not self.text.startswith("'", self.at):
            if self.at >= len(self.text):
                raise ShellSyntaxError("no closing quote")
            if code := _NUMBER_ESCAPE.match(self.text, self.at):
                text += (
                    chr(int(code[2], 16))
                    if code[2]
                    else bytes([int(code[1], 16) if code[1] else int(code[3], 8) & 255]).decode(
                        "utf-8", errors="surrogateescape"
                    )
                )
                self.at = code.end()
            elif self.text[self.at] == "\\":
                following = self.text[self.at + 1 : self.at + 2]
                text += _ESCAPES.get(following, "\\" + following)
                self.at += 2
            else:
                text += self.text[self.at]
                self.at += 1
        self.at += 1
        parts.append(n.Literal(text, quoted=True))

    def _dollar(self, parts: list[n.Part], *, quoted: bool) -> None:
        if self.depth > MAX_DEPTH:
            raise ShellSyntaxError("nested too deeply")
        text, at = self.text, self.at
        if text[at] == "`":
            parts.append(self._backquoted(quoted))
        elif text.startswith("$((", at) and (end := self._arithmetic_end(at + 3)) is not None:
            inner = ShellLexer(text[at + 3 : end], depth=self.depth + 1)
            inner.substitute = self.substitute
            found: list[n.Part] = []
            while inner.at < len(inner.text):
                inner._quoted_part(found, closing="")
            parts.append(n.ArithmeticExpansion(n.Word(tuple(found)), quoted))
            self.at = end + 2
        elif text.startswith("$(", at):
            parts.append(self._nested(text, at + 2, quoted, move=True))
        elif text.startswith(("${ ", "${\t", "${\n", "${|"), at):
            valued = text[at + 2] == "|"
            found_script = self._nested(text, at + 3, quoted, move=True, closing="}")
            parts.append(n.CommandSubstitution(found_script.script, quoted, "value" if valued else "group"))
        elif text.startswith("${", at):
            self.at = at + 2
            parts.append(self._braced(quoted))
        elif name := _NAME.match(text, at + 1):
            parts.append(n.ParameterExpansion(name[0], quoted=quoted))
            self.at = name.end()
        elif text[at + 1 : at + 2] and text[at + 1] in _SPECIAL:
            parts.append(n.ParameterExpansion(text[at + 1], quoted=quoted))
            self.at = at + 2
        else:
            parts.append(n.Literal("$", quoted))
            self.at = at + 1

    def _nested(
        self, text: str, at: int, quoted: bool, *, move: bool, closing: str = ")"
    ) -> n.CommandSubstitution:
        if self.substitute is None:
            raise ShellSyntaxError("unexpected '$('")
        inner = ShellLexer(text, at, self.depth + 1)
        found = self.substitute(inner, quoted, closing)
        if move:
            self.at = inner.at
        return found

    def _backquoted(self, quoted: bool) -> n.CommandSubstitution:
        end = self.at + 1
        while end < len(self.text) and self.text[end] != "`":
            end += 2 if self.text[end] == "\\" else 1
        if end >= len(self.text):
            raise ShellSyntaxError("no closing quote")
        code = re.sub(r"\\([$`\\])", r"\1", self.text[self.at + 1 : end])
        self.at = end + 1
        return self._nested(code + "\n)", 0, quoted, move=False)

    def _arithmetic_end(self, at: int) -> int | None:
        depth = 0
        while at < len(self.text):
            if self.text[at] == "(":
                depth += 1
            elif self.text[at] == ")":
                if depth == 0:
                    return at if self.text.startswith("))", at) else None
                depth -= 1
            at += 1
        return None

    def _braced(self, quoted: bool) -> n.ParameterExpansion:
        text = self.text
        length = text.startswith("#", self.at) and not text.startswith("#}", self.at)
        indices = not length and _INDICES.match(text, self.at) is not None
        self.at += length or indices
        match = _NAME.match(text, self.at) or re.compile(r"\d+|[?#@*$!-]").match(text, self.at)
        if match is None:
            raise ShellSyntaxError("bad substitution")
        self.at = match.end()
        subscript = self._subscript() if _NAME.fullmatch(match[0]) and text.startswith("[", self.at) else None
        operator = _OPERATOR.match(text, self.at)
        if operator is None:
            if not text.startswith("}", self.at):
                raise ShellSyntaxError("bad substitution")
            self.at += 1
            return n.ParameterExpansion(
                match[0], length=length, quoted=quoted, subscript=subscript, indices=indices
            )
        self.at = operator.end()
        argument = self._argument(
            quoted, "/}" if operator[0][0] == "/" else ":}" if operator[0] == ":" else "}"
        )
        replacement = None
        if operator[0][0] in ("/", ":") and text.startswith(("/", ":"), self.at):
            self.at += 1
            replacement = self._argument(quoted, "}")
        if not text.startswith("}", self.at):
            raise ShellSyntaxError("no closing quote")
        self.at += 1
        return n.ParameterExpansion(
            match[0], operator[0], argument, replacement, quoted=quoted, subscript=subscript
        )

    def _subscript(self) -> n.Word:
        """Consume ``[…]`` after the name of an array."""
        self.at += 1
        found = self._argument(False, "]")
        if not self.text.startswith("]", self.at):
            raise ShellSyntaxError("bad substitution")
        self.at += 1
        return found

    def arithmetic_command(self) -> n.Word | None:
        """Consume ``((…))``; None if no such command is next."""
        self._skip()
        end = self._arithmetic_end(self.at + 2) if self.text.startswith("((", self.at) else None
        if end is None:
            return None
        inner = ShellLexer(self.text[self.at + 2 : end], depth=self.depth + 1)
        inner.substitute = self.substitute
        found: list[n.Part] = []
        while inner.at < len(inner.text):
            inner._quoted_part(found, closing="")
        self.at = end + 2
        return n.Word(tuple(found))

    def at_array(self) -> bool:
        """Return whether ``(`` follows at once, as the values of an array do after ``name=``."""
        return self.text.startswith("(", self.at)

    def _argument(self, quoted: bool, stops: str) -> n.Word:
        parts: list[n.Part] = []
        while self.at < len(self.text) and self.text[self.at] not in stops:
            char = self.text[self.at]
            if char in "'\"\\$`" and not (quoted and char == "'"):
                if quoted and char == "\\":
                    self._quoted_part(parts, closing="}")
                else:
                    self._part(parts)
            else:
                parts.append(n.Literal(char, quoted))
                self.at += 1
        return n.Word(_join(parts))


def _join(parts: list[n.Part]) -> tuple[n.Part, ...]:
    """Merge adjacent literals of the same kind."""
    joined: list[n.Part] = []
    for part in parts:
        last = joined[-1] if joined else None
        if isinstance(part, n.Literal) and isinstance(last, n.Literal) and part.quoted == last.quoted:
            joined[-1] = n.Literal(last.text + part.text, part.quoted)
        else:
            joined.append(part)
    return tuple(joined)
