"""The state of a shell: variables, functions, options, working directory."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable, Iterator, MutableMapping, Sequence
from dataclasses import dataclass, field

from garabench.virtual.shell import nodes as n
from garabench.virtual.shell.arithmetic import ShellArithmeticError, evaluate_arithmetic
from garabench.virtual.shell.attributes import Attributes, formatted

KSH_VERSION = "@(#)MIRBSD KSH R59 2020/10/31 Android"
MAX_INDEX = 100_000
"""Largest index of an array; mksh allows more."""
_RANDOM_RANGE = 1 << 15
DEFAULT_ALIASES = {
    "autoload": "\\\\builtin typeset -fu",
    "functions": "\\\\builtin typeset -f",
    "hash": "\\\\builtin alias -t",
    "history": "\\\\builtin fc -l",
    "integer": "\\\\builtin typeset -i",
    "local": "\\\\builtin typeset",
    "login": "\\\\builtin exec login",
    "nameref": "\\\\builtin typeset -n",
    "nohup": "nohup ",
    "r": "\\\\builtin fc -e -",
    "type": "\\\\builtin whence -v",
}
"""The aliases of a new shell (``mksh.1``: Aliases)."""
_MAX_REFERENCES = 8
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


@dataclass(frozen=True, slots=True)
class SavedVariable:
    """A variable as it was before a function made a local one of its name.

    Attributes:
        value: Its value, or None if it was not set.
        elements: The elements of its array from index 1 on.
        attributes: Its attributes, or None.
        reference: The name it stood for as a nameref, or None.
        exported: Whether it was exported.
        read_only: Whether it was read-only.
    """

    value: str | None
    elements: dict[int, str] | None
    attributes: Attributes | None
    reference: str | None
    exported: bool
    read_only: bool


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
        attributes: The attributes that ``typeset`` gave variables.
        references: The name that each nameref stands for.
        scopes: For each function call, what its local variables were before it.
        definitions: The text of each function, as it was typed.
        job_texts: The text of each background job by pid.
        pipe_status: The exit statuses of the last pipeline.
        option_place: Position within an argument of grouped options, for ``getopts``.
        mask: The file mode mask.
        started: Value of the clock when the shell started, in seconds.
        seconds: Returns the clock's value in seconds, for ``$SECONDS``.
        options: The letters set, of ``e``, ``x``, ``u``, ``f``, ``C``; ``pipefail`` by its name.
        cwd: The working directory.
        status: ``$?``.
        pid: ``$$``.
        parent: ``$PPID``: adbd.
        last_job: ``$!``.
        depth: Nesting of functions and subshells.
        children: Background jobs it has started.
    """

    variables: dict[str, str] = field(default_factory=dict)
    arrays: dict[str, dict[int, str]] = field(default_factory=dict)
    aliases: dict[str, str] = field(default_factory=lambda: dict(DEFAULT_ALIASES))
    attributes: dict[str, Attributes] = field(default_factory=dict)
    references: dict[str, str] = field(default_factory=dict)
    scopes: list[dict[str, SavedVariable]] = field(default_factory=list)
    pipe_status: list[int] = field(default_factory=lambda: [0])
    definitions: dict[str, str] = field(default_factory=dict)
    job_texts: dict[int, str] = field(default_factory=dict)
    option_place: int = 0
    mask: int = 0
    seconds: Callable[[], float] = field(default=lambda: 0.0)
    started: float = 0.0
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
    parent: int = 420
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
            attributes=dict(self.attributes),
            references=dict(self.references),
            scopes=[dict(scope) for scope in self.scopes],
            pipe_status=list(self.pipe_status),
            option_place=self.option_place,
            mask=self.mask,
            definitions=dict(self.definitions),
            job_texts=dict(self.job_texts),
            seconds=self.seconds,
            started=self.started,
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
            parent=self.parent,
            last_job=self.last_job,
            depth=self.depth + 1,
        )

    def set(self, name: str, value: str) -> None:
        """Set a variable.

        Raises:
            ShellError: It is read-only, or an integer whose value does not parse.
        """
        name = self.target(name)
        if "[" in name:
            base, _, subscript = name.partition("[")
            self.set_element(base, int(subscript.removesuffix("]") or 0), value)
            return
        if name in self.read_only:
            raise ShellError(f"read-only: {name}")
        if name == "RANDOM":
            self.randomness = random.Random(value)  # noqa: S311 - a seed, as in mksh
            return
        if name == "SECONDS":
            self.started = self.seconds() - (int(value) if value.isdecimal() else 0)
            return
        if name == "OPTIND":
            self.option_place = 0
        self.variables[name] = self._formatted(name, value)

    def _formatted(self, name: str, value: str) -> str:
        """Return a value as the variable's attributes print it."""
        attributes = self.attributes.get(name)
        if attributes is None:
            return value
        try:
            return formatted(value, attributes, lambda text: evaluate_arithmetic(text, Variables(self)))
        except ShellArithmeticError as problem:
            raise ShellError(str(problem)) from problem

    def target(self, name: str) -> str:
        """Return the variable that a name stands for: its own, or that of a nameref."""
        for _ in range(_MAX_REFERENCES):
            if name not in self.references:
                break
            name = self.references[name]
        return name

    def make_local(self, name: str) -> None:
        """Start a local variable of the running function; outside of functions it does nothing."""
        if not self.scopes or name in self.scopes[-1]:
            return
        self.scopes[-1][name] = SavedVariable(
            self.variables.get(name),
            self.arrays.get(name),
            self.attributes.get(name),
            self.references.get(name),
            name in self.exported,
            name in self.read_only,
        )
        self.unset(name)
        self.read_only.discard(name)

    def leave_function(self) -> None:
        """End the local variables of the running function."""
        for name, saved in self.scopes.pop().items():
            self.unset(name)
            self.read_only.discard(name)
            if saved.value is not None:
                self.variables[name] = saved.value
            if saved.elements is not None:
                self.arrays[name] = saved.elements
            if saved.attributes is not None:
                self.attributes[name] = saved.attributes
            if saved.reference is not None:
                self.references[name] = saved.reference
            if saved.exported:
                self.exported.add(name)
            if saved.read_only:
                self.read_only.add(name)

    def elements(self, name: str) -> dict[int, str]:
        """Return the elements of an array by index; a plain variable is element 0."""
        name = self.target(name)
        if name == "PIPESTATUS":
            return dict(enumerate(map(str, self.pipe_status)))
        first = {0: self.variables[name]} if name in self.variables else {}
        return {**first, **dict(sorted(self.arrays.get(name, {}).items()))}

    def element(self, name: str, index: int) -> str | None:
        """Return an element of an array, or None."""
        name = self.target(name)
        if name == "PIPESTATUS":
            return self.elements(name).get(index)
        return self.parameter(name) if index == 0 else self.arrays.get(name, {}).get(index)

    def set_element(self, name: str, index: int, value: str) -> None:
        """Set an element of an array.

        Raises:
            ShellError: The variable is read-only, or the index is negative or too large.
        """
        name = self.target(name)
        if not 0 <= index <= MAX_INDEX:
            raise ShellError(f"{name}[{index}]: bad subscript")
        if index == 0:
            self.set(name, value)
            return
        if name in self.read_only:
            raise ShellError(f"read-only: {name}")
        self.arrays.setdefault(name, {})[index] = self._formatted(name, value)

    def set_array(
        self, name: str, values: Sequence[str], *, appends: bool = False, overlays: bool = False
    ) -> None:
        """Set all elements of an array, append some, or replace the first ones (`overlays`).

        Raises:
            ShellError: The variable is read-only.
        """
        start = max(self.elements(name), default=-1) + 1 if appends else 0
        if name in self.read_only:
            raise ShellError(f"read-only: {name}")
        name = self.target(name)
        if not appends and not overlays:
            self.variables.pop(name, None)
            self.arrays.pop(name, None)
        for index, value in enumerate(values, start):
            self.set_element(name, index, value)

    def unset(self, name: str) -> None:
        """Remove a variable, with all its elements and attributes."""
        self.variables.pop(name, None)
        self.arrays.pop(name, None)
        self.attributes.pop(name, None)
        self.references.pop(name, None)
        self.exported.discard(name)

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
                return "".join(sorted(each for each in self.options if len(each) == 1))
            case "@" | "*":
                return " ".join(self.arguments) if self.arguments else None
            case "0":
                return self.name
            case "RANDOM":
                return str(self.randomness.randrange(_RANDOM_RANGE))
            case "KSH_VERSION":
                return self.variables.get(name, KSH_VERSION)
            case "PPID":
                return str(self.parent)
            case "USER_ID":
                return "2000"
            case "SECONDS":
                return str(int(self.seconds() - self.started))
            case "PIPESTATUS":
                return str(self.pipe_status[0])
            case "LINENO":
                return self.variables.get(name, "1")
        if name.isdecimal():
            index = int(name)
            return self.arguments[index - 1] if index <= len(self.arguments) else None
        name = self.target(name)
        if "[" in name:
            base, _, subscript = name.partition("[")
            return self.element(base, int(subscript.removesuffix("]") or 0))
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
