"""Word expansion: parameters, substitutions, arithmetic, field splitting, globbing."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Sequence

from garabench.virtual.android.file_system import FileSystem
from garabench.virtual.shell import nodes as n
from garabench.virtual.shell.arithmetic import ShellArithmeticError, evaluate_arithmetic
from garabench.virtual.shell.braces import expand_braces
from garabench.virtual.shell.globs import Segments, is_pattern, regex
from garabench.virtual.shell.printing import quote
from garabench.virtual.shell.shell_state import ShellError, ShellState, Variables

Substitute = Callable[[n.CommandSubstitution], Awaitable[str]]
_IFS = " \t\n"
MAX_LENGTH = 1 << 24
"""Longest expansion of one word, in characters."""


class Expander:
    """Expands words in a shell state."""

    def __init__(self, state: ShellState, files: FileSystem, substitute: Substitute) -> None:
        self.state = state
        self.files = files
        self.substitute = substitute

    async def words(self, words: Sequence[n.Word]) -> list[str]:
        """Expand words into fields, with matching file names in place of patterns."""
        found: list[str] = []
        for word in words:
            for field in await self._fields(word):
                found += self._names(field)
        return found

    async def text(self, word: n.Word) -> str:
        """Expand a word to a string without splitting or globbing, as in assignments."""
        return "".join([text for text, _ in await self._segments(word, split=False)])

    async def pattern(self, word: n.Word) -> Segments:
        """Expand a word to a pattern."""
        return tuple(await self._segments(word, split=False))

    # Fields

    async def _fields(self, word: n.Word) -> list[list[tuple[str, bool]]]:
        fields: list[list[tuple[str, bool]]] = [[]]
        seen = False
        for index, part in enumerate(word.parts):
            if isinstance(part, n.Literal):
                text = self._tilde(part, index) if index == 0 else part.text
                fields[-1].append((text, part.quoted))
                seen = True
                continue
            if (
                isinstance(part, n.ParameterExpansion)
                and part.listed
                and not part.operator
                and not part.length
            ):
                seen = self._arguments(part, fields) or seen
                continue
            if await self._default_applies(part):
                for field in await self._default_fields(part, fields):
                    seen = seen or bool(field)
                continue
            value = await self._value(part)
            if part.quoted:
                fields[-1].append((value, True))
                seen = True
            else:
                seen = self._split(value, fields) or seen
        return [field for field in fields if field] if seen else []

    async def _default_applies(self, part: n.Part) -> bool:
        """Return whether an unquoted ``${name-word}`` expands to its word, whose quotes then apply."""
        if (
            not isinstance(part, n.ParameterExpansion)
            or part.quoted
            or part.operator not in ("-", ":-", "+", ":+")
        ):
            return False
        value = await self._current(part)
        missing = value is None or (part.operator.startswith(":") and not value)
        return missing if part.operator.endswith("-") else not missing

    async def _default_fields(
        self, part: n.Part, fields: list[list[tuple[str, bool]]]
    ) -> list[list[tuple[str, bool]]]:
        if not isinstance(part, n.ParameterExpansion) or part.argument is None:
            return []
        for inner in part.argument.parts:
            if isinstance(inner, n.Literal) and inner.quoted:
                fields[-1].append((inner.text, True))
                continue
            value = inner.text if isinstance(inner, n.Literal) else await self._value(inner)
            if getattr(inner, "quoted", False):
                fields[-1].append((value, True))
            else:
                self._split(value, fields)
        return fields

    def _tilde(self, part: n.Literal, index: int) -> str:
        if not part.quoted and (part.text == "~" or part.text.startswith("~/")):
            return self.state.variables.get("HOME", "/") + part.text[1:]
        return part.text

    def _arguments(self, part: n.ParameterExpansion, fields: list[list[tuple[str, bool]]]) -> bool:
        arguments = self._listed(part)
        if part.quoted and part.starred:
            joiner = self.state.variables.get("IFS", _IFS)[:1]
            fields[-1].append((joiner.join(arguments), True))
            return True
        seen = False
        for number, argument in enumerate(arguments):
            if number:
                fields.append([])
            if part.quoted:
                fields[-1].append((argument, True))
                seen = True
            else:
                seen = self._split(argument, fields) or seen
        return seen

    def _listed(self, part: n.ParameterExpansion) -> list[str]:
        """Return the arguments, or the elements or indices of an array."""
        if part.subscript is None:
            return self.state.arguments
        elements = self.state.elements(part.name)
        return [str(index) for index in elements] if part.indices else list(elements.values())

    async def _current(self, part: n.ParameterExpansion) -> str | None:
        """Return the value of a parameter or of an array's element; None if it is not set."""
        if part.subscript is None:
            return self.state.parameter(part.name)
        if part.listed:
            return " ".join(self._listed(part)) if self._listed(part) else None
        return self.state.element(part.name, await self.index(part.subscript))

    async def index(self, subscript: n.Word) -> int:
        """Evaluate a subscript.

        Raises:
            ShellError: It is not an expression.
        """
        try:
            return evaluate_arithmetic(await self.text(subscript), Variables(self.state))
        except ShellArithmeticError as problem:
            raise ShellError(str(problem)) from problem

    def _split(self, value: str, fields: list[list[tuple[str, bool]]]) -> bool:
        """Split a value at the field separators; return whether it produced a field."""
        separators = self.state.variables.get("IFS", _IFS)
        blank = "".join(char for char in separators if char in _IFS)
        hard = "".join(char for char in separators if char not in _IFS)
        piece, seen, at = "", False, 0
        # whether a blank ended the previous field, so that the next text starts a new one
        while at < len(value):
            char = value[at]
            if char in hard:
                fields[-1].append((piece, False))
                fields.append([])
                piece, seen = "", True
                at += 1
                while at < len(value) and value[at] in blank:
                    at += 1
            elif char in blank:
                while at < len(value) and value[at] in blank:
                    at += 1
                if at < len(value) and value[at] in hard:
                    continue
                if piece or fields[-1]:
                    if piece:
                        fields[-1].append((piece, False))
                        seen = True
                    fields.append([])
                piece = ""
            else:
                piece += char
                at += 1
        if piece:
            fields[-1].append((piece, False))
            seen = True
        return seen

    # Values

    async def _segments(self, word: n.Word, *, split: bool) -> list[tuple[str, bool]]:
        found: list[tuple[str, bool]] = []
        for index, part in enumerate(word.parts):
            if isinstance(part, n.Literal):
                found.append((self._tilde(part, index) if index == 0 else part.text, part.quoted))
            else:
                found.append((await self._value(part), part.quoted))
        return found

    async def _value(self, part: n.Part) -> str:
        match part:
            case n.Literal():
                value = part.text
            case n.CommandSubstitution():
                value = await self.substitute(part)
                value = value if part.kind == "value" else value.rstrip("\n")
            case n.ArithmeticExpansion():
                text = await self.text(part.expression)
                try:
                    value = str(evaluate_arithmetic(text, Variables(self.state)))
                except ShellArithmeticError as problem:
                    raise ShellError(str(problem)) from problem
            case n.ParameterExpansion():
                value = await self._parameter(part)
        if len(value) > MAX_LENGTH:
            raise ShellError("word too long")
        return value

    async def _parameter(self, part: n.ParameterExpansion) -> str:
        state = self.state
        if part.starred and part.quoted:
            value: str | None = state.variables.get("IFS", _IFS)[:1].join(self._listed(part))
        else:
            value = await self._current(part)
        if part.indices and not part.listed:
            return state.target(part.name)
        if part.length:
            return str(len(self._listed(part)) if part.listed else len(value or ""))
        operator = part.operator
        missing = value is None or (operator[:1] == ":" and not value)
        match operator.lstrip(":"):
            case "" if operator != ":":
                if value is None and "u" in state.options and not part.listed:
                    raise ShellError(f"{part.name}: parameter not set")
                return value or ""
            case "-":
                return await self._argument(part) if missing else value or ""
            case "+":
                return "" if missing else await self._argument(part)
            case "=":
                if missing:
                    value = await self._argument(part)
                    at = await self.index(part.subscript) if part.subscript is not None else 0
                    state.set_element(part.name, at, value)
                return value or ""
            case "?":
                if missing:
                    raise ShellError(
                        f"{part.name}: {await self._argument(part) or 'parameter null or not set'}"
                    )
                return value or ""
            case "@":
                return quote(value or "")
            case "":
                return await self._substring(part, value or "")
            case "/" | "//" | "/#" | "/%":
                return await self._replace(part, value or "")
            case _:
                return await self._trim(part, value or "")

    async def _argument(self, part: n.ParameterExpansion) -> str:
        return await self.text(part.argument) if part.argument is not None else ""

    async def _trim(self, part: n.ParameterExpansion, value: str) -> str:
        pattern = regex(await self.pattern(part.argument or n.Word()))
        lengths = range(len(value) + 1)
        match part.operator:
            case "#":
                cut = next((k for k in lengths if pattern.fullmatch(value, 0, k)), 0)
                return value[cut:]
            case "##":
                cut = next((k for k in reversed(lengths) if pattern.fullmatch(value, 0, k)), 0)
                return value[cut:]
            case "%":
                cut = next((k for k in reversed(lengths) if pattern.fullmatch(value, k)), len(value))
                return value[:cut]
            case _:
                cut = next((k for k in lengths if pattern.fullmatch(value, k)), len(value))
                return value[:cut]

    async def _replace(self, part: n.ParameterExpansion, value: str) -> str:
        pattern = regex(await self.pattern(part.argument or n.Word()))
        replacement = await self.text(part.replacement) if part.replacement is not None else ""
        if not pattern.pattern:
            return value
        if part.operator in ("/#", "/%"):
            ends = {"/#": f"(?:{pattern.pattern})", "/%": f"(?:{pattern.pattern})\\Z"}[part.operator]
            found = re.compile(ends, re.DOTALL)
            match = found.match(value) if part.operator == "/#" else found.search(value)
            return value if match is None else value[: match.start()] + replacement + value[match.end() :]
        return pattern.sub(lambda match: replacement, value, count=0 if part.operator == "//" else 1)

    async def _substring(self, part: n.ParameterExpansion, value: str) -> str:
        """Return ``${name:start}`` or ``${name:start:length}``."""
        if part.listed:
            raise ShellError(f"${{{part.name}}}: bad substitution")
        start = await self.index(part.argument or n.Word())
        start = max(0, len(value) + start) if start < 0 else start
        if part.replacement is None:
            return value[start:]
        length = await self.index(part.replacement)
        return value[start : start + length] if length >= 0 else value[start:length]

    # File names

    def _names(self, field: list[tuple[str, bool]]) -> list[str]:
        if any(not quoted and "{" in text for text, quoted in field):
            return [name for each in expand_braces(field) for name in self._matching(each)]
        return self._matching(field)

    def _matching(self, field: list[tuple[str, bool]]) -> list[str]:
        text = "".join(piece for piece, _ in field)
        segments = tuple(field)
        if "f" in self.state.options or not is_pattern(segments):
            return [text]
        return self._glob(segments) or [text]

    def _glob(self, segments: Segments) -> list[str]:
        """Return existing paths that match, sorted."""
        parts: list[list[tuple[str, bool]]] = [[]]
        for piece, quoted in segments:
            for number, text in enumerate(piece.split("/")):
                if number:
                    parts.append([])
                if text:
                    parts[-1].append((text, quoted))
        absolute = "".join(piece for piece, _ in segments).startswith("/")
        found = ["/" if absolute else ""]
        for part in parts[1:] if absolute else parts:
            found = [path for base in found for path in self._step(base, tuple(part))]
        return sorted(found)

    def _step(self, base: str, part: Segments) -> list[str]:
        folder = base if not base or base.endswith("/") else f"{base}/"
        text = "".join(piece for piece, _ in part)
        if not part:
            return [folder] if self.files.is_dir(self.files.resolve(base or ".", self.state.cwd)) else []
        if not is_pattern(part):
            path = folder + text
            return [path] if self.files.stat(self.files.resolve(path, self.state.cwd)) else []
        names = self.files.listdir(self.files.resolve(base or ".", self.state.cwd)) or ()
        pattern = regex(part)
        hidden = text.startswith(".")
        return [folder + name for name in names if pattern.fullmatch(name) and (hidden or name[0] != ".")]
