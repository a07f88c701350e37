"""An app that stops responding: its exits, and its undo after a kill at any point."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from garabench.core.anomalies.catalog import ANOMALIES
from garabench.core.clock import SystemClock
from garabench.device.device import Device
from garabench.device.undo.journal import Journal
from garabench.device.undo.restore import restore_or_fail
from garabench.errors import CommandError
from garabench.interruptions.system.perform import answered, perform_anomaly, request_for
from garabench.virtual.phone_process import VirtualPhone
from tests.e2e.test_split_screen import APP, kill_at

pytestmark = pytest.mark.e2e

NOT_RESPONDING = ANOMALIES["app-not-responding"]


@pytest.fixture(scope="module", params=[True, False], ids=["emulator", "phone"])
def phone(request: pytest.FixtureRequest) -> Iterator[VirtualPhone]:
    with VirtualPhone("android-34:720x1280", lang="en", emulator=request.param) as running:
        yield running


@pytest.fixture
def device(phone: VirtualPhone, tmp_path: Path) -> Iterator[Device]:
    phone.reset()
    connected = Device.connect(phone.serial, SystemClock())
    connected.journal = Journal.at(phone.serial, tmp_path)
    connected.apps.open(APP)
    yield connected
    connected.close()


def rooted(device: Device) -> bool:
    return device.info.serial.startswith("emulator-")


def tap_button(device: Device, name: str) -> None:
    """Tap the dialog's button with that id."""
    tree = device.settle().reading.tree
    (button,) = [node for node in tree.nodes if node.resource_id == f"android:id/{name}"]
    at = button.bounds.center
    device.adb.shell(["input", "tap", str(at.x), str(at.y)])


def test_only_closing_and_reopening_the_app_answers_it(device: Device) -> None:
    if not rooted(device):
        with pytest.raises(CommandError, match="requires root"):
            perform_anomaly(device, NOT_RESPONDING, request_for(device, NOT_RESPONDING, app=APP))
        assert not device.journal.entries
        return
    active = perform_anomaly(device, NOT_RESPONDING, request_for(device, NOT_RESPONDING, app=APP))
    assert [line.rpartition(" ")[2] for line in active.evidence] == ["T", APP]
    assert any("isn't responding" in node.text for node in device.settle().reading.tree.nodes)
    tap_button(device, "aerr_wait")
    settled = device.settle()
    assert device.focus().package == APP
    assert not answered(device, active, settled.reading.tree, APP)
    device.adb.shell(["sleep", "6"])
    tap_button(device, "aerr_close")
    assert not answered(device, active, device.settle().reading.tree, device.focus().package)
    device.apps.open(APP)
    assert answered(device, active, device.settle().reading.tree, device.focus().package)
    (restored,) = restore_or_fail(device.adb, device.journal)
    assert str(restored) == f"restored the process of {APP}: as before"
    assert device.focus().package == APP  # already running again, so it was not touched


def test_background_app_is_refused(device: Device) -> None:
    device.adb.shell(["input", "keyevent", "3"])
    with pytest.raises(CommandError, match="is not in the foreground" if rooted(device) else "requires root"):
        perform_anomaly(device, NOT_RESPONDING, request_for(device, NOT_RESPONDING, app=APP))
    assert not device.journal.entries


def test_restore_ends_the_stopped_process_after_a_kill_at_any_point(device: Device, tmp_path: Path) -> None:
    if not rooted(device):
        assert device.adb.shell(["su", "0", "id", "-u"]).stdout.strip() != "0"
        return
    folder = tmp_path / "state"
    folder.mkdir()
    assert not kill_at(device, folder, -1, NOT_RESPONDING.id)
    points = int((folder / "points").read_text("utf-8"))
    (folder / "points").unlink()
    killed, stopped, wrong = 0, 0, []
    for point in range(1, points + 1, max(1, points // 12)):
        device.apps.open(APP)
        killed += kill_at(device, folder, point, NOT_RESPONDING.id)
        (folder / "points").unlink(missing_ok=True)  # the number of polls varies, so it may finish
        stopped += " T " in device.adb.shell(["ps", "-A"]).stdout
        restore_or_fail(device.adb, Journal.at(device.info.serial, folder))
        dialog_shown = "Application Not Responding" in device.adb.shell(["dumpsys", "window"]).stdout
        if dialog_shown or " T " in device.adb.shell(["ps", "-A"]).stdout or list(folder.iterdir()):
            wrong.append(point)
    assert wrong == []
    assert killed >= 8 and stopped >= 2
