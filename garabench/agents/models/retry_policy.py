"""When a request is retried: exponential backoff with full jitter and a cap, or ``Retry-After``."""

from __future__ import annotations

import datetime as dt
import email.utils
import math
import random
from collections.abc import Mapping
from dataclasses import dataclass

from garabench.agents.models import google_error


@dataclass(frozen=True, slots=True)
class Backoff:
    """How often a request is retried, and after which pauses.

    Attributes:
        tries: Maximum number of requests, including the first.
        base: Upper bound of the first pause in seconds; it doubles with each retry.
        cap: Maximum of that upper bound in seconds.
        patience: Longest wait in seconds that an endpoint may request; beyond it there is no retry.
    """

    tries: int = 4
    base: float = 0.5
    cap: float = 30.0
    patience: float = 120.0

    def __post_init__(self) -> None:
        if self.tries < 1:
            raise ValueError(f"tries must be at least 1, not {self.tries}")
        if not 0 < self.base <= self.cap:
            raise ValueError("base must be above 0 and not above cap")

    def pause(self, failed: int, rng: random.Random, requested: float | None) -> float | None:
        """Return the seconds until the next try.

        Args:
            failed: Number of failed tries, from 1.
            rng: Random generator for the jitter.
            requested: Seconds that the endpoint requests (``Retry-After``), if any.

        Returns:
            None if there is no next try: the limit is reached, or the requested wait is too long.
        """
        if failed >= self.tries:
            return None
        if requested is None:
            # "Full jitter": clients that failed at the same moment retry at different moments.
            return rng.uniform(0, min(self.cap, self.base * 2 ** min(failed - 1, 60)))
        if requested > self.patience:
            return None
        return requested + rng.uniform(0, min(self.base, requested))  # never sooner than requested


def retry_after(headers: Mapping[str, str], now: dt.datetime) -> float | None:
    """Return the wait in seconds that a reply's headers request, or None.

    ``Retry-After`` is a number of seconds or an HTTP date (RFC 9110, 10.2.3); ``retry-after-ms`` is
    OpenAI's more precise form.

    Args:
        headers: The headers by lower-case name.
        now: The current time, with a time zone.
    """
    if (milliseconds := _number(headers.get("retry-after-ms", ""))) is not None:
        return milliseconds / 1000
    text = headers.get("retry-after", "").strip()
    if not text:
        return None
    if (seconds := _number(text)) is not None:
        return seconds
    try:
        date = email.utils.parsedate_to_datetime(text)
        # A date of the form "-0000" has no zone; RFC 9110 dates are GMT.
        date = date if date.tzinfo else date.replace(tzinfo=dt.UTC)
        return max(0.0, (date - now).total_seconds())
    except (ValueError, OverflowError, TypeError):
        return None


def retry_info(body: object) -> float | None:
    """Return the wait in seconds that an error of Google requests in its body instead of a header.

    ``error.details`` contains a `google.rpc.RetryInfo` with a delay such as ``"34s"``.

    Args:
        body: The JSON of the reply, or its ``error`` object.
    """
    for detail in google_error.details(body):
        delay = detail.get("retryDelay")
        if isinstance(delay, str) and delay.endswith("s"):
            return _number(delay[:-1])
    return None


def _number(text: str) -> float | None:
    try:
        value = float(text)
    except ValueError:
        return None
    return value if math.isfinite(value) and value >= 0 else None
