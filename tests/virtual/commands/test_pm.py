from __future__ import annotations

import pytest

from garabench.virtual.android.phone import Phone
from tests.virtual.android import toys
from tests.virtual.android.apks import apk
from tests.virtual.shell.harness import HOME, on_phone

CAMERA, INTERNET = toys.CAMERA, "android.permission.INTERNET"
HEAD = "priority=0 preferredOrder=0 match=0x108000 specificIndex=-1 isDefault=true\n"
NEW = ("android-30", "android-34")


def illegal(verb: str, message: str) -> str:
    return f"\nException occurred while executing '{verb}':\njava.lang.IllegalArgumentException: {message}\n"


def thrown(verb: str, exception: str) -> str:
    return f"\nException occurred while executing '{verb}':\n{exception}\n"


def forbidden(message: str) -> str:
    return f"Security exception: {message}\n\njava.lang.SecurityException: {message}\n"


@pytest.fixture(params=NEW)
def phone(request: pytest.FixtureRequest) -> Phone:
    device = toys.phone(request.param)
    toys.start(device)
    return device


def uid(device: Phone, package: str = "toy.app") -> int:
    found = device.packages.get(package)
    assert found is not None
    return found.uid


def test_lists_of_packages(phone: Phone) -> None:
    every = "package:toy.home\npackage:toy.app\npackage:toy.other\n"
    assert on_phone("pm list packages", phone=phone) == (every, "", 0)
    assert on_phone("cmd package list packages", phone=phone) == (every, "", 0)
    assert on_phone("pm list packages -3 other", phone=phone)[0] == "package:toy.other\n"
    assert on_phone("pm list packages -s", phone=phone)[0] == "package:toy.home\n"
    assert on_phone("cmd package list packages --show-versioncode toy.app", phone=phone)[0] == (
        "package:toy.app versionCode:1\n"
    )
    assert on_phone("pm list packages -U -i toy.app", phone=phone)[0] == (
        f"package:toy.app  installer=null uid:{uid(phone)}\n"
    )
    assert on_phone("pm disable-user toy.other; pm list packages -d; pm list packages -e -3", phone=phone)[
        0
    ] == ("Package toy.other new state: disabled-user\npackage:toy.other\npackage:toy.app\n")
    assert on_phone("pm list packages --nope", phone=phone) == ("Error: Unknown option: --nope\n", "", 255)


def test_a_path_may_contain_an_equals_sign(phone: Phone) -> None:
    path = on_phone("pm path toy.app", phone=phone)[0].strip().removeprefix("package:")
    assert path.startswith("/data/app/~~")
    assert "==/toy.app-" in path
    assert on_phone("pm list packages -f toy.app", phone=phone)[0] == f"package:{path}=toy.app\n"
    assert on_phone("pm path toy.home", phone=phone)[0] == "package:/system/app/toy.home/toy.home.apk\n"
    assert on_phone("pm path nope", phone=phone) == ("", "", 1)


def test_clear_ends_the_app_and_deletes_its_data(phone: Phone) -> None:
    toys.main_of(phone).ctx.data["kept"] = 1
    assert on_phone("pm clear toy.app", phone=phone) == ("Success\n", "", 0)
    installed = phone.packages.get("toy.app")
    assert installed is not None
    assert installed.data == {"trace": []}
    assert phone.activities.focused_app == "toy.home/.Home"
    assert on_phone("pidof toy.app", phone=phone)[2] == 1
    assert on_phone("pm clear nope", phone=phone) == ("", "Failed\n", 1)


def test_permissions(phone: Phone) -> None:
    granted = "dumpsys package toy.app | grep CAMERA: "
    assert on_phone(f"pm grant toy.app {CAMERA}; {granted}", phone=phone) == (
        f"        {CAMERA}: granted=true\n",
        "",
        0,
    )
    assert phone.packages.is_granted("toy.app", CAMERA)
    pid = phone.processes.pidof("toy.app")
    assert pid is not None
    assert on_phone(f"pm revoke toy.app {CAMERA}", phone=phone) == ("", "", 0)
    assert phone.processes.pidof("toy.app") is None  # Android kills an app that loses a permission
    assert not phone.packages.is_granted("toy.app", CAMERA)
    assert on_phone(f"pm grant nope {CAMERA}", phone=phone) == (
        "",
        illegal("grant", "Unknown package: nope"),
        255,
    )
    assert on_phone("pm grant toy.app x.Y", phone=phone) == (
        "",
        illegal("grant", "Unknown permission: x.Y"),
        255,
    )
    assert on_phone(f"pm grant toy.other {CAMERA}", phone=phone) == (
        "",
        forbidden(f"Package toy.other has not requested permission {CAMERA}"),
        255,
    )
    assert on_phone(f"pm revoke toy.app {INTERNET}", phone=phone) == (
        "",
        forbidden(f"Permission {INTERNET} requested by toy.app is not a changeable permission type"),
        255,
    )


