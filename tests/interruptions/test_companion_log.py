from __future__ import annotations

from typing import Any

import pytest

from garabench.device.adb import ShellResult
from garabench.errors import CommandError, DeviceLostError, DeviceTimeoutError
from garabench.interruptions.companion_log import parse_rows, query_command, read_companion_events
from garabench.interruptions.lifecycle import CompanionEvent


def rows(*events: str, token: str = "t", first: int = 1) -> str:
    lines = (
        f'Row: {at} event={{"token":"{token}","seq":{first + at},"event":"{event}"}}\n'
        for at, event in enumerate(events)
    )
    return "".join(lines)


def numbered_events(output: str) -> list[tuple[int, str]]:
    return [(event.seq, event.event) for event in parse_rows(output, "t")]


def test_the_rows_of_a_token() -> None:
    assert numbered_events(rows("shown", "pressed:accept")) == [(1, "shown"), (2, "pressed:accept")]
    assert numbered_events(rows("shown", "hidden").replace("\n", "\r\n")) == [(1, "shown"), (2, "hidden")]
    assert numbered_events(rows("shown", token="other")) == []


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
def test_other_output_has_no_events(output: str) -> None:
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
def test_events_of_an_earlier_episode_do_not_count(events: list[str], first: int) -> None:
    expected = list(enumerate(events[first - 1 :], start=first))
    assert numbered_events(rows(*events)) == expected


def test_the_token_is_percent_encoded_in_the_uri() -> None:
    assert query_command("a/b")[-1] == "content://org.garabench.interruptions.events/a%2Fb"


class FakeAdb:
    def __init__(self, result: str | Exception) -> None:
        self.result = result

    def shell(self, argv: list[str], *, timeout: float) -> ShellResult:
        if isinstance(self.result, Exception):
            raise self.result
        return ShellResult(tuple(argv), 0, self.result)


@pytest.mark.parametrize(
    ("result", "events"),
    [
        (rows("shown"), (CompanionEvent("t", 1, "shown"),)),
        (DeviceTimeoutError("no answer"), ()),
        (CommandError("it failed"), ()),
    ],
)
def test_a_device_that_does_not_respond_has_no_events(
    result: str | Exception, events: tuple[CompanionEvent, ...]
) -> None:
    adb: Any = FakeAdb(result)
    assert read_companion_events(adb, "t") == events


def test_a_lost_device_is_an_error() -> None:
    adb: Any = FakeAdb(DeviceLostError("gone"))
    with pytest.raises(DeviceLostError):
        read_companion_events(adb, "t")
