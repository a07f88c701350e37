"""Limit the concurrent requests to an endpoint, over all episodes of a run."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterator
from urllib.parse import urlsplit

from garabench.core.clock import Clock


class EndpointLimiter:
    """Limits the concurrent requests to one endpoint."""

    def __init__(self) -> None:
        self._active = 0
        self._changed = threading.Condition()

    @contextlib.contextmanager
    def slot(self, limit: int, clock: Clock) -> Iterator[float]:
        """Wait for a free slot and hold it; yields the seconds of waiting.

        Agents of one endpoint may have different limits: each limit applies to its agent's requests.
        """
        begun = clock.monotonic()
        with self._changed:
            self._changed.wait_for(lambda: self._active < limit)
            self._active += 1
        try:
            yield max(0.0, clock.monotonic() - begun)
        finally:
            with self._changed:
                self._active -= 1
                self._changed.notify_all()


class EndpointLimiters:
    """The limiters of a run's endpoints."""

    def __init__(self) -> None:
        self._limiters: dict[str, EndpointLimiter] = {}
        self._lock = threading.Lock()

    def for_url(self, url: str) -> EndpointLimiter:
        """Return the limiter of an endpoint, the same for all equivalent URLs."""
        with self._lock:
            return self._limiters.setdefault(_normalized(url), EndpointLimiter())


def _normalized(url: str) -> str:
    """Normalize a URL according to RFC 3986, 6.2.2 and 6.2.3."""
    parts = urlsplit(url)
    host = parts.netloc.lower().removesuffix({"http": ":80", "https": ":443"}.get(parts.scheme, ""))
    return f"{parts.scheme}://{host}{parts.path.rstrip('/')}"
