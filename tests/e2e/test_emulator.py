"""A phone that adb lists as an Android emulator: discovered automatically, with a console."""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Iterator

import adbutils
import pytest

from garabench.core.clock import SystemClock
from garabench.virtual.phone_process import VirtualPhone

pytestmark = pytest.mark.e2e

CLOCK = SystemClock()
LIMIT_S = 20


@pytest.fixture
def phone() -> Iterator[VirtualPhone]:
    with VirtualPhone("android-34:720x1280", emulator=True) as running:
        yield running


def adb(*words: str) -> str:
    done = subprocess.run([adbutils.adb_path(), *words], capture_output=True, check=False, timeout=120)
    return (done.stdout + done.stderr).decode()


def comes(holds: Callable[[], bool]) -> bool:
    limit = CLOCK.monotonic() + LIMIT_S
    while not holds():
        if CLOCK.monotonic() > limit:
            return False
        CLOCK.sleep(0.05)
    return True


def listed(phone: VirtualPhone) -> bool:
    return f"{phone.serial}\tdevice" in adb("devices")


def test_a_running_adb_server_is_told_of_it(phone: VirtualPhone) -> None:
    number = int(phone.serial.removeprefix("emulator-"))
    assert 5554 <= number <= 5584
    assert number % 2 == 0
    assert listed(phone)
    assert adb("-s", phone.serial, "shell", "getprop ro.build.version.sdk") == "34\n"
    assert adb("-e", "get-state").startswith(("device", "adb: more than one", "error: more than one"))


def test_a_new_adb_server_finds_it_by_itself(phone: VirtualPhone) -> None:
    adb("kill-server")
    adb("start-server")
    assert comes(lambda: listed(phone))
    assert adb("-s", phone.serial, "shell", "echo found") == "found\n"


def test_its_console_answers_and_turns_it(phone: VirtualPhone) -> None:
    assert adb("-s", phone.serial, "emu", "avd", "name") == "phone\r\nOK\r\n"
    adb("-s", phone.serial, "emu", "power", "capacity", "12")
    assert "level: 12" in adb("-s", phone.serial, "shell", "dumpsys battery")
    adb("-s", phone.serial, "emu", "rotate")
    assert "mCurrentRotation=ROTATION_90" in adb("-s", phone.serial, "shell", "dumpsys window displays")
    assert "KO: unknown command" in adb("-s", phone.serial, "emu", "fly")


def test_it_is_killed_by_its_console(phone: VirtualPhone) -> None:
    assert "bye bye" in adb("-s", phone.serial, "emu", "kill")
    assert comes(lambda: not phone.running)
    assert comes(lambda: phone.serial not in adb("devices"))


def test_two_have_ports_of_their_own(phone: VirtualPhone) -> None:
    with VirtualPhone("android-30:720x1280", emulator=True) as other:
        assert phone.serial != other.serial
        assert adb("-s", other.serial, "shell", "getprop ro.build.version.sdk") == "30\n"
