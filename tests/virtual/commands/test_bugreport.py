"""``bugreport`` and ``bugreportz`` (AOSP ``dumpstate.cpp``, ``bugreportz/readme.md``)."""

from __future__ import annotations

import io
import zipfile

import pytest

from tests.virtual.android import toys
from tests.virtual.shell.harness import on_phone


def test_a_report_is_an_archive_that_adb_can_pull() -> None:
    device = toys.phone()
    out, err, status = on_phone("bugreportz -p", phone=device)
    lines = out.splitlines()
    assert (err, status) == ("", 0)
    assert lines[1:-1] == ["PROGRESS:10/100", "PROGRESS:100/100"]
    path = lines[0].removeprefix("BEGIN:")
    assert lines[-1] == f"OK:{path}"
    with zipfile.ZipFile(io.BytesIO(device.files.read(path))) as archive:
        assert archive.read("version.txt") == b"2.0\n"
        text = archive.read(archive.read("main_entry.txt").decode()).decode()
    for title in ("SYSTEM PROPERTIES (getprop)", "PROCESSES AND THREADS (ps -A)", "DUMPSYS (dumpsys)"):
        assert f"------ {title} ------\n" in text
    assert "\nDUMP OF SERVICE window:\n" in text
    assert "Build fingerprint: 'garabench/virtual14/virtual14:14/GARA/1:user/release-keys'\n" in text


@pytest.mark.parametrize(
    ("profile", "line", "out", "err", "status"),
    [
        ("android-34", "bugreportz -v", "", "1.2\n", 0),
        ("android-30", "bugreportz -v", "", "1.1\n", 0),
        ("android-34", "bugreportz -x", "", "usage: bugreportz [-hpsv]\n", 1),
        ("android-34", "bugreport | grep -c '^== dumpstate: '", "2\n", "=====", 0),
        ("android-19", "bugreport | grep -c '^== dumpstate: '", "2\n", "", 0),
        ("android-19", "bugreportz", "", "/system/bin/sh: bugreportz: not found\n", 127),
    ],
)
def test_forms_by_version(profile: str, line: str, out: str, err: str, status: int) -> None:
    printed, errors, code = on_phone(line, phone=toys.phone(profile))
    assert (printed, errors[: len(err)] if err else errors, code) == (out, err, status)
