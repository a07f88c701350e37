"""Transport faults of a virtual phone as adb and its clients see them."""

from __future__ import annotations

import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import adbutils
import pytest

from garabench.core.clock import SystemClock
from garabench.errors import InputError
from garabench.virtual.adb_registration import disconnect_from_server
from garabench.virtual.phone_process import VirtualPhone

pytestmark = pytest.mark.e2e


@pytest.fixture
def phone() -> Iterator[VirtualPhone]:
    with VirtualPhone("android-30:720x1280") as running:
        yield running


def wait_for_state(serial: str, state: str) -> bool:
    """Wait for adb to list the device in a state, and return whether it does."""
    clock = SystemClock()
    limit = clock.monotonic() + 120
    while clock.monotonic() < limit:
        if {each.serial: each.state for each in adbutils.AdbClient().list()}.get(serial) == state:
            return True
        clock.sleep(0.05)
    return False


def is_listening(host: str, port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex((host, port)) == 0


def connect(serial: str) -> None:
    disconnect_from_server(serial)
    adbutils.AdbClient().connect(serial, timeout=120)


def test_phone_is_unauthorized_until_allowed(phone: VirtualPhone) -> None:
    phone.fault("unauthorized")
    connect(phone.serial)
    assert wait_for_state(phone.serial, "unauthorized")
    phone.allow()
    assert wait_for_state(phone.serial, "device")
    assert adbutils.AdbClient().device(phone.serial).shell("echo in") == "in"


def test_fault_works_after_a_reset_and_an_unknown_name_is_rejected(phone: VirtualPhone) -> None:
    phone.reset()
    with pytest.raises(InputError, match="unauthorised"):
        phone.fault("unauthorised")
    phone.fault("unauthorized")
    connect(phone.serial)
    assert wait_for_state(phone.serial, "unauthorized")


def test_two_phones_run_concurrently(phone: VirtualPhone) -> None:
    with VirtualPhone("android-34:720x1280") as other:
        sdks = [
            adbutils.AdbClient().device(each.serial).shell("getprop ro.build.version.sdk")
            for each in (phone, other)
        ]
    assert sdks == ["30", "34"]


def test_twenty_megabytes_are_pushed_and_pulled(phone: VirtualPhone, tmp_path: Path) -> None:
    data = bytes(range(256)) * (20 << 12)
    (tmp_path / "big.bin").write_bytes(data)
    adb = [adbutils.adb_path(), "-s", phone.serial]
    for words in (
        ["push", str(tmp_path / "big.bin"), "/sdcard/big.bin"],
        ["pull", "/sdcard/big.bin", str(tmp_path / "back.bin")],
    ):
        subprocess.run([*adb, *words], check=True, capture_output=True, timeout=120)
    assert (tmp_path / "back.bin").read_bytes() == data


def test_phone_ends_with_its_parent_process() -> None:
    code = (
        "import sys; from garabench.virtual.phone_process import VirtualPhone\n"
        "phone = VirtualPhone('android-30:720x1280').start(); print(phone.serial, flush=True)\n"
        "sys.stdin.read()"
    )
    parent = subprocess.Popen(
        [sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert parent.stdin is not None
    assert parent.stdout is not None
    host, _, port = parent.stdout.readline().strip().partition(":")
    parent.kill()
    parent.communicate(timeout=120)
    clock = SystemClock()
    limit = clock.monotonic() + 120
    while is_listening(host, int(port)):
        assert clock.monotonic() < limit, "the phone outlived its parent"
        clock.sleep(0.05)
