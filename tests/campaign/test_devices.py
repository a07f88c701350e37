from __future__ import annotations

import pytest

from garabench.campaign.devices import kind_of
from garabench.core.geometry import Size
from garabench.device.device import DeviceInfo
from garabench.virtual.android.device_profile import Profile


def info(fingerprint: str) -> DeviceInfo:
    return DeviceInfo("127.0.0.1:5555", "model", 34, "14", Size(1080, 2400), 420, fingerprint, "en")


@pytest.mark.parametrize("name", ["android-19", "android-30", "android-34"])
def test_virtual_phone_is_recognized_by_its_build_under_any_profile(name: str) -> None:
    assert kind_of(info(Profile.parse(name).props["ro.build.fingerprint"])) == "virtual"


def test_other_devices_are_real() -> None:
    real = "google/shiba/shiba:14/UD1A.230803.041/10808477:user/release-keys"
    assert kind_of(info(real)) == "real"
    assert kind_of(info("")) == "real"
