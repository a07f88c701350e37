"""Fixtures of the end-to-end tests: an adb server and a phone per module, a device per test."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from garabench.core.clock import SystemClock
from garabench.device.device import Device
from garabench.virtual.phone_process import VirtualPhone
from tests.phones import PhonePool


@pytest.fixture(scope="module", autouse=True)
def use_adb_server(adb_server: None) -> None:
    """Connect the clients of every module to the tests' own adb server."""


@pytest.fixture(scope="module")
def phone(phone_pool: PhonePool) -> Iterator[VirtualPhone]:
    """A small phone with the newest Android; a module that needs another one overrides this fixture."""
    with phone_pool.borrow("android-34:720x1280") as running:
        yield running


@pytest.fixture
def device(phone: VirtualPhone) -> Iterator[Device]:
    """The phone in its initial state, through the device layer."""
    phone.reset()
    connected = Device.connect(phone.serial, SystemClock())
    yield connected
    connected.close()


@pytest.fixture(scope="package", autouse=True)
def no_reports() -> Iterator[None]:
    """Write no report at the end of each run, which takes a second; `tests/cli/test_report.py` does."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("garabench.cli.run._write_report", lambda _out: None)
        yield
