"""What the tests over the wire share: a phone for a module's tests, and a device for each of them."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from garabench.core.clock import SystemClock
from garabench.device.device import Device
from garabench.virtual.launcher import VirtualPhone


@pytest.fixture(scope="module")
def phone(adb_server: None) -> Iterator[VirtualPhone]:
    """A small phone of the newest Android; a module that wants others has a fixture of its own."""
    with VirtualPhone("android-34:720x1280") as running:
        yield running


@pytest.fixture
def device(phone: VirtualPhone) -> Iterator[Device]:
    """The phone as it was switched on, through the device layer."""
    phone.reset()
    connected = Device.connect(phone.serial, SystemClock())
    yield connected
    connected.close()
