"""A run leases the virtual phones that it starts: other runs and commands cannot use them."""

from __future__ import annotations

import os
from pathlib import Path
from typing import cast

import pytest
from click.testing import CliRunner

from garabench.campaign.devices import VirtualLease, open_devices
from garabench.cli.main import main
from garabench.core.clock import SystemClock
from garabench.device.undo.lease import leased, leases_folder
from garabench.errors import DeviceBusyError
from garabench.virtual.adb_registration import connect_to_server, disconnect_from_server

pytestmark = pytest.mark.e2e

CLOCK, SMALL = SystemClock(), "virtual:android-34:720x1280"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("GARABENCH_STATE", str(tmp_path / "state"))
    return tmp_path


def test_other_runs_are_refused_under_each_alias_before_and_after_a_reset(folder: Path) -> None:
    busy = rf"in use by another run \(process {os.getpid()}\)"
    with open_devices((SMALL,), CLOCK) as leases:
        lease = cast(VirtualLease, leases[0])
        serial = lease.phone.serial
        with pytest.raises(DeviceBusyError, match=busy):  # even before the first connection
            open_devices((serial,), CLOCK).__enter__()
        lease.connect().close()
        lease.restore()
        out = str(folder / "run")
        arguments = [
            "run",
            "--tasks",
            "bili-like-song-live",
            "--yes",
            "--device",
            serial,
            "--out",
            out,
            "--agents",
            "ignore",
        ]
        done = CliRunner().invoke(main, arguments)
        assert (done.exit_code, f"{serial} is in use by another run" in done.output) == (3, True), done.output
        assert not Path(out).exists()
        for command in ("restore", "setup"):
            assert CliRunner().invoke(main, ["device", command, serial]).exit_code == 3
        name = serial.replace("127.0.0.1", "localhost")
        connect_to_server(name, CLOCK)
        try:
            with open_devices((name,), CLOCK) as (other,), pytest.raises(DeviceBusyError, match=busy):
                other.connect()
        finally:
            disconnect_from_server(name)
    assert not list(leases_folder().glob("*.lease"))


def test_restarted_phone_is_leased_under_its_new_serial() -> None:
    with open_devices((SMALL,), CLOCK) as leases:
        lease = cast(VirtualLease, leases[0])
        lease.connect().close()
        before = lease.phone.serial
        lease.phone.stop()
        lease.connect().close()
        assert lease.phone.serial != before
        with pytest.raises(DeviceBusyError):
            leased(lease.phone.serial).__enter__()
        with leased(before):
            pass


def test_phone_whose_serial_is_leased_starts_under_another() -> None:
    with open_devices((SMALL,), CLOCK) as leases:
        lease = cast(VirtualLease, leases[0])
        lease.release()
        before = lease.phone.serial
        with leased(before):
            lease.connect().close()
            assert lease.phone.serial != before


def test_unwritable_lease_blocks_other_commands(folder: Path) -> None:
    (folder / "state").write_text("in the way", "utf-8")
    with open_devices((SMALL,), CLOCK) as leases:
        lease = cast(VirtualLease, leases[0])
        lease.connect().close()
        done = CliRunner().invoke(main, ["device", "restore", lease.phone.serial])
        assert (done.exit_code, "cannot write the lease" in done.output) == (1, True), done.output
