"""A split screen over the real wire: how it is seen, how a person ends it, and its undo after any kill."""

from __future__ import annotations

import multiprocessing
import os
import signal
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from garabench.campaign.suite import Suite
from garabench.core.clock import SystemClock
from garabench.core.interruption import Mode
from garabench.device.adb import Adb, ShellResult
from garabench.device.device import Device
from garabench.device.undo import journal
from garabench.device.undo.journal import Journal
from garabench.device.undo.restore import restore_or_fail
from garabench.errors import CommandFailed
from garabench.interruptions.inject import inject
from garabench.interruptions.plan import CLOSE, plan
from garabench.interruptions.system import split
from garabench.interruptions.system.catalogue import ANOMALIES
from garabench.interruptions.system.perform import answered, given, perform
from garabench.virtual.launcher import VirtualPhone
from tests.e2e.test_main_job import adb_server  # noqa: F401  # an adb server of our own

pytestmark = pytest.mark.e2e

APP, SETTINGS = "tv.danmaku.bili", "com.android.settings"
SPLIT = ANOMALIES["split-screen"]
WHOLE = "[0,0][720,1280]"
FORKS = multiprocessing.get_context("forkserver")
FORKS.set_forkserver_preload(["tests.e2e.test_split_screen"])


@pytest.fixture(scope="module", params=["android-34:720x1280", "android-30:720x1280"])
def phone(adb_server: None, request: pytest.FixtureRequest) -> Iterator[VirtualPhone]:  # noqa: F811
    with VirtualPhone(request.param) as running:
        yield running


@pytest.fixture
def device(phone: VirtualPhone, tmp_path: Path) -> Iterator[Device]:
    phone.reset()
    connected = Device.connect(phone.serial, SystemClock())
    connected.journal = Journal.at(phone.serial, tmp_path)
    connected.apps.open(APP)
    yield connected
    connected.close()


def places(device: Device) -> dict[str, str]:
    """Where each app's task is that is to be seen."""
    told = split.rows(device.adb.shell(list(split.STACKS)).stdout)
    return {row.package: str(row.bounds) for row in told if row.visible}


def test_both_apps_are_on_the_tree_each_in_its_half_and_the_undo_gives_the_app_the_whole_screen(
    device: Device,
) -> None:
    force = perform(device, SPLIT, given(device, SPLIT, app=APP))
    halves = places(device)
    assert set(halves) == {APP, SETTINGS}
    assert WHOLE not in halves.values()
    assert [line.partition(":")[0] for line in force.evidence] == ["am stack list"] * 2 + ["the tree"]
    assert force.evidence[2] == f"the tree: {APP} and {SETTINGS} in place"
    assert {APP, SETTINGS} <= {root.package for root in device.settle().reading.tree.roots}
    (restored,) = restore_or_fail(device.adb, device.journal)
    assert str(restored) == "the split screen is as it was again"
    assert places(device) == {APP: WHOLE}
    assert device.focus().package == APP


def test_it_is_answered_once_the_divider_was_dragged_to_an_edge(device: Device) -> None:
    force = perform(device, SPLIT, given(device, SPLIT, app=APP))
    tree = device.settle().reading.tree
    assert not answered(device, force, tree, APP)
    (handle,) = [node for node in tree.nodes if node.resource_id.endswith("docked_divider_handle")]
    at, down = handle.bounds.center, device.info.sdk >= split.STAGES_SDK
    device.adb.shell(["input", "swipe", str(at.x), str(at.y), str(at.x), "1150" if down else "60", "600"])
    assert places(device) == {APP: WHOLE}
    assert answered(device, force, device.settle().reading.tree, APP)
    assert restore_or_fail(device.adb, device.journal)


def test_a_split_screen_in_the_background_is_put_back_too(device: Device) -> None:
    perform(device, SPLIT, given(device, SPLIT, app=APP))
    device.adb.shell(["input", "keyevent", "3"])
    restore_or_fail(device.adb, device.journal)
    device.apps.open(APP)
    assert places(device) == {APP: WHOLE}


