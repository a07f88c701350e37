"""Reading: an app that answers nonsense, too much, too late or not at all is unknown."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest

from garabench.core.app_state import SYSTEM
from garabench.device.adb import ShellResult
from garabench.effects.app_state_reader import MAX_BYTES, READ_SECONDS, addresses, read_state
from garabench.effects.state import AppState, UnknownState
from garabench.errors import CommandError, DeviceLostError, DeviceTimeoutError

PACKAGE = "com.example"
STATE = (
    'Row: 0 record={"format":1,"records":1}\n'
    'Row: 1 record={"kind":"like","object":"v","text":{"zh":"赞","en":"like"}}\n'
)
MISSING = "Error while accessing provider:x\njava.lang.IllegalStateException: Could not find provider: x\n"


class FakeShell:
    starts_fast = True

    def __init__(self, answer: Callable[[tuple[str, ...]], ShellResult]) -> None:
        self.answer = answer
        self.calls: list[tuple[str, ...]] = []

    def shell(
        self, argv: Sequence[str], *, timeout: float | None = None, max_bytes: int | None = None
    ) -> ShellResult:
        assert (timeout, max_bytes) == (READ_SECONDS, MAX_BYTES)
        self.calls.append(tuple(argv))
        return self.answer(tuple(argv))


def printing(stdout: str, stderr: str = "", status: int = 0) -> FakeShell:
    return FakeShell(lambda argv: ShellResult(argv, status, stdout, stderr))


def raising(error: Exception) -> FakeShell:
    def answer(_: tuple[str, ...]) -> ShellResult:
        raise error

    return FakeShell(answer)


def test_a_state_is_read_from_the_first_address() -> None:
    shell = printing(STATE)
    state = read_state(shell, PACKAGE)
    assert isinstance(state, AppState)
    assert list(state.records) == [("like", "v")]
    assert shell.calls == [("content", "query", "--uri", "content://org.garabench.state/com.example")]


def test_an_app_with_an_authority_of_its_own_is_read() -> None:
    own = addresses(PACKAGE)[1]

    def answer(argv: tuple[str, ...]) -> ShellResult:
        return ShellResult(argv, 0, STATE if argv[-1] == own else "", "" if argv[-1] == own else MISSING)

    assert isinstance(read_state(FakeShell(answer), PACKAGE), AppState)


@pytest.mark.parametrize(
    ("shell", "reason"),
    [
        (printing("", MISSING), "the app offers no state"),
        (printing(MISSING), "the app offers no state"),  # before Android 7, both streams are one
        (printing("No result found.\n"), "its provider has no rows"),
        (
            printing("", "java.lang.NullPointerException\n"),
            "its provider failed: java.lang.NullPointerException",
        ),
        (printing(""), "its provider failed: it printed nothing"),
        (
            printing(STATE[:-4]),
            'not a JSON object: \'{"kind":"like","object":"v","text":{"zh":"赞","en":"like\'',
        ),
        (printing("\x00\x01"), "not a row of a state: '\\x00\\x01'"),
        (printing(STATE, status=137), "content exited with status 137"),
        (raising(DeviceTimeoutError("x did not respond")), "it was not read within 10 s"),
        (raising(CommandError("the output is larger than 16 bytes")), "the output is larger than 16 bytes"),
        (raising(DeviceLostError("lost the connection")), "lost the connection"),
    ],
)
def test_what_cannot_be_read_is_unknown(shell: FakeShell, reason: str) -> None:
    assert read_state(shell, PACKAGE) == UnknownState(reason)


def test_the_system_of_an_old_device_is_unknown_at_once() -> None:
    shell = printing("[system]\n")
    shell.starts_fast = False
    assert read_state(shell, SYSTEM) == UnknownState("Android before 7 does not list its settings")
    assert shell.calls == []


def test_the_system_is_read_by_one_command() -> None:
    shell = printing("[system]\n")
    assert isinstance(read_state(shell, SYSTEM), UnknownState)
    assert [argv[0] for argv in shell.calls] == ["sh"]
