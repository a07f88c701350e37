from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from garabench.device.adb import ShellResult
from garabench.device.logs import LogLine, LogWatch, new_lines, parse_threadtime

TEXT = """--------- beginning of main
05-20 09:41:00.100  1234  1240 I GaraBench: {"seq":1}
05-20 09:41:00.100  1234  1240 I GaraBench: with: a colon
garbage
05-20 09:41:01.000  1     2 E Other Tag   : x
"""


def test_threadtime_lines_are_parsed_and_headers_skipped() -> None:
    assert parse_threadtime(TEXT) == (
        LogLine("05-20 09:41:00.100", 1234, "I", "GaraBench", '{"seq":1}'),
        LogLine("05-20 09:41:00.100", 1234, "I", "GaraBench", "with: a colon"),
        LogLine("05-20 09:41:01.000", 1, "E", "Other Tag", "x"),
    )


def test_crlf_line_ends_of_old_devices_are_accepted() -> None:
    assert parse_threadtime(TEXT.replace("\n", "\r\n")) == parse_threadtime(TEXT)


def _line(number: int) -> LogLine:
    return LogLine("05-20 09:41:00.000", 1, "I", "T", str(number))


@given(st.integers(0, 20), st.integers(0, 20), st.integers(0, 20))
def test_new_lines_survive_a_trimmed_buffer(seen: int, fresh: int, trimmed: int) -> None:
    lines = tuple(_line(number) for number in range(seen + fresh))
    before, after = lines[:seen], lines[min(trimmed, seen) :]
    assert new_lines(before, after) == lines[seen:]


@given(st.lists(st.integers(0, 2), max_size=12), st.lists(st.integers(0, 2), max_size=12))
def test_no_line_is_lost_after_the_buffer_was_cleared(old: list[int], new: list[int]) -> None:
    before, after = tuple(map(_line, old)), tuple(map(_line, new))
    assert after[len(after) - len(new_lines(before, after)) :] == new_lines(before, after)
    assert new_lines((), after) == after


class FakeAdb:
    """A device with these lines in its log."""

    def __init__(self) -> None:
        self.lines: list[int] = []

    def shell(self, argv: list[str]) -> ShellResult:
        text = "".join(f"05-20 09:41:00.000  1  1 I T: {number}\n" for number in self.lines)
        return ShellResult(tuple(argv), 0, text)


def test_watch_reports_that_the_buffer_was_cleared() -> None:
    device = FakeAdb()
    adb: Any = device
    watch = LogWatch(adb, "T")
    readings = []
    for lines in ([], [1], [1, 2], [2, 3], [], [], [4], [5, 6]):
        device.lines = lines
        fresh = [int(line.message) for line in watch.read()]
        readings.append((fresh, watch.cleared))
    assert readings == [
        ([], False),
        ([1], False),
        ([2], False),
        ([3], False),  # the oldest were trimmed
        ([], True),
        ([], False),
        ([4], False),
        ([5, 6], True),
    ]
