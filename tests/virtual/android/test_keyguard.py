"""The lock screen, as AOSP ``KeyguardController`` and ``PhoneWindowManager`` show and dismiss it."""

from __future__ import annotations

import pytest

from garabench.virtual.android.keycodes import KeyCode
from garabench.virtual.android.phone import Phone
from garabench.virtual.ui import dump
from tests.virtual.android import toys


@pytest.fixture
def phone() -> Phone:
    device = toys.phone()
    toys.start(device)
    device.keyguard.enabled = True
    return device


def trace(phone: Phone) -> list[str]:
    installed = phone.packages.get(toys.PKG)
    assert installed is not None
    found: list[str] = installed.data["trace"]
    return found


def lock(phone: Phone) -> None:
    phone.input.key(KeyCode.SLEEP)
    phone.input.key(KeyCode.WAKEUP)


def tree(phone: Phone) -> str:
    return dump.u2_xml(phone.scene())


def test_without_a_lock_screen_waking_shows_the_app(phone: Phone) -> None:
    phone.keyguard.enabled = False
    lock(phone)
    assert not phone.keyguard.showing
    assert phone.in_use
    assert toys.PKG in tree(phone)


def test_the_lock_screen_stops_the_app_until_it_is_unlocked(phone: Phone) -> None:
    trace(phone).clear()
    lock(phone)
    assert phone.keyguard.showing
    assert trace(phone) == ["Main.pause", "Main.stop"]
    shown = tree(phone)
    assert toys.PKG not in shown
    assert "09:41" in shown
    assert "向上滑动即可打开" in shown
    phone.keyguard.dismiss()
    assert trace(phone)[2:] == ["Main.resume"]
    assert toys.PKG in tree(phone)


@pytest.mark.parametrize("key", [KeyCode.HOME, KeyCode.BACK, KeyCode.APP_SWITCH])
def test_keys_do_not_unlock(phone: Phone, key: KeyCode) -> None:
    lock(phone)
    before = phone.activities.resumed
    phone.input.key(key)
    phone.input.tap(500, 1200)
    phone.input.text("words")
    phone.input.swipe(100, 1200, 900, 1200)
    assert phone.keyguard.showing
    assert phone.activities.resumed is before
    assert phone.windows.overlay == ""


def test_a_swipe_up_or_the_menu_key_unlocks(phone: Phone) -> None:
    lock(phone)
    phone.input.swipe(500, 2000, 500, 600)
    assert not phone.keyguard.showing
    lock(phone)
    phone.input.key(KeyCode.MENU)
    assert phone.in_use


def test_a_snapshot_restores_the_setting_and_unlocks(phone: Phone) -> None:
    snapshot = phone.snapshot()
    phone.keyguard.enabled = False
    phone.restore(snapshot)
    assert phone.keyguard.enabled
    lock(phone)
    phone.restore(snapshot)
    assert phone.in_use
    phone.reset()
    assert not phone.keyguard.enabled


def test_the_lock_screen_in_english(phone: Phone) -> None:
    phone.lang = "en"
    lock(phone)
    assert "Swipe up to open" in tree(phone)
    assert "May 20" in tree(phone)


@pytest.mark.parametrize(
    ("secret", "view"),
    [
        ("pin", "keyguard_pin_view"),
        ("pattern", "keyguard_pattern_view"),
        ("password", "keyguard_password_view"),
    ],
)
def test_a_credential_is_not_dismissed(phone: Phone, secret: str, view: str) -> None:
    phone.faults.enable("credential-lock", secret=secret)
    phone.input.key(KeyCode.MENU)
    phone.keyguard.dismiss()
    assert phone.keyguard.showing
    assert view in tree(phone)
    phone.reset()
    assert phone.keyguard.showing
    phone.faults.disable("credential-lock")
    assert phone.in_use


def test_android_4_4_has_a_lock_screen_and_wakes_by_the_power_key_only() -> None:
    device = toys.phone("android-19")
    toys.start(device)
    device.input.key(KeyCode.SLEEP)
    assert device.in_use
    device.input.key(KeyCode.POWER)
    device.input.key(KeyCode.WAKEUP)
    assert not device.display.screen_on
    device.input.key(KeyCode.POWER)
    assert device.display.screen_on
    assert device.keyguard.showing
    focused = device.scene().focus
    assert focused is not None
    assert (focused.package, focused.title) == ("com.android.keyguard", "Keyguard")
