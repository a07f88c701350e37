"""A limit of time for a call that cannot be broken off from within.

The limits of an HTTP client are between two pieces of a reply, and looking a name up has none at all: a
server that sends a byte each second, or a name server that is silent, would hold an episode for ever.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Generic, TypeVar

T = TypeVar("T")


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


def within(seconds: float, call: Callable[[], T]) -> T:
    """Call, and wait no longer than a limit.

    A call that is overdue goes on in a thread of its own, which the process does not wait for at its end;
    it has to end by itself, such as by the limits of an HTTP client.

    Raises:
        Overdue: The limit has passed.
    """
    outcome: _Outcome[T] = _Outcome()
    threading.Thread(target=outcome.perform, args=(call,), name="reply", daemon=True).start()
    if not outcome.over.wait(seconds):
        raise Overdue
    if outcome.error is not None:
        raise outcome.error
    return outcome.value  # type: ignore[return-value]  # it is set where there is no error