def test_what_covers_it_does_not_answer_it(device: Device) -> None:
    force = perform(device, SPLIT, given(device, SPLIT, app=APP))
    window = Suite.load().interruptions["wifi-check"]
    shown = inject(device, plan(window, Mode.DUAL, app=APP, language="zh", token="t1"))
    assert shown.seconds is not None, shown.reason
    tree = device.settle().reading.tree
    assert not answered(device, force, tree, device.focus().package)
    device.adb.shell(CLOSE)
    device.adb.shell(["input", "keyevent", "3"])
    assert not answered(device, force, device.settle().reading.tree, device.focus().package)
    restore_or_fail(device.adb, device.journal)


def test_what_cannot_be_is_refused_and_leaves_nothing_changed(device: Device) -> None:
    asked = given(device, SPLIT, app=SETTINGS)
    with pytest.raises(CommandFailed, match=f"no other app to put beside {SETTINGS}"):
        perform(device, SPLIT, asked)
    perform(device, SPLIT, given(device, SPLIT, app=APP))
    with pytest.raises(CommandFailed, match="is so already"):
        perform(device, SPLIT, given(device, SPLIT, app=APP))
    restore_or_fail(device.adb, device.journal)
    device.adb.shell(["input", "keyevent", "3"])
    with pytest.raises(CommandFailed, match=f"{APP} has no task on the screen"):
        perform(device, SPLIT, given(device, SPLIT, app=APP))
    assert not device.journal.entries


def test_without_the_commands_it_is_refused_before_anything_is_done(
    device: Device, monkeypatch: pytest.MonkeyPatch
) -> None:
    if device.info.sdk < split.STAGES_SDK:
        assert split.stages(device.adb.shell([*split.WMSHELL, "help"]).stdout) is None
        return
    monkeypatch.setattr(split, "WMSHELL", ("dumpsys", "activity", "service", "OtherUI", "WMShell"))
    with pytest.raises(CommandFailed, match="WMShell does not list a command into a split screen"):
        perform(device, SPLIT, given(device, SPLIT, app=APP))
    assert places(device) == {APP: WHOLE}
    assert not device.journal.entries


def until_killed(serial: str, port: int, folder: str, point: int, name: str = "split-screen") -> None:
    """Bring an anomaly about and put it back in this process, and end it by SIGKILL at a point.

    There are points around each command, and around each write of the journal.
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

    shell, write = Adb.shell, journal.write

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
    journal.write = counted_write
    perform(device, ANOMALIES[name], given(device, ANOMALIES[name], app=APP))
    restore_or_fail(device.adb, device.journal)
    (Path(folder) / "points").write_text(str(passed), "utf-8")


def killed_at(device: Device, folder: Path, point: int, name: str = "split-screen") -> bool:
    """Whether it was killed; False when it came to its end before."""
    words = (device.info.serial, device.adb.server[1], str(folder), point, name)
    child = FORKS.Process(target=until_killed, args=words)
    child.start()
    child.join(120)
    assert child.exitcode in (0, -signal.SIGKILL)
    return child.exitcode != 0


def test_killed_at_any_point_the_next_start_gives_the_app_the_whole_screen(
    device: Device, tmp_path: Path
) -> None:
    folder = tmp_path / "state"
    folder.mkdir()
    assert not killed_at(device, folder, -1)
    assert places(device) == {APP: WHOLE}
    points = int((folder / "points").read_text("utf-8"))
    (folder / "points").unlink()
    killed, split_once, wrong = 0, 0, []
    for point in range(1, points + 1, max(1, points // 14)):
        killed += killed_at(device, folder, point)
        (folder / "points").unlink(missing_ok=True)  # it looks as often as it takes, so it may have ended
        split_once += WHOLE not in places(device).values()
        restore_or_fail(device.adb, Journal.at(device.info.serial, folder))
        device.apps.open(APP)
        if places(device) != {APP: WHOLE} or list(folder.iterdir()):
            wrong.append(point)
    assert wrong == []
    assert killed >= 8 and split_once >= 2
