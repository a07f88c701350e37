from __future__ import annotations

import json
import multiprocessing
import os
import signal
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from garabench.campaign.device_care import DeviceCare
from garabench.campaign.device_recovery import NO_WAITING
from garabench.campaign.devices import EmulatorLease, open_devices
from garabench.cli.main import main
from garabench.core.campaign_events import CampaignEvent, Rung, RungPerformed
from garabench.device.adb import Adb
from garabench.device.device import Device
from garabench.device.emulators import emulator
from garabench.device.emulators.emulator import running_avds, start_emulator
from garabench.device.emulators.sdk import AndroidSdk
from garabench.device.health import HealthReading
from garabench.device.undo.lease import leased
from garabench.errors import DeviceBusyError, DeviceUnreachableError, InputError
from garabench.testing.sdk_stand_in.install import IMAGE, SdkBehaviour, install_stand_in
from tests.stand_in_emulators import FIRST_PORT, first_port, stand_in_emulators
from tests.waits import CLOCK

pytestmark = pytest.mark.usefixtures("adb_server")


@pytest.fixture
def sdk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[AndroidSdk]:
    yield from stand_in_emulators(tmp_path, monkeypatch)


def behave(sdk: AndroidSdk, behaviour: SdkBehaviour) -> None:
    install_stand_in(sdk.root, behaviour=behaviour)


def garabench(*words: str) -> Result:
    return CliRunner().invoke(main, ["emulators", *words])


def read_settings(serial: str) -> list[str]:
    """Read an animation scale, and whether the screen stays on."""
    names = ("window_animation_scale", "stay_on_while_plugged_in")
    adb = Adb(serial, CLOCK)
    return [adb.shell(["settings", "get", "global", name]).stdout.strip() for name in names]


def test_emulators_are_created_started_listed_and_stopped(sdk: AndroidSdk) -> None:
    assert "There is no AVD" in garabench("list").output
    done = garabench("create", "--count", "2")
    assert done.output.splitlines() == [f"garabench-{n} created from {IMAGE}" for n in (1, 2)]
    done = garabench("start", "garabench-1")
    assert done.exit_code == 0, done.output
    assert "garabench-1 is running as emulator-" in done.output
    rows = {row["name"]: row for row in json.loads(garabench("list", "--json").output)}
    assert rows["garabench-1"]["serial"].startswith("emulator-")
    assert rows["garabench-2"]["serial"] is None
    again = garabench("start", "garabench-1")
    assert again.exit_code == 2
    assert "already running as emulator-" in again.output
    assert sdk.avd("garabench-1").path.joinpath("snapshots", "garabench").is_dir()
    serial = rows["garabench-1"]["serial"]
    before = read_settings(serial)
    with open_devices([serial], CLOCK) as leases:
        leases[0].connect().close()
        assert read_settings(serial) == ["0", "7"]
    assert read_settings(serial) == before != ["0", "7"]
    assert garabench("stop", "--all").output == "garabench-1 stopped\n"
    assert "No emulator of GaraBench is running" in garabench("stop", "--all").output
    assert "is not running" in garabench("stop", "garabench-1").output


def test_emulator_that_ends_while_booting_is_explained(sdk: AndroidSdk) -> None:
    sdk.create("one", sdk.choose_image())
    behave(sdk, SdkBehaviour(boot="dies"))
    with pytest.raises(DeviceUnreachableError, match=r"one ended while .* memory could not.*\. See the log"):
        start_emulator(sdk, "one", CLOCK)


def test_emulator_that_never_boots_is_ended(sdk: AndroidSdk, monkeypatch: pytest.MonkeyPatch) -> None:
    sdk.create("one", sdk.choose_image())
    behave(sdk, SdkBehaviour(boot="hangs"))
    monkeypatch.setattr("garabench.device.emulators.emulator._BOOT_SECONDS", 0.3)
    with pytest.raises(DeviceUnreachableError, match=r"did not boot within 0.3 s"):
        start_emulator(sdk, "one", CLOCK)


def test_missing_acceleration_is_reported_before_anything_starts(sdk: AndroidSdk) -> None:
    garabench("create")
    behave(sdk, SdkBehaviour(kvm=False))
    done = garabench("start", "garabench-1")
    assert done.exit_code == 2
    assert "KVM" in done.output
    assert "--no-accel" in done.output


def test_taken_ports_are_left_alone(sdk: AndroidSdk) -> None:
    sdk.create("one", sdk.choose_image())
    with socket.socket() as taken:
        port = next(port for port in range(5598, 5586, -2) if taken.connect_ex(("127.0.0.1", port)))
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", port + 1))
        taken.listen()
        with pytest.raises(InputError, match=rf"port {port} or {port + 1} is taken\n"):
            start_emulator(sdk, "one", CLOCK, port=port)


def test_a_port_taken_while_the_emulator_starts_is_replaced(
    sdk: AndroidSdk, monkeypatch: pytest.MonkeyPatch
) -> None:
    sdk.create("one", sdk.choose_image())
    is_free = emulator._is_free
    with emulator._reserved_port(None, first_port()) as port:
        pass
    monkeypatch.setattr(emulator, "_is_free", lambda each: each in (port, port + 1) or is_free(each))
    with socket.socket() as taken:
        taken.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        taken.bind(("127.0.0.1", port + 1))
        taken.listen()
        with pytest.raises(DeviceUnreachableError, match=r"port is taken\. .* start the AVD again"):
            start_emulator(sdk, "one", CLOCK, port=port)
        assert start_emulator(sdk, "one", CLOCK).port > port


