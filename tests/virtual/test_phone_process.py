"""A phone in its own process: errors when it does not start, ends, or is missing."""

from __future__ import annotations

import os
import signal
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from unittest import mock

import pytest

from garabench.core.clock import SystemClock
from garabench.errors import DeviceLostError, DeviceUnreachableError, HarnessError, InputError
from garabench.virtual.adb_registration import connect_to_server, disconnect_from_server
from garabench.virtual.phone_process import VirtualPhone

pytestmark = [pytest.mark.e2e, pytest.mark.usefixtures("adb_server")]
SMALL = "android-30:720x1280"


def test_an_unknown_profile_is_rejected_before_the_start() -> None:
    with pytest.raises(InputError, match="android-31"):
        VirtualPhone("android-31")


def test_a_stopped_phone_accepts_no_commands() -> None:
    phone = VirtualPhone(SMALL)
    assert not phone.running
    for command in (phone.reset, phone.allow, lambda: phone.fault("hang"), lambda: phone.set_dark(True)):
        with pytest.raises(HarnessError, match="not running"):
            command()
    phone.stop()  # harmless


def test_a_failed_start_reports_the_reason() -> None:
    phone = VirtualPhone(SMALL)
    phone._argv += ["--latency", "slowly"]
    with pytest.raises(HarnessError, match="invalid choice: 'slowly'"):
        phone.start()


def test_files_in_the_working_directory_do_not_shadow_the_standard_library(
    adb_server: None,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    (tmp_path / "types.py").write_text("an agent of somebody's\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    with VirtualPhone(SMALL) as phone:
        assert phone.running


def test_a_killed_phone_is_reported(adb_server: None) -> None:
    with VirtualPhone(SMALL) as phone:
        assert phone.running
        assert phone._process is not None
        os.kill(phone._process.pid, signal.SIGKILL)
        phone._process.wait(120)
        assert not phone.running
        with pytest.raises(DeviceLostError, match="has ended"):
            phone.reset()


def test_an_adb_server_that_refuses_the_phone(adb_server: None) -> None:
    with pytest.raises(DeviceUnreachableError, match=r"did not list 127\.0\.0\.1:1 as a device"):
        connect_to_server("127.0.0.1:1", Hurried())
    disconnect_from_server("127.0.0.1:1")  # harmless


class Hurried(SystemClock):
    """A clock on which every look takes a minute."""

    def __init__(self) -> None:
        self._reads = 0

    def monotonic(self) -> float:
        self._reads += 1
        return 60.0 * self._reads


def test_an_emulator_is_not_disconnected() -> None:
    with mock.patch("adbutils.AdbClient") as client:
        disconnect_from_server("emulator-5554")
        disconnect_from_server("")
    client.assert_not_called()


def test_concurrently_started_emulators_get_separate_ports(adb_server: None) -> None:
    phones = [VirtualPhone(SMALL, emulator=True) for _ in range(3)]
    try:
        with ThreadPoolExecutor(3) as pool:
            serials = {phone.serial for phone in pool.map(VirtualPhone.start, phones)}
        assert len(serials) == 3
        assert all(serial.startswith("emulator-55") for serial in serials)
    finally:
        for phone in phones:
            phone.stop()
