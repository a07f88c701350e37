"""A device's clock, changed and restored to the time it would show: after a kill, a reboot, other changes."""

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
from garabench.device.undo.clock_shift import read_instant, shift
from garabench.device.undo.journal import Journal
from garabench.device.undo.restore import restore, restore_or_fail
from garabench.errors import CommandError, DeviceError, RestoreError
from garabench.interruptions.system.perform import answered, perform, request_for
from garabench.virtual.phone_process import VirtualPhone
from tests.e2e.test_undo import comes_back

pytestmark = pytest.mark.e2e

APP, DAY = "com.autonavi.minimap", 86_400


@pytest.fixture
def adb(phone: VirtualPhone, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Adb:
    monkeypatch.setenv("GARABENCH_STATE", str(tmp_path))
    phone.reset()
    return Adb(phone.serial, SystemClock())


def lead(adb: Adb) -> float:
    """Return by how many seconds the date is ahead of the boot time plus the uptime."""
    now = read_instant(adb)
    return now.wall - now.uptime - dt.datetime(2024, 5, 20, 1, 41, tzinfo=dt.UTC).timestamp()


@pytest.mark.parametrize("seconds", [DAY, -3600, 999 * DAY])
def test_it_is_put_back_with_the_time_that_has_passed(adb: Adb, seconds: int) -> None:
    journal = Journal.at(adb.serial)
    moved = shift(adb, journal, seconds, why="test")
    assert abs(lead(adb) - seconds) < 2
    adb.shell(["sleep", "1000"])  # in the phone's own time
    assert moved.agrees_with(read_instant(adb))
    assert Journal.at(adb.serial).entries == journal.entries
    (restored,) = restore_or_fail(adb, Journal.at(adb.serial))
    assert abs(lead(adb)) < 2
    assert str(restored).startswith("restored the device's clock: at 2024-05-20 01:57:")
    assert not moved.agrees_with(read_instant(adb))


def test_moved_twice_it_comes_to_the_first(adb: Adb) -> None:
    journal = Journal.at(adb.serial)
    shift(adb, journal, DAY, why="test")
    adb.shell(["sleep", "100"])
    shift(adb, journal, -7200, why="test")
    assert abs(lead(adb) - DAY + 7200) < 2
    restore_or_fail(adb, journal)
    assert abs(lead(adb)) < 2


@pytest.mark.parametrize("on_longer", [False, True])
def test_after_a_restart_the_computers_own_clock_counts(adb: Adb, on_longer: bool) -> None:
    adb.shell(["sleep", "100"])
    shift(adb, Journal.at(adb.serial), DAY, why="test")
    before = read_instant(adb)
    with pytest.raises(DeviceError):
        adb.shell(["reboot"])
    comes_back(adb)
    if on_longer:  # after a reboot the uptime is meaningless, even a larger one
        adb.shell(["sleep", "900"])
    again = read_instant(adb)
    assert again.boot != before.boot
    assert again.wall >= before.wall  # the date survives a reboot
    restore_or_fail(adb, Journal.at(adb.serial))
    assert abs(read_instant(adb).wall - (before.wall - DAY)) < 10  # seconds between the readings


def test_a_clock_that_the_network_has_set_again_is_left_alone(adb: Adb) -> None:
    journal = Journal.at(adb.serial)
    was = shift(adb, journal, DAY, why="test")
    set_to = round((was.wall - DAY) * 1000)
    adb.shell(["cmd", "alarm", "set-time", str(set_to)])
    (restored,) = restore(adb, journal)
    assert not restored.problem
    assert not journal.entries


def test_a_shell_that_may_not_set_it_is_told_and_leaves_nothing(
    adb: Adb, monkeypatch: pytest.MonkeyPatch
) -> None:
    shell = Adb.shell

    def refusing(self: Adb, argv: tuple[str, ...], *, timeout: float | None = None):  # type: ignore[no-untyped-def]
        if argv[:3] == ("cmd", "alarm", "set-time"):
            argv = ("echo", "java.lang.SecurityException: setTime")  # with status 0, as on a device
        return shell(self, argv, timeout=timeout)

    journal = Journal.at(adb.serial)
    with monkeypatch.context() as patch:
        patch.setattr(Adb, "shell", refusing)
        with pytest.raises(CommandError, match=r"did not change .*SecurityException: setTime"):
            shift(adb, journal, DAY, why="test")
    (restored,) = restore_or_fail(adb, journal)
    assert not restored.problem
    shift(adb, journal, DAY, why="test")
    with monkeypatch.context() as patch:
        patch.setattr(Adb, "shell", refusing)
        with pytest.raises(RestoreError, match=r"by hand: adb -s \S+ shell cmd alarm set-time \$\(\( "):
            restore_or_fail(adb, journal)
    restore_or_fail(adb, journal)
    assert abs(lead(adb)) < 2


def test_the_anomaly_holds_off_the_networks_time_and_restore_tells_both(
    phone: VirtualPhone, adb: Adb
) -> None:
    device = Device.connect(phone.serial, SystemClock())
    device.journal = Journal.at(phone.serial)
    anomaly = ANOMALIES["time"]
    device.apps.open(APP)
    force = perform(device, anomaly, request_for(device, anomaly, app=APP, value="-1h"))
    assert force.evidence == (f"date: {force.moved}, -3600 s",)
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


def test_a_journal_with_a_clock_is_the_same_after_reading(adb: Adb) -> None:
    journal = Journal.at(adb.serial)
    apply(adb, journal, Setting("global", "auto_time", "0"), sdk=34, why="test")
    shift(adb, journal, DAY, why="test")
    (_, entry), _ = Journal.at(adb.serial).entries
    assert isinstance(entry.clock, Instant)
    assert entry == journal.entries[0][1]
    restore_or_fail(adb, journal)
