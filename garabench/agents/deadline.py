"""Deadlines for calls that cannot be interrupted from outside: HTTP requests, agents' own code.

The limits of an HTTP client apply between two reads, and a DNS lookup has none: a server that sends one byte
per second, or a silent name server, would block an episode forever. So such a call runs in a daemon thread. A
call that misses its deadline is abandoned: its result is dropped, and the process does not wait for it on
exit.
"""

from __future__ import annotations

import contextlib
import ctypes
import queue
import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

from garabench.core.clock import Clock, SystemClock

T = TypeVar("T")
_POLL_SECONDS = 0.2
"""How often a waiting caller checks whether the run should stop."""


class AbandonedCallError(Exception):
    """The call did not end, and is no longer waited for."""


class CallTimeoutError(AbandonedCallError):
    """The call missed its deadline."""


class CallCancelledError(AbandonedCallError):
    """The run stopped before the call ended."""


def _never() -> bool:
    return False


@dataclass(frozen=True, slots=True)
class CallOutcome:
    """How a call ended.

    Attributes:
        value: The returned value.
        error: The raised exception, or None.
    """

    value: Any = None
    error: BaseException | None = None


_Call = tuple[Callable[[], Any], "queue.SimpleQueue[CallOutcome]"]


class CallThread:
    """A daemon thread that runs one call at a time, each with a deadline.

    After an abandoned call it accepts no more calls.
    """

    def __init__(
        self, name: str, clock: Clock, stop: Callable[[], bool] = _never, *, interrupt: bool = False
    ) -> None:
        """Prepare; the thread starts at the first call.

        Args:
            name: Name of the thread.
            clock: The clock for deadlines.
            stop: Returns whether the run should stop, which abandons the current call.
            interrupt: Whether to raise `SystemExit` in an abandoned call. That ends a Python loop, which
                would otherwise use the processor forever; a call that blocks in the system stays blocked. Not
                for code that holds locks shared with other threads.
        """
        self._name = name
        self._clock = clock
        self._stop = stop
        self._interrupt = interrupt
        self._calls: queue.SimpleQueue[_Call | None] = queue.SimpleQueue()
        self._thread: threading.Thread | None = None
        self._closed = False

    def call(self, function: Callable[[], Any], seconds: float) -> CallOutcome:
        """Run a call and wait for its end.

        Args:
            function: The function to call.
            seconds: The deadline, from now.

        Raises:
            CallTimeoutError: The call did not end in time, or an earlier one was abandoned.
            CallCancelledError: The run stopped first.
        """
        if self._closed:
            raise CallTimeoutError
        if self._thread is None:
            self._thread = threading.Thread(target=self._serve, name=self._name, daemon=True)
            self._thread.start()
        outcome: queue.SimpleQueue[CallOutcome] = queue.SimpleQueue()
        self._calls.put((function, outcome))
        deadline = self._clock.monotonic() + seconds
        while True:
            remaining = deadline - self._clock.monotonic()
            try:
                return outcome.get(timeout=max(0.0, min(remaining, _POLL_SECONDS)))
            except queue.Empty:
                if self._stop():
                    self._abandon()
                    raise CallCancelledError from None
                if remaining <= 0:
                    self._abandon()
                    raise CallTimeoutError from None

    def close(self) -> None:
        """End the thread after the current call; later calls are rejected."""
        self._closed = True
        self._calls.put(None)

    def _abandon(self) -> None:
        thread = self._thread
        if self._interrupt and thread is not None and thread.ident is not None:
            ident, error = ctypes.c_ulong(thread.ident), ctypes.py_object(SystemExit)
            ctypes.pythonapi.PyThreadState_SetAsyncExc(ident, error)
        self.close()

    def _serve(self) -> None:
        with contextlib.suppress(SystemExit):  # interrupted just after the call had ended
            while (call := self._calls.get()) is not None:
                function, outcome = call
                try:
                    outcome.put(CallOutcome(function()))
                except BaseException as error:  # noqa: BLE001  # an external agent may raise anything, or call exit
                    outcome.put(CallOutcome(error=error))


def call_with_deadline(
    function: Callable[[], T], seconds: float, stop: Callable[[], bool] = _never, clock: Clock | None = None
) -> T:
    """Run a call in a separate thread and return its result.

    Args:
        function: The function to call.
        seconds: The deadline, from now.
        stop: Returns whether the run should stop.
        clock: Measures the deadline; real time by default, since a network does not follow a test's clock.

    Raises:
        CallTimeoutError: The call did not end in time.
        CallCancelledError: The run stopped first.
    """
    thread = CallThread("call-with-deadline", clock or SystemClock(), stop)
    try:
        outcome = thread.call(function, seconds)
    finally:
        thread.close()
    if outcome.error is not None:
        raise outcome.error
    result: T = outcome.value
    return result
