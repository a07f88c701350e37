"""Android 4.4 accepts a single adb connection: reconnection, and checksums for old adb servers."""

from __future__ import annotations

import socket
import subprocess
from collections.abc import Iterator

import adbutils
import pytest

from garabench.core.clock import SystemClock
from garabench.virtual.adb.messages import AdbCommand, AdbMessage
from garabench.virtual.adb_registration import disconnect_from_server
from garabench.virtual.phone_process import VirtualPhone
from tests.phones import PhonePool

pytestmark = pytest.mark.e2e


@pytest.fixture(scope="module")
def phone(phone_pool: PhonePool) -> Iterator[VirtualPhone]:
    with phone_pool.borrow("android-19:720x1280") as running:
        yield running


def adb(phone: VirtualPhone, *words: str, stdin: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    command = [adbutils.adb_path(), "-s", phone.serial, *words]
    return subprocess.run(command, input=stdin, capture_output=True, check=False, timeout=120)


def wait_until_responding(phone: VirtualPhone) -> bool:
    """Wait for the phone to respond: adb may take a while to notice the broken connection."""
    clock = SystemClock()
    limit = clock.monotonic() + 120
    while clock.monotonic() < limit:
        if adb(phone, "wait-for-device", "shell", "echo back").stdout == b"back\r\n":
            return True
        clock.sleep(0.05)
    return False


def test_connection_is_replaced_after_a_reboot(phone: VirtualPhone) -> None:
    for _ in range(3):
        assert adb(phone, "reboot").returncode == 0
        assert wait_until_responding(phone)
    phone.fault("disconnect")
    assert wait_until_responding(phone)


def test_old_adb_server_gets_checksums_and_small_payloads(phone: VirtualPhone) -> None:
    host, _, port = phone.serial.partition(":")
    disconnect_from_server(phone.serial)
    try:
        with socket.create_connection((host, int(port)), timeout=120) as stream:
            stream.sendall(AdbMessage(AdbCommand.CNXN, 0x01000000, 4096, b"host::").encode(checksum=True))
            header = stream.recv(24, socket.MSG_WAITALL)
            assert header[:4] == b"CNXN"
            assert int.from_bytes(header[4:8], "little") == 0x01000000
            data = stream.recv(int.from_bytes(header[12:16], "little"), socket.MSG_WAITALL)
            assert int.from_bytes(header[16:20], "little") == sum(data)
            assert data.startswith(b"device::ro.product.name=virtual4;")
            stream.sendall(AdbMessage(AdbCommand.OPEN, 5, 0, b"shell:screencap -p\0").encode(checksum=True))
            assert stream.recv(24, socket.MSG_WAITALL)[:4] == b"OKAY"
            header = stream.recv(24, socket.MSG_WAITALL)
            assert header[:4] == b"WRTE"
            assert int.from_bytes(header[12:16], "little") == 4096
    finally:
        adbutils.AdbClient().connect(phone.serial, timeout=120)
