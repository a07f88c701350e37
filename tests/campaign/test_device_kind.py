from __future__ import annotations

import pytest

from garabench.campaign.device_kind import companion_has_apk, follows_real_time, kind_of
from garabench.core.geometry import Size
from garabench.device.device import DeviceInfo
from garabench.virtual.android.device_profile import Profile


def info(fingerprint: str) -> DeviceInfo:
    return DeviceInfo("127.0.0.1:5555", "model", 34, "14", Size(1080, 2400), 420, fingerprint, "en")


@pytest.mark.parametrize("name", ["android-19", "android-30", "android-34"])
def test_virtual_phone_is_recognized_by_its_build_under_any_profile(name: str) -> None:
    assert kind_of(info(Profile.parse(name).fingerprint)) == "virtual"


def test_other_devices_are_real() -> None:
    real = "google/shiba/shiba:14/UD1A.230803.041/10808477:user/release-keys"
    assert kind_of(info(real)) == "real"
    assert kind_of(info("")) == "real"


def test_only_a_real_device_has_real_time_and_an_apk_of_the_companion_app() -> None:
    phone, real = info(Profile.parse("android-34").fingerprint), info("")
    assert (follows_real_time(phone), companion_has_apk(phone)) == (False, False)
    assert (follows_real_time(real), companion_has_apk(real)) == (True, True)
