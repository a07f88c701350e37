"""Reversible changes of a device as values: a query, the commands of the change, and those of its undo.

The reading before a change decides how it is undone. Nothing here touches a device.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from garabench.errors import CommandError

Argv = tuple[str, ...]
Namespace = Literal["system", "secure", "global"]

CONSOLE = "emu"
"""First word of a command for an emulator's console (``adb emu``); other commands are for the shell."""

_FIRST_SDK_THAT_DELETES = 21
_WORD = re.compile(r"[^\s,;()\[\]{}]*")


@dataclass(frozen=True, slots=True)
class StateQuery:
    """Reads a state of the device.

    Attributes:
        argv: The command.
        after: The text before the state in the output; empty if the whole output is the state.
        upto: The text that ends the state; default: white space, a comma, a semicolon or a bracket.
    """

    argv: Argv
    after: str = ""
    upto: str = ""

    def read(self, output: str) -> str:
        """Return the state in an output; empty if it is not there."""
        if not self.after:
            return output.strip()
        _, found, rest = output.partition(self.after)
        if self.upto:
            return rest.partition("\n")[0].partition(self.upto)[0].strip()
        match = _WORD.match(rest.lstrip(" ")) if found else None
        return match.group() if match else ""


@dataclass(frozen=True, slots=True)
class Setting:
    """A changed setting; its undo restores the previous value, or deletes the setting.

    Attributes:
        namespace: One of the three tables of settings.
        key, value: Key and new value.
        unset: The value that Android assumes while the setting is not set; empty if unknown.
    """

    namespace: Namespace
    key: str
    value: str
    unset: str = ""

    @property
    def subject(self) -> str:
        """What is changed."""
        return f"the setting {self.namespace}/{self.key}"

    @property
    def query(self) -> StateQuery:
        """Reads the setting; Android prints ``null`` if it is not set."""
        return StateQuery(("settings", "get", self.namespace, self.key))

    @property
    def commands(self) -> tuple[Argv, ...]:
        """The commands that change it."""
        return (("settings", "put", self.namespace, self.key, self.value),)

    def is_in_effect(self, reading: str) -> bool:
        """Return whether a reading is the target state."""
        return reading == self.value.strip() or (reading == "null" and self.unset == self.value != "")

    def undo(self, reading: str, sdk: int) -> tuple[tuple[Argv, ...], tuple[str, ...]]:
        """Return the commands that restore the state that was read, and the readings that verify it."""
        if reading != "null":
            return (("settings", "put", self.namespace, self.key, reading),), (reading,)
        if sdk >= _FIRST_SDK_THAT_DELETES:
            return (("settings", "delete", self.namespace, self.key),), ("null",)
        table = f"content://settings/{self.namespace}"
        return (("content", "delete", "--uri", table, "--where", f"name='{self.key}'"),), ("null",)


@dataclass(frozen=True, slots=True)
class SwitchState:
    """A state of a switch.

    Attributes:
        readings: The query's readings in this state; the first one is used in texts.
        argv: The command that enters it; empty for a state that cannot be restored.
        then: Commands after it.
    """

    readings: tuple[str, ...]
    argv: Argv = ()
    then: tuple[Argv, ...] = ()

    @property
    def commands(self) -> tuple[Argv, ...]:
        """All commands that enter the state."""
        return (self.argv, *self.then) if self.argv else ()


@dataclass(frozen=True, slots=True)
class Switch:
    """A switch between named states.

    Attributes:
        subject: What is switched, in words.
        query: Reads the state.
        states: The possible states, by name.
        to: Name of the target state.
        unknown: The message for an unknown state.
    """

    subject: str
    query: StateQuery
    states: Mapping[str, SwitchState]
    to: str
    unknown: str = "its state cannot be read"

    @property
    def commands(self) -> tuple[Argv, ...]:
        """The commands that switch it."""
        return self.states[self.to].commands

    def is_in_effect(self, reading: str) -> bool:
        """Return whether a reading is the target state."""
        return reading in self.states[self.to].readings

    def undo(self, reading: str, sdk: int) -> tuple[tuple[Argv, ...], tuple[str, ...]]:
        """Return the commands that restore the state that was read, and the readings that verify it.

        Raises:
            CommandError: It is in a state that cannot be restored.
        """
        for name, state in self.states.items():
            if reading in state.readings:
                if not state.argv:
                    raise CommandError(f"{self.subject} is {name}, which could not be restored")
                return state.commands, state.readings
        raise CommandError(f"{self.subject}: {self.unknown}")


@dataclass(frozen=True, slots=True)
class Choice:
    """A state with an arbitrary value, which the same command changes and restores.

    Attributes:
        subject: What is changed, in words.
        query: Reads the value.
        argv: The command, to which the value is appended.
        value: The new value.
    """

    subject: str
    query: StateQuery
    argv: Argv
    value: str

    @property
    def commands(self) -> tuple[Argv, ...]:
        """The commands that choose it."""
        return ((*self.argv, self.value),)

    def is_in_effect(self, reading: str) -> bool:
        """Return whether a reading is the target state."""
        return reading == self.value

    def undo(self, reading: str, sdk: int) -> tuple[tuple[Argv, ...], tuple[str, ...]]:
        """Return the commands that restore the state that was read, and the readings that verify it.

        Raises:
            CommandError: Nothing was read.
        """
        if not reading:
            raise CommandError(f"{self.subject} cannot be read, so it could not be restored")
        return ((*self.argv, reading),), (reading,)


Change = Setting | Switch | Choice
