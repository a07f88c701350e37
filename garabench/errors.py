"""The tree of errors.

::

    GaraError
    ├── InputError                   the user's files, options or names are wrong      exit status 2
    │   └── CombinedInputError       several of them, reported together
    ├── DeviceError                  the device cannot do what was asked               exit status 3
    │   ├── DeviceUnreachableError   no such device, or nothing listens at its address
    │   ├── DeviceUnauthorizedError  the device has not accepted this computer's key
    │   ├── DeviceOfflineError       the adb server lists it, but it does not answer
    │   ├── DeviceLostError          it disappeared during the run
    │   ├── DeviceTimeoutError       a call exceeded its time limit
    │   ├── DeviceBusyError          another run uses it
    │   ├── RestoreError             a change could not be undone
    │   ├── CommandError             a command on the device failed
    │   └── TreeUnavailableError     no source returned a usable UI tree
    ├── ModelError                   a model endpoint is unreachable or misbehaves     exit status 3
    │   └── AgentStartError          an agent could not start, so it never took part
    ├── AgentError                   an agent failed after it had started              exit status 1
    ├── BudgetExceededError          the run's budget is used up: nobody's fault       exit status 1
    └── HarnessError                 GaraBench or its host failed (disk full)          exit status 1
        └── RecordError              the run directory cannot be written

Every error names the party at fault. An episode that meets one ends with outcome ``error`` and never counts
as a failure of the agent. Only an `AgentError` does.
"""

from __future__ import annotations

import enum
import unicodedata
from dataclasses import dataclass
from decimal import Decimal
from typing import ClassVar


class Fault(enum.StrEnum):
    """Who is at fault when something goes wrong."""

    INPUT = "input"
    DEVICE = "device"
    MODEL = "model"
    AGENT = "agent"
    HARNESS = "harness"


class GaraError(Exception):
    """Base of every error that GaraBench raises on purpose.

    The message is one plain sentence that says what is wrong and, where it helps, what to do.

    Attributes:
        usage: The `garabench.core.usage.Usage` of an agent's model before the error, or None.
    """

    fault: ClassVar[Fault] = Fault.HARNESS
    exit_status: ClassVar[int] = 1
    usage: object = None


@dataclass(frozen=True, slots=True)
class SourcePlace:
    """A place in a file that a person wrote.

    Attributes:
        file: Path as the user knows it.
        line: Line number from 1.
        column: Column number from 1, in characters.
        text: The whole line, without its end.
    """

    file: str
    line: int
    column: int
    text: str = ""

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}"


