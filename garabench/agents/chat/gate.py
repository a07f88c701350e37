"""How many requests are at an endpoint at once, over all episodes of a run."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterator
from urllib.parse import urlsplit

from garabench.core.clock import Clock


class Gate:
    """The way in to one endpoint."""

    def __init__(self) -> None:
        self._inside = 0
        self._changed = threading.Condition()

    @contextlib.contextmanager
    def entered(self, limit: int, clock: Clock) -> Iterator[float]:
        """Wait until fewer than a number are inside, and be inside; gives the seconds of waiting.

        Agents of one endpoint may have unlike limits: each is kept for its own requests.
        """
        begun = clock.monotonic()
        with self._changed:
            self._changed.wait_for(lambda: self._inside < limit)
            self._inside += 1
        try:
            yield max(0.0, clock.monotonic() - begun)
        finally:
            with self._changed:
                self._inside -= 1
                self._changed.notify_all()


class Gates:
    """The gates of a run's endpoints."""

    def __init__(self) -> None:
        self._gates: dict[str, Gate] = {}
        self._lock = threading.Lock()

    def at(self, url: str) -> Gate:
        """The gate of an endpoint, the same for all that ask for it, however they write its address."""
        with self._lock:
            return self._gates.setdefault(_written_one_way(url), Gate())


def _written_one_way(url: str) -> str:
    """An address with what makes no difference written one way: RFC 3986, 6.2.2 and 6.2.3."""
    parts = urlsplit(url)
    host = parts.netloc.lower().removesuffix({"http": ":80", "https": ":443"}.get(parts.scheme, ""))
    return f"{parts.scheme}://{host}{parts.path.rstrip('/')}"