def test_a_disabled_app_does_not_start(phone: Phone) -> None:
    assert on_phone("pm disable-user --user 0 toy.app", phone=phone)[0] == (
        "Package toy.app new state: disabled-user\n"
    )
    assert "does not exist" in on_phone("am start -n toy.app/.Main", phone=phone)[1]
    on_phone("pm enable toy.app; am start -n toy.app/.Main", phone=phone)
    assert phone.activities.focused_app == "toy.app/.Main"
    assert on_phone("pm enable nope", phone=phone) == ("", illegal("enable", "Unknown package: nope"), 255)


def test_resolve_activity(phone: Phone) -> None:
    icon = "-c android.intent.category.LAUNCHER"
    line = f"cmd package resolve-activity --brief {icon} toy.app"
    assert on_phone(line, phone=phone) == (f"{HEAD}toy.app/.Main\n", "", 0)
    assert on_phone(f"cmd package resolve-activity {icon} toy.app", phone=phone)[0] == (
        f"{HEAD}ActivityInfo:\n  name=toy.app.Main\n  packageName=toy.app\n"
    )
    assert on_phone(
        "pm resolve-activity --components -a android.intent.action.VIEW -d toy://detail/1", phone=phone
    ) == (
        "toy.app/.Detail\n",
        "",
        0,
    )
    assert on_phone("pm resolve-activity --brief nope", phone=phone) == ("No activity found\n", "", 0)
    resolve = f"cmd package resolve-activity --brief -a android.intent.action.MAIN {icon}"
    assert (
        on_phone(resolve, phone=phone)[0].splitlines()[1]
        == "android/com.android.internal.app.ResolverActivity"
    )
    every = f"cmd package query-activities --brief -a android.intent.action.MAIN {icon}"
    assert on_phone(every, phone=phone) == (
        f"2 activities found:\n  Activity #0:\n    {HEAD}    toy.app/.Main\n"
        f"  Activity #1:\n    {HEAD}    toy.other/.Plain\n",
        "",
        0,
    )
    assert on_phone(f"{every} --components", phone=phone)[0] == "toy.app/.Main\ntoy.other/.Plain\n"
    assert on_phone("cmd package query-activities -a no.BODY", phone=phone) == (
        "No activities found\n",
        "",
        0,
    )
    assert on_phone("cmd package resolve-activity --nope", phone=phone)[1] == illegal(
        "resolve-activity", "Unknown option: --nope"
    )


def test_install_and_uninstall(phone: Phone) -> None:
    phone.files.write(f"{HOME}/a.apk", apk())
    before = phone.clock.now_ms()
    assert on_phone("pm install -r -t a.apk", phone=phone) == ("Success\n", "", 0)
    assert 900 <= phone.clock.now_ms() - before < 1000
    assert on_phone("pm install -R a.apk", phone=phone)[0].startswith(
        "Failure [INSTALL_FAILED_ALREADY_EXISTS: "
    )
    assert on_phone("pm uninstall org.example.small", phone=phone) == ("Success\n", "", 0)
    assert on_phone("pm uninstall org.example.small", phone=phone) == (
        "Failure [DELETE_FAILED_INTERNAL_ERROR]\n",
        "",
        1,
    )
    assert (
        on_phone("pm uninstall --user 0 org.example.small", phone=phone)[0]
        == "Failure [not installed for 0]\n"
    )
    assert on_phone("pm uninstall toy.home", phone=phone)[2] == 1  # a system app
    phone.files.write(f"{HOME}/bad.apk", b"no zip")
    out, err, status = on_phone("pm install bad.apk", phone=phone)
    assert (out.startswith("Failure [INSTALL_PARSE_FAILED_NOT_APK"), err, status) == (True, "", 1)
    assert on_phone("pm install /sdcard/nope.apk", phone=phone) == (
        "",
        "Error: Unable to open file: /sdcard/nope.apk\nConsider using a file under /data/local/tmp/\n"
        "Error: Can't open file: /sdcard/nope.apk\n"
        + illegal("install", "Error: Can't open file: /sdcard/nope.apk"),
        255,
    )
    assert on_phone("pm install </dev/null", phone=phone)[1:] == (
        "Error: must either specify a package size or an APK file\n",
        1,
    )