@pytest.mark.parametrize("name", ["emulators:0", "emulators:17", "emulators:x", "emulators:"])
def test_wrong_number_of_emulators_is_refused(name: str) -> None:
    with pytest.raises(InputError, match="no valid number"), open_devices([name], CLOCK):
        pass


def test_run_starts_and_stops_the_emulators_that_it_needs(sdk: AndroidSdk) -> None:
    """Here none starts from its snapshot, so that each start is a cold boot after a failed one."""
    sdk.create("garabench-1", sdk.choose_image())
    (sdk.avd("garabench-1").path / "snapshots" / "garabench").mkdir(parents=True)
    behave(sdk, SdkBehaviour(boot="snapshot-dies"))
    messages: list[str] = []
    with open_devices(["emulators:1"], CLOCK, on_message=messages.append) as leases:
        (lease,) = leases
        assert isinstance(lease, EmulatorLease)
        assert lease.rungs == {Rung.REBOOT, Rung.LOAD_SNAPSHOT, Rung.RESTART_EMULATOR}
        lease.connect().close()
        lease.emulator.kill()
        device = lease.connect()  # restarts it
        assert lease.unplanned_restarts == 1
        assert read_settings(lease.serial) == ["0", "7"]
        device.close()
    assert messages[0] == "starting garabench-1"
    assert len(messages) == 3
    for message in messages[1:]:
        assert "boots cold" in message
        assert "memory could not be restored" in message
    assert "garabench-1" not in {each.avd for each in running_avds(CLOCK)}


def test_device_that_recovers_only_from_its_snapshot_is_recovered(sdk: AndroidSdk) -> None:
    """The symptom stays until the snapshot is loaded, which resets what happened since the boot."""
    sdk.create("garabench-1", sdk.choose_image())
    events: list[CampaignEvent] = []

    def check(device: Device, *, thorough: bool) -> HealthReading:
        full = device.adb.shell(["settings", "get", "global", "full"]).stdout.strip() == "1"
        return HealthReading(title="a/.A", free_bytes=0 if full else None)

    with open_devices(["emulators:1"], CLOCK) as (lease,):
        assert isinstance(lease, EmulatorLease)
        care = DeviceCare("one", lease, CLOCK, NO_WAITING, events.append, lambda seconds: None, check)
        device = care.ready("com.app", "episode", lambda: None)
        assert lease.snapshot_loads == 0
        device.adb.shell(["settings", "put", "global", "full", "1"])
        care.ready("com.app", "episode", lambda: None)
        *_, rung = [each for each in events if isinstance(each, RungPerformed)]
        assert (rung.rung, rung.ok, rung.remaining) == (Rung.LOAD_SNAPSHOT, True, ())
        assert lease.snapshot_loads == 1
        assert read_settings(lease.serial) == ["0", "7"]  # what the run needs is set again
        care.close()


def begin_run_and_be_killed(environment: dict[str, str], port: int) -> None:
    os.environ.update(environment)
    pytest.MonkeyPatch().setattr("platform.machine", lambda: "x86_64")
    pytest.MonkeyPatch().setattr(FIRST_PORT, port)
    with open_devices(["emulators:1"], CLOCK):
        os.kill(os.getpid(), signal.SIGKILL)


def test_emulator_of_a_killed_run_is_stopped_by_the_next_one(sdk: AndroidSdk) -> None:
    sdk.create("garabench-1", sdk.choose_image())
    child = multiprocessing.get_context("forkserver").Process(
        target=begin_run_and_be_killed, args=(dict(os.environ), first_port())
    )
    child.start()
    child.join(120)
    assert child.exitcode == -signal.SIGKILL
    (left,) = [each for each in running_avds(CLOCK) if each.avd == "garabench-1"]
    messages: list[str] = []
    with leased(left.serial), pytest.raises(DeviceBusyError), open_devices(["emulators:1"], CLOCK):
        pass
    with open_devices(["emulators:1"], CLOCK, on_message=messages.append) as leases:
        leases[0].connect().close()
    assert messages[0] == "restarting garabench-1, which a killed run has left behind"
    assert "garabench-1" not in {each.avd for each in running_avds(CLOCK)}


def test_emulator_that_a_person_has_started_is_left_running(sdk: AndroidSdk) -> None:
    assert garabench("create").exit_code == 0
    assert garabench("start", "garabench-1").exit_code == 0
    with open_devices(["emulators:1"], CLOCK) as leases:
        assert not isinstance(leases[0], EmulatorLease)
    assert "garabench-1" in {each.avd for each in running_avds(CLOCK)}


def test_missing_avds_are_created(sdk: AndroidSdk) -> None:
    behave(sdk, SdkBehaviour(boot="dies"))
    messages: list[str] = []
    with (
        pytest.raises(DeviceUnreachableError),
        open_devices(["emulators:2"], CLOCK, on_message=messages.append),
    ):
        pass
    assert messages[0] == f"creating garabench-1, garabench-2 from {IMAGE}"
    assert [avd.name for avd in sdk.avds()] == ["garabench-1", "garabench-2"]
