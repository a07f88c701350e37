"""Split screen: its detection, its end by the user, and its undo after a kill at any point."""

from __future__ import annotations

import multiprocessing
import os
import signal
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from garabench.core.anomalies import split_screen
from garabench.core.anomalies.catalog import ANOMALIES
from garabench.core.clock import SystemClock
from garabench.core.companion_app import CLOSE
from garabench.core.interruption import Mode
from garabench.device.adb import Adb, ShellResult
from garabench.device.device import Device
from garabench.device.undo import journal
from garabench.device.undo.journal import Journal
from garabench.device.undo.restore import restore_or_fail
from garabench.errors import CommandError
from garabench.interruptions.inject import inject
from garabench.interruptions.planned_interruption import plan_interruption
from garabench.interruptions.system.perform import answered, perform_anomaly, request_for
from garabench.virtual.phone_process import VirtualPhone
from tests.bundled import bundled_suite
from tests.phones import PhonePool

pytestmark = pytest.mark.e2e

APP, SETTINGS = "tv.danmaku.bili", "com.android.settings"
SPLIT = ANOMALIES["split-screen"]
FULL_SCREEN = "[0,0][720,1280]"
FORKSERVER = multiprocessing.get_context("forkserver")
FORKSERVER.set_forkserver_preload(["tests.e2e.test_split_screen"])


@pytest.fixture(scope="module", params=["android-34:720x1280", "android-30:720x1280"])
def phone(phone_pool: PhonePool, request: pytest.FixtureRequest) -> Iterator[VirtualPhone]:
    with phone_pool.borrow(request.param) as running:
        yield running


@pytest.fixture
def device(phone: VirtualPhone, tmp_path: Path) -> Iterator[Device]:
    phone.reset()
    connected = Device.connect(phone.serial, SystemClock())
    connected.journal = Journal.at(phone.serial, tmp_path)
    connected.apps.open(APP)
    yield connected
    connected.close()


def task_bounds(device: Device) -> dict[str, str]:
    """Return the bounds of each visible app's task."""
    tasks = split_screen.parse_tasks(device.adb.shell(list(split_screen.STACKS)).stdout)
    return {row.package: str(row.bounds) for row in tasks if row.visible}


def test_both_apps_are_visible_and_undo_restores_the_full_screen(
    device: Device,
) -> None:
    active = perform_anomaly(device, SPLIT, request_for(device, SPLIT, app=APP))
    halves = task_bounds(device)
    assert set(halves) == {APP, SETTINGS}
    assert FULL_SCREEN not in halves.values()
    assert [line.partition(":")[0] for line in active.evidence] == ["am stack list"] * 2 + ["the tree"]
    assert active.evidence[2] == f"the tree: {APP} and {SETTINGS} in place"
    assert {APP, SETTINGS} <= {root.package for root in device.settle().reading.tree.roots}
    (restored,) = restore_or_fail(device.adb, device.journal)
    assert str(restored) == "restored the split screen: as before"
    assert task_bounds(device) == {APP: FULL_SCREEN}
    assert device.focus().package == APP


def test_dragging_the_divider_to_an_edge_answers_it(device: Device) -> None:
    active = perform_anomaly(device, SPLIT, request_for(device, SPLIT, app=APP))
    tree = device.settle().reading.tree
    assert not answered(device, active, tree, APP)
    (handle,) = [node for node in tree.nodes if node.resource_id.endswith("docked_divider_handle")]
    at, down = handle.bounds.center, device.info.sdk >= split_screen.STAGES_SDK
    device.adb.shell(["input", "swipe", str(at.x), str(at.y), str(at.x), "1150" if down else "60", "600"])
    assert task_bounds(device) == {APP: FULL_SCREEN}
    assert answered(device, active, device.settle().reading.tree, APP)
    assert restore_or_fail(device.adb, device.journal)


def test_split_screen_in_the_background_is_undone(device: Device) -> None:
    perform_anomaly(device, SPLIT, request_for(device, SPLIT, app=APP))
    device.adb.shell(["input", "keyevent", "3"])
    restore_or_fail(device.adb, device.journal)
    device.apps.open(APP)
    assert task_bounds(device) == {APP: FULL_SCREEN}


