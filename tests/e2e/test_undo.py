"""Every device change is undone at the end of a run, and after a kill, a reboot or a lost device."""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import re
import signal
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from click.testing import CliRunner

from garabench.campaign.devices import open_devices
from garabench.cli.main import main
from garabench.core import device_changes as change
from garabench.core import device_switches as switches
from garabench.core.clock import SystemClock
from garabench.core.device_changes import Setting, StateQuery
from garabench.core.steps import SettingStep, WifiStep
from garabench.device.adb import Adb, ShellResult
from garabench.device.adb_command import adb_command
from garabench.device.undo import journal
from garabench.device.undo.apply import apply, apply_unattended, record_run_state
from garabench.device.undo.clock_shift import read_instant, shift_clock
from garabench.device.undo.entry import Scope, UndoEntry
from garabench.device.undo.journal import Journal
from garabench.device.undo.lease import leased, leases_folder
from garabench.device.undo.restore import restore_device, restore_or_fail
from garabench.episode.reset import prepare
from garabench.errors import DeviceBusyError, DeviceError, RestoreError
from garabench.virtual.phone_process import VirtualPhone
from tests.phones import PhonePool
from tests.waits import until

pytestmark = pytest.mark.e2e

APP, PERMISSION = "com.autonavi.minimap", "android.permission.ACCESS_FINE_LOCATION"
SDK = 34
STATE_COMMANDS = (
    ("settings", "list", "system"),
    ("settings", "list", "secure"),
    ("settings", "list", "global"),
    ("dumpsys", "battery"),
    ("dumpsys", "package", APP),
)
FORKSERVER = multiprocessing.get_context("forkserver")
FORKSERVER.set_forkserver_preload(["tests.e2e.test_undo"])


@pytest.fixture(scope="module")
def phone(phone_pool: PhonePool) -> Iterator[VirtualPhone]:
    with phone_pool.borrow("android-34:720x1280") as running:
        yield running


