"""Settings panels (``android.provider.Settings.Panel``, AOSP ``SettingsPanelActivity``)."""

from __future__ import annotations

import pytest

from garabench.virtual.android.device_profile import Profile
from garabench.virtual.android.phone import Phone
from garabench.virtual.apps.settings.app import APP
from tests.virtual.android import toys
from tests.virtual.shell.harness import on_phone


@pytest.fixture
def phone() -> Phone:
    return Phone(Profile.parse("android-34"), apps=(APP, *toys.toys()), strict=True, lang="en")


def _open(phone: Phone, name: str) -> None:
    on_phone(f"am start -a android.settings.panel.action.{name}", phone=phone)


def _tap(phone: Phone, text: str) -> None:
    nodes = (node for window in phone.scene().windows for node in window.root.walk())
    center = next(node.visible.center for node in nodes if node.text == text)
    on_phone(f"input tap {center.x} {center.y}", phone=phone)


def test_the_sheet_is_over_the_app_that_asked(phone: Phone) -> None:
    _open(phone, "WIFI")
    front = phone.activities.resumed
    assert front is not None and front.component == "com.android.settings/.panel.SettingsPanelActivity"
    assert len(phone.activities.visible()) == 2
    _tap(phone, "Done")
    front = phone.activities.resumed
    assert front is not None and "settings" not in front.component


def test_the_internet_panel_switches_networks(phone: Phone) -> None:
    _open(phone, "INTERNET_CONNECTIVITY")
    _tap(phone, "Mobile data")
    _tap(phone, "Wi-Fi")
    assert (phone.network.mobile_data, phone.network.wifi) == (True, False)
    _tap(phone, "See more")
    front = phone.activities.resumed
    assert front is not None and front.component.endswith("$NetworkDashboardActivity")


@pytest.mark.parametrize(("name", "texts"), [
    ("VOLUME", {"Volume", "Media volume", "Alarm volume"}),
    ("NFC", {"NFC", "This device has no NFC"}),
])  # fmt: skip
def test_other_panels(phone: Phone, name: str, texts: set[str]) -> None:
    _open(phone, name)
    shown = {node.text for window in phone.scene().windows for node in window.root.walk()}
    assert texts <= shown
