"""Standalone phones: concurrent starts, attached phones, attaching, busy phones."""

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
from garabench.virtual import background
from garabench.virtual.launcher import VirtualPhone
from tests.e2e.test_main_job import adb_server  # noqa: F401  # an adb server of our own

pytestmark = pytest.mark.e2e
CLOCK = SystemClock()
SMALL = "android-30:720x1280"


@pytest.fixture
def folder(tmp_path: Path, adb_server: None) -> Iterator[Path]:  # noqa: F811
    yield tmp_path / "phones"
    for each in background.running(tmp_path / "phones"):
        background.stop(each, CLOCK, tmp_path / "phones")


def options_for(name: str = "one") -> background.PhoneOptions:
    return background.PhoneOptions(name, SMALL, latency="instant")


def shell(serial: str, line: str) -> str:
    return str(adbutils.AdbClient().device(serial).shell(line))


def test_only_one_of_two_concurrent_starts_succeeds(folder: Path) -> None:
    def attempt(_: int) -> str:
        try:
            return background.start(options_for(), CLOCK, folder).serial
        except InputError as error:
            return str(error).splitlines()[0]

    with ThreadPoolExecutor(3) as pool:
        results = sorted(pool.map(attempt, range(3)))
    (phone,) = background.running(folder)
    assert results == [phone.serial, *["a virtual phone one is already running"] * 2]


def test_detaching_leaves_a_running_phone_running(folder: Path) -> None:
    started = background.start(options_for(), CLOCK, folder)
    with VirtualPhone.attach("one", folder=folder) as phone:
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
    background.stop(started, CLOCK, folder)
    assert not phone.running
    with pytest.raises(DeviceUnreachableError):
        phone.reset()
    with pytest.raises(InputError, match="no virtual phone one"):
        VirtualPhone.attach("one", folder=folder)


def test_a_stopped_phone_is_disconnected_from_the_adb_server(folder: Path) -> None:
    started = background.start(options_for(), CLOCK, folder)
    assert started.serial in {each.serial for each in adbutils.AdbClient().list()}
    background.stop(started, CLOCK, folder)
    assert started.serial not in {each.serial for each in adbutils.AdbClient().list()}


def test_an_attached_phone_ends_when_its_parent_is_killed(folder: Path) -> None:
    code = (
        "import sys; from pathlib import Path\n"
        "from garabench.core.clock import SystemClock; from garabench.virtual import background\n"
        f"wish = background.PhoneOptions('held', {SMALL!r}, latency='instant')\n"
        f"with background.attached(wish, SystemClock(), Path({str(folder)!r})) as (phone, process):\n"
        "    print('up', flush=True); process.wait()"
    )
    words = [sys.executable, "-c", code]
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "up\n"
        (phone,) = background.running(folder)
        holder.kill()
    limit = CLOCK.monotonic() + 120
    while phone.alive:
        assert CLOCK.monotonic() < limit, "it outlived its holder"
        CLOCK.sleep(0.02)


def test_a_busy_phone_counts_as_running(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    started = background.start(options_for(), CLOCK, folder)
    monkeypatch.setattr(background, "_ANSWER_LIMIT", 0.1)
    os.kill(started.pid, signal.SIGSTOP)
    try:
        assert background.running(folder) == (started,)
    finally:
        os.kill(started.pid, signal.SIGCONT)
    monkeypatch.undo()
    assert background.running(folder) == (started,)


def test_the_record_of_a_killed_phone_is_removed(folder: Path) -> None:
    started = background.start(options_for(), CLOCK, folder)
    os.kill(started.pid, signal.SIGKILL)
    os.waitpid(started.pid, 0)
    assert background.running(folder) == ()
    assert not list(folder.glob("*.json"))


def test_another_program_on_its_port_is_not_the_phone(folder: Path) -> None:
    started = background.start(options_for(), CLOCK, folder)
    other = {**asdict(started), "name": "two"}
    (folder / "two.json").write_text(json.dumps(other), encoding="utf-8")
    foreign = {**asdict(started), "name": "three", "token": "x" * 32}
    (folder / "three.json").write_text(json.dumps(foreign), encoding="utf-8")
    assert background.running(folder) == (started,)


@pytest.mark.parametrize("name", ["", "A", "../x", "a b", "-a"])
def test_invalid_names(name: str) -> None:
    with pytest.raises(GaraError, match="is not a valid name"):
        background.PhoneOptions(name)
