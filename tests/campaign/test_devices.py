from __future__ import annotations

import pytest

from garabench.campaign import devices
from garabench.campaign.device_kind import VIRTUAL
from garabench.campaign.devices import VirtualLease
from garabench.core.clock import SystemClock
from garabench.errors import HarnessError


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
    with devices.open_devices((VIRTUAL,), SystemClock(), phones=2, emulators=True) as leases:
        phones = [lease.phone for lease in leases if isinstance(lease, VirtualLease)]
        assert [vars(phone)["emulator"] for phone in phones] == [False, False]
