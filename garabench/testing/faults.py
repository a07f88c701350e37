"""Faults of a fake model server, and the requests that they affect."""

from __future__ import annotations

import enum
import re
from collections.abc import Iterable
from dataclasses import dataclass

from garabench.core.suggestions import did_you_mean
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
    FaultKind.HANG: "the request is read, but never answered",
    FaultKind.CLOSE: "the connection is closed without a response",
    FaultKind.CUT: "the connection is closed in the middle of the response",
    FaultKind.SLOW: "the response is sent in 50 parts, VALUE seconds apart (default 0.1)",
    FaultKind.MALFORMED: "the response is truncated JSON",
    FaultKind.WRONG_TYPES: "the response is JSON with values of wrong types",
    FaultKind.HUGE: "the reply has VALUE megabytes (default 10)",
    FaultKind.NO_CHOICE: "the response has no choices",
    FaultKind.EMPTY: "the reply is empty",
    FaultKind.FILTER: "a content filter stops the reply",
    FaultKind.REFUSAL: "the model refuses",
    FaultKind.LENGTH: "the token limit cuts the reply off at half its length",
    FaultKind.NONSENSE: "the reply contains no action in any dialect",
    FaultKind.RATE_LIMIT: "HTTP 429, too many requests, with Retry-After: VALUE seconds (default 1)",
    FaultKind.ERROR: "HTTP 500, an internal server error",
    FaultKind.BAD_GATEWAY: "HTTP 502, a bad gateway with an HTML page",
    FaultKind.OVERLOADED: "HTTP 503, overloaded, with Retry-After: VALUE seconds (default 1)",
}

DEFAULT_VALUES: dict[FaultKind, float] = {
    FaultKind.SLOW: 0.1,
    FaultKind.HUGE: 10,
    FaultKind.RATE_LIMIT: 1,
    FaultKind.OVERLOADED: 1,
}
"""Default values of the faults that have a value."""


@dataclass(frozen=True, slots=True)
class PlannedFault:
    """A fault and the requests that it affects.

    Attributes:
        kind: How they fail.
        first, last: Numbers of requests, from 1; `last` is None for all from the first on.
        value: The VALUE in `ABOUT`; None for the default.
    """

    kind: FaultKind
    first: int = 1
    last: int | None = None
    value: float | None = None

    def __post_init__(self) -> None:
        if self.first < 1 or (self.last is not None and self.last < self.first):
            raise ValueError(f"{self.first}-{self.last} is not a range of request numbers")
        if self.value is not None and (self.kind not in DEFAULT_VALUES or not 0 <= self.value <= 3600):
            raise ValueError(f"{self.kind.value} does not accept the value {self.value:g}")

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
                f"invalid fault {text!r}", hint="Write KIND@N, KIND=VALUE@N, KIND@N-M, KIND@N+ or KIND@all."
            )
        names = [kind.value for kind in FaultKind]
        if match["kind"] not in names:
            raise InputError(f"unknown fault {match['kind']!r}", hint=did_you_mean(match["kind"], names))
        first = int(numbers["first"])
        last = None if numbers["on"] == "+" else int(numbers["last"] or first)
        try:
            value = float(match["value"]) if match["value"] else None
            return cls(FaultKind(match["kind"]), first, last, value)
        except ValueError as error:
            raise InputError(f"invalid fault {text!r}: {error}") from error

    def affects(self, number: int) -> bool:
        """Return whether it affects a request."""
        return self.first <= number and (self.last is None or number <= self.last)

    @property
    def amount(self) -> float:
        """The value, or the default."""
        return DEFAULT_VALUES.get(self.kind, 0) if self.value is None else self.value


def first_fault(faults: Iterable[PlannedFault], number: int) -> PlannedFault | None:
    """Return the first fault that affects a request, if any."""
    return next((fault for fault in faults if fault.affects(number)), None)
