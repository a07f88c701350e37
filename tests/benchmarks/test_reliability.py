"""Failures of the script agent are matched to the kills of its process."""

from __future__ import annotations

import datetime as dt

from benchmarks.reliability import FailedAttempt, match_kills


def at(second: int) -> dt.datetime:
    return dt.datetime(2026, 1, 1, 0, 0, second, tzinfo=dt.UTC)


def test_a_kill_explains_one_attempt_that_was_running() -> None:
    first = FailedAttempt("first", at(1), at(5))
    second = FailedAttempt("second", at(2), at(9))
    late = FailedAttempt("late", at(20), at(30))
    assert match_kills([], [first, second, late]) == set()
    assert match_kills([at(4)], [second, first, late]) == {"first"}
    assert match_kills([at(4), at(3)], [first, second, late]) == {"first", "second"}
    assert match_kills([at(10)], [first, second, late]) == set()
