"""One device under two names, and two devices under one: leases and journals belong to the device."""

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
from garabench.device.undo.identity import identify
from garabench.device.undo.journal import Journal
from garabench.device.undo.lease import default_folder
from garabench.errors import DeviceBusyError, DeviceLostError
from garabench.virtual.adb_registration import connect_to_server, disconnect_from_server
from garabench.virtual.phone_process import VirtualPhone

pytestmark = pytest.mark.e2e

SDK = 34
CLOCK = SystemClock()
FORKS = multiprocessing.get_context("forkserver")
FORKS.set_forkserver_preload(["tests.e2e.test_device_names"])
SCALE = ("settings", "get", "system", "font_scale")


class Successor(VirtualPhone):
    """Another phone, at the address of one that has stopped."""

    def __init__(self, gone: VirtualPhone) -> None:
        super().__init__("android-34:720x1280")
        self._argv += ["--port", gone.serial.rpartition(":")[2]]


@pytest.fixture(autouse=True)
def state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GARABENCH_STATE", str(tmp_path))


@pytest.fixture(scope="module", params=["by its port", "as an emulator"])
def named(request: pytest.FixtureRequest) -> Iterator[tuple[VirtualPhone, str]]:
    """A phone, and a second name for it."""
    emulator = request.param == "as an emulator"
    with VirtualPhone("android-34:720x1280", emulator=emulator) as running:
        number = int(re.findall(r"\d+$", running.serial)[0])
        name = f"localhost:{number + 1 if emulator else number}"
        yield running, name
        disconnect_from_server(name)


@pytest.fixture
def names(named: tuple[VirtualPhone, str]) -> tuple[str, str]:
    phone, name = named
    for each in (phone.serial, name):
        connect_to_server(each, CLOCK)
    phone.reset()
    return phone.serial, name


def command(*words: str) -> Result:
    return CliRunner().invoke(main, ["device", *words])


def scale(name: str) -> str:
    return Adb(name, CLOCK).shell(SCALE).stdout.strip()


def run_until_killed(name: str, port: int, folder: str) -> None:
    """Run until a setting has been changed, then kill the process."""
    os.environ["ANDROID_ADB_SERVER_PORT"] = str(port)
    os.environ["GARABENCH_STATE"] = folder
    with open_devices((name,), CLOCK) as (lease,):
        device = lease.connect()
        apply(device.adb, device.journal, Setting("system", "font_scale", "1.3"), sdk=SDK, why="test")
        os.kill(os.getpid(), signal.SIGKILL)


def killed_run(name: str, folder: Path) -> None:
    server = Adb(name, CLOCK).server
    child = FORKS.Process(target=run_until_killed, args=(name, server[1], str(folder)))
    child.start()
    child.join(120)
    assert child.exitcode == -signal.SIGKILL
    assert scale(name) == "1.3"


def test_a_second_run_is_refused_under_another_name_too(names: tuple[str, str]) -> None:
    for first, second in (names, names[::-1]):
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


def test_a_run_of_both_names_does_not_begin(names: tuple[str, str]) -> None:
    with pytest.raises(DeviceBusyError, match=f"{names[1]} is in use"):
        open_devices(names, CLOCK).__enter__()
    with open_devices((names[0], "localhost:1"), CLOCK) as leases:  # reported when it is used
        assert leases[0].connect().info.serial == names[0]


@pytest.mark.parametrize("words", [("setup", "--remove"), ("setup",), ("restore",)])
@pytest.mark.parametrize("place", [0, 1])
def test_no_command_takes_the_companion_or_anything_else_from_a_run(
    names: tuple[str, str], words: tuple[str, ...], place: int
) -> None:
    with open_devices((names[0],), CLOCK) as (lease,):
        device = lease.connect()
        device.adb.shell(["settings", "put", "system", "user_rotation", "1"])
        done = command(*words, names[place])
        assert (done.exit_code, "is in use by another run" in done.output) == (3, True)
        assert device.apps.installed(PACKAGE)
        assert device.adb.shell(["settings", "get", "system", "user_rotation"]).stdout == "1\n"
    assert command("setup", names[place]).exit_code == 0


def test_after_a_restart_in_a_run_it_is_still_the_run_s(names: tuple[str, str]) -> None:
    first, second = names
    with open_devices((first,), CLOCK) as (lease,):
        device = lease.connect()
        before = identify(device.adb)
        with pytest.raises(DeviceLostError):
            device.adb.shell(["reboot"])
        connect_to_server(first, CLOCK)
        assert lease.connect().journal is device.journal
        assert identify(device.adb) == before
        connect_to_server(second, CLOCK)
        done = command("restore", second)
        assert (done.exit_code, "is in use by another run" in done.output) == (3, True)


@pytest.mark.parametrize("order", [1, -1])
def test_a_killed_run_is_put_back_under_the_other_name(
    names: tuple[str, str], tmp_path: Path, order: int
) -> None:
    first, second = names[::order]
    before = scale(first)
    killed_run(first, tmp_path)
    done = command("restore", second)
    assert done.exit_code == 0, done.output
    assert f"{second}: restored the setting system/font_scale: {before}\n" in done.output
    assert scale(first) == before
    assert command("restore", first).output == f"{first}: nothing to restore\n"


def test_a_run_under_the_other_name_begins_with_putting_back(names: tuple[str, str], tmp_path: Path) -> None:
    first, second = names
    before = scale(first)
    killed_run(second, tmp_path)
    told: list[str] = []
    with open_devices((first,), CLOCK, on_message=told.append) as (lease,):
        lease.connect()
        assert scale(first) == before
    assert f"{first}: restored the setting system/font_scale: {before}" in told
    assert not list(default_folder().glob("*.jsonl"))


def test_what_was_left_on_one_is_not_put_back_on_another_that_got_its_name(
    tmp_path: Path,
) -> None:
    with VirtualPhone("android-34:720x1280") as gone:
        killed_run(gone.serial, tmp_path)
        which = identify(Adb(gone.serial, CLOCK)).device
    with Successor(gone) as phone:
        assert phone.serial == gone.serial
        own = "1.15"
        Adb(phone.serial, CLOCK).shell(["settings", "put", "system", "font_scale", own])
        told: list[str] = []
        with open_devices((phone.serial,), CLOCK, on_message=told.append) as (lease,):
            lease.connect()
        (words,) = told
        assert "the undo journal of another device that had this serial before" in words
        done = command("restore", phone.serial)
        assert (done.exit_code, "nothing to restore" in done.output) == (0, True)
        assert words in done.output
        assert scale(phone.serial) == own
    assert Journal.at(gone.serial, device=which).has("the setting system/font_scale")


def test_a_run_does_not_go_on_with_another_device_that_got_the_name() -> None:
    told: list[str] = []
    with VirtualPhone("android-34:720x1280") as gone:
        devices = open_devices((gone.serial,), CLOCK, on_message=told.append)
        (lease,) = devices.__enter__()
        lease.connect()
    with Successor(gone) as phone:
        assert phone.serial == gone.serial
        Adb(phone.serial, CLOCK).shell(["settings", "put", "system", "font_scale", "1.15"])
        with pytest.raises(DeviceLostError, match=f"another device is {phone.serial} now"):
            lease.connect()
        devices.__exit__(None, None, None)
        assert scale(phone.serial) == "1.15"
    assert "was not restored: another device now has" in told[0]
