"""``sed``, with the commands that scripts use: s p d q = y a i c n N g h G H x, addresses and groups."""

from __future__ import annotations

import re
from collections.abc import Mapping

from garabench.virtual.android.file_system import FileSystem
from garabench.virtual.commands.sed_syntax import SedAddress, SedCommand, SedParser
from garabench.virtual.commands.toybox_options import (
    UsageError,
    Utility,
    parse_options,
    read_operand,
    split_lines,
)
from garabench.virtual.shell.call import CommandCall


class _SedRun:
    """Runs commands over lines."""

    def __init__(self, script: list[SedCommand], lines: list[str], quiet: bool) -> None:
        self.script = script
        self.lines = lines
        self.quiet = quiet
        self.number = 0
        self.hold = ""
        self.out: list[str] = []
        self.after: list[str] = []
        self.status = 0
        self.ended = False

    def run(self) -> str:
        while self.number < len(self.lines) and not self.ended:
            space: str | None = self.lines[self.number]
            self.number += 1
            space = self._perform(self.script, space)
            if space is not None and not self.quiet:
                self.out.append(space)
            self.out += self.after
            self.after = []
        return "".join(f"{line}\n" for line in self.out)

    def _is_selected(self, command: SedCommand, space: str) -> bool:
        if command.first is None:
            return not command.negated
        if command.last is None:
            return self._matches(command.first, space) != command.negated
        if command.active:
            inside = True
            last = command.last
            if last.pattern is not None:
                command.active = last.pattern.search(space) is None
            elif last.line == -1:
                command.active = self.number < len(self.lines)
            else:
                command.active = self.number < last.line
                inside = self.number <= last.line
            return inside != command.negated
        if self._matches(command.first, space):
            last = command.last
            if last.line < -1:
                command.last = SedAddress(self.number + (-2 - last.line))
                last = command.last
            if last.pattern is not None:
                command.active = True
            else:
                command.active = last.line == -1 or last.line > self.number
            return not command.negated
        return command.negated

    def _matches(self, address: SedAddress, space: str) -> bool:
        if address.pattern is not None:
            return address.pattern.search(space) is not None
        return self.number == (len(self.lines) if address.line == -1 else address.line)

    def _perform(self, script: list[SedCommand], space: str | None) -> str | None:
        for command in script:
            if space is None or self.ended:
                return space
            if not self._is_selected(command, space):
                continue
            match command.name:
                case "{":
                    space = self._perform(command.body, space)
                case "s":
                    space = self._substitute(command, space)
                case "y":
                    space = space.translate(str.maketrans(command.text, command.flags))
                case "p":
                    self.out.append(space)
                case "P":
                    self.out.append(space.split("\n")[0])
                case "d":
                    return None
                case "D":
                    return None
                case "q" | "Q":
                    self.ended, self.status = True, command.count
                    return space if command.name == "q" else None
                case "=":
                    self.out.append(str(self.number))
                case "a":
                    self.after.append(command.text)
                case "i":
                    self.out.append(command.text)
                case "c":
                    if not command.active:
                        self.out.append(command.text)
                    return None
                case "n" | "N":
                    space = self._next(command.name, space)
                case _:
                    space = self._exchange(command.name, space)
        return space

    def _next(self, name: str, space: str) -> str | None:
        if self.number >= len(self.lines):
            self.ended = True
            return space
        following = self.lines[self.number]
        self.number += 1
        if name == "N":
            return f"{space}\n{following}"
        if not self.quiet:
            self.out.append(space)
        return following

    def _exchange(self, name: str, space: str) -> str:
        match name:
            case "g":
                return self.hold
            case "G":
                return f"{space}\n{self.hold}"
            case "h":
                self.hold = space
            case "H":
                self.hold = f"{self.hold}\n{space}"
            case "x":
                self.hold, space = space, self.hold
        return space

    def _substitute(self, command: SedCommand, space: str) -> str:
        if command.pattern is None:
            return space
        count, replaced = 0, False
        every = "g" in command.flags

        def put(match: re.Match[str]) -> str:
            nonlocal count, replaced
            count += 1
            if count < command.count or (count > command.count and not every):
                return match[0]
            replaced = True
            return _expand_replacement(command.text, match)

        changed = command.pattern.sub(put, space)
        if replaced and "p" in command.flags:
            self.out.append(changed)
        return changed


def _expand_replacement(text: str, match: re.Match[str]) -> str:
    found, at = "", 0
    while at < len(text):
        if text[at] == "&":
            found += match[0]
        elif text[at] == "\\" and at + 1 < len(text):
            at += 1
            if text[at].isdigit():
                number = int(text[at])
                if number > (match.re.groups or 0):
                    raise UsageError(f"\\{number} not in regex")
                found += match[number] or ""
            else:
                found += {"n": "\n", "t": "\t"}.get(text[at], text[at])
        else:
            found += text[at]
        at += 1
    return found


async def sed(files: FileSystem, call: CommandCall) -> int:
    """Edit a stream of lines."""
    options, rest = parse_options(call, "ne:f:Eris")
    scripts = [options["e"]] if "e" in options else rest[:1]
    names = rest if "e" in options else rest[1:]
    chosen = [word for k, word in enumerate(call.argv) if call.argv[k - 1] == "-e"]
    if len(chosen) > 1:
        scripts = chosen
    if not scripts:
        raise UsageError("no script")
    extended, quiet = "E" in options or "r" in options, "n" in options

    def script() -> list[SedCommand]:
        return SedParser("\n".join(scripts), extended).commands()

    if "i" in options:
        for name in names:
            run = _SedRun(script(), split_lines(await read_operand(files, call, name)), quiet)
            files.write(call.path(name), run.run().encode("utf-8", errors="surrogateescape"))
        return 0
    lines: list[str] = []
    status = 0
    for name in names or ["-"]:
        try:
            lines += split_lines(await read_operand(files, call, name))
        except UsageError as error:
            await call.print_error(f"sed: {error}\n")
            status = 1
    run = _SedRun(script(), lines, quiet)
    await call.print(run.run())
    return run.status or status


UTILITIES: Mapping[str, Utility] = {"sed": sed}
