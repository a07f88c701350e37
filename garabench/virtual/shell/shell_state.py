"""The state of a shell: variables, functions, options, working directory."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Iterator, MutableMapping, Sequence
from dataclasses import dataclass, field

from garabench.virtual.shell import nodes as n
from garabench.virtual.shell.arithmetic import evaluate_arithmetic

KSH_VERSION = "@(#)MIRBSD KSH R59 2020/10/31 Android"
MAX_INDEX = 100_000
"""Largest index of an array; mksh allows more."""
_RANDOM_RANGE = 1 << 15
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
        arrays: The elements of arrays from index 1 on; element 0 is the variable.
        aliases: Aliases by name.
        history: The lines typed at the prompt, the oldest first.
        randomness: The source of ``$RANDOM``.
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
    arrays: dict[str, dict[int, str]] = field(default_factory=dict)
    aliases: dict[str, str] = field(default_factory=dict)
    history: list[str] = field(default_factory=list)
    randomness: random.Random = field(default_factory=lambda: random.Random(0))  # noqa: S311 - not secret
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
            variables=dict(self.variables),
            arrays={name: dict(elements) for name, elements in self.arrays.items()},
            aliases=dict(self.aliases),
            history=self.history,
            randomness=self.randomness,
            exported=set(self.exported),
            read_only=set(self.read_only),
            functions=dict(self.functions),
            arguments=list(self.arguments),
            name=self.name,
            options=set(self.options),
            cwd=self.cwd,
            status=self.status,
            pid=self.pid,
            last_job=self.last_job,
            depth=self.depth + 1,
        )

    def set(self, name: str, value: str) -> None:
        """Set a variable.

        Raises:
            ShellError: It is read-only.
        """
        if name in self.read_only:
            raise ShellError(f"read-only: {name}")
        if name == "RANDOM":
            self.randomness = random.Random(value)  # noqa: S311 - a seed, as in mksh
            return
        self.variables[name] = value

    def elements(self, name: str) -> dict[int, str]:
        """Return the elements of an array by index; a plain variable is element 0."""
        first = {0: self.variables[name]} if name in self.variables else {}
        return {**first, **dict(sorted(self.arrays.get(name, {}).items()))}

    def element(self, name: str, index: int) -> str | None:
        """Return an element of an array, or None."""
        return self.parameter(name) if index == 0 else self.arrays.get(name, {}).get(index)

    def set_element(self, name: str, index: int, value: str) -> None:
        """Set an element of an array.

        Raises:
            ShellError: The variable is read-only, or the index is negative or too large.
        """
        if not 0 <= index <= MAX_INDEX:
            raise ShellError(f"{name}[{index}]: bad subscript")
        if index == 0:
            self.set(name, value)
            return
        if name in self.read_only:
            raise ShellError(f"read-only: {name}")
        self.arrays.setdefault(name, {})[index] = value

    def set_array(self, name: str, values: Sequence[str], *, appends: bool = False) -> None:
        """Set all elements of an array, or append some.

        Raises:
            ShellError: The variable is read-only.
        """
        start = max(self.elements(name), default=-1) + 1 if appends else 0
        if name in self.read_only:
            raise ShellError(f"read-only: {name}")
        if not appends:
            self.unset(name)
        for index, value in enumerate(values, start):
            self.set_element(name, index, value)

    def unset(self, name: str) -> None:
        """Remove a variable, with all its elements."""
        self.variables.pop(name, None)
        self.arrays.pop(name, None)

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
            case "RANDOM":
                return str(self.randomness.randrange(_RANDOM_RANGE))
            case "KSH_VERSION":
                return self.variables.get(name, KSH_VERSION)
            case "PPID":
                return str(self.pid - 1)
            case "USER_ID":
                return "2000"
        if name.isdecimal():
            index = int(name)
            return self.arguments[index - 1] if index <= len(self.arguments) else None
        return self.variables.get(name)


class Variables(MutableMapping[str, str]):
    """A mapping of the variables, for arithmetic."""

    def __init__(self, state: ShellState) -> None:
        self._state = state

    def __getitem__(self, name: str) -> str:
        base, bracket, rest = name.partition("[")
        if bracket:
            found = self._state.element(base, evaluate_arithmetic(rest[:-1], self))
        else:
            found = self._state.parameter(name)
        if found is None:
            raise KeyError(name)
        return found

    def __setitem__(self, name: str, value: str) -> None:
        base, bracket, rest = name.partition("[")
        if bracket:
            self._state.set_element(base, evaluate_arithmetic(rest[:-1], self), value)
        else:
            self._state.set(name, value)

    def __delitem__(self, name: str) -> None:
        del self._state.variables[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._state.variables)

    def __len__(self) -> int:
        return len(self._state.variables)
