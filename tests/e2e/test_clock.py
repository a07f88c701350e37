"""A shifted device clock is restored to the correct time, also after a reboot or repeated shifts."""

from __future__ import annotations

import datetime as dt
from pathlib import Path

import pytest
from click.testing import CliRunner

from garabench.cli.main import main
from garabench.core.anomalies.catalog import ANOMALIES
from garabench.core.clock import SystemClock
from garabench.core.clock_reading import Instant
from garabench.core.device_changes import Setting
from garabench.device.adb import Adb
from garabench.device.device import Device
from garabench.device.undo.apply import apply
from garabench.device.undo.clock_shift import read_instant, shift_clock
from garabench.device.undo.journal import Journal
from garabench.device.undo.restore import restore_device, restore_or_fail
from garabench.errors import CommandError, DeviceError, RestoreError
from garabench.interruptions.system.perform import answered, perform_anomaly, request_for
from garabench.virtual.phone_process import VirtualPhone
from tests.e2e.test_undo import wait_for_device

pytestmark = pytest.mark.e2e

APP, DAY = "com.autonavi.minimap", 86_400


@pytest.fixture
def adb(phone: VirtualPhone, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Adb:
    monkeypatch.setenv("GARABENCH_STATE", str(tmp_path))
    phone.reset()
    return Adb(phone.serial, SystemClock())


def clock_lead(adb: Adb) -> float:
    """Return the seconds by which the date is ahead of the boot time plus the uptime."""
    now = read_instant(adb)
    return now.wall - now.uptime - dt.datetime(2024, 5, 20, 1, 41, tzinfo=dt.UTC).timestamp()


@pytest.mark.parametrize("seconds", [DAY, -3600, 999 * DAY])
def test_restore_accounts_for_elapsed_time(adb: Adb, seconds: int) -> None:
    journal = Journal.at(adb.serial)
    moved = shift_clock(adb, journal, seconds, purpose="test")
    assert abs(clock_lead(adb) - seconds) < 2
    adb.shell(["sleep", "1000"])  # in the phone's own time
    assert moved.agrees_with(read_instant(adb))
    assert Journal.at(adb.serial).entries == journal.entries
    (restored,) = restore_or_fail(adb, Journal.at(adb.serial))
    assert abs(clock_lead(adb)) < 2
    assert str(restored).startswith("restored the device's clock: at 2024-05-20 01:57:")
    assert not moved.agrees_with(read_instant(adb))


def test_restore_undoes_repeated_shifts(adb: Adb) -> None:
    journal = Journal.at(adb.serial)
    shift_clock(adb, journal, DAY, purpose="test")
    adb.shell(["sleep", "100"])
    shift_clock(adb, journal, -7200, purpose="test")
    assert abs(clock_lead(adb) - DAY + 7200) < 2
    restore_or_fail(adb, journal)
    assert abs(clock_lead(adb)) < 2


@pytest.mark.parametrize("longer_uptime", [False, True])
def test_restore_after_a_reboot_uses_the_host_clock(adb: Adb, longer_uptime: bool) -> None:
    adb.shell(["sleep", "100"])
    shift_clock(adb, Journal.at(adb.serial), DAY, purpose="test")
    before, begun = read_instant(adb), adb.clock.monotonic()
    with pytest.raises(DeviceError):
        adb.shell(["reboot"])
    wait_for_device(adb)
    if longer_uptime:  # after a reboot the uptime is meaningless, even a larger one
        adb.shell(["sleep", "900"])
    after = read_instant(adb)
    assert after.boot != before.boot
    assert after.wall >= before.wall  # the date survives a reboot
    restore_or_fail(adb, Journal.at(adb.serial))
    between = adb.clock.monotonic() - begun
    assert abs(read_instant(adb).wall - (before.wall - DAY)) < 10 + between


def test_clock_already_corrected_by_the_network_is_left_alone(adb: Adb) -> None:
    journal = Journal.at(adb.serial)
    shifted = shift_clock(adb, journal, DAY, purpose="test")
    set_to = round((shifted.wall - DAY) * 1000)
    adb.shell(["cmd", "alarm", "set-time", str(set_to)])
    (restored,) = restore_device(adb, journal)
    assert not restored.problem
    assert not journal.entries


def test_refused_clock_change_is_reported_and_leaves_no_entry(
    adb: Adb, monkeypatch: pytest.MonkeyPatch
) -> None:
    shell = Adb.shell

    def refuse_to_set_time(self: Adb, argv: tuple[str, ...], *, timeout: float | None = None):  # type: ignore[no-untyped-def]
        if argv[:3] == ("cmd", "alarm", "set-time"):
            argv = ("echo", "java.lang.SecurityException: setTime")  # with status 0, as on a device
        return shell(self, argv, timeout=timeout)

    journal = Journal.at(adb.serial)
    with monkeypatch.context() as patch:
        patch.setattr(Adb, "shell", refuse_to_set_time)
        with pytest.raises(CommandError, match=r"did not change .*SecurityException: setTime"):
            shift_clock(adb, journal, DAY, purpose="test")
    (restored,) = restore_or_fail(adb, journal)
    assert not restored.problem
    shift_clock(adb, journal, DAY, purpose="test")
    with monkeypatch.context() as patch:
        patch.setattr(Adb, "shell", refuse_to_set_time)
        with pytest.raises(RestoreError, match=r"by hand: \S+ -s \S+ shell cmd alarm set-time \$\(\( "):
            restore_or_fail(adb, journal)
    restore_or_fail(adb, journal)
    assert abs(clock_lead(adb)) < 2


def test_time_anomaly_disables_network_time_and_restore_reports_both(phone: VirtualPhone, adb: Adb) -> None:
    device = Device.connect(phone.serial, SystemClock())
    device.journal = Journal.at(phone.serial)
    anomaly = ANOMALIES["time"]
    device.apps.open(APP)
    force = perform_anomaly(device, anomaly, request_for(device, anomaly, app=APP, value="-1h"))
    assert force.evidence == (f"date: {force.shifted_clock}, -3600 s",)
    assert adb.shell(["settings", "get", "global", "auto_time"]).stdout == "0\n"
    tree = device.settle().reading.tree
    assert not answered(device, force, tree, APP)
    assert any(node.text == "08:41" for node in tree.nodes)  # the status bar's clock
    device.close()
    done = CliRunner().invoke(main, ["device", "restore", phone.serial])
    assert done.exit_code == 0
    assert "restored the device's clock: at 2024-05-20 01:4" in done.output
    assert "restored the setting global/auto_time: 1" in done.output
    assert answered(device, force, tree, APP)


def test_clock_entry_round_trips_through_the_journal(adb: Adb) -> None:
    journal = Journal.at(adb.serial)
    apply(adb, journal, Setting("global", "auto_time", "0"), sdk=34, purpose="test")
    shift_clock(adb, journal, DAY, purpose="test")
    (_, entry), _ = Journal.at(adb.serial).entries
    assert isinstance(entry.clock, Instant)
    assert entry == journal.entries[0][1]
    restore_or_fail(adb, journal)