@pytest.fixture
def adb(phone: VirtualPhone, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Adb:
    monkeypatch.setenv("GARABENCH_STATE", str(tmp_path))
    phone.reset()
    connected = Adb(phone.serial, SystemClock())
    connected.shell(["pm", "grant", APP, PERMISSION])
    connected.shell(["settings", "delete", "system", "font_scale"])
    return connected


def read_state(adb: Adb) -> str:
    """Return everything that can be changed, as the phone reports it."""
    output = "".join(adb.shell(argv).stdout for argv in STATE_COMMANDS)
    now = read_instant(adb)
    lead = f"the clock is {round((now.wall - now.uptime) / 10)} tens of seconds ahead of the uptime"
    return "\n".join(line for line in (lead, *output.splitlines()) if "stopped=" not in line)


def changes() -> list[change.Change]:
    return [
        switches.wifi_switch(on=False),
        switches.airplane_switch(on=True),
        Setting("system", "user_rotation", "1"),
        Setting("system", "font_scale", "1.3"),
        Setting("system", "user_rotation", "2"),
        Setting("global", "low_power", "1"),
        switches.permission_switch(APP, PERMISSION, granted=False),
        Setting("secure", "a_new_one", "it's $HOME; rm -rf 中文"),
    ]


def make_changes(adb: Adb) -> None:
    """Act as a run does: record the state, change it, restore part of it and change it again."""
    undo_journal = Journal.at(adb.serial)
    record_run_state(adb, undo_journal, sdk=SDK)
    for each in changes():
        apply(adb, undo_journal, each, sdk=SDK, purpose="test")
    shift_clock(adb, undo_journal, 86_400, purpose="test")
    restore_device(adb, undo_journal, Scope.EPISODE)
    for each in changes()[3:]:
        apply(adb, undo_journal, each, sdk=SDK, purpose="test")
    shift_clock(adb, undo_journal, -3600, purpose="test")
    restore_device(adb, undo_journal)


def make_changes_until_killed(serial: str, port: int, folder: str, point: int, torn: bool) -> None:
    """Make the changes, and kill this process at a point.

    Points lie before and after each command and each write; with `torn`, a killed write leaves half a line.
    """
    os.environ["ANDROID_ADB_SERVER_PORT"] = str(port)
    os.environ["GARABENCH_STATE"] = folder
    passed = 0

    def pass_point() -> None:
        nonlocal passed
        passed += 1
        if passed == point:
            os.kill(os.getpid(), signal.SIGKILL)

    shell, write = Adb.shell, journal.append_durably

    def counted_shell(self: Adb, argv: Sequence[str], *, timeout: float | None = None) -> ShellResult:
        pass_point()
        result = shell(self, argv, timeout=timeout)
        pass_point()
        return result

    def counted_write(path: Path, data: bytes) -> None:
        if torn and passed + 1 == point:
            write(path, data[: len(data) // 2])
        pass_point()
        write(path, data)
        pass_point()

    Adb.shell = counted_shell  # type: ignore[method-assign]
    journal.append_durably = counted_write
    make_changes(Adb(serial, SystemClock()))
    (Path(folder) / "points").write_text(str(passed), "utf-8")


def kill_at(adb: Adb, folder: Path, point: int, *, torn: bool = False) -> bool:
    """Return whether the process was killed; False if it finished first."""
    child = FORKSERVER.Process(
        target=make_changes_until_killed, args=(adb.serial, adb.server[1], str(folder), point, torn)
    )
    child.start()
    child.join(120)
    assert child.exitcode in (0, -signal.SIGKILL)
    return child.exitcode != 0


def test_restore_undoes_everything_after_a_kill_at_any_point(adb: Adb, tmp_path: Path) -> None:
    before = read_state(adb)
    assert not kill_at(adb, tmp_path, -1)
    assert read_state(adb) == before
    points = int((tmp_path / "points").read_text("utf-8"))
    assert points > 150
    wrong, changed = [], 0
    for number, point in enumerate(range(1, points + 1, points // 20)):
        assert kill_at(adb, tmp_path, point, torn=number % 4 >= 2)
        changed += read_state(adb) != before
        restore_or_fail(adb, Journal.at(adb.serial))
        if read_state(adb) != before or list(leases_folder().iterdir()):
            wrong.append(point)
    assert wrong == []
    assert changed >= 14  # most kills leave something to restore


def leave_changes(adb: Adb) -> None:
    """Change the device without undoing it, as a killed run does."""
    undo_journal = Journal.at(adb.serial)
    record_run_state(adb, undo_journal, sdk=SDK)
    for each in changes():
        apply(adb, undo_journal, each, sdk=SDK, purpose="test")


@pytest.mark.parametrize("calls", [2, 9])
def test_undo_continues_after_a_reboot_in_the_middle(
    adb: Adb, calls: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = read_state(adb)
    leave_changes(adb)
    shell, count = Adb.shell, 0

    def reboot_at_call(self: Adb, argv: tuple[str, ...], *, timeout: float | None = None) -> ShellResult:
        nonlocal count
        count += 1
        return shell(self, ("reboot",) if count == calls else argv, timeout=timeout)

    with monkeypatch.context() as patch:
        patch.setattr(Adb, "shell", reboot_at_call)
        with pytest.raises(DeviceError):
            restore_device(adb, Journal.at(adb.serial))
    wait_for_device(adb)
    assert 0 < len(Journal.at(adb.serial).entries) <= 13
    restore_or_fail(adb, Journal.at(adb.serial))
    assert read_state(adb) == before


def test_restore_command_reports_progress_when_the_device_reboots(
    adb: Adb, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = read_state(adb)
    leave_changes(adb)
    shell, done = Adb.shell, Journal.done

    def reboot_after_three(self: Journal, number: int) -> None:
        done(self, number)
        if len(self.entries) == 10:
            with pytest.raises(DeviceError):
                shell(adb, ("reboot",))

    with monkeypatch.context() as patch:
        patch.setattr(Journal, "done", reboot_after_three)
        result = CliRunner().invoke(main, ["device", "restore", adb.serial])
    assert result.exit_code == 3
    assert result.output.count(": restored ") == 3
    assert "10 changes not undone yet; run the same command again" in result.output
    wait_for_device(adb)
    result = CliRunner().invoke(main, ["device", "restore", adb.serial])
    assert (result.exit_code, result.output.count(": restored ")) == (0, 10)
    assert read_state(adb) == before


def wait_for_device(adb: Adb) -> None:
    def back() -> bool:
        with contextlib.suppress(DeviceError):
            return adb.shell(["echo", "back"]).stdout == "back\n"
        return False  # adb may still list the connection that has ended

    until(back)


def test_device_lost_during_undo_is_restored_later(phone: VirtualPhone, adb: Adb) -> None:
    before = read_state(adb)
    leave_changes(adb)
    phone.fault("offline")
    try:
        with pytest.raises(DeviceError):
            restore_device(adb, Journal.at(adb.serial))
    finally:
        phone.fault("offline", on=False)
    wait_for_device(adb)
    assert len(Journal.at(adb.serial).entries) == 13  # five settings of the run, and eight changes
    restore_or_fail(adb, Journal.at(adb.serial))
    assert read_state(adb) == before


def test_run_restores_earlier_leftovers_and_its_own_changes(adb: Adb) -> None:
    adb.shell(["settings", "put", "system", "accelerometer_rotation", "1"])
    adb.shell(["svc", "wifi", "disable"])
    before = read_state(adb)
    leave_changes(adb)
    messages: list[str] = []
    with open_devices((adb.serial,), SystemClock(), on_message=messages.append) as (lease,):
        device = lease.connect()
        assert without_unattended(read_state(adb)) == without_unattended(before)
        assert len(messages) == 12
        assert lease.connect().journal is device.journal
        assert len(messages) == 12  # this run's own changes are undone only at its end
        prepare(device, APP, (SettingStep.model_validate(SAVER), WifiStep(wifi=False)))
        assert adb.shell(["settings", "get", "global", "low_power"]).stdout == "1\n"
        adb.shell(["settings", "put", "system", "user_rotation", "3"])  # as an agent might
    assert read_state(adb).replace(*GRANTS) == before.replace(*GRANTS)  # the app's data was cleared
    assert not list(leases_folder().glob("*.jsonl"))


def without_unattended(state: str) -> str:
    """Return a state without the settings of an unattended device, which a run changes at once."""
    keys = tuple(f"{setting.key}=" for setting in switches.unattended_settings())
    return "\n".join(line for line in state.splitlines() if not line.strip().startswith(keys))


SAVER = {"setting": {"namespace": "global", "key": "low_power", "value": "1"}}
GRANTS = (f"{PERMISSION}: granted=true", f"{PERMISSION}: granted=false")


def test_second_run_is_refused_and_lease_of_a_dead_process_is_taken_over(adb: Adb) -> None:
    with open_devices((adb.serial,), SystemClock()):
        with pytest.raises(DeviceBusyError, match=rf"in use by another run \(process {os.getpid()}\)"):
            open_devices((adb.serial,), SystemClock()).__enter__()
        done = CliRunner().invoke(main, ["device", "restore", adb.serial])
        assert (done.exit_code, "in use by another run" in done.output) == (3, True)
    child = FORKSERVER.Process(target=die_holding_lease, args=(adb.serial, str(leases_folder())))
    child.start()
    child.join(120)
    assert child.exitcode == -signal.SIGKILL
    with leased(adb.serial):
        pass


def die_holding_lease(serial: str, folder: str) -> None:
    with leased(serial, Path(folder)):
        os.kill(os.getpid(), signal.SIGKILL)


def test_restore_command_reports_what_it_restored_and_what_failed(adb: Adb) -> None:
    runner = CliRunner()
    assert runner.invoke(main, ["device", "restore", adb.serial]).output.endswith("nothing to restore\n")
    before = read_state(adb)
    leave_changes(adb)
    done = runner.invoke(main, ["device", "restore", adb.serial])
    assert done.exit_code == 0, done.output
    assert f"{adb.serial}: restored the setting system/font_scale: null\n" in done.output
    assert "restored Wi-Fi: 1" in done.output
    assert read_state(adb) == before
    undo_journal = Journal.at(adb.serial)
    undo_journal.open(
        UndoEntry(
            "the permission x.Y of com.gone",
            "test",
            Scope.EPISODE,
            (("pm", "grant", "com.gone", "x.Y"),),
            StateQuery(("dumpsys", "package", "com.gone"), "x.Y: granted="),
            ("true",),
        )
    )
    with pytest.raises(RestoreError, match=rf"by hand: {re.escape(adb_command())} -s"):
        restore_or_fail(adb, Journal.at(adb.serial))
    done = runner.invoke(main, ["device", "restore", adb.serial])
    assert done.exit_code == 1
    assert f"Undo by hand: {adb_command()} -s {adb.serial} shell 'pm grant com.gone x.Y'" in done.output
    done = runner.invoke(main, ["device", "restore", adb.serial, "--forget"])
    assert (done.exit_code, ": forgotten: " in done.output) == (0, True)
    assert Journal.at(adb.serial).entries == ()


@pytest.mark.parametrize("profile", ["android-19:720x1280", "android-30:720x1280"])
def test_older_android_versions_are_restored(
    phone_pool: PhonePool,
    profile: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("GARABENCH_STATE", str(tmp_path))
    with phone_pool.borrow(profile) as old:
        adb = Adb(old.serial, SystemClock())
        sdk = int(profile[8:10])
        undo_journal = Journal.at(adb.serial)
        record_run_state(adb, undo_journal, sdk=sdk)
        new = Setting("system", "never_set_before", "1")
        for each in (switches.wifi_switch(on=False), new, Setting("system", "user_rotation", "1")):
            assert apply(adb, undo_journal, each, sdk=sdk, purpose="test")
            assert not apply(adb, undo_journal, each, sdk=sdk, purpose="test")
        unattended = switches.unattended_settings()
        before = [adb.shell(each.query.argv).stdout for each in unattended]
        assert apply_unattended(adb, undo_journal, sdk=sdk) == ()
        assert [adb.shell(each.query.argv).stdout for each in unattended] == ["7\n", "0\n", "0\n", "0\n"]
        restored = restore_or_fail(adb, Journal.at(adb.serial))
        assert len(restored) == len(switches.run_settings(sdk)) + 3 + len(unattended)
        assert [adb.shell(each.query.argv).stdout for each in unattended] == before
        assert adb.shell(["settings", "get", "system", "never_set_before"]).stdout == "null\n"
        assert adb.shell(["settings", "get", "global", "wifi_on"]).stdout == "1\n"
