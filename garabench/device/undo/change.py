"""Changes of a device that can be undone, and performing them: read, note, change, see that it is so.

Each kind reads the state before it changes anything; what it reads decides how it is put back.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal

from garabench.device import console
from garabench.device.adb import Adb
from garabench.device.undo.entry import Argv, Entry, Probe, Scope
from garabench.device.undo.journal import Journal
from garabench.errors import CommandFailed

_FIRST_SDK_THAT_DELETES = 21
_LOOKS = 8
_PAUSE_S = 0.25
Namespace = Literal["system", "secure", "global"]


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


def read(adb: Adb, probe: Probe) -> str:
    """What a probe reads.

    Raises:
        DeviceError: The device is gone, or its console refused.
    """
    return probe.read(console.run(adb, probe.argv).output)


def read_until(adb: Adb, probe: Probe, holds: Callable[[str], bool]) -> str:
    """What a probe reads once that holds, or what it still reads when it has not come to hold.

    Radios and settings follow a command a moment later on real phones.

    Raises:
        DeviceError: As `read`.
    """
    reading = read(adb, probe)
    for _ in range(_LOOKS):
        if holds(reading):
            break
        adb.clock.sleep(_PAUSE_S)
        reading = read(adb, probe)
    return reading


def note(adb: Adb, journal: Journal, change: Change, *, sdk: int, why: str, scope: Scope) -> str:
    """Read a state and have it in the journal; what was read.

    Raises:
        CommandFailed: It cannot be read, or not be gone back to.
        HarnessError: The journal cannot be written.
    """
    reading = read(adb, change.probe)
    back, expected = change.back(reading, sdk)
    journal.open(Entry(change.what, why, scope, back, change.probe, expected))
    return reading


def apply(
    adb: Adb, journal: Journal, change: Change, *, sdk: int, why: str, scope: Scope = Scope.EPISODE
) -> bool:
    """Change something so that it can be undone.

    Args:
        adb: The device.
        journal: Its journal.
        change: What is changed.
        sdk: Android's API level.
        why: What for.
        scope: How long it lasts.

    Returns:
        Whether it was changed; False when it was so already, which leaves nothing to undo.

    Raises:
        CommandFailed: It is not seen to be changed, or could not be put back.
        DeviceError: The device is gone.
        HarnessError: The journal cannot be written.
    """
    if change.is_so(read(adb, change.probe)):
        return False
    note(adb, journal, change, sdk=sdk, why=why, scope=scope)
    results = [console.run(adb, argv) for argv in change.on]
    after = read_until(adb, change.probe, change.is_so)
    if not change.is_so(after):
        output = "".join(result.output for result in results)
        said = output.strip().splitlines()[-1:] or [f"it reads {after!r}"]
        raise CommandFailed(
            f"{change.what} was not changed by {' '.join(change.on[0])!r}: {said[0]}",
            argv=change.on[0],
            exit_code=results[-1].exit_code,
            output=output,
        )
    return True
