"""System anomalies as values: what is done on a device, how it is verified and when it counts as answered."""

from __future__ import annotations

import enum
import re
from collections.abc import Callable
from dataclasses import dataclass

from garabench.core.device_changes import Argv, Change, StateQuery, Switch
from garabench.core.identifiers import Texts
from garabench.core.interruption import Category, Severity

_RELEASES = {19: "4.4", 21: "5", 23: "6", 24: "7", 26: "8", 28: "9", 29: "10", 30: "11", 33: "13"}
"""Android's version by its first API level, or by its last where that is a different one."""


class SupportedDevices(enum.StrEnum):
    """Which devices support an anomaly."""

    ANY = "any"
    EMULATOR = "emulator"
    NOT_OVER_THE_NETWORK = "not over the network"
    ROOTED = "with `su`"


class Verification(enum.StrEnum):
    """How it is verified that an anomaly is in effect, besides the queries of its parts."""

    STATE = "the device's state shows it"
    CONFIRMED = "the emulator's console answers OK"
    HEADS_UP_SHOWN = "its title is on the tree, in a window of `com.android.systemui`"
    ROTATED = "the tree has the requested rotation"
    HOME = "the focus in `dumpsys window` has moved to the home screen"
    APP_SWITCHED = "the focus in `dumpsys window` has moved to the other app's activity"
    SPLIT = (
        "`am stack list` shows both apps' tasks as visible and side by side, and the tree shows them there"
    )
    ANR_DIALOG_SHOWN = "`dumpsys window` shows `Application Not Responding: APP`"
    PROCESS_ENDED = "`pidof APP` prints a different process than before, or none"


class AnsweredWhen(enum.StrEnum):
    """When an anomaly counts as answered."""

    REVERTED = "its change has been reverted"
    IMMEDIATELY = "at once: nothing waits for an answer"
    APP_IN_FOREGROUND = "the app is in the foreground, with no system dialog over it"


@dataclass(frozen=True, slots=True)
class AnomalyParameter:
    """The parameter of an anomaly.

    Attributes:
        meaning: Meaning and unit.
        default: The default value.
        form: A regular expression that a value must match in full.
    """

    meaning: str
    default: str
    form: str

    def is_valid(self, value: str) -> bool:
        """Return whether a value is valid."""
        return re.fullmatch(self.form, value, re.ASCII) is not None


@dataclass(frozen=True, slots=True)
class AnomalyRequest:
    """A request for an anomaly on a device.

    Attributes:
        app: The task's app.
        value: The parameter's value; empty for an anomaly without a parameter.
        language: The language of its texts.
        sdk: Android's API level.
    """

    app: str
    value: str
    language: str
    sdk: int


@dataclass(frozen=True, slots=True)
class TransientCommand:
    """A command that changes nothing lasting.

    Attributes:
        argv: The command.
        query: Verifies its effect; None if the command's exit status is enough.
        expected: The readings of the query that count as done.
    """

    argv: Argv
    query: StateQuery | None = None
    expected: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Requirement:
    """A requirement on the device.

    Attributes:
        query: Reads the state.
        expected: The readings that meet the requirement.
        problem: The message if it is not met.
    """

    query: StateQuery
    expected: tuple[str, ...]
    problem: str


@dataclass(frozen=True, slots=True)
class Precondition:
    """A change that may already be in effect; it is not an anomaly by itself."""

    change: Change


@dataclass(frozen=True, slots=True)
class ClockShift:
    """A shift of the device's clock; its undo takes the elapsed time into account.

    Attributes:
        seconds: The shift; negative to set the clock back.
    """

    seconds: int


@dataclass(frozen=True, slots=True)
class TextFieldTap:
    """A tap on the first text field on the screen.

    Attributes:
        effect: The effect that the tap must have, with its query and its undo.
    """

    effect: Switch


@dataclass(frozen=True, slots=True)
class Aftermath:
    """A possible side effect of the next command, recorded first so that it is undone.

    Attributes:
        effect: The side effect, with its query and its undo.
    """

    effect: Switch


@dataclass(frozen=True, slots=True)
class SplitScreenPart:
    """A split screen with another app; the commands depend on the device.

    Attributes:
        action: Action of the intent that starts the other app.
    """

    action: str


@dataclass(frozen=True, slots=True)
class HangPart:
    """The app's process stopped by a signal, so that it no longer handles input."""


@dataclass(frozen=True, slots=True)
class AppLaunch:
    """The app opened as its icon does."""


Part = (
    Change
    | TransientCommand
    | Requirement
    | Precondition
    | ClockShift
    | TextFieldTap
    | Aftermath
    | SplitScreenPart
    | HangPart
    | AppLaunch
)


@dataclass(frozen=True, slots=True)
class Anomaly:
    """A system anomaly.

    Attributes:
        id: Its id.
        category: Its category.
        severity: How much it hinders an agent.
        description: Description in one line.
        notice: What the user notices, by language.
        parts: Returns its parts, in order.
        verification: How it is verified to be in effect.
        answered_when: When it counts as answered.
        parameter: Its parameter, or None.
        sdk_ranges: The ranges of API levels that support it; None for the newest.
        devices: Which devices support it.
        leaves: What stays behind although every change is undone; empty for nothing.
    """

    id: str
    category: Category
    severity: Severity
    description: str
    notice: Texts
    parts: Callable[[AnomalyRequest], tuple[Part, ...]]
    verification: Verification = Verification.STATE
    answered_when: AnsweredWhen = AnsweredWhen.REVERTED
    parameter: AnomalyParameter | None = None
    sdk_ranges: tuple[tuple[int, int | None], ...] = ((19, None),)
    devices: SupportedDevices = SupportedDevices.ANY
    leaves: str = ""

    @property
    def versions(self) -> str:
        """The Android versions that support it, in words."""
        versions = []
        for first, last in self.sdk_ranges:
            since = _RELEASES.get(first, f"API {first}")
            versions.append(
                f"{since} and newer" if last is None else f"{since} to {_RELEASES.get(last, f'API {last}')}"
            )
        return ", ".join(versions)

    def unsupported_reason(self, *, sdk: int, emulator: bool, over_network: bool) -> str:
        """Return why a device does not support it, or empty.

        Args:
            sdk: The device's API level.
            emulator: Whether the device has an emulator's console.
            over_network: Whether adb reaches the device over the network.
        """
        if not any(first <= sdk and (last is None or sdk <= last) for first, last in self.sdk_ranges):
            return f"{self.id} requires Android {self.versions}; this device has API level {sdk}"
        if self.devices is SupportedDevices.EMULATOR and not emulator:
            return f"{self.id} requires an emulator's console; this device has none"
        if self.devices is SupportedDevices.NOT_OVER_THE_NETWORK and over_network:
            return f"{self.id} would disconnect this device, which adb reaches over the network"
        return ""

    def value_problem(self, value: str) -> str:
        """Return what is wrong with a value of its parameter, or empty; an empty value means the default."""
        if not value:
            return ""
        if self.parameter is None:
            return f"{self.id} takes no value"
        if not self.parameter.is_valid(value):
            return f"{value!r} is not a valid {self.parameter.meaning}"
        return ""