def test_covering_window_does_not_answer_it(device: Device) -> None:
    active = perform_anomaly(device, SPLIT, request_for(device, SPLIT, app=APP))
    window = bundled_suite().interruptions["wifi-check"]
    shown = inject(device, plan_interruption(window, Mode.DUAL, app=APP, language="zh", token="t1"))
    assert shown.seconds is not None, shown.reason
    tree = device.settle().reading.tree
    assert not answered(device, active, tree, device.focus().package)
    device.adb.shell(CLOSE)
    device.adb.shell(["input", "keyevent", "3"])
    assert not answered(device, active, device.settle().reading.tree, device.focus().package)
    restore_or_fail(device.adb, device.journal)


def test_impossible_split_is_refused_and_changes_nothing(device: Device) -> None:
    request = request_for(device, SPLIT, app=SETTINGS)
    with pytest.raises(CommandError, match=f"no other app to open next to {SETTINGS}"):
        perform_anomaly(device, SPLIT, request)
    perform_anomaly(device, SPLIT, request_for(device, SPLIT, app=APP))
    with pytest.raises(CommandError, match="already share the screen"):
        perform_anomaly(device, SPLIT, request_for(device, SPLIT, app=APP))
    restore_or_fail(device.adb, device.journal)
    device.adb.shell(["input", "keyevent", "3"])
    with pytest.raises(CommandError, match=f"{APP} has no task on the screen"):
        perform_anomaly(device, SPLIT, request_for(device, SPLIT, app=APP))
    assert not device.journal.entries


def test_missing_shell_commands_are_detected_before_any_change(
    device: Device, monkeypatch: pytest.MonkeyPatch
) -> None:
    if device.info.sdk < split_screen.STAGES_SDK:
        assert split_screen.parse_stages(device.adb.shell([*split_screen.WMSHELL, "help"]).stdout) is None
        return
    monkeypatch.setattr(split_screen, "WMSHELL", ("dumpsys", "activity", "service", "OtherUI", "WMShell"))
    with pytest.raises(CommandError, match="WMShell lists no commands to enter and leave a split screen"):
        perform_anomaly(device, SPLIT, request_for(device, SPLIT, app=APP))
    assert task_bounds(device) == {APP: FULL_SCREEN}
    assert not device.journal.entries


def perform_until_killed(serial: str, port: int, folder: str, point: int, name: str = "split-screen") -> None:
    """Cause an anomaly and undo it, and kill this process at a point.

    Points lie before and after each command and each write of the journal.
    """
    os.environ["ANDROID_ADB_SERVER_PORT"] = str(port)
    device = Device.connect(serial, SystemClock(), use_u2=False)
    device.journal = Journal.at(serial, Path(folder))
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
        pass_point()
        write(path, data)
        pass_point()

    Adb.shell = counted_shell  # type: ignore[method-assign]
    journal.append_durably = counted_write
    perform_anomaly(device, ANOMALIES[name], request_for(device, ANOMALIES[name], app=APP))
    restore_or_fail(device.adb, device.journal)
    (Path(folder) / "points").write_text(str(passed), "utf-8")


def kill_at(device: Device, folder: Path, point: int, name: str = "split-screen") -> bool:
    """Return whether the process was killed; False if it finished first."""
    words = (device.info.serial, device.adb.server[1], str(folder), point, name)
    child = FORKSERVER.Process(target=perform_until_killed, args=words)
    child.start()
    child.join(120)
    assert child.exitcode in (0, -signal.SIGKILL)
    return child.exitcode != 0


def test_restore_ends_the_split_after_a_kill_at_any_point(device: Device, tmp_path: Path) -> None:
    folder = tmp_path / "state"
    folder.mkdir()
    assert not kill_at(device, folder, -1)
    assert task_bounds(device) == {APP: FULL_SCREEN}
    points = int((folder / "points").read_text("utf-8"))
    (folder / "points").unlink()
    killed, split_left, wrong = 0, 0, []
    for point in range(1, points + 1, max(1, points // 14)):
        killed += kill_at(device, folder, point)
        (folder / "points").unlink(missing_ok=True)  # the number of polls varies, so it may finish
        split_left += FULL_SCREEN not in task_bounds(device).values()
        restore_or_fail(device.adb, Journal.at(device.info.serial, folder))
        device.apps.open(APP)
        if task_bounds(device) != {APP: FULL_SCREEN} or list(folder.iterdir()):
            wrong.append(point)
    assert wrong == []
    assert killed >= 8 and split_left >= 2
