"""A device's clock and uptime: the expected time, across reboots and odd outputs."""

from __future__ import annotations

import pytest

from garabench.core.clock_reading import SLACK_S, Instant
from garabench.errors import CommandError

BOOT, LATER = "12345678-9abc-4def-8123-456789abcdef", "87654321-9abc-4def-8123-456789abcdef"


@pytest.mark.parametrize(
    ("output", "wall", "uptime", "boot"),
    [
        (f"1716169260.250000000\n61.25 40.00\n{BOOT}\n", 1716169260.25, 61.25, BOOT),
        (f"1716169260.%N\r\n61.25 40.00\r\n{BOOT}\r\n", 1716169260.5, 61.25, BOOT),
        ("1716169260.N\n61 40\n", 1716169260.5, 61.0, ""),
        ("1716169260\n61.25 40.00\ncat: boot_id: Permission denied\n", 1716169260.5, 61.25, ""),
    ],
)
def test_the_output_of_a_device_is_parsed(output: str, wall: float, uptime: float, boot: str) -> None:
    assert Instant.parse(output, 5.0) == Instant(wall, uptime, boot, 5.0)


@pytest.mark.parametrize("output", ["", "date: bad", "1716169260\n", "nan\nnan nan\n", "9" * 400 + "\n1 1"])
def test_output_without_a_time_is_an_error(output: str) -> None:
    with pytest.raises(CommandError, match="did not report its date"):
        Instant.parse(output, 0.0)


@pytest.mark.parametrize(
    ("now", "due"),
    [
        (Instant(9_999.0, 150.0, BOOT, 77.0), 1050.0),  # the device's uptime decides, not the host
        (Instant(9_999.0, 20.0, LATER, 560.0), 1060.0),  # rebooted: the host decides
        (Instant(9_999.0, 900.0, LATER, 560.0), 1060.0),  # rebooted, with a longer uptime
        (Instant(9_999.0, 20.0, BOOT, 560.0), 1060.0),
        (Instant(9_999.0, 160.5, "", 560.0), 1060.5),  # no boot id: the uptime decides if both agree
        (Instant(9_999.0, 900.0, "", 560.0), 1060.0),
    ],
)
def test_the_expected_wall_time_follows_the_uptime(now: Instant, due: float) -> None:
    assert Instant(1000.0, 100.0, BOOT if now.boot else "", 500.0).expected_wall(now) == due


def test_an_unchanged_clock_agrees() -> None:
    was = Instant(1000.0, 100.0, BOOT, 500.0)
    assert was.agrees_with(was)
    assert was.agrees_with(Instant(1050.0 + SLACK_S, 150.0, BOOT, 551.0))
    assert not was.agrees_with(Instant(1050.0 + 60, 150.0, BOOT, 551.0))
    assert not was.agrees_with(Instant(1050.0 - 60, 150.0, BOOT, 551.0))


WHOLE = {"wall": 1, "uptime": 1, "boot": "", "host": 1}


@pytest.mark.parametrize(
    "data",
    [
        None,
        [],
        {},
        *(WHOLE | {"wall": wrong} for wrong in ("1", True, None, float("nan"), float("inf"))),
        WHOLE | {"boot": 7},
    ],
)
def test_an_invalid_moment_is_refused(data: object) -> None:
    with pytest.raises(ValueError, match="moment"):
        Instant.from_json(data)


def test_a_moment_round_trips_through_json_and_has_a_readable_form() -> None:
    was = Instant(1716169260.25, 61.25, BOOT, 5.5)
    assert Instant.from_json(was.to_json()) == was
    assert str(was) == "2024-05-20 01:41:00 UTC"
