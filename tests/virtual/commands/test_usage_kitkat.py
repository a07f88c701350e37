"""Texts and names of Android 4.4 that newer versions changed, as a real Android 4.4.2 has them."""

from __future__ import annotations

import pytest

from garabench.device.device import parse_props
from garabench.virtual.android.device_profile import Profile
from garabench.virtual.android.phone import Phone
from garabench.virtual.apps.launcher.app import APP as LAUNCHER
from tests.virtual.android import toys
from tests.virtual.shell.harness import on_phone

PROFILE = "android-19"


@pytest.mark.parametrize(
    ("line", "wanted"),
    [
        ("am", "\n       am stack create <TASK_ID> <RELATIVE_STACK_BOX_ID> <POSITION> <WEIGHT>\n"),
        ("am", "\n<INTENT> specifications include these flags and arguments:\n"),
        ("pm", "\npm uninstall: removes a package from the system. Options:\n"),
        ("uiautomator", "\nruntest: executes UI automation tests\n"),
        ("uiautomator help", "      /storage/emulated/legacy/window_dump.xml\n\nevents: "),
        ("input", "\n      keyevent [--longpress] <key code number or name> ... (Default: keyboard)\n"),
        ("svc", "\n    usb      Control Usb state\n"),
    ],
)
def test_help(line: str, wanted: str) -> None:
    out, err, _ = on_phone(line, profile=PROFILE)
    assert wanted in out + err


def test_a_start_of_the_top_activity_says_nothing_more() -> None:
    line = "am start -n toy.app/.Main"
    for profile, warned in (("android-19", False), ("android-34", True)):
        device = toys.phone(profile)
        on_phone(line, phone=device)
        out, err, _ = on_phone(line, phone=device)
        assert out.startswith("Starting: Intent {")
        assert len(out.splitlines()) == 1
        assert err.startswith("Warning: ") is warned
        assert bool(err) is warned


@pytest.mark.parametrize(
    ("profile", "home", "recents"),
    [
        ("android-19", "Launcher", "com.android.systemui/com.android.systemui.recent.RecentsActivity"),
        (
            "android-34",
            "uioverrides.QuickstepLauncher",
            "com.android.launcher3/com.android.quickstep.RecentsActivity",
        ),
    ],
)
def test_launcher_and_recents(profile: str, home: str, recents: str) -> None:
    device = Phone(Profile.parse(profile), apps=(LAUNCHER,))
    device.press_home()
    focus = "dumpsys window | grep mCurrentFocus"
    assert f" u0 com.android.launcher3/com.android.launcher3.{home}}}" in on_phone(focus, phone=device)[0]
    on_phone("input keyevent APP_SWITCH", phone=device)
    assert f" u0 {recents}}}" in on_phone(focus, phone=device)[0]


def test_getprop_lists_the_whole_system() -> None:
    out = on_phone("getprop", profile=PROFILE)[0]
    assert len(out.splitlines()) == 151
    assert "\n[ro.product.model]: [Virtual 4 [4.4, 720p]]\n" in out
    assert parse_props(out)["ro.product.model"] == "Virtual 4 [4.4, 720p]"
    assert "\n[net.dns2]: []\n" in out
