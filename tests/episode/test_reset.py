"""Every episode begins in the same state, whatever the previous one did to the phone."""

from __future__ import annotations

import pytest

from garabench.core.clock import SystemClock
from garabench.core.device_switches import run_settings
from garabench.device.device import Device
from garabench.device.undo.apply import read
from garabench.episode.reset import prepare
from tests.phones import PhonePool

pytestmark = pytest.mark.e2e
APP = "tv.danmaku.bili"
CHANGES = (
    "settings put global airplane_mode_on 1",
    "svc wifi disable",
    "settings put global low_power 1",
    "settings put system accelerometer_rotation 1",
    "settings put system user_rotation 1",
    "pm disable-user com.github.uiautomator",
    "input keyevent 26",
)


@pytest.mark.parametrize("profile", ["android-19", "android-34"])
def test_radios_and_settings_are_reset(phone_pool: PhonePool, adb_server: None, profile: str) -> None:
    with phone_pool.borrow(profile) as phone:
        device = Device.connect(phone.serial, SystemClock())
        for words in (
            *CHANGES,
            *(["cmd connectivity airplane-mode enable"] if profile != "android-19" else []),
        ):
            device.adb.shell(words.split())
        held = run_settings(device.info.sdk)
        assert not all(change.is_in_effect(read(device.adb, change.probe)) for change in held)
        prepare(device, APP, ())
        assert all(change.is_in_effect(read(device.adb, change.probe)) for change in held)
        assert device.focus().package == APP
        device.close()
