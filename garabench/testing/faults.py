"""Faults of a fake model server, and which requests meet them."""

from __future__ import annotations

import enum
import re
from collections.abc import Iterable
from dataclasses import dataclass

from garabench.core.identifiers import did_you_mean
from garabench.errors import InputError

_SPEC = re.compile(r"(?P<kind>[a-z0-9-]+)(=(?P<value>[0-9.]+))?@(?P<which>.+)")
_WHICH = re.compile(r"(?P<first>[1-9]\d{0,8})(?P<on>\+|-(?P<last>[1-9]\d{0,8}))?")


class FaultKind(enum.StrEnum):
    """How a request fails."""

    HANG = "hang"
    CLOSE = "close"
    CUT = "cut"
    SLOW = "slow"
    MALFORMED = "malformed"
    WRONG_TYPES = "wrong-types"
    HUGE = "huge"
    NO_CHOICE = "no-choice"
    EMPTY = "empty"
    FILTER = "filter"
    REFUSAL = "refusal"
    LENGTH = "length"
    NONSENSE = "nonsense"
    RATE_LIMIT = "429"
    ERROR = "500"
    BAD_GATEWAY = "502"
    OVERLOADED = "503"


ABOUT: dict[FaultKind, str] = {
    FaultKind.HANG: "the request is read and never answered",
    FaultKind.CLOSE: "the connection is closed without an answer",
    FaultKind.CUT: "the answer breaks off in the middle, and the connection is closed",
    FaultKind.SLOW: "the answer comes in 50 parts, VALUE seconds apart (0.1)",
    FaultKind.MALFORMED: "the answer is JSON that breaks off",
    FaultKind.WRONG_TYPES: "the answer is JSON in which texts stand for lists and numbers for texts",
    FaultKind.HUGE: "the answer has VALUE megabytes (10)",
    FaultKind.NO_CHOICE: "the answer has no choice",
    FaultKind.EMPTY: "the answer's one choice is empty",
    FaultKind.FILTER: "the answer was stopped by a content filter",
    FaultKind.REFUSAL: "the model refuses",
    FaultKind.LENGTH: "the reply is cut off at half its length by the limit of tokens",
    FaultKind.NONSENSE: "the reply holds no action in any dialect",
    FaultKind.RATE_LIMIT: "too many requests, with Retry-After of VALUE seconds (1)",
    FaultKind.ERROR: "an internal error of the server",
    FaultKind.BAD_GATEWAY: "a bad gateway, whose page is HTML",
    FaultKind.OVERLOADED: "overloaded, with Retry-After of VALUE seconds (1)",
}

DEFAULT_VALUES: dict[FaultKind, float] = {
    FaultKind.SLOW: 0.1,
    FaultKind.HUGE: 10,
    FaultKind.RATE_LIMIT: 1,
    FaultKind.OVERLOADED: 1,
}
"""The values of those faults that have one."""


@dataclass(frozen=True, slots=True)
class PlannedFault:
    """A fault and the requests that meet it.

    Attributes:
        kind: How they fail.
        first, last: Numbers of requests, from 1; `last` is None for all from the first on.
        value: As `ABOUT` says; None: as usual.
    """

    kind: FaultKind
    first: int = 1
    last: int | None = None
    value: float | None = None

    def __post_init__(self) -> None:
        if self.first < 1 or (self.last is not None and self.last < self.first):
            raise ValueError(f"no request is numbered {self.first} to {self.last}")
        if self.value is not None and (self.kind not in DEFAULT_VALUES or not 0 <= self.value <= 3600):
            raise ValueError(f"{self.kind.value} takes no value {self.value:g}")

    @classmethod
    def parse(cls, text: str) -> PlannedFault:
        """Parse a fault from the command line.

        Args:
            text: Such as ``429@2``, ``429=0.5@2``, ``hang@5+`` (from the fifth on), ``500@1-3`` or
                ``empty@all``.

        Raises:
            InputError: The text is not a valid fault.
        """
        match = _SPEC.fullmatch(text.strip())
        which = "1+" if match and match["which"] == "all" else match["which"] if match else ""
        numbers = _WHICH.fullmatch(which)
        if match is None or numbers is None:
            raise InputError(
                f"{text!r} is no fault", hint="Write KIND@N, KIND=VALUE@N, KIND@N-M, KIND@N+ or KIND@all."
            )
        names = [kind.value for kind in FaultKind]
        if match["kind"] not in names:
            raise InputError(f"no fault is called {match['kind']!r}", hint=did_you_mean(match["kind"], names))
        first = int(numbers["first"])
        last = None if numbers["on"] == "+" else int(numbers["last"] or first)
        try:
            value = float(match["value"]) if match["value"] else None
            return cls(FaultKind(match["kind"]), first, last, value)
        except ValueError as error:
            raise InputError(f"{text!r} is no fault: {error}") from error

    def meets(self, number: int) -> bool:
        """Whether a request meets it."""
        return self.first <= number and (self.last is None or number <= self.last)

    @property
    def amount(self) -> float:
        """Its value, or the usual one."""
        return DEFAULT_VALUES.get(self.kind, 0) if self.value is None else self.value


def first_fault(faults: Iterable[PlannedFault], number: int) -> PlannedFault | None:
    """The first fault that a request meets, or None."""
    return next((fault for fault in faults if fault.meets(number)), None)
