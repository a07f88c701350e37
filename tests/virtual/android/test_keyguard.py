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
