"""A thread beside the episode's, for calls that cannot be broken off: one that hangs is left behind."""

from __future__ import annotations

import contextlib
import ctypes
import queue
import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from garabench.agents.setting import Setting

_SLICE = 0.25
"""Seconds after which it is asked whether the run is to stop."""


class LeftBehind(Exception):
    """A call did not end within its limit, or the run is to stop."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a call ended.

    Attributes:
        value: What it returned.
        error: What it raised, or None.
    """

    value: Any = None
    error: BaseException | None = None


_Call = tuple[Callable[[], Any], "queue.SimpleQueue[Outcome]"]


class Aside:
    """Makes one call after the other in a thread of its own.

    A call that is left behind may end at any time; what comes of it goes nowhere, and nothing more is called.
    """

    def __init__(self, setting: Setting) -> None:
        """Prepare; the thread begins with the first call."""
        self._setting = setting
        self._calls: queue.SimpleQueue[_Call | None] = queue.SimpleQueue()
        self._thread: threading.Thread | None = None
        self._left_behind = False

    def call(self, what: Callable[[], Any], seconds: float) -> Outcome:
        """Make a call and wait for its end.

        Args:
            what: What to call.
            seconds: The longest wait.

        Raises:
            LeftBehind: It has not ended, or an earlier one has not.
        """
        if self._left_behind:
            raise LeftBehind
        if self._thread is None:
            name = f"agent-{self._setting.name}"
            self._thread = threading.Thread(target=self._serve, name=name, daemon=True)
            self._thread.start()
        outcome: queue.SimpleQueue[Outcome] = queue.SimpleQueue()
        self._calls.put((what, outcome))
        clock = self._setting.clock
        deadline = clock.monotonic() + seconds
        while (left := deadline - clock.monotonic()) > 0 and not self._setting.stop():
            try:
                return outcome.get(timeout=min(left, _SLICE))
            except queue.Empty:
                continue
        self._left_behind = True
        self._break_off()
        raise LeftBehind

    def end(self) -> None:
        """Let the thread end after the calls that it was given; no further one is made."""
        self._left_behind = True
        self._calls.put(None)

    def _break_off(self) -> None:
        """Raise an exception in the thread, which ends a loop of Python that would else take time for ever.

        What waits within a call of the system goes on waiting, and takes nothing.
        """
        thread = self._thread
        if thread is not None and thread.ident is not None:
            ident, error = ctypes.c_ulong(thread.ident), ctypes.py_object(SystemExit)
            ctypes.pythonapi.PyThreadState_SetAsyncExc(ident, error)
        self._calls.put(None)

    def _serve(self) -> None:
        with contextlib.suppress(SystemExit):  # broken off after the call had ended
            while (given := self._calls.get()) is not None:
                what, outcome = given
                try:
                    outcome.put(Outcome(what()))
                except BaseException as error:  # noqa: BLE001  # anyone may write an agent, which may call exit
                    outcome.put(Outcome(error=error))
