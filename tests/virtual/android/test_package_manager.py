"""Installed apps and intent resolution (AOSP ``IntentResolver``, ``ComputerEngine``, ``IntentFilter``)."""

from __future__ import annotations

import re

import pytest

from garabench.virtual.android.installer import InstallOptions, install_apk
from garabench.virtual.kit.framework import Intent
from tests.cases import every_case
from tests.virtual.android.apks import apk, manifest
from tests.virtual.android.test_apk import UIAUTOMATOR
from tests.virtual.android.toys import CAMERA, HOME, OTHER, PKG, front, phone, start

MAIN, LAUNCHER = "android.intent.action.MAIN", "android.intent.category.LAUNCHER"


@every_case(
    ("intent", "expected"),
    [
        (Intent(package=PKG, activity=f"{PKG}.Detail"), [f"{PKG}/.Detail"]),
        (Intent(package=PKG, activity=".Detail"), [f"{PKG}/.Detail"]),
        (Intent(package=PKG, activity=".Nothing"), []),
        (Intent(package="no.such", activity=".Main"), []),
        (Intent(action=MAIN, categories=frozenset({LAUNCHER})), [f"{PKG}/.Main", f"{OTHER}/.Plain"]),
        (Intent(action=MAIN, package=OTHER, categories=frozenset({LAUNCHER})), [f"{OTHER}/.Plain"]),
        (Intent(action=MAIN, categories=frozenset({"android.intent.category.HOME"})), [f"{HOME}/.Home"]),
        (Intent(action="android.intent.action.VIEW", data="toy://detail/7?x=1"), [f"{PKG}/.Detail"]),
        (
            Intent(
                action="android.intent.action.VIEW",
                data="toy://detail",
                categories=frozenset({"android.intent.category.BROWSABLE"}),
            ),
            [f"{PKG}/.Detail"],
        ),
        (Intent(action="android.intent.action.VIEW", data="toy://detail", categories=frozenset({"x.Y"})), []),
        (Intent(action="android.intent.action.VIEW", data="toy://else"), []),
        (Intent(action="android.intent.action.VIEW", data="https://detail"), []),
        (Intent(action="android.intent.action.VIEW"), []),
        (Intent(action="android.intent.action.VIEW", package=OTHER, data="toy://detail"), []),
    ],
)
def test_intents_are_resolved(intent: Intent, expected: list[str]) -> None:
    assert [each.component for each in phone().packages.query(intent)] == expected


def test_query_launcher_lists_apps_with_an_icon_except_home() -> None:
    assert [each.app.package for each in phone().packages.query_launcher()] == [PKG, OTHER]


def test_permissions_are_granted_revoked_and_cleared() -> None:
    device = phone()
    packages = device.packages
    assert not packages.is_granted(PKG, CAMERA)
    assert packages.is_granted(PKG, "android.permission.INTERNET")
    assert not packages.is_granted(PKG, "android.permission.SEND_SMS")
    assert packages.grant(PKG, CAMERA)
    assert packages.is_granted(PKG, CAMERA)
    start(device)
    assert packages.revoke(PKG, CAMERA)
    assert device.processes.pidof(PKG) is None  # Android kills an app that loses a permission
    assert not packages.is_granted(PKG, CAMERA)
    assert not packages.grant(PKG, "android.permission.SEND_SMS")
    assert not packages.grant("no.such", CAMERA)
    packages.grant(PKG, CAMERA)
    assert packages.clear(PKG)
    assert not packages.is_granted(PKG, CAMERA)
    assert not packages.clear("no.such")


def test_before_android_6_permissions_are_granted_at_installation() -> None:
    assert phone("android-19").packages.is_granted(PKG, CAMERA)


def test_clearing_ends_the_app_and_restores_its_data() -> None:
    device = phone()
    start(device)
    data = front(device).ctx.data
    data["seen"] = True
    device.packages.clear(PKG)
    assert device.activities.focused_app == f"{HOME}/.Home"
    installed = device.packages.get(PKG)
    assert installed is not None
    assert "seen" not in installed.data


def test_uninstalling_ends_the_app() -> None:
    device = phone()
    start(device)
    assert device.packages.uninstall(PKG)
    assert device.packages.get(PKG) is None
    assert device.activities.focused_app == f"{HOME}/.Home"
    assert start(device) == "no-class"
    assert not device.packages.uninstall(HOME)  # a system app
    assert not device.packages.uninstall(PKG)


