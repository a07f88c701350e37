from __future__ import annotations

import pytest

from garabench.virtual.android.device_profile import Profile
from garabench.virtual.android.file_system import FileSystem
from garabench.virtual.android.phone import Phone
from garabench.virtual.apps.catalog import installed_apps
from tests.virtual.shell.harness import on_phone


def test_a_provided_file_is_generated_on_each_read() -> None:
    files, texts = FileSystem(lambda: 0), [b"two", b"one"]
    files.provide("/proc/count", texts.pop)
    assert (files.read("/proc/count"), files.read("/proc/count")) == (b"one", b"two")
    found = files.stat("/proc/count")
    assert found is not None
    assert (found.size, found.mode & 0o777) == (0, 0o444)
    assert files.listdir("/proc") == ("count",)
    with pytest.raises(OSError, match="Read-only"):
        files.write("/proc/count", b"three")
    with pytest.raises(OSError, match="Read-only"):
        files.remove("/proc/count")


def test_proc_uptime_follows_the_phones_clock() -> None:
    phone = Phone(Profile.parse("android-34:720x1280"), apps=installed_apps())
    phone.clock.advance(61_250)
    assert phone.files.read("/proc/uptime") == b"61.25 61.25\n"


@pytest.mark.parametrize(
    ("line", "out"),
    [
        ("readlink /sdcard", "/storage/self/primary\n"),
        ("readlink -f /sdcard/Download", "/storage/emulated/0/Download\n"),
        ("realpath /mnt/sdcard", "/storage/emulated/0\n"),
        ("readlink /storage/self/primary", "/storage/emulated/0\n"),
        ("readlink /storage/emulated/0; echo $?", "1\n"),
        ("stat -c '%A %s %F' /sdcard /sdcard/", "lrw-r--r-- 21 symbolic link\ndrwxrwx--x 0 directory\n"),
        (
            "ls -ld /sdcard",
            "lrw-r--r-- 1 root root      21 2024-05-20 09:41 /sdcard -> /storage/self/primary\n",
        ),
        ("ls -F / | grep sdcard", "sdcard@\n"),
        ("ls /storage/self /storage/emulated", "/storage/self:\nprimary\n\n/storage/emulated:\n0\n"),
        ("ls -la /sdcard/Download | cut -c1-10", "total 0\ndrwxrwx--x\ndrwxrwx--x\n"),
        ("find /sdcard", "/sdcard\n"),
        ("find /sdcard/ -maxdepth 1 -name Down*", "/sdcard/Download\n"),
        ("[ -L /sdcard ] && [ -d /sdcard ] && echo link", "link\n"),
        ("[ -L /storage/emulated/0 ] || echo none", "none\n"),
        ("cd /sdcard; pwd; pwd -P; cd -P .; pwd", "/sdcard\n/storage/emulated/0\n/storage/emulated/0\n"),
        ("echo x > /sdcard/f; cat /storage/self/primary/f /storage/emulated/0/f", "x\nx\n"),
    ],
)
def test_the_shared_storage_is_behind_links(line: str, out: str) -> None:
    """``init.rc`` since Android 10; ``ls -l`` and ``find`` of toybox do not follow a link as an operand."""
    assert on_phone(line, profile="android-34") == (out, "", 0)


def test_sync_reports_the_link_itself() -> None:
    """adb's ``STAT`` and ``LST2`` are ``lstat``, ``STA2`` is ``stat`` (``file_sync_service.cpp``)."""
    files = Phone(Profile.parse("android-34:720x1280"), apps=()).files
    found, behind = files.lstat("/sdcard"), files.stat("/sdcard")
    assert found is not None and behind is not None
    assert (found.mode, behind.mode & 0o170000) == (0o120644, 0o040000)
