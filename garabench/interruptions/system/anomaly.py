"""What a system anomaly is: values alone, from which what is done on a device is worked out."""

from __future__ import annotations

import enum
import re
from collections.abc import Callable
from dataclasses import dataclass

from garabench.core.changes import Argv, Change, Probe, Switch
from garabench.core.interruption import Category, Severity
from garabench.core.names import Texts

_RELEASES = {19: "4.4", 21: "5", 23: "6", 24: "7", 26: "8", 28: "9", 29: "10", 30: "11", 33: "13"}
"""Android's version by the API level that it began with, or that it ended with where that is another one."""


class Kind(enum.StrEnum):
    """Which devices can have an anomaly."""

    ANY = "any"
    EMULATOR = "emulator"
    NOT_OVER_THE_AIR = "not over the air"
    ROOTED = "with `su`"


class Seen(enum.StrEnum):
    """How it is seen that an anomaly is in force, beside its commands' own probes."""

    STATE = "the device's state says so"
    CONFIRMED = "the emulator's console answers OK"
    AT_THE_TOP = "its title is on the tree, in a window of `com.android.systemui`"
    TURNED = "the tree's rotation is the one that was asked for"
    HOME = "`dumpsys window` tells another focus than before: the home screen"
    SWITCHED = "`dumpsys window` tells another focus than before: the other app's activity"
    HALVED = (
        "`am stack list` tells both apps' tasks as visible, beside each other, and the tree has them there"
    )
    ASKED = "`dumpsys window` tells `Application Not Responding: APP`"
    DIED = "`pidof APP` tells another process than before, or none"


class Over(enum.StrEnum):
    """When an anomaly counts as answered."""

    UNDONE = "what it changed was changed back"
    AT_ONCE = "at once: nothing waits for an answer"
    IN_FRONT = "the app is in front, and no dialog of the system over it"


@dataclass(frozen=True, slots=True)
class Parameter:
    """What can be chosen of an anomaly.

    Attributes:
        what: What it is, with its unit.
        default: Unless given.
        form: What a value looks like, as a regular expression of all of it.
    """

    what: str
    default: str
    form: str

    def takes(self, value: str) -> bool:
        """Whether a value can be one."""
        return re.fullmatch(self.form, value, re.ASCII) is not None


@dataclass(frozen=True, slots=True)
class Given:
    """What an anomaly is asked for.

    Attributes:
        app: The task's app.
        value: Of its parameter; empty where it has none.
        language: Of its texts.
        sdk: Android's API level.
    """

    app: str
    value: str
    language: str
    sdk: int


@dataclass(frozen=True, slots=True)
class Event:
    """A command that changes nothing lasting.

    Attributes:
        argv: The command.
        probe: How it is seen that it was done, or None where the command's own end tells.
        expected: What the probe reads then: one of these.
    """

    argv: Argv
    probe: Probe | None = None
    expected: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Requirement:
    """What a device must be like.

    Attributes:
        probe: How that is read.
        expected: What the probe reads then: one of these.
        problem: What is wrong otherwise.
    """

    probe: Probe
    expected: tuple[str, ...]
    problem: str


@dataclass(frozen=True, slots=True)
class Precondition:
    """A change that may be in force already: it is no anomaly by itself."""

    change: Change


@dataclass(frozen=True, slots=True)
class ClockMove:
    """The device's clock set on, or back by a negative number; its undo reckons with the time that passes.

    Attributes:
        seconds: By how many.
    """

    seconds: int


@dataclass(frozen=True, slots=True)
class FieldTap:
    """A tap into the first text field on the screen, which has to be seen to bring something about.

    Attributes:
        brings: What, and how it is seen and taken back; its own way there is the tap.
    """

    brings: Switch


@dataclass(frozen=True, slots=True)
class Aftermath:
    """What the next event can bring about by the way; noted before it, so that it is put back.

    Attributes:
        brings: What, how it is seen and how it is taken back; nothing here leads to it.
    """

    brings: Switch


@dataclass(frozen=True, slots=True)
class Beside:
    """Another app beside the task's own, each with half of the screen; the commands are read on the device.

    Attributes:
        action: Of the intent that brings the other app.
    """

    action: str


@dataclass(frozen=True, slots=True)
class Hang:
    """The app's process stopped, so that it takes no input any more; its id is read on the device."""


Part = Change | Event | Requirement | Precondition | ClockMove | FieldTap | Aftermath | Beside | Hang


@dataclass(frozen=True, slots=True)
class Anomaly:
    """A system anomaly.

    Attributes:
        id: Its name.
        category: What kind of anomaly it is.
        severity: How far it keeps an agent from going on.
        description: What it does, in one line.
        says: What it says to a person.
        parts: What is done, in its order.
        seen: How it is seen to be in force.
        over: When it counts as answered.
        parameter: What can be chosen, or None.
        spans: The API levels that have it: from one to another, or to the newest.
        kind: Which devices can have it.
        leaves: What stays behind though everything is put back; empty for nothing.
    """

    id: str
    category: Category
    severity: Severity
    description: str
    says: Texts
    parts: Callable[[Given], tuple[Part, ...]]
    seen: Seen = Seen.STATE
    over: Over = Over.UNDONE
    parameter: Parameter | None = None
    spans: tuple[tuple[int, int | None], ...] = ((19, None),)
    kind: Kind = Kind.ANY
    leaves: str = ""

    @property
    def versions(self) -> str:
        """Android's versions that have it, for a person."""
        told = []
        for first, last in self.spans:
            since = _RELEASES.get(first, f"API {first}")
            told.append(
                f"{since} and newer" if last is None else f"{since} to {_RELEASES.get(last, f'API {last}')}"
            )
        return ", ".join(told)

    def refusal(self, *, sdk: int, emulator: bool, over_the_air: bool) -> str:
        """Why a device cannot have it, or empty.

        Args:
            sdk: Its API level.
            emulator: Whether it has an emulator's console.
            over_the_air: Whether it is reached by network, which must not go.
        """
        if not any(first <= sdk and (last is None or sdk <= last) for first, last in self.spans):
            return f"{self.id} is there on Android {self.versions}, and this device has API level {sdk}"
        if self.kind is Kind.EMULATOR and not emulator:
            return f"{self.id} needs an emulator's console, and this device has none"
        if self.kind is Kind.NOT_OVER_THE_AIR and over_the_air:
            return f"{self.id} would cut off this device, which is reached by network"
        return ""

    def problem(self, value: str) -> str:
        """What is wrong with a value of its parameter, or empty; an empty value is the default."""
        if not value:
            return ""
        if self.parameter is None:
            return f"{self.id} takes no value"
        if not self.parameter.takes(value):
            return f"{value!r} is no {self.parameter.what}"
        return ""
