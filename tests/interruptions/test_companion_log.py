from __future__ import annotations

from typing import Any

import pytest

from garabench.device.adb import ShellResult
from garabench.errors import CommandError, DeviceLostError, DeviceTimeoutError
from garabench.interruptions.companion_log import parse_rows, query, read
from garabench.interruptions.lifecycle import CompanionEvent


def rows(*events: str, token: str = "t", first: int = 1) -> str:
    lines = (
        f'Row: {at} event={{"token":"{token}","seq":{first + at},"event":"{event}"}}\n'
        for at, event in enumerate(events)
    )
    return "".join(lines)


def told(output: str) -> list[tuple[int, str]]:
    return [(event.seq, event.event) for event in parse_rows(output, "t")]


def test_the_rows_of_a_token() -> None:
    assert told(rows("shown", "pressed:accept")) == [(1, "shown"), (2, "pressed:accept")]
    assert told(rows("shown", "hidden").replace("\n", "\r\n")) == [(1, "shown"), (2, "hidden")]
    assert told(rows("shown", token="other")) == []


@pytest.mark.parametrize(
    "output",
    [
        "",
        "No result found.\n",
        "Error while accessing provider:org.garabench.interruptions.events\n"
        "java.lang.IllegalStateException: Could not find provider: org.garabench.interruptions.events\n",
        "/system/bin/sh: content: not found\n",
        "Row: 0 _id=1, name=x\nRow: 1 event={nothing}\n",
    ],
)
def test_all_else_gives_no_events(output: str) -> None:
    assert parse_rows(output, "t") == ()


@pytest.mark.parametrize(
    ("events", "first"),
    [
        (["shown", "pressed:accept", "shown", "hidden"], 3),  # the same episode was performed before
        (["shown", "hidden", "resumed"], 1),
        (["posted", "shown", "pressed:accept", "posted", "shown", "hidden"], 4),
        (["posted", "dismissed:swiped", "posted"], 3),
        (["posted", "shown", "pressed:accept"], 1),
        (["hidden", "resumed"], 1),  # the older half of the file was dropped
    ],
)
def test_what_was_told_in_an_earlier_episode_does_not_count(events: list[str], first: int) -> None:
    expected = list(enumerate(events[first - 1 :], start=first))
    assert told(rows(*events)) == expected


def test_the_token_stands_encoded_at_the_end_of_the_address() -> None:
    assert query("a/b")[-1] == "content://org.garabench.interruptions.events/a%2Fb"


class FakeAdb:
    def __init__(self, answer: str | Exception) -> None:
        self.answer = answer

    def shell(self, argv: list[str], *, timeout: float) -> ShellResult:
        if isinstance(self.answer, Exception):
            raise self.answer
        return ShellResult(tuple(argv), 0, self.answer)


@pytest.mark.parametrize(
    ("answer", "events"),
    [
        (rows("shown"), (CompanionEvent("t", 1, "shown"),)),
        (DeviceTimeoutError("no answer"), ()),
        (CommandError("it failed"), ()),
    ],
)
def test_a_device_that_does_not_answer_has_kept_nothing(
    answer: str | Exception, events: tuple[CompanionEvent, ...]
) -> None:
    adb: Any = FakeAdb(answer)
    assert read(adb, "t") == events


def test_a_device_that_is_gone_is_a_fault() -> None:
    adb: Any = FakeAdb(DeviceLostError("gone"))
    with pytest.raises(DeviceLostError):
        read(adb, "t")