def test_an_apk_is_installed_started_and_removed() -> None:
    device = phone()
    result = install_apk(device.packages, apk(manifest(permissions=[CAMERA])))
    assert str(result) == "Success"
    installed = device.packages.get("org.example.small")
    assert installed is not None
    assert (installed.app.version_name, installed.app.version_code) == ("1.1", 1)
    assert re.fullmatch(
        r"/data/app/~~[\w-]{22}==/org\.example\.small-[\w-]{22}==/base\.apk",
        device.packages.path_of(installed),
    )
    assert installed in device.packages.query_launcher()
    intent = Intent(action=MAIN, package="org.example.small", activity=installed.app.launcher)
    assert device.activities.start(intent).ok
    texts = [node.text for window in device.scene().windows for node in window.root.walk()]
    assert "小应用" in texts
    assert device.packages.uninstall("org.example.small")
    assert not device.activities.start(intent).ok


@pytest.mark.parametrize(
    ("profile", "data", "options", "code"),
    [
        ("android-34", apk(manifest(min_sdk=35)), InstallOptions(), "INSTALL_FAILED_OLDER_SDK"),
        ("android-34", apk(manifest(target=22)), InstallOptions(), "INSTALL_FAILED_DEPRECATED_SDK_VERSION"),
        ("android-34", apk(manifest(target=22)), InstallOptions(bypass_low_target_sdk=True), ""),
        ("android-30", apk(manifest(target=22)), InstallOptions(), ""),
        ("android-34", apk(manifest(test_only=True)), InstallOptions(), "INSTALL_FAILED_TEST_ONLY"),
        ("android-34", apk(manifest(test_only=True)), InstallOptions(test=True), ""),
        ("android-34", b"no zip", InstallOptions(), "INSTALL_PARSE_FAILED_NOT_APK"),
    ],
)
def test_an_apk_that_android_rejects(profile: str, data: bytes, options: InstallOptions, code: str) -> None:
    result = install_apk(phone(profile).packages, data, options)
    assert result.code == code
    assert result.ok is not bool(code)
    assert str(result).startswith(f"Failure [{code}: " if code else "Success")


@pytest.mark.parametrize(
    ("profile", "code", "options", "expected"),
    [
        ("android-34", 6, InstallOptions(), ""),
        ("android-34", 6, InstallOptions(replace=False), "INSTALL_FAILED_ALREADY_EXISTS"),
        ("android-19", 6, InstallOptions(), "INSTALL_FAILED_ALREADY_EXISTS"),
        ("android-19", 6, InstallOptions(replace=True), ""),
        ("android-34", 4, InstallOptions(replace=True), "INSTALL_FAILED_VERSION_DOWNGRADE"),
        ("android-34", 4, InstallOptions(downgrade=True), ""),
    ],
)
def test_updating_an_app(profile: str, code: int, options: InstallOptions, expected: str) -> None:
    packages = phone(profile).packages
    install_apk(packages, apk(manifest(code=5)))
    installed = packages.get("org.example.small")
    assert installed is not None
    installed.data["kept"] = True
    assert install_apk(packages, apk(manifest(code=code)), options).code == expected
    now = packages.get("org.example.small")
    assert now is not None
    assert now.data == {"kept": True}
    assert now.app.version_code == (5 if expected else code)


def test_installing_the_apk_of_a_simulated_app_preserves_the_simulation() -> None:
    device = phone()
    assert install_apk(device.packages, apk(manifest(PKG, code=9))).ok
    assert start(device) == "started"
    assert type(front(device)).__name__ == "Main"
    installed = device.packages.get(PKG)
    assert installed is not None
    assert installed.app.version_code == 9


def test_dangerous_permissions_are_granted_on_request() -> None:
    packages = phone().packages
    install_apk(packages, apk(manifest(permissions=[CAMERA])), InstallOptions(grant=True))
    assert packages.is_granted("org.example.small", CAMERA)


def test_an_input_method_is_installed_and_removed_with_its_apk() -> None:
    device = phone()
    keyboard = "com.github.uiautomator/.AdbKeyboard"
    assert not device.ime.enable(keyboard)
    assert install_apk(device.packages, UIAUTOMATOR.read_bytes(), InstallOptions(test=True)).ok
    assert keyboard in device.ime.list(include_disabled=True)
    assert keyboard not in device.ime.list()
    assert not device.ime.set(keyboard)
    assert device.ime.enable(keyboard)
    assert device.ime.set(keyboard)
    assert device.ime.default == keyboard
    device.packages.uninstall("com.github.uiautomator")
    assert device.ime.default == "com.google.android.inputmethod.latin/.LatinIME"
