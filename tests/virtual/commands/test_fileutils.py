from __future__ import annotations

import pytest

from tests.virtual.shell.harness import on_phone


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("cp -r / /sdcard/x", "cp: '/' is '/sdcard/x'\n"),
        ("mkdir a; cp -r a a/b", "cp: 'a' is 'a/b'\n"),
        ("mkdir a; cp -r a a", "cp: 'a' is 'a'\n"),
        ("mkdir a; mv a a/b", "mv: 'a' is 'a/b'\n"),
    ],
)
def test_copying_a_directory_into_itself_fails(line: str, message: str) -> None:
    assert on_phone(line) == ("", message, 1)


def test_copy_a_directory() -> None:
    line = "mkdir -p a/b; echo x > a/b/c; cp -r a /sdcard; cat /sdcard/a/b/c; mv /sdcard/a d; ls d/b /sdcard"
    out, err, status = on_phone(line)
    assert (out.splitlines()[0], err, status) == ("x", "", 0)
    assert "c" in out.splitlines()
    assert "a" not in out.splitlines()[1:]


@pytest.mark.parametrize("line", ["seq", "seq 1 2 3 4", "seq a"])
def test_invalid_counts(line: str) -> None:
    out, err, status = on_phone(line)
    assert (out, err.partition(":")[0], status) == ("", "seq", 1)


def test_system_directories_cannot_be_removed() -> None:
    out, err, status = on_phone(
        "echo x > /sdcard/a; mkdir -p b/c; rm -rf /; ls -a /; ls /sdcard; ls; echo y > z; cat z"
    )
    assert {"data", "sdcard", "system"} <= set(out.split())
    assert not {"a", "b"} & set(out.split())
    assert (out.split()[-1], status) == ("y", 0)
    assert "Permission denied" in err