def test_install_from_stdin_and_by_sessions(phone: Phone) -> None:
    data = apk()
    line = f"cmd package 'install' '-r' -S {len(data)}"
    assert on_phone(line, data + b"more", phone=phone) == ("Success\n", "", 0)
    phone.files.write(f"{HOME}/a.apk", data)
    assert on_phone(
        "id=$(pm install-create -r | sed 's/.*\\[\\(.*\\)\\].*/\\1/'); pm install-write $id base.apk a.apk; "
        "pm install-commit $id; pm install-commit $id",
        phone=phone,
    ) == (
        f"Success: streamed {len(data)} bytes\nSuccess\n",
        thrown("install-commit", "java.lang.SecurityException: Caller has no access to session 1001"),
        255,
    )


SESSION = "pm install-create >/dev/null; "
NO_ACCESS = "java.lang.SecurityException: Caller has no access to session "


@pytest.mark.parametrize(
    ("line", "out", "err", "status"),
    [
        (
            f"{SESSION} pm install-abandon 1001; pm install-write 1001 a a.apk",
            "Success\n",
            thrown("install-write", f"{NO_ACCESS}1001"),
            255,
        ),
        ("pm install-abandon 7", "", thrown("install-abandon", f"{NO_ACCESS}7"), 255),
        (
            f"{SESSION} pm install-commit 1001",
            "Failure [INSTALL_FAILED_INVALID_APK: No packages staged in /data/app/vmdl1001.tmp]\n",
            "",
            1,
        ),
        (f"{SESSION} pm install-write 1001 base.apk -", "", "Error: must specify an APK size\n", 1),
        (
            f"{SESSION} pm install-write 1001 base.apk /sdcard/nope.apk",
            "",
            "Error: Unable to open file: /sdcard/nope.apk\nConsider using a file under /data/local/tmp/\n",
            255,
        ),
        (
            "pm install-write x a b",
            "",
            thrown("install-write", 'java.lang.NumberFormatException: For input string: "x"'),
            255,
        ),
        (
            "pm install-commit",
            "",
            thrown("install-commit", "java.lang.NumberFormatException: Cannot parse null string: null"),
            255,
        ),
        (
            f"{SESSION}{SESSION} pm install-add-session 1001 1002",
            "",
            "Error: parent session ID is not a multi-package session\n",
            1,
        ),
        (
            "pm install-create --multi-package >/dev/null; pm install-add-session 1001 9",
            "",
            thrown(
                "install-add-session",
                "java.lang.IllegalStateException: Unable to add child session 9 as it does not exist.",
            ),
            255,
        ),
    ],
)
def test_sessions_that_fail(phone: Phone, line: str, out: str, err: str, status: int) -> None:
    """AOSP ``PackageManagerShellCommand``, ``PackageInstallerService``, ``PackageInstallerSession``."""
    assert on_phone(line, phone=phone) == (out, err, status)


@pytest.mark.parametrize(
    ("line", "out", "err", "status"),
    [
        ("pm nope", "Unknown command: nope\n", "", 255),
        ("pm list", "Error: didn't specify type of data to list\n", "", 255),
        ("pm list nope", "Error: unknown list type 'nope'\n", "", 255),
        ("pm path", "", illegal("path", 'Argument expected after "path"'), 255),
        ("pm grant toy.app", "", illegal("grant", 'Argument expected after "toy.app"'), 255),
        ("pm uninstall", "", "Error: package name not specified\n", 1),
        ("pm has-feature android.hardware.wifi", "true\n", "", 0),
        ("pm has-feature nope", "false\n", "", 1),
        (
            "pm list features | head -n 2",
            "feature:reqGlEsVersion=0x30000\nfeature:android.hardware.bluetooth\n",
            "",
            0,
        ),
        ("pm list users", "Users:\n\tUserInfo{0:Owner:c13} running\n", "", 0),
        ("pm get-install-location", "0[auto]\n", "", 0),
    ],
)
def test_other_lines(phone: Phone, line: str, out: str, err: str, status: int) -> None:
    assert on_phone(line, phone=phone) == (out, err, status)


def test_install_faults(phone: Phone) -> None:
    phone.files.write(f"{HOME}/a.apk", apk())
    for fault, message in (
        ("no-space", "Failure [INSTALL_FAILED_INSUFFICIENT_STORAGE]\n"),
        ("install-refused", "Failure [INSTALL_FAILED_USER_RESTRICTED: Install canceled by user]\n"),
    ):
        phone.faults.enable(fault)
        assert on_phone("pm install a.apk", phone=phone) == (message, "", 1)
        assert phone.packages.get("org.example.small") is None
        phone.faults.disable(fault)
    phone.faults.enable("install-slow", ms=7000)
    before = phone.clock.now_ms()
    assert on_phone("pm install a.apk", phone=phone)[0] == "Success\n"
    assert phone.clock.now_ms() - before >= 7900
