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
    """How often, and with which pauses, a request is retried.

    Attributes:
        tries: Requests, the first among them.
        base: Seconds: the upper end of the first pause; it doubles with each retry.
        cap: Seconds: no pause's upper end is above it.
        patience: Seconds: an endpoint that asks for a longer wait is not waited for.
    """

    tries: int = 4
    base: float = 0.5
    cap: float = 30.0
    patience: float = 120.0

    def __post_init__(self) -> None:
        if self.tries < 1:
            raise ValueError(f"a request is tried at least once, not {self.tries} times")
        if not 0 < self.base <= self.cap:
            raise ValueError("the first pause is above 0 and not above the cap")

    def pause(self, failed: int, rng: random.Random, asked: float | None) -> float | None:
        """Seconds until the next try.

        Args:
            failed: Tries that have failed, from 1.
            rng: Draws the jitter.
            asked: Seconds that the endpoint asks for (``Retry-After``), if it does.

        Returns:
            None when there is no next try: there were enough, or the endpoint asks for too long a wait.
        """
        if failed >= self.tries:
            return None
        if asked is None:
            # "Full jitter": clients that failed at the same moment do not come back at the same moment.
            return rng.uniform(0, min(self.cap, self.base * 2 ** min(failed - 1, 60)))
        if asked > self.patience:
            return None
        return asked + rng.uniform(0, min(self.base, asked))  # never sooner than asked for


def retry_after(headers: Mapping[str, str], now: dt.datetime) -> float | None:
    """Return the wait in seconds that a reply's headers request, or None.

    ``Retry-After`` is a number of seconds or an HTTP date (RFC 9110, 10.2.3); ``retry-after-ms`` is
    OpenAI's more exact form.

    Args:
        headers: By lower-case name.
        now: The present moment, with a time zone.
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
    """Seconds of waiting that an error of Google's asks for, whose replies have no header for it.

    They hold a `google.rpc.RetryInfo` with a delay such as ``"34s"``, in ``error.details``.

    Args:
        body: The reply's JSON, or the object ``error`` in it.
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
