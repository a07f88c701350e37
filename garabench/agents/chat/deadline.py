"""A limit of time for a call that cannot be broken off from within.

The limits of an HTTP client are between two pieces of a reply, and looking a name up has none at all: a
server that sends a byte each second, or a name server that is silent, would hold an episode for ever.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Generic, TypeVar

T = TypeVar("T")
_GLANCE = 0.2
"""Seconds after which it is asked whether the run is to stop."""


class Overdue(Exception):
    """A call has passed its limit."""


class _Outcome(Generic[T]):
    """What became of a call in a thread of its own."""

    def __init__(self) -> None:
        self.value: T | None = None
        self.error: BaseException | None = None
        self.over = threading.Event()

    def perform(self, call: Callable[[], T]) -> None:
        try:
            self.value = call()
        except BaseException as error:  # noqa: BLE001  # raised again in the caller's thread
            self.error = error
        finally:
            self.over.set()


class Stopped(Exception):
    """The run is to stop: nobody waits for the call any more."""


def within(seconds: float, call: Callable[[], T], stop: Callable[[], bool] = lambda: False) -> T:
    """Call, and wait no longer than a limit.

    A call that is overdue goes on in a thread of its own, which the process does not wait for at its end;
    it has to end by itself, such as by the limits of an HTTP client.

    The limit is of real time, whatever clock the caller has: it is the network that is waited for.

    Raises:
        Overdue: The limit has passed.
        Stopped: `stop` said so before the call had ended.
    """
    outcome: _Outcome[T] = _Outcome()
    threading.Thread(target=outcome.perform, args=(call,), name="reply", daemon=True).start()
    ends = time.monotonic() + seconds
    while not outcome.over.wait(max(0.0, min(_GLANCE, ends - time.monotonic()))):
        if stop():
            raise Stopped
        if time.monotonic() >= ends:
            raise Overdue
    if outcome.error is not None:
        raise outcome.error
    return outcome.value  # type: ignore[return-value]  # it is set where there is no error
