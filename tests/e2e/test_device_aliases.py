"""Leases and undo journals belong to a device, under any of its serials."""

from __future__ import annotations

import multiprocessing
import os
import re
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from garabench.campaign.devices import open_devices
from garabench.cli.main import main
from garabench.core.clock import SystemClock
from garabench.core.companion_app import PACKAGE
from garabench.core.device_changes import Setting
from garabench.device.adb import Adb
from garabench.device.undo.apply import apply
from garabench.device.undo.identity import identify_device
from garabench.device.undo.journal import Journal
from garabench.device.undo.lease import leases_folder
from garabench.errors import DeviceBusyError, DeviceLostError
from garabench.virtual.adb_registration import connect_to_server, disconnect_from_server
from garabench.virtual.phone_process import VirtualPhone

pytestmark = pytest.mark.e2e

SDK = 34
CLOCK = SystemClock()
FORKSERVER = multiprocessing.get_context("forkserver")
FORKSERVER.set_forkserver_preload(["tests.e2e.test_device_aliases"])
SCALE = ("settings", "get", "system", "font_scale")


class ReplacementPhone(VirtualPhone):
    """Another phone at the address of a stopped one."""

    def __init__(self, stopped: VirtualPhone) -> None:
        super().__init__("android-34:720x1280")
        self._argv += ["--port", stopped.serial.rpartition(":")[2]]


@pytest.fixture(autouse=True)
def state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GARABENCH_STATE", str(tmp_path))


@pytest.fixture(scope="module", params=["by its port", "as an emulator"])
def phone_and_alias(request: pytest.FixtureRequest) -> Iterator[tuple[VirtualPhone, str]]:
    """A phone, and a second serial under which adb reaches it."""
    emulator = request.param == "as an emulator"
    with VirtualPhone("android-34:720x1280", emulator=emulator) as running:
        number = int(re.findall(r"\d+$", running.serial)[0])
        name = f"localhost:{number + 1 if emulator else number}"
        yield running, name
        disconnect_from_server(name)


@pytest.fixture
def aliases(phone_and_alias: tuple[VirtualPhone, str]) -> tuple[str, str]:
    phone, name = phone_and_alias
    for each in (phone.serial, name):
        connect_to_server(each, CLOCK)
    phone.reset()
    return phone.serial, name


def run_device_command(*words: str) -> Result:
    return CliRunner().invoke(main, ["device", *words])


def font_scale(name: str) -> str:
    return Adb(name, CLOCK).shell(SCALE).stdout.strip()


def run_until_killed(name: str, port: int, folder: str) -> None:
    """Run until a setting has been changed, then kill the process."""
    os.environ["ANDROID_ADB_SERVER_PORT"] = str(port)
    os.environ["GARABENCH_STATE"] = folder
    with open_devices((name,), CLOCK) as (lease,):
        device = lease.connect()
        apply(device.adb, device.journal, Setting("system", "font_scale", "1.3"), sdk=SDK, purpose="test")
        os.kill(os.getpid(), signal.SIGKILL)


def start_and_kill_run(name: str, folder: Path) -> None:
    server = Adb(name, CLOCK).server
    child = FORKSERVER.Process(target=run_until_killed, args=(name, server[1], str(folder)))
    child.start()
    child.join(120)
    assert child.exitcode == -signal.SIGKILL
    assert font_scale(name) == "1.3"


def test_second_run_is_refused_under_either_alias(aliases: tuple[str, str]) -> None:
    for first, second in (aliases, aliases[::-1]):
        with open_devices((first,), CLOCK) as (lease,):
            lease.connect()
            with (
                open_devices((second,), CLOCK) as (other,),
                pytest.raises(
                    DeviceBusyError, match=rf"^{second} is in use by another run \(process {os.getpid()}\)"
                ),
            ):
                other.connect()
            lease.connect()  # this run still holds the device
        with open_devices((second,), CLOCK) as (lease,):
            lease.connect()


def test_run_on_both_aliases_is_refused(aliases: tuple[str, str]) -> None:
    with pytest.raises(DeviceBusyError, match=f"{aliases[1]} is in use"):
        open_devices(aliases, CLOCK).__enter__()
    with open_devices((aliases[0], "localhost:1"), CLOCK) as leases:  # the error comes when it is used
        assert leases[0].connect().info.serial == aliases[0]


