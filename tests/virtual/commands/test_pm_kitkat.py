"""``pm`` of Android 4.4 (AOSP ``Pm.java``)."""

from __future__ import annotations

import pytest

from garabench.virtual.android.phone import Phone
from tests.virtual.android import toys
from tests.virtual.android.apks import apk
from tests.virtual.shell.harness import HOME, on_phone

CAMERA, INTERNET = toys.CAMERA, "android.permission.INTERNET"


@pytest.fixture
def phone() -> Phone:
    device = toys.phone("android-19")
    toys.start(device)
    return device


def run(phone: Phone, line: str) -> tuple[str, str]:
    """Run a line and return its output and errors; every call exits with 0."""
    out, err, status = on_phone(line, phone=phone)
    assert status == 0
    return out, err


def test_lists_and_paths(phone: Phone) -> None:
    assert run(phone, "pm list packages") == ("package:toy.home\npackage:toy.app\npackage:toy.other\n", "")
    assert run(phone, "pm list packages -3 -f app") == ("package:/data/app/toy.app-1.apk=toy.app\n", "")
    assert run(phone, "pm path toy.home") == ("package:/system/app/toy.home.apk\n", "")
    assert run(phone, "pm path nope") == ("", "")
    for option in ("-U", "--show-versioncode"):
        assert run(phone, f"pm list packages {option}") == ("", f"Error: Unknown option: {option}\n")
    assert run(phone, "pm list nope") == ("", "Error: unknown list type 'nope'\n")
    assert run(phone, "pm list") == ("", "Error: didn't specify type of data to list\n")


def test_install_takes_long_and_prints_the_file(phone: Phone) -> None:
    phone.files.write(f"{HOME}/a.apk", apk())
    before = phone.clock.now_ms()
    assert run(phone, "pm install -r a.apk") == ("Success\n", "\tpkg: a.apk\n")
    assert 9000 <= phone.clock.now_ms() - before < 19_000
    assert run(phone, "pm path org.example.small") == ("package:/data/app/org.example.small-1.apk\n", "")
    assert run(phone, "pm install a.apk") == ("", "\tpkg: a.apk\nFailure [INSTALL_FAILED_ALREADY_EXISTS]\n")
    assert run(phone, "pm install -r a.apk; pm path org.example.small")[0].endswith("small-2.apk\n")
    assert run(phone, "pm install nope.apk")[1].endswith("Failure [INSTALL_FAILED_INVALID_URI]\n")
    assert run(phone, "pm uninstall org.example.small") == ("Success\n", "")
    assert run(phone, "pm uninstall org.example.small") == ("Failure\n", "")


def test_clear_and_disable(phone: Phone) -> None:
    assert run(phone, "pm clear toy.app") == ("", "Success\n")
    assert phone.activities.focused_app == "toy.home/.Home"
    assert run(phone, "pm clear nope") == ("", "Failed\n")
    assert run(phone, "pm disable toy.app") == ("", "Package toy.app new state: disabled\n")
    assert "does not exist" in run(phone, "am start -n toy.app/.Main")[1]
    assert run(phone, "pm enable toy.app") == ("", "Package toy.app new state: enabled\n")


def test_permissions_are_granted_at_installation(phone: Phone) -> None:
    assert phone.packages.is_granted("toy.app", CAMERA)
    assert run(phone, f"pm revoke toy.app {CAMERA}")[1] == (
        "Operation not allowed: java.lang.SecurityException: "
        f"Permission {CAMERA} is not a changeable permission type\n"
    )
    assert phone.packages.is_granted("toy.app", CAMERA)
    assert run(phone, f"pm grant toy.other {CAMERA}")[1] == (
        "Operation not allowed: java.lang.SecurityException: "
        f"Package toy.other has not requested permission {CAMERA}\n"
    )
    assert run(phone, f"pm grant nope {CAMERA}")[1].startswith(
        "Bad argument: java.lang.IllegalArgumentException: Unknown package: nope\nusage: pm list packages"
    )
    out = run(phone, "dumpsys package toy.app")[0]
    assert f"    grantedPermissions:\n      {INTERNET}\n      {CAMERA}\n" in out
    assert "granted=" not in out
    assert "minSdk" not in out


@pytest.mark.parametrize("verb", ["nope", "resolve-activity", "install-create", "has-feature"])
def test_unknown_verbs(phone: Phone, verb: str) -> None:
    out, err = run(phone, f"pm {verb} x")
    assert out == ""
    assert err.startswith(f"Error: unknown command '{verb}'\nusage: pm list packages")


@pytest.mark.parametrize(
    ("line", "first"),
    [
        ("pm", "usage: pm list packages"),
        ("pm clear", "Error: no package specified"),
        ("pm uninstall", "Error: no package specified"),
        ("pm grant toy.app", "Error: no permission specified"),
        ("pm path", "Error: no package specified"),
    ],
)
def test_missing_arguments(phone: Phone, line: str, first: str) -> None:
    out, err = run(phone, line)
    assert out == ""
    assert err.startswith(first)
