"""The device layer over the real wire: every fallback, every limit."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from garabench.core import action as act
from garabench.core.clock import SystemClock
from garabench.core.observation import TreeSource
from garabench.device.adb import Adb, RunningCommand
from garabench.device.device import Device
from garabench.errors import DeviceLostError, DeviceTimeoutError, TreeUnavailableError
from garabench.virtual.phone_process import VirtualPhone
from tests.device.phone_actions import LAUNCHER, CallCounter, do
from tests.waits import AMPLE, CLOCK

pytestmark = pytest.mark.usefixtures("adb_server")


def test_failed_dump_does_not_return_the_file_of_an_earlier_one(phone: VirtualPhone, plain: Device) -> None:
    assert plain.observe(0).source is TreeSource.UIAUTOMATOR_DUMP
    phone.fault("null-root")
    with pytest.raises(TreeUnavailableError, match="null root node"):
        plain.observe(1)
    phone.fault("null-root", on=False)
    phone.fault("idle-never")
    with pytest.raises(TreeUnavailableError, match="could not get idle state"):
        plain.observe(2)
    phone.fault("idle-never", on=False)
    assert plain.observe(3).tree.nodes


def test_every_call_to_a_hanging_device_ends_in_time(phone: VirtualPhone, device: Device) -> None:
    hurried = Adb(phone.serial, SystemClock(), timeout=AMPLE)
    assert hurried.device.limit == AMPLE
    assert hurried.features == device.adb.features  # from the adb server, which does not hang
    hurried.timeout = hurried.device.limit = 0.5
    phone.fault("hang")
    started = CLOCK.monotonic()
    try:
        with pytest.raises(DeviceTimeoutError, match="did not respond in time while running echo"):
            hurried.shell(["echo", "there"])
        old = device.info.sdk < 21  # refuses the service at once
        with pytest.raises(DeviceLostError if old else DeviceTimeoutError):
            hurried.exec_out(["screencap", "-p"])
        with pytest.raises(DeviceTimeoutError):
            hurried.shell(["sleep", "100"], timeout=0.2)
        with pytest.raises(DeviceTimeoutError):
            hurried.pull("/etc/hosts")
    finally:
        phone.fault("hang", on=False)
    assert CLOCK.monotonic() - started < AMPLE / 3  # it would hang for ever
    assert device.adb.shell(["echo", "again"]).stdout == "again\n"


def test_server_start_on_a_hanging_device_ends_in_time(phone: VirtualPhone, device: Device) -> None:
    fresh = Device.connect(phone.serial, SystemClock())
    fresh.adb.timeout = fresh.adb.device.limit = 0.5  # seconds, in place of 20
    phone.fault("hang")
    try:
        started = CLOCK.monotonic()
        with pytest.raises((DeviceTimeoutError, TreeUnavailableError)):
            fresh.observe(0)
        assert CLOCK.monotonic() - started < AMPLE / 3  # it would hang for ever
    finally:
        phone.fault("hang", on=False)
    fresh.adb.timeout = fresh.adb.device.limit = 20.0
    fresh.revive()
    assert fresh.observe(1).tree.nodes


def test_endless_command_ends_at_its_limit(device: Device) -> None:
    started = CLOCK.monotonic()
    with pytest.raises(DeviceTimeoutError):
        device.adb.shell(["logcat"], timeout=0.5)
    assert CLOCK.monotonic() - started < AMPLE / 3


def test_slow_transfer_ends_at_the_limit_for_the_whole_file(
    phone: VirtualPhone, device: Device, tmp_path: Path
) -> None:
    file = tmp_path / "large"
    file.write_bytes(bytes(1 << 20))
    device.adb.push(file, "/data/local/tmp/large")
    assert len(device.adb.pull("/data/local/tmp/large")) == 1 << 20
    phone.fault("slow-transport", ms=100)
    try:
        with pytest.raises(DeviceTimeoutError, match="while pulling /data/local/tmp/large") as caught:
            device.adb.pull("/data/local/tmp/large", timeout=0.5)
        assert str(caught.value.__cause__) == "not finished after 0.5 s"  # and not after some block of it
    finally:
        phone.fault("slow-transport", on=False)


def test_observation_reads_one_tree_one_screenshot_and_one_focus(
    device: Device, monkeypatch: pytest.MonkeyPatch
) -> None:
    settled = device.settle()
    counter = CallCounter()
    counter.watch(monkeypatch)
    device.observe(0)
    modern = device.info.sdk >= 21
    trees = counter.calls["dumpWindowHierarchy"], counter.calls["uiautomator dump"]
    assert trees == ((1, 0) if modern else (1, 1))  # the second source only if the first has failed
    assert counter.calls["screencap -p"] == 1
    assert counter.calls["dumpsys window"] == 1
    if modern:
        assert counter.calls.total() == 3
    counter.calls.clear()
    seen = device.observe(1, settled=settled)  # reuses the tree of the wait
    assert seen.tree is settled.reading.tree
    assert counter.calls["dumpWindowHierarchy"] + counter.calls["uiautomator dump"] == 0
    assert counter.calls["screencap -p"] == 1
    assert counter.calls["dumpsys window"] == (1 if modern else 0)  # the wait for a dump has read the focus


def test_screenshot_is_taken_while_the_second_tree_is_read(
    device: Device, monkeypatch: pytest.MonkeyPatch
) -> None:
    started: list[str] = []
    start = Adb.start_exec_out

    def start_exec_out(adb: Adb, argv: Sequence[str]) -> RunningCommand:
        started.append(" ".join(argv))
        return start(adb, argv)

    counter = CallCounter()
    counter.watch(monkeypatch)
    monkeypatch.setattr(Adb, "start_exec_out", start_exec_out)
    early = ["screencap -p"] if device.info.sdk >= 21 else []
    settled = device.settle(photograph=True)
    seen = device.observe(0, settled=settled)
    assert (started, counter.calls["screencap -p"]) == (early, 1 - len(early))
    assert seen.screenshot.size == seen.screen
    assert device.observe(1, settled=settled).screenshot.png == seen.screenshot.png  # taken anew
    assert counter.calls["screencap -p"] == 2 - len(early)
    settled = device.settle(photograph=True)
    device.settle()  # discards the screenshot
    device.observe(2, settled=settled)
    assert counter.calls["screencap -p"] == 3 - len(early)


def test_step_without_a_server_makes_one_dump(plain: Device, monkeypatch: pytest.MonkeyPatch) -> None:
    plain.observe(0, settled=plain.settle())
    counter = CallCounter()
    counter.watch(monkeypatch)
    assert plain.perform(act.Tap(x=5, y=5), plain.screen).ok
    settled = plain.settle()
    plain.observe(1, settled=settled)
    assert settled.still
    calls = {name: counter.calls[name] for name in ("uiautomator dump", "screencap -p", "input tap")}
    assert set(calls.values()) == {1}, calls
    assert counter.calls["dumpsys window"] == 2  # before and after the dump


def test_dump_replaces_a_dead_server_and_the_reason_is_recorded(phone: VirtualPhone, device: Device) -> None:
    if device.info.sdk < 21:
        assert device.observe(0).source is TreeSource.UIAUTOMATOR_DUMP
        assert "switched off" in device.observe(0).source_reason
        return
    assert device.observe(0).source is TreeSource.U2
    phone.fault("u2-dead")
    try:
        seen = device.observe(1)
        assert seen.source is TreeSource.UIAUTOMATOR_DUMP
        assert seen.source_reason.startswith("uiautomator2: uiautomator2's server failed while calling")
        do(device, act.Home())
        assert device.focus().package == LAUNCHER
    finally:
        phone.fault("u2-dead", on=False)
    seen = device.observe(2)
    assert (seen.source, seen.source_reason) == (TreeSource.U2, "")


def test_silent_server_is_tried_twice_until_it_is_revived(phone: VirtualPhone, device: Device) -> None:
    device.adb.device.limit = 2.0  # seconds, in place of 20
    device.settle()
    phone.fault("u2-hang")
    try:
        seen = [device.observe(step) for step in range(6)]
        assert {each.source for each in seen} == {TreeSource.UIAUTOMATOR_DUMP}
        if device.info.sdk >= 21:
            given_up = [
                "unavailable: it did not respond 2 times in a row" in each.source_reason for each in seen
            ]
            assert given_up == [False, False, True, True, True, True]
    finally:
        phone.fault("u2-hang", on=False)
    device.revive()
    expected = TreeSource.U2 if device.info.sdk >= 21 else TreeSource.UIAUTOMATOR_DUMP
    assert device.observe(7).source is expected
