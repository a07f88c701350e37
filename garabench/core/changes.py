"""Changes of a device that can be undone, as values: what is read before, what changes it, what puts it back.

What was read decides how it is put back. Nothing here touches a device.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from garabench.errors import CommandFailed

Argv = tuple[str, ...]
Namespace = Literal["system", "secure", "global"]

CONSOLE = "emu"
"""First word of a command for an emulator's console, as in ``adb emu``; any other is the device's shell's."""

_FIRST_SDK_THAT_DELETES = 21
_WORD = re.compile(r"[^\s,;()\[\]{}]*")


@dataclass(frozen=True, slots=True)
class Probe:
    """How a state of the device is read.

    Attributes:
        argv: The command.
        after: What stands before the word that tells the state; empty when the whole output is it.
        upto: What ends that word, of one that has brackets or commas in it; the usual ends unless given.
    """

    argv: Argv
    after: str = ""
    upto: str = ""

    def read(self, output: str) -> str:
        """The state that an output tells; empty when it says nothing of it."""
        if not self.after:
            return output.strip()
        _, found, rest = output.partition(self.after)
        if self.upto:
            return rest.partition("\n")[0].partition(self.upto)[0].strip()
        match = _WORD.match(rest.lstrip(" ")) if found else None
        return match.group() if match else ""


@dataclass(frozen=True, slots=True)
class Setting:
    """A setting that gets another value; put back is the value that it had, or that it had none.

    Attributes:
        namespace: Which of the three tables.
        key, value: What is written.
    """

    namespace: Namespace
    key: str
    value: str

    @property
    def what(self) -> str:
        """What is changed."""
        return f"the setting {self.namespace}/{self.key}"

    @property
    def probe(self) -> Probe:
        """How it is read; Android prints ``null`` for one that is not set."""
        return Probe(("settings", "get", self.namespace, self.key))

    @property
    def on(self) -> tuple[Argv, ...]:
        """The commands that change it."""
        return (("settings", "put", self.namespace, self.key, self.value),)

    def is_so(self, reading: str) -> bool:
        """Whether a reading is what it is to be."""
        return reading == self.value.strip()

    def back(self, reading: str, sdk: int) -> tuple[tuple[Argv, ...], tuple[str, ...]]:
        """The way back to what was read, and what is read then."""
        if reading != "null":
            return (("settings", "put", self.namespace, self.key, reading),), (reading,)
        if sdk >= _FIRST_SDK_THAT_DELETES:
            return (("settings", "delete", self.namespace, self.key),), ("null",)
        table = f"content://settings/{self.namespace}"
        return (("content", "delete", "--uri", table, "--where", f"name='{self.key}'"),), ("null",)


@dataclass(frozen=True, slots=True)
class State:
    """A state of a switch.

    Attributes:
        readings: What the probe reads in it; the first one for a person.
        argv: The command that leads to it; empty for one that cannot be gone back to.
        then: What follows the command.
    """

    readings: tuple[str, ...]
    argv: Argv = ()
    then: tuple[Argv, ...] = ()

    @property
    def way(self) -> tuple[Argv, ...]:
        """All commands that lead to it."""
        return (self.argv, *self.then) if self.argv else ()


@dataclass(frozen=True, slots=True)
class Switch:
    """A state that commands switch, and another one tells.

    Attributes:
        what: What is switched, in words.
        probe: How it is read.
        states: Those that it can be in, by name.
        to: The name of the one that is wanted.
        unknown: What is wrong when it is in none of them.
    """

    what: str
    probe: Probe
    states: Mapping[str, State]
    to: str
    unknown: str = "its state cannot be read"

    @property
    def on(self) -> tuple[Argv, ...]:
        """The commands that switch it."""
        return self.states[self.to].way

    def is_so(self, reading: str) -> bool:
        """Whether a reading is what it is to be."""
        return reading in self.states[self.to].readings

    def back(self, reading: str, sdk: int) -> tuple[tuple[Argv, ...], tuple[str, ...]]:
        """The way back to what was read, and what is read then.

        Raises:
            CommandFailed: It is in a state that cannot be gone back to.
        """
        for name, state in self.states.items():
            if reading in state.readings:
                if not state.argv:
                    raise CommandFailed(f"{self.what} is {name}, which could not be put back")
                return state.way, state.readings
        raise CommandFailed(f"{self.what}: {self.unknown}")


@dataclass(frozen=True, slots=True)
class Choice:
    """A state with any value, which the same command writes and puts back.

    Attributes:
        what: What is chosen, in words.
        probe: How it is read.
        argv: The command, to which the value is added.
        value: What is chosen.
    """

    what: str
    probe: Probe
    argv: Argv
    value: str

    @property
    def on(self) -> tuple[Argv, ...]:
        """The commands that choose it."""
        return ((*self.argv, self.value),)

    def is_so(self, reading: str) -> bool:
        """Whether a reading is what it is to be."""
        return reading == self.value

    def back(self, reading: str, sdk: int) -> tuple[tuple[Argv, ...], tuple[str, ...]]:
        """The way back to what was read, and what is read then.

        Raises:
            CommandFailed: Nothing was read.
        """
        if not reading:
            raise CommandFailed(f"{self.what} cannot be read, and so not be put back")
        return ((*self.argv, reading),), (reading,)


Change = Setting | Switch | Choice
