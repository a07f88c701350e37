from __future__ import annotations

import pytest

from garabench.campaign import devices
from garabench.campaign.devices import VirtualLease, kind_of
from garabench.core.clock import SystemClock
from garabench.core.geometry import Size
from garabench.device.device import DeviceInfo
from garabench.errors import HarnessError
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


class FakePhone:
    """A phone for which no emulator's port is free."""

    def __init__(
        self, profile: str, *, seed: int, clock: object, emulator: bool = False, apps: object = ()
    ) -> None:
        self.emulator = emulator
        self.serial = "127.0.0.1:1"

    def __enter__(self) -> FakePhone:
        if self.emulator:
            raise HarnessError("all emulator ports are in use")
        return self

    def __exit__(self, *error: object) -> None:
        pass


def test_without_a_free_port_a_phone_is_no_emulator(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(devices, "VirtualPhone", FakePhone)
    with devices.open_devices((devices.VIRTUAL,), SystemClock(), phones=2, emulators=True) as leases:
        phones = [lease.phone for lease in leases if isinstance(lease, VirtualLease)]
        assert [vars(phone)["emulator"] for phone in phones] == [False, False]
