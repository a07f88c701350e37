from __future__ import annotations

import pytest

from garabench.virtual.android.device_profile import Profile
from garabench.virtual.android.phone import Phone
from garabench.virtual.apps.companion import app as companion
from tests.virtual.android import toys
from tests.virtual.shell.harness import on_phone

LEVEL = "dumpsys devicestoragemonitor | grep -o 'level=[A-Z]*'"


@pytest.fixture
def phone() -> Phone:
    device = toys.phone()
    toys.start(device)
    return device


@pytest.mark.parametrize(
    ("line", "out", "err", "status"),
    [
        ("cmd nope", "", "cmd: Can't find service: nope\n", 20),
        ("cmd", "", "cmd: No service specified; use -l to list all services\n", 20),
        ("cmd -l | head -1", "Currently running services:\n", "", 0),
        ("cmd settings get global adb_enabled", "1\n", "", 0),
        ("cmd activity get-current-user", "0\n", "", 0),
        ("cmd window size", "Physical size: 1080x2400\n", "", 0),
        ("cmd uimode night", "Night mode: no\n", "", 0),
        ("cmd uimode night yes; settings get secure ui_night_mode", "Night mode: yes\n2\n", "", 0),
        ("cmd uimode night perhaps", "", "Error: mode must be 'yes', 'no', or 'auto', or 'custom'\n", 255),
        ("cmd connectivity airplane-mode", "disabled\n", "", 0),
        (
            "cmd connectivity airplane-mode enable; cmd connectivity airplane-mode; "
            "settings get global airplane_mode_on",
            "enabled\n1\n",
            "",
            0,
        ),
        ("cmd wifi set-wifi-enabled disabled; cmd wifi status", "Wifi is disabled\n", "", 0),
        ("cmd wifi status", 'Wifi is enabled\nWifi is connected to "VirtualWifi"\n', "", 0),
        ("cmd wifi nope", "Unknown command: nope\n", "", 255),
        ("cmd battery set level 5; dumpsys battery | grep level", "  level: 5\n", "", 0),
        ("cmd power set-mode 1; settings get global low_power", "1\n", "", 0),
        ("cmd bluetooth_manager enable; settings get global bluetooth_on", "1\n", "", 0),
        ("svc wifi disable; settings get global wifi_on", "0\n", "", 0),
        ("svc data disable; settings get global mobile_data", "0\n", "", 0),
        ("svc bluetooth disable; settings get global bluetooth_on", "0\n", "", 0),
        ("svc power stayon true; settings get global stay_on_while_plugged_in", "15\n", "", 0),
        ("svc nope 2>/dev/null", "", "", 1),
        ("appops get toy.app", "No operations.\n", "", 0),
        ("appops get toy.app CAMERA", "No operations.\nDefault mode: allow\n", "", 0),
        ("appops set toy.app CAMERA ignore; appops get toy.app", "CAMERA: ignore\n", "", 0),
        ("cmd appops get toy.app VIBRATE", "No operations.\nDefault mode: allow\n", "", 0),
        ("appops get nope", "", "Error: No UID for nope in user 0\n", 255),
        ("appops get toy.app NOPE", "", "Error: Unknown operation string: NOPE\n", 255),
        ("appops set toy.app CAMERA x", "", "Error: Mode x is not valid\n", 255),
        ("appops nope", "Unknown command: nope\n", "", 255),
        ("cmd locale get-app-locales toy.app", "Locales for toy.app for user 0 are []\n", "", 0),
        (
            "cmd locale set-app-locales toy.app --locales fr-FR,en; cmd locale get-app-locales toy.app",
            "Locales for toy.app for user 0 are [fr-FR,en]\n",
            "",
            0,
        ),
        (
            "cmd locale set-app-locales toy.app --user 0 --locales zh-Hans-CN;"
            "cmd locale set-app-locales toy.app --locales ''; cmd locale get-app-locales toy.app",
            "Locales for toy.app for user 0 are []\n",
            "",
            0,
        ),
        ("cmd locale get-app-locales nope", "Unknown package nope for userId 0\n", "", 0),
        ("cmd locale set-app-locales", "", "Error: no package specified\n", 255),
        (
            "cmd alarm set-timezone Asia/Tokyo; getprop persist.sys.timezone; date +%H:%M%Z",
            "Asia/Tokyo\n10:41JST\n",
            "",
            0,
        ),
        (
            "cmd alarm set-timezone Mars/Base; getprop persist.sys.timezone; date +%H:%M%Z",
            "GMT\n01:41GMT\n",
            "",
            0,
        ),
        ("cmd alarm set-timezone ../../etc/passwd; getprop persist.sys.timezone", "GMT\n", "", 0),
        ("date +%H:%M%Z; getprop persist.sys.timezone", "09:41CST\nAsia/Shanghai\n", "", 0),
        (
            "cmd devicestoragemonitor force-low -f; " + LEVEL,
            "1\nlevel=LOW\n",
            "",
            0,
        ),
        (
            "cmd devicestoragemonitor force-low -f; cmd devicestoragemonitor reset -f;"
            f"{LEVEL}; dumpsys notification | grep -c pkg=android",
            "1\n2\nlevel=NORMAL\n0\n",
            "",
            1,
        ),
        (
            f"cmd devicestoragemonitor force-low; {LEVEL}; sleep 61; {LEVEL};"
            "dumpsys notification | grep -o pkg=android",
            "level=NORMAL\nlevel=LOW\npkg=android\n",
            "",
            0,
        ),
        (
            "locksettings set-disabled false; locksettings get-disabled",
            "Lock screen disabled set to false\nfalse\n",
            "",
            0,
        ),
        ("locksettings set-disabled maybe", "", "Error: the value has to be true or false\n", 255),
        ("locksettings verify", "Lock credential verified successfully\n", "", 0),
        ("locksettings nope", "Unknown command: nope\n", "", 255),
        ("service check window", "Service window: found\n", "", 0),
        ("service check nope", "Service nope: not found\n", "", 0),
        ("service list | tail -1", "239\twindow: [android.view.IWindowManager]\n", "", 0),
        ("service call nope 1", "", "service: Service nope does not exist\n", 10),
        ("locksettings get-disabled", "true\n", "", 0),
        ("cmd lock_settings get-disabled", "true\n", "", 0),
        (
            "cmd notification post -t Title tag Some text; cmd notification list",
            "posting:\n  Notification(channel=shell_cmd tag=tag)\n0|com.android.shell|1|null|2000\n",
            "",
            0,
        ),
        ("cmd notification post", "", "usage: cmd notification post [flags] <tag> <text>\n", 255),
    ],
)
def test_lines(phone: Phone, line: str, out: str, err: str, status: int) -> None:
    assert on_phone(line, phone=phone) == (out, err, status)


