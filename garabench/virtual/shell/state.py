"""The state of a shell: variables, functions, options, working directory."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, MutableMapping
from dataclasses import dataclass, field

from garabench.virtual.shell import nodes as n

MAX_DEPTH = 60
"""Maximum nesting of functions and subshells."""


class ShellJumpError(Exception):
    """A jump out of commands: ``break``, ``continue``, ``return`` or ``exit``.

    Attributes:
        kind: Name of the builtin.
        value: Number of loops to leave, or the exit status.
    """

    def __init__(self, kind: str, value: int) -> None:
        super().__init__(kind)
        self.kind = kind
        self.value = value


class ShellError(Exception):
    """An error that ends the script, such as a bad expansion."""


@dataclass(slots=True)
class ShellState:
    """The state that a subshell gets a copy of.

    Attributes:
        variables: Values by name.
        exported: Names of exported variables.
        read_only: Names of read-only variables.
        functions: Functions by name.
        arguments: ``$1`` and following.
        name: ``$0``.
        options: The letters set, of ``e``, ``x``, ``u``, ``f``.
        cwd: The working directory.
        status: ``$?``.
        pid: ``$$``.
        last_job: ``$!``.
        depth: Nesting of functions and subshells.
        children: Background jobs it has started.
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

    def copy(self) -> ShellState:
        """Copy the state for a subshell.

        Raises:
            ShellError: It is nested too deeply.
        """
        if self.depth >= MAX_DEPTH:
            raise ShellError("nested too deeply")
        return ShellState(
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
            ShellError: It is read-only.
        """
        if name in self.read_only:
            raise ShellError(f"read-only: {name}")
        self.variables[name] = value

    def environment(self) -> dict[str, str]:
        """Return the environment of commands."""
        return {name: self.variables[name] for name in sorted(self.exported) if name in self.variables}

    def parameter(self, name: str) -> str | None:
        """Return the value of ``$name``; None if it is not set."""
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
            index = int(name)
            return self.arguments[index - 1] if index <= len(self.arguments) else None
        return self.variables.get(name)


class Variables(MutableMapping[str, str]):
    """A mapping of the variables, for arithmetic."""

    def __init__(self, state: ShellState) -> None:
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
