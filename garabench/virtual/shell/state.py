"""The state of a shell: variables, functions, options, where it is."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, MutableMapping
from dataclasses import dataclass, field

from garabench.virtual.shell import nodes as n

DEEPEST = 60
"""Functions and subshells within each other."""


class Leave(Exception):
    """A jump out of commands: ``break``, ``continue``, ``return`` or ``exit``.

    Attributes:
        kind: Which of them.
        value: Loops to leave, or the exit status.
    """

    def __init__(self, kind: str, value: int) -> None:
        super().__init__(kind)
        self.kind = kind
        self.value = value


class Failure(Exception):
    """What ends the script with a message, such as a bad expansion."""


@dataclass(slots=True)
class State:
    """What a subshell gets a copy of.

    Attributes:
        variables: By name.
        exported: Names of those that commands see.
        read_only: Names of those that cannot be changed.
        functions: By name.
        arguments: ``$1`` and following.
        name: ``$0``.
        options: Letters that are set, of ``e``, ``x``, ``u``, ``f``.
        cwd: The directory.
        status: ``$?``.
        pid: ``$$``.
        last_job: ``$!``.
        depth: How many functions and subshells this is within.
        children: What it has started in the background.
    """

    variables: dict[str, str] = field(default_factory=dict)
    exported: set[str] = field(default_factory=set)
    read_only: set[str] = field(default_factory=set)
    functions: dict[str, n.Command] = field(default_factory=dict)
    arguments: list[str] = field(default_factory=list)
    name: str = "/system/bin/sh"
    options: set[str] = field(default_factory=set)
    cwd: str = "/"
    status: int = 0
    pid: int = 4242
    last_job: int = 0
    depth: int = 0
    children: list[asyncio.Task[int]] = field(default_factory=list)

    def copy(self) -> State:
        """The state of a subshell.

        Raises:
            Failure: It is nested too deeply.
        """
        if self.depth >= DEEPEST:
            raise Failure("nested too deeply")
        return State(
            dict(self.variables),
            set(self.exported),
            set(self.read_only),
            dict(self.functions),
            list(self.arguments),
            self.name,
            set(self.options),
            self.cwd,
            self.status,
            self.pid,
            self.last_job,
            self.depth + 1,
        )

    def set(self, name: str, value: str) -> None:
        """Set a variable.

        Raises:
            Failure: It is read-only.
        """
        if name in self.read_only:
            raise Failure(f"read-only: {name}")
        self.variables[name] = value

    def environment(self) -> dict[str, str]:
        """What commands see."""
        return {name: self.variables[name] for name in sorted(self.exported) if name in self.variables}

    def parameter(self, name: str) -> str | None:
        """The value of ``$name``; None when it is not set."""
        match name:
            case "?":
                return str(self.status)
            case "#":
                return str(len(self.arguments))
            case "$":
                return str(self.pid)
            case "!":
                return str(self.last_job) if self.last_job else None
            case "-":
                return "".join(sorted(self.options))
            case "@" | "*":
                return " ".join(self.arguments) if self.arguments else None
            case "0":
                return self.name
        if name.isdecimal():
            place = int(name)
            return self.arguments[place - 1] if place <= len(self.arguments) else None
        return self.variables.get(name)


class Variables(MutableMapping[str, str]):
    """The variables as arithmetic changes them."""

    def __init__(self, state: State) -> None:
        self._state = state

    def __getitem__(self, name: str) -> str:
        return self._state.variables[name]

    def __setitem__(self, name: str, value: str) -> None:
        self._state.set(name, value)

    def __delitem__(self, name: str) -> None:
        del self._state.variables[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._state.variables)

    def __len__(self) -> int:
        return len(self._state.variables)
