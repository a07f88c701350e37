"""The ``sed`` parser: scripts, commands, addresses."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from garabench.virtual.commands.posix_regex import compile_posix
from garabench.virtual.commands.toybox_options import UsageError


@dataclass(frozen=True, slots=True)
class SedAddress:
    """A line number, ``$`` (as -1), or a pattern."""

    line: int = 0
    pattern: re.Pattern[str] | None = None


@dataclass(slots=True)
class SedCommand:
    """A command with its addresses; `active` while its range is open."""

    name: str
    first: SedAddress | None = None
    last: SedAddress | None = None
    negated: bool = False
    pattern: re.Pattern[str] | None = None
    text: str = ""
    flags: str = ""
    count: int = 1
    body: list[SedCommand] = field(default_factory=list)
    active: bool = False


class SedParser:
    """Parses a script."""

    def __init__(self, text: str, extended: bool) -> None:
        self.text = text
        self.at = 0
        self.extended = extended
        self.before: re.Pattern[str] | None = None

    def commands(self, *, nested: bool = False) -> list[SedCommand]:
        """Parse the commands up to the end, or up to the brace that ends a group.

        Raises:
            UsageError: The script has a syntax error.
        """
        found: list[SedCommand] = []
        while True:
            while self.at < len(self.text) and self.text[self.at] in " \t\n;":
                self.at += 1
            if self.at >= len(self.text):
                if nested:
                    raise UsageError("no }")
                return found
            if self.text[self.at] == "}":
                if not nested:
                    raise UsageError("extra }")
                self.at += 1
                return found
            if self.text[self.at] == "#":
                self._line()
                continue
            found.append(self._instruction())

    def _line(self) -> str:
        end = self.text.find("\n", self.at)
        end = len(self.text) if end < 0 else end
        line = self.text[self.at : end]
        self.at = end + 1
        return line

    def _blanks(self) -> None:
        while self.at < len(self.text) and self.text[self.at] in " \t":
            self.at += 1

    def _until(self, stop: str) -> str:
        found = ""
        while self.at < len(self.text) and self.text[self.at] != stop:
            if self.text[self.at] == "\\" and self.text[self.at + 1 : self.at + 2] == stop:
                found += stop if stop not in "()[].*^$+?{}|" else "\\" + stop
                self.at += 2
            elif self.text[self.at] == "\\":
                found += self.text[self.at : self.at + 2]
                self.at += 2
            elif self.text[self.at] == "[" and stop != "[":
                end = self.text.find("]", self.at + 2)
                inner = self.text[self.at : end + 1]
                whole_class = end > 0 and stop not in inner and "\n" not in inner
                found += inner if whole_class else "["
                self.at += len(inner) if whole_class else 1
            else:
                found += self.text[self.at]
                self.at += 1
        if self.at >= len(self.text):
            raise UsageError(f"unterminated {self.text!r}")
        self.at += 1
        return found

    def _regex(self, text: str, *, ignore: bool = False) -> re.Pattern[str]:
        if not text:
            if self.before is None:
                raise UsageError("no previous regex")
            return self.before
        self.before = compile_posix(text.replace("\\n", "\n"), extended=self.extended, ignore_case=ignore)
        return self.before

    def _address(self) -> SedAddress | None:
        digits = re.compile(r"\d+").match(self.text, self.at)
        if digits:
            self.at = digits.end()
            return SedAddress(int(digits[0]))
        char = self.text[self.at : self.at + 1]
        if char == "$":
            self.at += 1
            return SedAddress(-1)
        if char in ("/", "\\") and char:
            self.at += 1 if char == "/" else 2
            stop = "/" if char == "/" else self.text[self.at - 1]
            body = self._until(stop)
            ignore = self.text[self.at : self.at + 1] == "I"
            self.at += ignore
            return SedAddress(pattern=self._regex(body, ignore=ignore))
        return None

    def _instruction(self) -> SedCommand:
        first = self._address()
        last = None
        self._blanks()
        if first is not None and self.text[self.at : self.at + 1] == ",":
            self.at += 1
            self._blanks()
            plus = re.compile(r"\+(\d+)").match(self.text, self.at)
            if plus:
                self.at = plus.end()
                last = SedAddress(-2 - int(plus[1]))
            else:
                last = self._address()
                if last is None:
                    raise UsageError("bad address")
        self._blanks()
        negated = self.text[self.at : self.at + 1] == "!"
        self.at += negated
        self._blanks()
        name = self.text[self.at : self.at + 1]
        self.at += 1
        command = SedCommand(name, first, last, negated)
        match name:
            case "{":
                command.body = self.commands(nested=True)
            case "s":
                self._substitute(command)
            case "y":
                stop = self.text[self.at]
                self.at += 1
                command.text, command.flags = self._until(stop), self._until(stop)
                if len(command.text) != len(command.flags):
                    raise UsageError("y strings differ in length")
            case "a" | "i" | "c":
                line = self._line().lstrip()
                while line.endswith("\\") and self.at <= len(self.text):
                    line = line[:-1] + ("\n" if line != "\\" else "") + self._line()
                command.text = line.removeprefix("\\").lstrip("\n") if line[:1] == "\\" else line
            case "p" | "d" | "q" | "Q" | "=" | "n" | "N" | "g" | "h" | "G" | "H" | "x" | "P" | "D":
                digits = re.compile(r"\d+").match(self.text, self.at) if name in "qQ" else None
                if digits:
                    command.count, self.at = int(digits[0]), digits.end()
                else:
                    command.count = 0
            case _:
                raise UsageError(f"bad command '{name}'")
        return command

    def _substitute(self, command: SedCommand) -> None:
        stop = self.text[self.at : self.at + 1]
        if not stop or stop in "\n\\":
            raise UsageError("unterminated s")
        self.at += 1
        body = self._until(stop)
        command.text = self._replacement(stop)
        flags = re.compile(r"[gpIi\d]*").match(self.text, self.at)
        if flags:
            command.flags, self.at = flags[0], flags.end()
        digits = re.search(r"\d+", command.flags)
        command.count = int(digits[0]) if digits else 1
        command.pattern = self._regex(body, ignore="i" in command.flags.lower())

    def _replacement(self, stop: str) -> str:
        found = ""
        while self.at < len(self.text) and self.text[self.at] != stop:
            if self.text[self.at] == "\\" and self.at + 1 < len(self.text):
                following = self.text[self.at + 1]
                found += following if following == stop and stop not in "&\\123456789n" else "\\" + following
                self.at += 2
            else:
                found += self.text[self.at]
                self.at += 1
        if self.at >= len(self.text):
            raise UsageError("unterminated s")
        self.at += 1
        return found