@pytest.mark.parametrize(
    ("opens", "closes"),
    [
        ("cmd statusbar expand-notifications", "cmd statusbar collapse"),
        ("cmd statusbar expand-settings", "cmd statusbar collapse"),
        ("service call statusbar 1", "service call statusbar 2"),
    ],
)
def test_the_shade(phone: Phone, opens: str, closes: str) -> None:
    assert on_phone(opens, phone=phone)[2] == 0
    assert phone.windows.overlay == "shade"
    on_phone(closes, phone=phone)
    assert phone.windows.overlay == ""


def test_reset_clears_appops_modes(phone: Phone) -> None:
    on_phone("appops set toy.app CAMERA deny", phone=phone)
    phone.reset()
    assert on_phone("appops get toy.app", phone=phone)[0] == "No operations.\n"


@pytest.mark.parametrize(
    ("profile", "expected"),
    [
        ("android-34", ("USE_FULL_SCREEN_INTENT: deny\n", "", 0)),
        ("android-30", ("", "Error: Unknown operation string: USE_FULL_SCREEN_INTENT\n", 255)),
    ],
)
def test_full_screen_intents_can_be_denied_since_android_14(
    profile: str, expected: tuple[str, str, int]
) -> None:
    phone = Phone(Profile.parse(profile), apps=[companion.APP], strict=True)
    package, op = companion.PACKAGE, "USE_FULL_SCREEN_INTENT"
    on_phone(f"appops set {package} {op} deny", phone=phone)
    assert on_phone(f"appops get {package} {op}", phone=phone) == expected
    assert phone.packages.allows(package, op) is (profile == "android-30")


@pytest.mark.parametrize(
    ("service", "verb"),
    [
        ("activity", "start-activity"),
        ("alarm", "set-timezone"),
        ("appops", "reset"),
        ("input_method", "enable"),
        ("lock_settings", "get-disabled"),
        ("window", "size"),
        ("bluetooth_manager", "enable"),
        ("connectivity", "airplane-mode"),
        ("devicestoragemonitor", "force-low"),
        ("locale", "get-app-locales"),
        ("notification", "post"),
        ("package", "query-services"),
        ("power", "set-mode"),
        ("role", "get-role-holders"),
        ("statusbar", "expand-settings"),
        ("uimode", "night"),
        ("wifi", "set-wifi-enabled"),
    ],
)
def test_a_service_explains_its_verbs(service: str, verb: str) -> None:
    """AOSP ``BasicShellCommandHandler``: ``help``, ``-h`` and no verb print the help, status -1."""
    phone = toys.phone()
    out, err, status = on_phone(f"cmd {service} help", phone=phone)
    assert (f"\n  {verb}" in out, err, status) == (True, "", 255)
    assert on_phone(f"cmd {service} -h", phone=phone) == (out, err, status)
    assert on_phone(f"cmd {service}", phone=phone) == (out, err, status)


def test_unknown_verbs_of_services_leave_a_line_in_the_log() -> None:
    phone = toys.phone()
    for line in (
        "cmd wifi list-networks",
        "cmd overlay lookup a b",
        "wm user-rotation-x",
        "ime tracing start",
    ):
        assert on_phone(line, phone=phone)[2] == 255
    lines = [entry.message for entry in phone.logcat.read() if entry.tag == "garabench"]
    starts = ("cmd wifi list-networks:", "cmd overlay lookup:", "cmd window user-rotation-x:")
    assert [line.startswith(start) for line, start in zip(lines, starts, strict=False)] == [True] * 3
    assert lines[3].startswith("cmd input_method tracing:")
