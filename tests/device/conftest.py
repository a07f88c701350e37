"""A phone of each Android version with an app in the foreground."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from garabench.core.clock import SystemClock
from garabench.device.device import Device
from garabench.virtual.phone_process import VirtualPhone
from tests.device.phone_actions import BILIBILI
from tests.phones import PhonePool


@pytest.fixture(scope="module", params=["android-34", "android-30", "android-19:720x1280"])
def phone(phone_pool: PhonePool, adb_server: None, request: pytest.FixtureRequest) -> Iterator[VirtualPhone]:
    with phone_pool.borrow(request.param) as running:
        yield running


@pytest.fixture
def device(phone: VirtualPhone) -> Iterator[Device]:
    phone.reset()
    connected = Device.connect(phone.serial, SystemClock())
    connected.apps.open(BILIBILI)
    connected.settle()
    yield connected
    connected.close()


@pytest.fixture
def plain(phone: VirtualPhone) -> Iterator[Device]:
    """The same phone through plain adb, without uiautomator2's server."""
    phone.reset()
    connected = Device.connect(phone.serial, SystemClock(), use_u2=False)
    connected.apps.open(BILIBILI)
    yield connected
    connected.close()
