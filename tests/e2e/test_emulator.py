"""A virtual phone that adb discovers as an Android emulator, with a console."""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Iterator
from typing import Any

import adbutils
import pytest

from garabench.core import action as act
from garabench.core.clock import SystemClock
from garabench.core.observation import TreeSource
from garabench.device import console
from garabench.device.adb import ShellResult
from garabench.device.device import Device
from garabench.device.snapshots import DeviceSnapshots
from garabench.errors import CommandError
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


def becomes_true(condition: Callable[[], bool]) -> bool:
    limit = CLOCK.monotonic() + LIMIT_S
    while not condition():
        if CLOCK.monotonic() > limit:
            return False
        CLOCK.sleep(0.05)
    return True


def listed(phone: VirtualPhone) -> bool:
    return f"{phone.serial}\tdevice" in adb("devices")


def test_running_adb_server_lists_the_phone(phone: VirtualPhone) -> None:
    number = int(phone.serial.removeprefix("emulator-"))
    assert 5554 <= number <= 5584
    assert number % 2 == 0
    assert listed(phone)
    assert adb("-s", phone.serial, "shell", "getprop ro.build.version.sdk") == "34\n"
    assert adb("-e", "get-state").startswith(("device", "adb: more than one", "error: more than one"))


def test_new_adb_server_discovers_the_phone(phone: VirtualPhone) -> None:
    adb("kill-server")
    adb("start-server")
    assert becomes_true(lambda: listed(phone))
    assert adb("-s", phone.serial, "shell", "echo found") == "found\n"


def test_console_answers_and_rotates_the_phone(phone: VirtualPhone) -> None:
    assert adb("-s", phone.serial, "emu", "avd", "name") == "phone\r\nOK\r\n"
    adb("-s", phone.serial, "emu", "power", "capacity", "12")
    assert "level: 12" in adb("-s", phone.serial, "shell", "dumpsys battery")
    adb("-s", phone.serial, "emu", "rotate")
    assert "mCurrentRotation=ROTATION_90" in adb("-s", phone.serial, "shell", "dumpsys window displays")
    assert "KO: unknown command" in adb("-s", phone.serial, "emu", "fly")


def test_adb_root_restarts_adbd_as_on_an_image_with_su(phone: VirtualPhone) -> None:
    """AOSP ``packages/modules/adb/daemon/restart_service.cpp``."""

    def root(word: str) -> str:
        answer = adb("-s", phone.serial, word)
        assert becomes_true(lambda: listed(phone))
        return answer

    def shell(line: str) -> str:
        return adb("-s", phone.serial, "shell", line)

    assert shell("id -un; echo $USER") == "shell\nshell\n"
    assert root("root") == "restarting adbd as root\n"
    assert shell("whoami; id -u; echo $USER; getprop service.adb.root") == "root\n0\nroot\n1\n"
    assert root("root") == "adbd is already running as root\n"
    assert root("unroot") == "restarting adbd as non root\n"
    assert shell("id -un") == "shell\n"
    assert root("unroot") == "adbd not running as root\n"


def test_snapshots_of_the_running_phone(phone: VirtualPhone) -> None:
    with Device.connect(phone.serial, CLOCK) as device:
        snapshots = DeviceSnapshots(device)
        assert snapshots.supported
        device.apps.open("tv.danmaku.bili")
        before = device.observe(0, settled=device.settle())
        pid = device.adb.shell(["pidof", "tv.danmaku.bili"]).stdout
        snapshots.save("one")
        later = device.adb.device.shell("logcat", stream=True)  # it did not run when the snapshot was taken
        device.perform(act.Tap(x=360, y=200), device.screen)
        device.adb.shell(["am", "force-stop", "tv.danmaku.bili"])
        device.adb.shell(["setprop", "debug.later", "1"])
        for _ in range(2):
            snapshots.load("one")
            after = device.observe(0, settled=device.settle())
            assert after.tree == before.tree
            assert after.screenshot.png == before.screenshot.png
            assert after.focus == before.focus
            assert device.adb.shell(["pidof", "tv.danmaku.bili"]).stdout == pid
            assert device.adb.shell(["getprop", "debug.later"]).stdout == "\n"
            device.perform(act.Home(), device.screen)
        while later.conn.recv(4096):  # it ends
            pass
        snapshots.delete("one")
        with pytest.raises(CommandError, match="does not have the requested snapshot"):
            snapshots.load("one")


def test_what_a_load_has_ended_is_started_again(phone: VirtualPhone, monkeypatch: pytest.MonkeyPatch) -> None:
    """uiautomator2's server starts after the snapshot, and an emulator may drop its connections on a load."""
    run = console.run_in_shell_or_console

    def run_and_disconnect(*args: Any, **options: Any) -> ShellResult:
        result = run(*args, **options)
        phone.fault("disconnect")
        return result

    with Device.connect(phone.serial, CLOCK) as device:
        snapshots = DeviceSnapshots(device)
        snapshots.save("early")
        before = device.settle().reading
        assert before.source is TreeSource.U2
        monkeypatch.setattr(console, "run_in_shell_or_console", run_and_disconnect)
        snapshots.load("early")
        assert device.settle().reading == before


def test_console_kills_the_phone(phone: VirtualPhone) -> None:
    assert "bye bye" in adb("-s", phone.serial, "emu", "kill")
    assert becomes_true(lambda: not phone.running)
    assert becomes_true(lambda: phone.serial not in adb("devices"))


def test_two_emulators_have_separate_ports(phone: VirtualPhone) -> None:
    with VirtualPhone("android-30:720x1280", emulator=True) as other:
        assert phone.serial != other.serial
        assert adb("-s", other.serial, "shell", "getprop ro.build.version.sdk") == "30\n"
