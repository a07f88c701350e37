"""``toolbox`` of Android 4.4, as a real Android 4.4.2 prints it."""

from __future__ import annotations

import pytest

from tests.cases import every_case
from tests.virtual.shell.harness import on_phone

PROFILE = "android-19"


@every_case(
    ("line", "out", "err", "status"),
    [
        (
            "mkdir /sdcard/d; echo 12345 >/sdcard/f; ls -l /sdcard/f",
            "-rw-r--r-- root     sdcard_rw        6 2024-05-20 09:41 /sdcard/f\n",
            "",
            0,
        ),
        (
            "mkdir /sdcard/d/e; ls -l /sdcard/d",
            "drwxrwx--x root     sdcard_rw          2024-05-20 09:41 e\n",
            "",
            0,
        ),
        ("ls /nosuch", "", "/nosuch: No such file or directory\n", 1),
        ("ls -t", "", "ls: Unknown option '-t'. Aborting.\n", 1),
        ("mkdir a; echo x >a/b; ls -R", "\n.:\na\n\n./a:\nb\n", "", 0),
        (
            "df /data /nope /sdcard",
            "Filesystem               Size     Used     Free   Blksize\n"
            "/data                  107.1G    59.1G    48.0G   4096\n"
            "/sdcard                107.1G    59.1G    48.0G   4096\n",
            "/nope: No such file or directory\n",
            1,
        ),
        (
            "df -h",
            "Filesystem               Size     Used     Free   Blksize\n",
            "-h: No such file or directory\n",
            1,
        ),
        ("toolbox", "Toolbox!\n", "", 0),
        ("toolbox ls /nosuch", "", "/nosuch: No such file or directory\n", 1),
        ("toolbox sed", "", "sed: no such tool\n", 255),
    ],
)
def test_output(line: str, out: str, err: str, status: int) -> None:
    made = "mkdir /sdcard/d; " if line.startswith("mkdir /sdcard/d/") else ""
    assert on_phone(made + line, profile=PROFILE) == (out, err, status)


def test_file_systems_are_listed_by_place() -> None:
    rows = on_phone("df", profile=PROFILE)[0].splitlines()[1:]
    assert [row.split()[0] for row in rows] == ["/", "/dev", "/vendor", "/data", "/storage/emulated"]


def test_the_shell_is_in_more_groups() -> None:
    out = on_phone("id", profile=PROFILE)[0]
    assert out.startswith("uid=2000(shell) gid=2000(shell) groups=1003(graphics),1004(input),")
    for group in ("1009(mount)", "1028(sdcard_r)", "3001(net_bt_admin)", "3006(net_bw_stats)"):
        assert group in out
    assert "1003(graphics)" not in on_phone("id")[0]


@pytest.mark.parametrize("profile", ["android-30", "android-34"])
def test_newer_versions_have_no_toolbox(profile: str) -> None:
    assert on_phone("toolbox ls", profile=profile)[2] == 127
    assert on_phone("ls -l /sdcard/", profile=profile)[0].startswith("total ")


def test_the_shared_storage_is_behind_a_link() -> None:
    """``init.rc`` of Android 4.4, and ``listfile_long`` of its toolbox."""
    out = on_phone("ls -l /sdcard; readlink /sdcard", profile=PROFILE)[0]
    assert out.startswith("lrwxrwxrwx root     root              ")
    assert out.endswith(" /sdcard -> /storage/emulated/legacy\n/storage/emulated/legacy\n")
    assert on_phone("ls /sdcard/", profile=PROFILE)[0].startswith("Alarms\n")


def test_the_date_is_in_gmt_until_the_zone_is_set() -> None:
    assert on_phone("date; getprop persist.sys.timezone", profile=PROFILE)[0] == (
        "Mon May 20 09:41:00 GMT 2024\nGMT\n"
    )
    assert "CST" in on_phone("date")[0]
