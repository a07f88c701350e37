"""The errors that Android's commands print although they exit with 0."""

from __future__ import annotations

import re

import pytest

from garabench.device.adb import ShellResult
from garabench.device.command_errors import find_error
from garabench.errors import CommandError

UNRESOLVED = "Error: Activity not started, unable to resolve Intent { act=a.b flg=0x10000000 }"
THROWN = "java.lang.SecurityException: Permission Denial: not allowed"


@pytest.mark.parametrize(
    ("line", "output"),
    [
        ("am start -a a.b", f"Starting: Intent {{ act=a.b }}\n>{UNRESOLVED}\n"),
        ("am start -n a/b", "Error type 3\n>Error: Activity class {a/b} does not exist.\n"),
        ("am start -n a/b", ">Error type 3\n"),
        ("am broadcast -a x", f"Broadcasting: Intent {{ act=x }}\n>{THROWN}\n\tat android.os.Parcel\n"),
        ("am broadcast -a x", 'Broadcast completed: result=0, data="Error: in data"\n'),
        (
            "am start -n a/.B",
            "Starting: Intent { cmp=a/.B }\nWarning: Activity not started, its current task\n",
        ),
        ("pm clear a", ">Failed\n"),
        ("pm clear a", "Success\n"),
        ("pm install a.apk", "\tpkg: a.apk\n>Failure [INSTALL_FAILED_OLDER_SDK]\n"),
        ("pm grant a b", f">Operation not allowed: {THROWN}\n"),
        ("pm nope", ">Error: unknown command 'nope'\nusage: pm list packages\n"),
        ("settings put nope a b", ">Invalid namespace 'nope'\nusage:  settings get\n"),
        ("settings get", ">usage:  settings [--user NUM] get namespace key\n"),
        ("settings get system x", "Error budget\n"),
        ("svc wifi on", "Control the Wi-Fi manager\n\n>usage: svc wifi [enable|disable]\n"),
        ("input tap a", ">Error: Invalid arguments for command: tap\nusage: input ...\n"),
        ("input text 稻", ">Killed\n"),
        ("content query", ">[ERROR] Unsupported argument: x\n\nusage: adb shell content\n"),
        ("content delete --uri u", f"Error while accessing provider:settings\n>{THROWN}\n\tat x\n"),
        ("content query --uri u", "Row: 0 name=a, value=Error: x\n"),
        ("wm size x", ">Error: bad size x\n"),
        ("ime set x", ">Error: Unknown input method x cannot be selected\n"),
        ("uiautomator dump x", ">ERROR: could not get idle state.\n"),
        ("uiautomator dump x", "UI hierchary dumped to: /sdcard/ERROR: x\n"),
        ("dumpsys nope", ">Can't find service: nope\n"),
        ("ls /nope", "Error: not one of Android's own commands\n"),
    ],
)
def test_the_line_with_the_error_is_found(line: str, output: str) -> None:
    """The line that begins with ``>`` is the error."""
    error = next((each[1:] for each in output.splitlines() if each.startswith(">")), "")
    printed = re.sub(r"^>", "", output, flags=re.MULTILINE)
    assert find_error(line.split(), printed, has_exit_status=False) == error


@pytest.mark.parametrize("has_exit_status", [False, True])
def test_svc_does_not_name_the_unknown_command(has_exit_status: bool) -> None:
    printed = (
        "Available commands:\n    help     Show information about the subcommands\n    usb      Control\n"
    )
    assert (
        find_error(["svc", "nope", "x"], printed, has_exit_status=has_exit_status) == "unknown command 'nope'"
    )
    assert find_error(["svc", "help"], printed, has_exit_status=has_exit_status) == ""
    assert find_error(["svc"], printed, has_exit_status=has_exit_status) == "it needs a command"


def test_newer_versions_exit_with_a_status_with_two_exceptions() -> None:
    assert find_error(["pm", "clear", "a"], "Failed\n", has_exit_status=True) == ""
    assert find_error(["am", "start"], f"{UNRESOLVED}\n", has_exit_status=True) == UNRESOLVED
    busy = "ERROR: could not get idle state."
    assert find_error(["uiautomator", "dump"], f"{busy}\n", has_exit_status=True) == busy


def test_a_printed_error_fails_the_check_with_its_reason() -> None:
    failed = ShellResult(("am", "start"), 0, f"{UNRESOLVED}\nmore\n", error=UNRESOLVED)
    with pytest.raises(CommandError, match=r"^could not open it: am: Error: Activity not started, unable to"):
        failed.check("open it")
    with pytest.raises(CommandError, match=r"^could not open it: am exited with status 7: last$"):
        ShellResult(("am",), 7, "first\nlast\n").check("open it")
    assert ShellResult(("am",), 1, "").reason == "it printed nothing"
    assert not ShellResult(("am",), 0, "").failed
