"""A phone in its own process: errors when it does not start, ends, or is missing."""

from __future__ import annotations

import os
import signal
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from unittest import mock

import pytest

from garabench.core.clock import SystemClock
from garabench.device.device import Device
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


def install_app(folder: Path, monkeypatch: pytest.MonkeyPatch, source: str) -> None:
    """Install a package that offers an app, for processes that start from now on."""
    (folder / "oddapp.py").write_text(source, encoding="utf-8")
    info = folder / "oddapp-1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: oddapp\nVersion: 1\n", encoding="utf-8")
    (info / "entry_points.txt").write_text("[garabench.apps]\nodd = oddapp:make\n", encoding="utf-8")
    monkeypatch.setenv("PYTHONPATH", str(folder))


@pytest.mark.parametrize(
    ("source", "error", "message"),
    [
        ("import sys\nsys.exit('bye')", InputError, r"the app 'odd' \(oddapp:make\) failed: SystemExit: bye"),
        (
            "class Odd(BaseException): pass\ndef make():\n    print('hello')\n    raise Odd('one\\ntwo')",
            InputError,
            "failed: Odd: one two\nFix or uninstall the package",
        ),
        ("import os\nos._exit(7)", HarnessError, "did not start: its process ended with status 7"),
    ],
    ids=["exits", "raises and prints", "ends the process"],
)
def test_a_broken_app_of_a_package_is_one_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, source: str, error: type[Exception], message: str
) -> None:
    install_app(tmp_path, monkeypatch, source)
    with pytest.raises(error, match=message):
        VirtualPhone(SMALL).start()


def test_an_app_that_prints_and_exits_crashes_alone(
    adb_server: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "app.yaml").write_text(
        "package: org.example.odd\nname: Odd\n"
        "screens: {main: {title: Odd, enter: [{call: leave}], body: []}}\n",
        encoding="utf-8",
    )
    source = f"""
import sys
import garabench

def leave(screen):
    print("leaving")
    sys.exit(3)

def make():
    return garabench.read_app({str(tmp_path / "app.yaml")!r}, {{"leave": leave}})
"""
    install_app(tmp_path, monkeypatch, source)
    with VirtualPhone(SMALL) as phone, Device.connect(phone.serial, SystemClock()) as device:
        device.adb.shell(("am", "start", "-n", "org.example.odd/.MainActivity"))
        assert "SystemExit: 3" in device.adb.shell(("logcat", "-d", "-b", "crash")).stdout
        phone.set_dark(True)  # the phone still answers
        assert phone.running


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
