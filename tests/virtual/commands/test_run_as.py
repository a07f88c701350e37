"""``run-as`` (AOSP ``system/core/run-as/run-as.cpp``)."""

from __future__ import annotations

import pytest

from garabench.virtual.android.installer import install_apk
from tests.virtual.android import apks, toys
from tests.virtual.shell.harness import on_phone

PACKAGE = "org.example.small"


@pytest.mark.parametrize(
    ("profile", "line", "err"),
    [
        ("android-34", "run-as toy.app id", "run-as: package not debuggable: toy.app\n"),
        ("android-34", "run-as nope id", "run-as: unknown package: nope\n"),
        ("android-19", "run-as nope id", "run-as: Package 'nope' is unknown\n"),
        (
            "android-34",
            "run-as",
            "run-as: usage: run-as <package-name> [--user <uid>] <command> [<args>]\n",
        ),
    ],
)
def test_only_debuggable_apps_can_be_entered(profile: str, line: str, err: str) -> None:
    assert on_phone(line, phone=toys.phone(profile)) == ("", err, 1)


def test_a_command_runs_in_the_apps_directory() -> None:
    device = toys.phone()
    assert install_apk(device.packages, apks.apk(apks.manifest(debuggable=True))).ok
    line = (
        f"run-as {PACKAGE} touch files/note; run-as {PACKAGE} ls; run-as {PACKAGE} ls files; run-as "
        f"{PACKAGE} pwd"
    )
    out, err, status = on_phone(line, phone=device)
    assert (out, err, status) == (
        f"cache\ncode_cache\nfiles\nshared_prefs\nnote\n/data/user/0/{PACKAGE}\n",
        "",
        0,
    )
    assert on_phone(f"run-as {PACKAGE} id", phone=device)[0].startswith(
        "uid=10053(u0_a53) gid=10053(u0_a53) "
    )
    assert "Permission denied" in on_phone(f"ls /data/user/0/{PACKAGE}", phone=device)[1]


def test_data_data_and_data_user_0_are_one_directory() -> None:
    """``/data/data`` is mounted over ``/data/user/0`` (AOSP ``init.rc``)."""
    device = toys.phone()
    assert install_apk(device.packages, apks.apk(apks.manifest(debuggable=True))).ok
    enter, home = f"run-as {PACKAGE}", f"/data/data/{PACKAGE}"
    assert on_phone(f"{enter} touch files/note; {enter} ls {home} {home}/files", phone=device) == (
        f"{home}:\ncache\ncode_cache\nfiles\nshared_prefs\n\n{home}/files:\nnote\n",
        "",
        0,
    )
    on_phone(f"{enter} rm {home}/files/note", phone=device)
    assert on_phone(f"{enter} ls files", phone=device)[0] == ""
