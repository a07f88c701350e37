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


@pytest.mark.parametrize(
    ("line", "out"),
    [
        ("touch aa b cccc; ls -C", "aa  b  cccc\n"),
        ("for i in 1 2 3 4 5 6; do touch a_rather_long_name_$i; done; ls -C | head -1",
         "a_rather_long_name_1  a_rather_long_name_3  a_rather_long_name_5\n"),
        ("for i in 1 2 3 4 5 6; do touch a_rather_long_name_$i; done; ls -x | head -1",
         "a_rather_long_name_1  a_rather_long_name_2  a_rather_long_name_3\n"),
        ("touch a b c; ls -m", "a, b, c\n"),
        ("touch a b; ls -C1", "a\nb\n"),
        ("mkdir d; touch e 中文; ls -Cp", "d/  e  中文\n"),
    ],
)  # fmt: skip
def test_ls_in_columns(line: str, out: str) -> None:
    """toybox ``ls.c``: ``-C`` sorts down the columns, ``-x`` along the rows, within 80 characters."""
    assert on_phone(line) == (out, "", 0)