@pytest.mark.parametrize("words", [("setup", "--remove"), ("setup",), ("restore",)])
@pytest.mark.parametrize("place", [0, 1])
def test_device_commands_are_refused_during_a_run(
    aliases: tuple[str, str], words: tuple[str, ...], place: int
) -> None:
    with open_devices((aliases[0],), CLOCK) as (lease,):
        device = lease.connect()
        device.adb.shell(["settings", "put", "system", "user_rotation", "1"])
        done = run_device_command(*words, aliases[place])
        assert (done.exit_code, "is in use by another run" in done.output) == (3, True)
        assert device.apps.installed(PACKAGE)
        assert device.adb.shell(["settings", "get", "system", "user_rotation"]).stdout == "1\n"
    assert run_device_command("setup", aliases[place]).exit_code == 0


def test_run_keeps_its_lease_after_a_reboot(aliases: tuple[str, str]) -> None:
    first, second = aliases
    with open_devices((first,), CLOCK) as (lease,):
        device = lease.connect()
        before = identify_device(device.adb)
        with pytest.raises(DeviceLostError):
            device.adb.shell(["reboot"])
        connect_to_server(first, CLOCK)
        assert lease.connect().journal is device.journal
        assert identify_device(device.adb) == before
        connect_to_server(second, CLOCK)
        done = run_device_command("restore", second)
        assert (done.exit_code, "is in use by another run" in done.output) == (3, True)


@pytest.mark.parametrize("order", [1, -1])
def test_restore_under_the_other_alias_undoes_a_killed_run(
    aliases: tuple[str, str], tmp_path: Path, order: int
) -> None:
    first, second = aliases[::order]
    before = font_scale(first)
    start_and_kill_run(first, tmp_path)
    done = run_device_command("restore", second)
    assert done.exit_code == 0, done.output
    assert f"{second}: restored the setting system/font_scale: {before}\n" in done.output
    assert font_scale(first) == before
    assert run_device_command("restore", first).output == f"{first}: nothing to restore\n"


def test_run_under_the_other_alias_restores_a_killed_run_first(
    aliases: tuple[str, str], tmp_path: Path
) -> None:
    first, second = aliases
    before = font_scale(first)
    start_and_kill_run(second, tmp_path)
    messages: list[str] = []
    with open_devices((first,), CLOCK, on_message=messages.append) as (lease,):
        lease.connect()
        assert font_scale(first) == before
    assert f"{first}: restored the setting system/font_scale: {before}" in messages
    assert not list(leases_folder().glob("*.jsonl"))


def test_changes_are_not_undone_on_another_device_with_the_same_serial(
    tmp_path: Path,
) -> None:
    with VirtualPhone("android-34:720x1280") as stopped:
        start_and_kill_run(stopped.serial, tmp_path)
        which = identify_device(Adb(stopped.serial, CLOCK)).device
    with ReplacementPhone(stopped) as phone:
        assert phone.serial == stopped.serial
        current_scale = "1.15"
        Adb(phone.serial, CLOCK).shell(["settings", "put", "system", "font_scale", current_scale])
        messages: list[str] = []
        with open_devices((phone.serial,), CLOCK, on_message=messages.append) as (lease,):
            lease.connect()
        (words,) = messages
        assert "the undo journal of another device that had this serial before" in words
        done = run_device_command("restore", phone.serial)
        assert (done.exit_code, "nothing to restore" in done.output) == (0, True)
        assert words in done.output
        assert font_scale(phone.serial) == current_scale
    assert Journal.at(stopped.serial, device=which).has("the setting system/font_scale")


def test_run_does_not_continue_on_another_device_with_the_same_serial() -> None:
    messages: list[str] = []
    with VirtualPhone("android-34:720x1280") as stopped:
        devices = open_devices((stopped.serial,), CLOCK, on_message=messages.append)
        (lease,) = devices.__enter__()
        lease.connect()
    with ReplacementPhone(stopped) as phone:
        assert phone.serial == stopped.serial
        Adb(phone.serial, CLOCK).shell(["settings", "put", "system", "font_scale", "1.15"])
        with pytest.raises(DeviceLostError, match=f"another device now has the serial {phone.serial}"):
            lease.connect()
        devices.__exit__(None, None, None)
        assert font_scale(phone.serial) == "1.15"
    assert "was not restored: another device now has" in messages[0]
