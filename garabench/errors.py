"""The tree of errors.

::

    GaraError
    ├── InputError                   the user's files, options or names are wrong      exit status 2
    │   └── CombinedInputError       several of them, reported together
    ├── DeviceError                  the device cannot do what is required             exit status 3
    │   ├── DeviceUnreachableError   there is no such device, or nothing listens at its address
    │   ├── DeviceUnauthorizedError  the device has not accepted this computer's key
    │   ├── DeviceOfflineError       the adb server lists it, but it does not answer
    │   ├── DeviceLostError          it disappeared during the run
    │   ├── DeviceTimeoutError       a call exceeded its time limit
    │   ├── DeviceBusyError          another run uses it
    │   ├── ScreenLockedError        its screen is locked with a PIN, a pattern or a password
    │   ├── RestoreError             a change could not be undone
    │   ├── CommandError             a command on the device failed
    │   └── TreeUnavailableError     no source returned a usable UI tree
    ├── ModelError                   a model endpoint is unreachable or misbehaves     exit status 3
    │   └── AgentStartError          an agent could not start, so it never took part
    ├── AgentError                   an agent failed after it had started              exit status 1
    ├── BudgetExceededError          the run's budget is used up: nobody's fault       exit status 1
    └── HarnessError                 GaraBench or its host failed (disk full)          exit status 1
        └── RecordError              the run folder cannot be written

Every error names the party at fault. It ends an episode with outcome ``error``, which never counts as a
failure of the agent; only an `AgentError` ends it with outcome ``failure``.
"""

from __future__ import annotations

import enum
from decimal import Decimal
from typing import ClassVar

from garabench.caret import SourcePlace, point_at


class Fault(enum.StrEnum):
    """Party at fault."""

    INPUT = "input"
    DEVICE = "device"
    MODEL = "model"
    AGENT = "agent"
    HARNESS = "harness"


class GaraError(Exception):
    """Base class of all errors that GaraBench raises on purpose.

    The message is one plain sentence that says what is wrong and, where it helps, what to do.

    Attributes:
        usage: Model usage of the agent before the error, a `garabench.core.usage.Usage`, or None.
    """

    fault: ClassVar[Fault] = Fault.HARNESS
    exit_status: ClassVar[int] = 1
    usage: object = None


class InputError(GaraError):
    """The user's input is wrong: a file, an option, a name.

    Attributes:
        place: Place of the mistake if the input is a file, or None.
        hint: What to do about it, such as the nearest valid name; may be empty.
        code: Name of the kind of mistake, as of `garabench.lint.codes`; empty outside of suite files.
    """

    fault = Fault.INPUT
    exit_status = 2

    def __init__(
        self, message: str, *, place: SourcePlace | None = None, hint: str = "", code: str = ""
    ) -> None:
        super().__init__(message)
        self.message = message
        self.place = place
        self.hint = hint
        self.code = code

    def __str__(self) -> str:
        """Render as ``file:line:column: message``, the line with a caret, and the hint."""
        head = f"{self.place}: {self.message}" if self.place else self.message
        parts = [head]
        if self.place and self.place.text:
            parts += [f"  {line}" for line in point_at(self.place)]
        if self.hint:
            parts.append(f"  {self.hint}" if self.place else self.hint)
        return "\n".join(parts)


_COUNTED_FROM = 10
"""Smallest number of mistakes whose count is printed at the end."""


class CombinedInputError(InputError):
    """Several mistakes in the user's input, reported together.

    Attributes:
        errors: All mistakes, at least one, ordered by file, line and column; those without a place come
            first.
    """

    def __init__(self, errors: tuple[InputError, ...]) -> None:
        if not errors:
            raise ValueError("CombinedInputError needs at least one error")
        errors = tuple(sorted(errors, key=_reading_order))
        super().__init__(errors[0].message, place=errors[0].place, hint=errors[0].hint)
        self.errors = errors

    def __str__(self) -> str:
        return "\n".join(filter(None, (*map(str, self.errors), self.count_text)))

    @property
    def count_text(self) -> str:
        """The number of mistakes in words; empty if they are few."""
        return f"{len(self.errors)} mistakes" if len(self.errors) >= _COUNTED_FROM else ""


def _reading_order(error: InputError) -> tuple[str, int, int]:
    place = error.place
    return (place.file, place.line, place.column) if place else ("", 0, 0)


class DeviceError(GaraError):
    """The device cannot do what is required."""

    fault = Fault.DEVICE
    exit_status = 3


class DeviceUnreachableError(DeviceError):
    """There is no such device, or nothing listens at its address."""


class DeviceUnauthorizedError(DeviceError):
    """The device has not accepted this computer's key."""


class DeviceOfflineError(DeviceError):
    """The adb server lists the device, but it does not answer."""


class DeviceLostError(DeviceError):
    """The device disappeared during the run."""


class DeviceTimeoutError(DeviceError):
    """A device call exceeded its time limit."""


class DeviceBusyError(DeviceError):
    """Another run uses the device."""


class ScreenLockedError(DeviceError):
    """The device's screen is locked with a secret, which only its owner can enter."""


class NotReadyError(DeviceError):
    """A run cannot start on a device.

    Attributes:
        problems: Each with the device and what to do.
    """

    def __init__(self, problems: tuple[str, ...]) -> None:
        super().__init__("\n".join(problems))
        self.problems = problems


class RestoreError(DeviceError):
    """A change to a device could not be undone; the message says which, and how to undo it by hand."""


class CommandError(DeviceError):
    """A command on the device failed.

    Attributes:
        argv: The command.
        exit_code: Its exit status, or None if the device does not report one.
        output: Its output.
    """

    def __init__(
        self, message: str, *, argv: tuple[str, ...] = (), exit_code: int | None = None, output: str = ""
    ) -> None:
        super().__init__(message)
        self.argv = argv
        self.exit_code = exit_code
        self.output = output


class TreeUnavailableError(DeviceError):
    """No source returned a usable UI tree; the message names each source and its reason."""


class ModelError(GaraError):
    """A model endpoint is unreachable or misbehaves."""

    fault = Fault.MODEL
    exit_status = 3


class AgentStartError(ModelError):
    """An agent could not start: it is missing, crashes, or speaks another protocol.

    It took part in no episode, so the error says nothing about its ability.
    """


class AgentFault(enum.StrEnum):
    """How an agent failed; recorded as the reason why its episode ended."""

    UNPARSEABLE = "unparseable"
    """Its reply could not be parsed, even after the allowed number of repairs."""
    REFUSED = "refused"
    """Its model refused to answer, or a content filter blocked the answer."""
    TIMEOUT = "agent_timeout"
    """It did not answer before its deadline."""
    FAILED = "agent_failed"
    """Its program raised an exception, exited or crashed during the episode."""


class AgentError(GaraError):
    """An agent failed after it had started: its episode ends with outcome ``failure``, not ``error``.

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
    """GaraBench or its host failed, e.g. the disk is full, or a signal from outside ended an agent."""

    fault = Fault.HARNESS
    exit_status = 1


class BudgetExceededError(GaraError):
    """A run stopped because its budget is used up; it can be resumed with a larger one.

    Attributes:
        cost: Sufficient budget in US dollars if the cost limit was reached, else None.
        tokens: Sufficient number of tokens if the token limit was reached, else None.
        seconds: Sufficient number of seconds if the time was too short for any episode, else None.
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
    """The run folder cannot be written; the run stops, since later results would be lost."""
