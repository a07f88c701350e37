"""Programs of the shell as processes: toybox's ``ps``, ``pidof`` and ``kill``, and ``/proc``."""

from __future__ import annotations

import pytest

from garabench.virtual.android.device_profile import Profile
from garabench.virtual.android.phone import Phone
from garabench.virtual.android.phone_clock import Latency
from tests.virtual.shell.harness import on_phone


@pytest.fixture
def phone() -> Phone:
    """A phone on which time takes time: with the latency ``instant`` a sleep ends at once."""
    return Phone(Profile.parse("android-34"), apps=(), latency=Latency.PHONE)


WAIT = "sleep 0.02; "
"""A background job starts when the shell waits for another program."""


@pytest.mark.parametrize(
    ("line", "out", "status"),
    [
        (f"sleep 60 & {WAIT}test $(pidof sleep) = $! && echo same; kill $!", "same\n", 0),
        (
            f"sleep 60 & {WAIT}ps -A -o NAME,ARGS | grep '[s]leep 60' | tr -s ' '; kill $!",
            "sleep sleep 60\n",
            0,
        ),
        (f"sleep 60 & {WAIT}tr '\\0' ' ' < /proc/$!/cmdline; kill $!", "sleep 60 ", 0),
        (f"logcat >/dev/null & {WAIT}pkill logcat; wait; pidof logcat", "", 1),
        (f"sleep 60 & {WAIT}pkill sleep; wait $!; echo $?", "143\n", 0),
        ("cat /proc/$$/comm; ls /proc | grep -c '^'$$'$'", "sh\n1\n", 0),
        ("ps -p $$ -o PID=,NAME=", " 4242 sh\n", 0),
        ("sleep 1; pidof sleep", "", 1),
    ],
)
def test_lines(phone: Phone, line: str, out: str, status: int) -> None:
    assert on_phone(line, phone=phone) == (out, "", status)
    assert not phone.programs.list()