class InputError(GaraError):
    """The user's input is wrong: a file, an option, a name.

    Attributes:
        place: Where, when the input is a file.
        hint: What to do about it, such as the nearest valid name.
    """

    fault = Fault.INPUT
    exit_status = 2

    def __init__(self, message: str, *, place: SourcePlace | None = None, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.place = place
        self.hint = hint

    def __str__(self) -> str:
        """Render as ``file:line:column: message``, the line with a caret, and the hint."""
        head = f"{self.place}: {self.message}" if self.place else self.message
        parts = [head]
        if self.place and self.place.text:
            before, after = _around(self.place)
            parts += [f"  {before}{after}", f"  {_blank(before)}^"]
        if self.hint:
            parts.append(f"  {self.hint}" if self.place else self.hint)
        return "\n".join(parts)


_MOST_OF_A_LINE = 200
"""Most characters of a line in a message: a file may be one line of two million."""


def _around(place: SourcePlace) -> tuple[str, str]:
    """A place's line before and from its column; of a long one only what is near."""
    text, at = place.text, place.column - 1
    if len(text) <= _MOST_OF_A_LINE:
        return text[:at], text[at:]
    first, end = max(0, at - _MOST_OF_A_LINE // 2), at + _MOST_OF_A_LINE // 2
    return ("…" if first else "") + text[first:at], text[at:end] + ("…" if end < len(text) else "")


def _blank(text: str) -> str:
    """White space as wide as a text is on a terminal: a tab for a tab, two columns for a Chinese letter."""
    return "".join("\t" if letter == "\t" else " " * _columns(letter) for letter in text)


def _columns(letter: str) -> int:
    if unicodedata.combining(letter) or unicodedata.category(letter) == "Cf":
        return 0
    return 2 if unicodedata.east_asian_width(letter) in ("W", "F") else 1


_COUNTED_FROM = 10
"""From this number of mistakes on, their count is printed at the end."""


class CombinedInputError(InputError):
    """Several mistakes in the user's input, reported together: all of them, however many.

    Attributes:
        errors: The mistakes in the order of files, lines and columns; those without a place come first.
            Never empty.
    """

    def __init__(self, errors: tuple[InputError, ...]) -> None:
        if not errors:
            raise ValueError("CombinedInputError needs at least one error")
        errors = tuple(sorted(errors, key=_reading_order))
        super().__init__(errors[0].message, place=errors[0].place, hint=errors[0].hint)
        self.errors = errors

    def __str__(self) -> str:
        told = [str(error) for error in self.errors]
        if len(told) >= _COUNTED_FROM:
            told.append(f"{len(told)} mistakes")
        return "\n".join(told)


def _reading_order(error: InputError) -> tuple[str, int, int]:
    place = error.place
    return (place.file, place.line, place.column) if place else ("", 0, 0)


class DeviceError(GaraError):
    """The device cannot do what was asked."""

    fault = Fault.DEVICE
    exit_status = 3


class DeviceUnreachableError(DeviceError):
    """No such device, or nobody listens at its address."""


class DeviceUnauthorizedError(DeviceError):
    """The device has not accepted this computer's key."""


class DeviceOfflineError(DeviceError):
    """The adb server lists the device, and it does not answer."""


class DeviceLostError(DeviceError):
    """The device was there and vanished in the middle."""


class DeviceTimeoutError(DeviceError):
    """A device call passed its time limit."""


class DeviceBusyError(DeviceError):
    """Another run has the device."""


class RestoreError(DeviceError):
    """A change to a device could not be undone; the message says which, and how to undo it by hand."""


class CommandError(DeviceError):
    """A device command ended with an error.

    Attributes:
        argv: The command.
        exit_code: Its exit status, or None where the device does not report one.
        output: What it printed.
    """

    def __init__(
        self, message: str, *, argv: tuple[str, ...] = (), exit_code: int | None = None, output: str = ""
    ) -> None:
        super().__init__(message)
        self.argv = argv
        self.exit_code = exit_code
        self.output = output


class TreeUnavailableError(DeviceError):
    """No source gave a usable UI tree; the message names each source and its reason."""


class ModelError(GaraError):
    """A model's service cannot be reached or misbehaves."""

    fault = Fault.MODEL
    exit_status = 3


class AgentStartError(ModelError):
    """An agent could not start: it is missing, fails to start, or speaks another protocol.

    It took no part in an episode, so nothing can be concluded about it.
    """


class AgentFault(enum.StrEnum):
    """How an agent failed by itself; the reason in its episode's end."""

    UNPARSEABLE = "unparseable"
    """Its reply could not be parsed, even after the allowed repairs."""
    REFUSED = "refused"
    """Its model refused to answer, or a content filter blocked the answer."""
    TIMEOUT = "agent_timeout"
    """It did not answer before its deadline."""
    FAILED = "agent_failed"
    """Its program raised an exception or ended in the middle of the episode."""


class AgentError(GaraError):
    """An agent took part and failed by itself: its episode ends as ``failure``, not as ``error``.

    Attributes:
        kind: How it failed.
    """

    fault = Fault.AGENT
    exit_status = 1

    def __init__(self, kind: AgentFault, message: str) -> None:
        """Create the error.

        Args:
            kind: How the agent failed.
            message: One plain sentence that says what the agent did.
        """
        super().__init__(message)
        self.kind = kind


class HarnessError(GaraError):
    """Our own fault, or the host's (a full disk, a missing program)."""

    fault = Fault.HARNESS
    exit_status = 1


class BudgetExceededError(GaraError):
    """A run stopped because its budget is used up. It can be resumed.

    Attributes:
        cost: A budget in US dollars that suffices to resume, where the cost limit was reached.
        tokens: A sufficient budget of tokens, where the token limit was reached.
        seconds: A sufficient budget of seconds, where the time was too short for any episode.
    """

    exit_status = 1

    def __init__(
        self,
        message: str,
        *,
        cost: Decimal | None = None,
        tokens: int | None = None,
        seconds: float | None = None,
    ) -> None:
        super().__init__(message)
        self.cost = cost
        self.tokens = tokens
        self.seconds = seconds


class RecordError(HarnessError):
    """The record cannot be written: the run stops, since later results would be lost."""
