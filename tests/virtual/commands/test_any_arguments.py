"""Every command survives any arguments: it answers and exits with a status."""

from __future__ import annotations

import asyncio
import functools
from collections.abc import AsyncIterator

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from garabench.virtual.android.phone import Phone
from garabench.virtual.commands.command_table import phone_commands
from garabench.virtual.shell.interpreter import Shell
from garabench.virtual.shell.streams import discard
from tests.virtual.android import toys

PROFILES = ("android-19", "android-30", "android-34")
ENDLESS = {"yes", "logcat", "getevent", "screenrecord", "sleep", "timeout", "ping", "reboot"}
ARGUMENTS = (
    *(
        "-a",
        "-b",
        "-c",
        "-d",
        "-e",
        "-f",
        "-n",
        "-p",
        "-s",
        "-t",
        "-S",
        "-W",
        "--user",
        "--es",
        "--uri",
        "--brief",
    ),
    *("start", "list", "get", "set", "put", "reset", "path", "clear", "grant", "packages", "size", "density"),
    *("window", "package", "activity", "battery", "input", "settings", "tap", "swipe", "text", "keyevent"),
    *(
        "system",
        "global",
        "toy.app",
        "toy.app/.Main",
        "0",
        "-1",
        "1e400",
        "nan",
        "99999999999",
        "x",
        "",
        "é",
        "%s",
    ),
    *("content://settings/system", "a=b", "/sdcard", "/nope", "/dev/tty", "*", "(", "[", "'"),
)


@functools.cache
def phone_of(profile: str) -> Phone:
    device = toys.phone(profile)
    toys.start(device)
    return device


@functools.cache
def names() -> list[str]:
    every = {name for profile in PROFILES for name in phone_commands(phone_of(profile))}
    return sorted(every - ENDLESS)


async def _nothing() -> AsyncIterator[bytes]:
    for data in (b"a line\n", b"\xff\x00"):
        yield data


@pytest.mark.parametrize("profile", PROFILES)
@given(data=st.data())
@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_any_arguments_give_an_exit_status(profile: str, data: st.DataObject) -> None:
    name = data.draw(st.sampled_from(names()))
    args = data.draw(st.lists(st.sampled_from(ARGUMENTS) | st.text(max_size=8), max_size=6))
    device = phone_of(profile)
    shell = Shell(phone_commands(device), device.files)
    quoted = " ".join("'" + word.replace("'", "'\\''").replace("\0", "") + "'" for word in (name, *args))
    status = asyncio.run(asyncio.wait_for(shell.run(quoted, _nothing(), discard, discard), 120))
    assert 0 <= status <= 255
