"""States of packages (AOSP ``PackageManagerShellCommand``, ``SuspendedAppActivity``)."""

from __future__ import annotations

import pytest

from garabench.virtual.android.device_profile import Profile
from garabench.virtual.android.file_system import as_root
from garabench.virtual.android.phone import Phone
from garabench.virtual.apps.framework import app as framework
from tests.virtual.android import toys
from tests.virtual.shell.harness import on_phone

FOCUS = "dumpsys window | grep -o 'u0 [^}]*' | head -1"


@pytest.fixture
def phone() -> Phone:
    device = toys.phone()
    toys.start(device)
    return device


@pytest.mark.parametrize(
    ("line", "out", "err", "status"),
    [
        ("pm suspend toy.app", "Package toy.app new suspended state: true\n", "", 0),
        ("pm suspend toy.home", "Package toy.home new suspended state: false\n", "", 0),
        ("pm suspend nope", "java.lang.IllegalArgumentException: Unknown target package: nope\n", "", 1),
        ("pm suspend", "", "Error: package name not specified\n", 1),
        (
            "pm suspend toy.app >/dev/null; dumpsys package toy.app | grep -o suspended=true",
            "suspended=true\n",
            "",
            0,
        ),
        ("pm trim-caches 100M", "", "", 0),
        ("pm trim-caches 1x", "", "Invalid suffix: x\n", 1),
        ("pm trim-caches Mo", "", "Invalid suffix: o\n", 1),
        ("pm install-existing toy.app", "Package toy.app installed for user: 0\n", "", 0),
        (
            "pm install-existing nope",
            "android.content.pm.PackageManager$NameNotFoundException: Package nope doesn't exist\n",
            "",
            1,
        ),
        ("pm get-install-location; pm get-max-users", "0[auto]\nMaximum supported users: 4\n", "", 0),
        ("pm create-user two", "", "Error: couldn't create User.\n", 1),
        ("pm compile -m speed -f toy.app", "Success\n", "", 0),
        ("pm compile nope.nope", "", "Failure: package nope.nope not found\n", 1),
        ("pm grant toy.app android.permission.CAMERA; pm reset-permissions", "", "", 0),
    ],
)
def test_lines(phone: Phone, line: str, out: str, err: str, status: int) -> None:
    assert on_phone(line, phone=phone) == (out, err, status)


def test_a_suspended_app_opens_a_dialog_instead() -> None:
    phone = Phone(Profile.parse("android-34"), apps=(*toys.toys(), framework.APP), strict=True)
    toys.start(phone)
    on_phone("pm suspend toy.app", phone=phone)
    assert phone.processes.pidof("toy.app") is None
    shown = on_phone(f"am start -n toy.app/.Main >/dev/null; {FOCUS}", phone=phone)[0]
    assert shown == "u0 android/com.android.internal.app.SuspendedAppActivity\n"
    assert "目前无法使用" in on_phone("uiautomator dump /dev/tty", phone=phone)[0]
    assert on_phone(f"input keyevent BACK; {FOCUS}", phone=phone)[0] == "u0 toy.home/toy.home.Home\n"
    shown = on_phone(f"am start -W -n toy.app/.Main | grep Activity; {FOCUS}", phone=phone)[0]
    assert shown.splitlines()[0] == "Activity: android/com.android.internal.app.SuspendedAppActivity"
    button = next(
        node
        for window in phone.scene().windows
        for node in window.root.walk()
        if node.resource_id == "android:id/button1"
    ).visible.center
    on_phone(f"input tap {button.x} {button.y}", phone=phone)
    assert on_phone(FOCUS, phone=phone)[0] == "u0 toy.home/toy.home.Home\n"
    on_phone("pm unsuspend toy.app", phone=phone)
    assert (
        on_phone(f"am start -n toy.app/.Main >/dev/null; {FOCUS}", phone=phone)[0]
        == "u0 toy.app/toy.app.Main\n"
    )


def test_only_root_may_hide_an_app(phone: Phone) -> None:
    out, err, status = on_phone("pm hide toy.app", phone=phone)
    assert (out, status) == ("", 255)
    assert "java.lang.SecurityException: Neither user 2000 nor current process has" in err
    with as_root():
        assert on_phone("pm hide toy.app", phone=phone) == ("Package toy.app new hidden state: true\n", "", 0)
    assert "toy.app" not in on_phone("pm list packages", phone=phone)[0]
    assert "toy.app" in on_phone("pm list packages -u", phone=phone)[0]
    assert "does not exist" in on_phone("am start -n toy.app/.Main", phone=phone)[1]


def test_a_system_app_is_uninstalled_for_the_user_and_comes_back(phone: Phone) -> None:
    assert on_phone("pm uninstall toy.home", phone=phone)[0] == "Failure [DELETE_FAILED_INTERNAL_ERROR]\n"
    assert on_phone("pm uninstall -k --user 0 toy.home; pm path toy.home", phone=phone)[:2] == (
        "Success\n",
        "",
    )
    assert "toy.home" not in on_phone("pm list packages", phone=phone)[0]
    on_phone("pm install-existing toy.home", phone=phone)
    assert "toy.home" in on_phone("pm list packages", phone=phone)[0]
