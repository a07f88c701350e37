from __future__ import annotations

import pytest

from tests.virtual.shell.harness import on_phone


@pytest.mark.parametrize(
    ("line", "out", "err", "status"),
    [
        ("toybox echo a b", "a b\n", "", 0),
        ("printf hello > f; toybox md5sum f", "5d41402abc4b2a76b9719d911017c592  f\n", "", 0),
        ("/system/bin/toybox printf %03d 7", "007", "", 0),
        ("echo x | toybox wc -l", "1\n", "", 0),
        ("toybox nope", "", "toybox: Unknown command nope\n", 127),
        ("toybox am start -n a/b", "", "toybox: Unknown command am\n", 127),
        ("toybox awk 1", "", "toybox: Unknown command awk\n", 127),
    ],
)
def test_lines(line: str, out: str, err: str, status: int) -> None:
    assert on_phone(line) == (out, err, status)


def test_toybox_lists_its_commands() -> None:
    out, err, status = on_phone("toybox")
    names = out.split()
    assert (err, status) == ("", 0)
    assert {"cat", "head", "md5sum", "pidof", "stat"} <= set(names)
    assert names == sorted(names)
    assert not {"am", "cmd", "toybox", "awk"} & set(names)


def test_checksum_fallback_without_toybox() -> None:
    line = "printf hello > f; toybox md5sum f || md5 f"
    out, err, status = on_phone(line, profile="android-19")
    assert (out, status) == ("5d41402abc4b2a76b9719d911017c592  f\n", 0)
    assert err == "/system/bin/sh: toybox: not found\n"
