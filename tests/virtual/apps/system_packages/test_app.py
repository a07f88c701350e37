"""Android's own packages, at the paths of AOSP's images (``pm path`` and ``pm list packages`` of tools)."""

from __future__ import annotations

import pytest

from garabench.virtual.android.device_profile import Profile
from garabench.virtual.android.phone import Phone
from tests.virtual.apps.system_robot import SYSTEM_APPS, SystemRobot
from tests.virtual.shell.harness import on_phone

PATHS = {
    "android": "/system/framework/framework-res.apk",
    "com.android.systemui": "/system_ext/priv-app/SystemUI/SystemUI.apk",
    "com.google.android.inputmethod.latin": "/product/app/LatinIME/LatinIME.apk",
    "com.android.webview": "/product/app/webview/webview.apk",
    "com.android.browser": "/product/app/Browser2/Browser2.apk",
    "com.android.dialer": "/product/priv-app/Dialer/Dialer.apk",
    "com.android.contacts": "/product/priv-app/Contacts/Contacts.apk",
    "com.android.deskclock": "/product/app/DeskClock/DeskClock.apk",
    "com.android.calculator2": "/product/app/ExactCalculator/ExactCalculator.apk",
    "com.android.camera2": "/product/app/Camera2/Camera2.apk",
}


def test_packages_have_paths() -> None:
    phone = Phone(Profile.parse("android-34"), apps=SYSTEM_APPS)
    paths = {name: on_phone(f"pm path {name}", phone=phone)[0] for name in PATHS}
    assert paths == {name: f"package:{path}\n" for name, path in PATHS.items()}
    listed = on_phone("pm list packages -s", phone=phone)[0].split()
    assert {f"package:{name}" for name in PATHS} <= set(listed)


@pytest.mark.parametrize("profile", ["android-19:720x1280", "android-30:720x1280", "android-34:720x1280"])
def test_system_apps_are_among_all_apps_and_not_on_the_home_screen(profile: str) -> None:
    robot = SystemRobot(profile)
    robot.phone.press_home()
    assert robot.nodes("Calculator") == []
    robot.tap("all_apps_button")
    assert all(
        robot.nodes(name) for name in ("Browser", "Phone", "Contacts", "Clock", "Calculator", "Camera")
    )
