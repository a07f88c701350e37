"""What root may change of a debug build's system (AOSP ``fs_mgr_remount.cpp``, ``start.cpp``)."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from garabench.virtual.android.device_profile import Profile
from garabench.virtual.android.file_system import as_root
from garabench.virtual.android.phone import Phone
from tests.virtual.android.toys import start, toys
from tests.virtual.shell.harness import on_phone

NOT_ROOT = 'Not running as root. Try "adb root" first.\n'
REBOOT = "Now reboot your device for settings to take effect\n"


@pytest.fixture
def user() -> Phone:
    return Phone(Profile.parse("android-34"), apps=toys(), strict=True)


@pytest.fixture
def debug() -> Iterator[Phone]:
    device = Phone(Profile.parse("android-34"), apps=toys(), strict=True, rooted=True)
    start(device)
    yield device


@pytest.mark.parametrize(
    ("line", "out", "err", "status"),
    [
        ("remount", "", NOT_ROOT, 1),
        ("disable-verity", "", "verity cannot be disabled/enabled - USER build\n", 1),
        ("mount -o rw,remount /", "", "mount: '/'->'/': Permission denied\n", 1),
        ("stop", "", "stop: Must be root\n", 1),
        ("start zygote", "", "start: Must be root\n", 1),
        ("getenforce", "Enforcing\n", "", 0),
        (
            "setenforce 0",
            "",
            "setenforce: Couldn't set enforcing status to '0': Permission denied\n",
            1,
        ),
        ("setenforce", "", "setenforce: Needs 1 argument\n", 1),
        ("setenforce maybe", "", "setenforce: Invalid state: maybe\n", 1),
        ("su 0 id", "", "/system/bin/sh: su: inaccessible or not found\n", 127),
        ("setprop", "", 'setprop: Need 2 arguments (see "setprop --help")\n', 1),
        ("setprop a. 1", "", "setprop: property names must not start or end with '.'\n", 1),
        ("setprop debug..x 1", "", "setprop: '..' is not allowed in a property name\n", 1),
        ("setprop 'debug x' 1", "", "setprop: invalid character ' ' in name 'debug x'\n", 1),
        ("setprop ro.build.id X", "", "setprop: failed to set property 'ro.build.id' to 'X'\n", 1),
        ("setprop my.own 1", "", "setprop: failed to set property 'my.own' to '1'\n", 1),
        ("setprop debug.x 1; getprop debug.x", "1\n", "", 0),
    ],
)
def test_a_user_build_refuses(user: Phone, line: str, out: str, err: str, status: int) -> None:
    assert on_phone(line, phone=user) == (out, err, status)


@pytest.mark.parametrize("line", ["remount", "disable-verity", "enable-verity"])
def test_a_debug_build_wants_root(debug: Phone, line: str) -> None:
    assert on_phone(line, phone=debug) == ("", NOT_ROOT, 1)


def test_root_writes_to_the_system_after_verity_is_off_and_the_phone_restarted(debug: Phone) -> None:
    write = "echo 1 > /system/x; cat /system/x"
    with as_root():
        assert "Read-only file system" in on_phone(write, phone=debug)[1]
        assert on_phone("mount -o rw,remount /", phone=debug)[1] == "mount: '/dev/block/dm-0' is read-only\n"
        assert on_phone("disable-verity; disable-verity", phone=debug)[0] == (
            f"Successfully disabled verity\n{REBOOT}Verity is already disabled\n"
        )
        assert on_phone("remount", phone=debug)[0].endswith(REBOOT)
        debug.reboot()
        assert on_phone("remount", phone=debug)[0].endswith("Remount succeeded\n")
        assert on_phone("mount | grep ' / '", phone=debug)[0].startswith(
            "/dev/block/dm-0 on / type ext4 (rw,"
        )
        assert on_phone(write, phone=debug)[0] == "1\n"
    assert "Read-only file system" in on_phone("echo 2 > /system/x", phone=debug)[1]
    debug.reboot()
    with as_root():
        assert "Read-only file system" in on_phone("echo 2 > /system/x", phone=debug)[1]


def test_root_makes_selinux_permissive_until_the_next_boot(debug: Phone) -> None:
    assert on_phone("su 0 setenforce 0; getenforce", phone=debug)[0] == "Permissive\n"
    debug.reboot()
    assert on_phone("getenforce", phone=debug)[0] == "Enforcing\n"


def test_root_stops_and_starts_the_framework(debug: Phone) -> None:
    """``stop`` ends the zygote, and with it all apps and services; ``start`` brings up the home screen."""
    assert on_phone("su 0 stop; getprop init.svc.zygote; getprop sys.boot_completed", phone=debug)[0] == (
        "stopped\n0\n"
    )
    assert on_phone("am start -n toy.app/.Main", phone=debug) == (
        "",
        "cmd: Can't find service: activity\n",
        20,
    )
    assert on_phone("dumpsys window", phone=debug)[1] == "Can't find service: window\n"
    assert on_phone("pidof toy.app", phone=debug)[2] == 1
    on_phone("su 0 start", phone=debug)
    assert on_phone("getprop init.svc.zygote; getprop sys.boot_completed", phone=debug)[0] == "running\n1\n"
    assert on_phone("dumpsys window | grep -c 'mCurrentFocus=.*toy.home'", phone=debug)[0] == "1\n"
