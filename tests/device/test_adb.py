from __future__ import annotations

import pytest

from garabench.device.adb import loggable


@pytest.mark.parametrize(
    ("argv", "line"),
    [
        (("wm", "size"), "wm size"),
        (("input", "text", "hunter2"), "input text [text]"),
        (("input", "keyevent", "66"), "input keyevent 66"),
        (("am", "broadcast", "--es", "msg", "aGk="), "am broadcast --es msg [text]"),
        (("sh", "-c", "echo a b"), "sh -c 'echo a b'"),
        (("echo", "x" * 500), "echo '" + "x" * 120 + "…'"),
    ],
)
def test_commands_are_logged_in_one_line_without_typed_text(argv: tuple[str, ...], line: str) -> None:
    assert loggable(argv) == line
