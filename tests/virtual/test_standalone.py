"""Standalone phones: concurrent starts, phones in the foreground, attaching, busy phones."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict
from pathlib import Path

import adbutils
import pytest

from garabench.core.clock import SystemClock
from garabench.errors import DeviceUnreachableError, GaraError, InputError
from garabench.virtual import standalone
from garabench.virtual.phone_process import VirtualPhone

pytestmark = [pytest.mark.e2e, pytest.mark.usefixtures("adb_server")]
CLOCK = SystemClock()
SMALL = "android-30:720x1280"


@pytest.fixture
def directory(tmp_path: Path, adb_server: None) -> Iterator[Path]:
    yield tmp_path / "phones"
    for each in standalone.running_phones(tmp_path / "phones"):
        standalone.stop_phone(each, CLOCK, tmp_path / "phones")


def options_for(name: str = "one") -> standalone.PhoneOptions:
    return standalone.PhoneOptions(name, SMALL, latency="instant")


def shell(serial: str, line: str) -> str:
    return str(adbutils.AdbClient().device(serial).shell(line))


def test_only_one_of_two_concurrent_starts_succeeds(directory: Path) -> None:
    def attempt(_: int) -> str:
        try:
            return standalone.start_phone(options_for(), CLOCK, directory).serial
        except InputError as error:
            return str(error).splitlines()[0]

    with ThreadPoolExecutor(3) as pool:
        results = sorted(pool.map(attempt, range(3)))
    (phone,) = standalone.running_phones(directory)
    assert results == [phone.serial, *["a virtual phone one is already running"] * 2]


def test_detaching_leaves_a_running_phone_running(directory: Path) -> None:
    started = standalone.start_phone(options_for(), CLOCK, directory)
    with VirtualPhone.attach("one", directory=directory) as phone:
        assert phone.serial == started.serial
        assert phone.running
        phone.set_language("en")
        assert shell(phone.serial, "getprop persist.sys.locale") == "en-US"
        phone.set_dark(True)
        assert shell(phone.serial, "settings get secure ui_night_mode") == "2"
        phone.save("dark")
        phone.reset()
        assert shell(phone.serial, "settings get secure ui_night_mode") == "1"
        phone.restore("dark")
        assert shell(phone.serial, "settings get secure ui_night_mode") == "2"
        phone.fault("focus-null")
        assert "mCurrentFocus=null" in shell(phone.serial, "dumpsys window")
        phone.fault("focus-null", on=False)
        with pytest.raises(InputError, match="focus-nul'"):
            phone.fault("focus-nul")
    assert shell(started.serial, "echo on") == "on"
    standalone.stop_phone(started, CLOCK, directory)
    assert not phone.running
    with pytest.raises(DeviceUnreachableError):
        phone.reset()
    with pytest.raises(InputError, match="no virtual phone one"):
        VirtualPhone.attach("one", directory=directory)


def test_a_stopped_phone_is_disconnected_from_the_adb_server(directory: Path) -> None:
    started = standalone.start_phone(options_for(), CLOCK, directory)
    assert started.serial in {each.serial for each in adbutils.AdbClient().list()}
    standalone.stop_phone(started, CLOCK, directory)
    assert started.serial not in {each.serial for each in adbutils.AdbClient().list()}


def test_a_foreground_phone_ends_when_its_parent_is_killed(directory: Path) -> None:
    code = (
        "import sys; from pathlib import Path\n"
        "from garabench.core.clock import SystemClock; from garabench.virtual import standalone\n"
        f"options = standalone.PhoneOptions('foreground', {SMALL!r}, latency='instant')\n"
        f"directory = Path({str(directory)!r})\n"
        "with standalone.in_foreground(options, SystemClock(), directory) as (phone, process):\n"
        "    print('up', flush=True); process.wait()"
    )
    argv = [sys.executable, "-c", code]
    with subprocess.Popen(argv, stdout=subprocess.PIPE, text=True) as parent:
        assert parent.stdout is not None
        assert parent.stdout.readline() == "up\n"
        (phone,) = standalone.running_phones(directory)
        parent.kill()
    deadline = CLOCK.monotonic() + 120
    while phone.is_running:
        assert CLOCK.monotonic() < deadline, "it outlived its parent"
        CLOCK.sleep(0.02)


def test_a_busy_phone_counts_as_running(directory: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    started = standalone.start_phone(options_for(), CLOCK, directory)
    monkeypatch.setattr(standalone, "_STATUS_TIMEOUT_S", 0.1)
    os.kill(started.pid, signal.SIGSTOP)
    try:
        assert standalone.running_phones(directory) == (started,)
    finally:
        os.kill(started.pid, signal.SIGCONT)
    monkeypatch.undo()
    assert standalone.running_phones(directory) == (started,)


def test_the_record_of_a_killed_phone_is_removed(directory: Path) -> None:
    started = standalone.start_phone(options_for(), CLOCK, directory)
    os.kill(started.pid, signal.SIGKILL)
    os.waitpid(started.pid, 0)
    assert standalone.running_phones(directory) == ()
    assert not list(directory.glob("*.json"))


def test_another_program_on_its_port_is_not_the_phone(directory: Path) -> None:
    started = standalone.start_phone(options_for(), CLOCK, directory)
    other = {**asdict(started), "name": "two"}
    (directory / "two.json").write_text(json.dumps(other), encoding="utf-8")
    foreign = {**asdict(started), "name": "three", "token": "x" * 32}
    (directory / "three.json").write_text(json.dumps(foreign), encoding="utf-8")
    assert standalone.running_phones(directory) == (started,)


@pytest.mark.parametrize("name", ["", "A", "../x", "a b", "-a"])
def test_invalid_names(name: str) -> None:
    with pytest.raises(GaraError, match="is not a valid name"):
        standalone.PhoneOptions(name)
