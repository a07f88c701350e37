"""Calls with a deadline."""

from __future__ import annotations

import threading

import pytest

from garabench.agents.deadline import CallCancelledError, CallThread, CallTimeoutError, call_with_deadline
from garabench.core.clock import SystemClock
from tests.waits import AMPLE


def test_a_call_returns_its_value_or_raises_its_error() -> None:
    assert call_with_deadline(lambda: 7, AMPLE) == 7
    with pytest.raises(ZeroDivisionError):
        call_with_deadline(lambda: 1 // 0, AMPLE)


def test_a_call_that_hangs_is_abandoned() -> None:
    released = threading.Event()
    with pytest.raises(CallTimeoutError):
        call_with_deadline(lambda: released.wait(AMPLE), 0.01)
    released.set()


def test_a_call_is_cancelled_when_the_run_stops() -> None:
    released = threading.Event()
    with pytest.raises(CallCancelledError):
        call_with_deadline(lambda: released.wait(AMPLE), AMPLE, lambda: True)
    released.set()


def test_calls_of_one_thread_share_it_until_one_is_abandoned() -> None:
    thread = CallThread("mine", SystemClock())
    idents = {thread.call(threading.get_ident, AMPLE).value for _ in range(3)}
    assert len(idents) == 1 and idents != {threading.get_ident()}
    assert isinstance(thread.call(lambda: {}["a"], AMPLE).error, KeyError)
    released = threading.Event()
    for seconds in (0.01, AMPLE):
        with pytest.raises(CallTimeoutError):
            thread.call(lambda: released.wait(AMPLE), seconds)
    released.set()
