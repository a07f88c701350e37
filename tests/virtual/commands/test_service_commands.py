"""``cmd SERVICE`` of services with few verbs; the source of each is the AOSP class named next to it."""

from __future__ import annotations

import pytest

from garabench.virtual.android.phone import Phone
from tests.virtual.android import toys
from tests.virtual.shell.harness import on_phone

CORNER = "com.android.internal.display.cutout.emulation.corner"
OVERLAY = f"cmd overlay enable {CORNER}; cmd overlay list {CORNER}"
NO_COMMAND = "No shell command implementation.\n"


@pytest.fixture
def phone() -> Phone:
    device = toys.phone()
    toys.start(device)
    return device


@pytest.mark.parametrize(
    ("line", "out", "err", "status"),
    [
        # OverlayManagerShellCommand
        (OVERLAY, f"[x] {CORNER}\n", "", 0),
        ("cmd overlay list | head -2", f"android\n[ ] {CORNER}\n", "", 0),
        ("cmd overlay enable nope", "", "Error: Overlay nope does not exist for user 0\n", 255),
        (
            f"cmd overlay enable-exclusive --category {CORNER}; cmd overlay list | grep x]",
            f"[x] {CORNER}\n[x] com.android.internal.systemui.navbar.threebutton\n",
            "",
            0,
        ),
        (
            f"cmd overlay enable-exclusive {CORNER}; cmd overlay list | grep x]",
            f"[x] {CORNER}\n",
            "",
            0,
        ),
        ("cmd overlay enable-exclusive nope", "", "", 1),
        ("cmd overlay nope", "Unknown command: nope\n", "", 255),
        # RoleShellCommand
        ("cmd role get-role-holders android.app.role.HOME", "toy.home\n", "", 0),
        (
            "cmd role add-role-holder android.app.role.SMS toy.app; cmd role get-role-holders "
            "android.app.role.SMS",
            "toy.app\n",
            "",
            0,
        ),
        ("cmd role get-role-holders --user 0 android.app.role.NOPE", "", "", 0),
        # DisplayManagerShellCommand
        ("cmd display set-brightness 0.5; settings get system screen_brightness", "128\n", "", 0),
        ("cmd display set-brightness 2", "", "Error: brightness should be a number between 0 and 1\n", 1),
        ("cmd display set-brightness", "", "Error: no brightness specified\n", 1),
        ("cmd display get-displays | grep -o 'real.*2400'", "real 1080 x 2400\n", "", 0),
        # TelephonyShellCommand
        ("cmd phone data enable; settings get global mobile_data", "1\n", "", 0),
        ("cmd phone nope", "Unknown command: nope\n", "", 255),
        # ClipboardService has no ShellCommand
        ("cmd clipboard get-text", "", NO_COMMAND, 0),
        # ShortcutService.MyShellCommand
        ("cmd shortcut reset-throttling", "Success\n", "", 0),
        (
            "cmd shortcut get-default-launcher",
            "Launcher: ComponentInfo{toy.home/toy.home.Home}\nSuccess\n",
            "",
            0,
        ),
        ("cmd shortcut clear-shortcuts nope", "", "Error: Package nope is not installed\n", 1),
        # UserManagerServiceShellCommand, LocationShellCommand, NetworkPolicyManagerShellCommand
        ("cmd user list", "Users:\n\tUserInfo{0:Owner:4c13} running\n", "", 0),
        ("cmd location is-location-enabled", "true\n", "", 0),
        ("cmd netpolicy get restrict-background", "Restrict background status: disabled\n", "", 0),
        (
            "cmd netpolicy set restrict-background true; cmd netpolicy get restrict-background",
            "Restrict background status: enabled\n",
            "",
            0,
        ),
        # DeviceConfigService, JobSchedulerShellCommand, ThermalManagerService
        (
            "cmd device_config put a b 1; cmd device_config get a b; cmd device_config list a",
            "1\nb=1\n",
            "",
            0,
        ),
        ("cmd device_config get a nope", "null\n", "", 0),
        ("cmd jobscheduler run -f toy.app 7", "Could not find job 7 in package toy.app / user 0\n", "", 255),
        ("cmd thermalservice override-status 9", "", "Invalid thermal status: 9\n", 255),
        ("cmd vibrator_manager list", "0\n", "", 0),
        ("cmd uimode car", "Car mode: no\n", "", 0),
        ("cmd statusbar check-support", "true\n", "", 0),
        # VolumeCtrl.java
        (
            "cmd media_session volume --stream 3 --set 4 --get; settings get system volume_music",
            "[V] will control stream=3 (STREAM_MUSIC)\n[V] will set volume to index=4\n[V] will get volume\n"
            "[V] volume is 4 in range [0..15]\n4\n",
            "",
            0,
        ),
        ("cmd media_session volume --stream 3 --set 99 | tail -1", "Error: 99 not in [0..15]\n", "", 0),
        ("media volume --stream 2 --adj raise >/dev/null; settings get system volume_ring", "5\n", "", 0),
        ("cmd media_session dispatch play", "", "", 0),
        # frameworks/base/cmds/svc
        ("svc usb setFunctions mtp; getprop sys.usb.state; svc usb getFunctions", "mtp,adb\n", "mtp\n", 0),
        ("svc nfc enable", "", "svc: NFC is not available\n", 1),
        ("svc power", "", "Control the power manager\n", 0),
        ("svc wifi nope", "", "Control the Wi-Fi manager\n", 0),
        # service.cpp; IBinder.SYSPROPS_TRANSACTION
        ("service call activity 1599295570", "Result: Parcel(NULL)\n", "", 0),
    ],
)
def test_lines(phone: Phone, line: str, out: str, err: str, status: int) -> None:
    printed, errors, code = on_phone(line, phone=phone)
    assert (printed, errors[: len(err)] if err else errors, code) == (out, err, status)
