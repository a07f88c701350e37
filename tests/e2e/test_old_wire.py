"""What adbd of Android 4.4 does otherwise, by the real binary and adbutils."""

from __future__ import annotations

import io
import socket
import subprocess
from collections.abc import Iterator
from pathlib import Path

import adbutils
import pytest
import uiautomator2
from PIL import Image

from garabench.virtual.adb.message import Command, Message
from garabench.virtual.launcher import VirtualPhone
from tests.e2e.test_main_job import adb_server  # noqa: F401  # an adb server of our own

pytestmark = pytest.mark.e2e

APK = Path(uiautomator2.__file__).parent / "assets" / "app-uiautomator.apk"
PACKAGE = "com.github.uiautomator"


@pytest.fixture(scope="module")
def phone(adb_server: None) -> Iterator[VirtualPhone]:  # noqa: F811
    with VirtualPhone("android-19:720x1280") as running:
        yield running


def adb(phone: VirtualPhone, *words: str, stdin: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    command = [adbutils.adb_path(), "-s", phone.serial, *words]
    return subprocess.run(command, input=stdin, capture_output=True, check=False, timeout=60)


def test_it_has_no_features(phone: VirtualPhone) -> None:
    assert adb(phone, "features").stdout.strip() == b""


def test_every_shell_ends_well_and_all_goes_to_one_stream(phone: VirtualPhone) -> None:
    done = adb(phone, "shell", "echo out; echo err >&2; exit 7")
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout == b"out\r\nerr\r\n"
    device = adbutils.AdbClient().device(phone.serial)
    assert device.shell2("false").returncode == 1  # adbutils asks for the status itself


def test_pictures_are_mangled_by_the_shell_and_whole_by_a_file(phone: VirtualPhone) -> None:
    assert adb(phone, "exec-out", "screencap", "-p").stdout == b""
    mangled = adb(phone, "shell", "screencap", "-p").stdout
    assert mangled.startswith(b"\x89PNG\r\r\n")
    by_hand = mangled.replace(b"\r\n", b"\n")
    adb(phone, "shell", "screencap -p /sdcard/s.png")
    whole = adbutils.AdbClient().device(phone.serial).sync.read_bytes("/sdcard/s.png")
    assert by_hand == whole
    assert Image.open(io.BytesIO(whole)).size == (720, 1280)


def test_there_is_no_cmd(phone: VirtualPhone) -> None:
    assert b"cmd: not found" in adb(phone, "shell", "cmd package list packages").stdout


def test_an_app_is_pushed_and_then_installed(phone: VirtualPhone) -> None:
    done = adb(phone, "install", "-r", str(APK))
    assert b"Success" in done.stdout + done.stderr
    assert b"package:/data/app/" in adb(phone, "shell", "pm", "path", PACKAGE).stdout
    assert b"Success" in adb(phone, "uninstall", PACKAGE).stdout


def test_a_second_connection_is_not_answered(phone: VirtualPhone) -> None:
    host, _, port = phone.serial.partition(":")
    hello = Message(Command.CNXN, 0x01000000, 4096, b"host::").encode(checksum=True)
    assert adb(phone, "get-state").stdout == b"device\n"
    with socket.create_connection((host, int(port)), timeout=0.3) as second:
        second.sendall(hello)
        with pytest.raises(TimeoutError):
            second.recv(4)
    assert adb(phone, "shell", "echo first").stdout == b"first\r\n"


def test_it_comes_back_after_a_restart_as_the_one_connection(phone: VirtualPhone) -> None:
    for _ in range(3):
        assert adb(phone, "reboot").returncode == 0
        assert adb(phone, "wait-for-device", "shell", "echo back").stdout == b"back\r\n"
    phone.fault("disconnect")
    assert adb(phone, "wait-for-device", "shell", "echo again").stdout == b"again\r\n"


def test_an_old_adb_server_is_spoken_to_with_checksums_and_small_payloads(phone: VirtualPhone) -> None:
    host, _, port = phone.serial.partition(":")
    adbutils.AdbClient().disconnect(phone.serial)
    try:
        with socket.create_connection((host, int(port)), timeout=10) as stream:
            stream.sendall(Message(Command.CNXN, 0x01000000, 4096, b"host::").encode(checksum=True))
            header = stream.recv(24, socket.MSG_WAITALL)
            assert header[:4] == b"CNXN"
            assert int.from_bytes(header[4:8], "little") == 0x01000000
            data = stream.recv(int.from_bytes(header[12:16], "little"), socket.MSG_WAITALL)
            assert int.from_bytes(header[16:20], "little") == sum(data)
            assert data.startswith(b"device::ro.product.name=virtual4;")
            stream.sendall(Message(Command.OPEN, 5, 0, b"shell:screencap -p\0").encode(checksum=True))
            assert stream.recv(24, socket.MSG_WAITALL)[:4] == b"OKAY"
            header = stream.recv(24, socket.MSG_WAITALL)
            assert header[:4] == b"WRTE"
            assert int.from_bytes(header[12:16], "little") == 4096
    finally:
        adbutils.AdbClient().connect(phone.serial, timeout=10)
