"""System anomalies over the real wire: each takes effect and is undone, or is refused by name."""

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
from garabench.interruptions import companion_apk
from garabench.interruptions.system.perform import answered, perform, request_for
from garabench.virtual.phone_process import VirtualPhone

pytestmark = pytest.mark.e2e

APP = "com.autonavi.minimap"
OTHERS = {"rotation": "com.android.settings", "keyboard": "com.android.vending"}
"""Apps whose first screen rotates, and has a text field, respectively."""
PERMISSION = "android.permission.ACCESS_FINE_LOCATION"
HAVE = {
    "android-34": {
        "airplane-mode", "app-not-responding", "crash", "app-switch", "battery-low", "battery-saver",
        "dark-mode", "font-scale", "heads-up", "home", "incoming-call", "keyboard", "language", "lock",
        "network-delay", "network-slow", "notification", "permission-taken", "process-kill", "rotation",
        "sms", "split-screen", "storage-low", "time", "time-zone", "wifi-off",
    },
    "android-30": {
        "airplane-mode", "app-not-responding", "crash", "app-switch", "battery-low", "battery-saver",
        "dark-mode", "font-scale", "heads-up", "home", "incoming-call", "keyboard", "lock", "network-delay",
        "network-slow", "notification", "permission-taken", "process-kill", "rotation", "sms",
        "split-screen", "storage-low", "time", "time-zone", "wifi-off",
    },
    "android-19": {
        "airplane-mode", "app-switch", "battery-low", "home", "incoming-call", "keyboard", "network-delay",
        "network-slow", "rotation", "sms", "wifi-off",
    },
}  # fmt: skip


@pytest.fixture(scope="module", params=[f"{name}:720x1280" for name in HAVE])
def phone(request: pytest.FixtureRequest) -> Iterator[tuple[VirtualPhone, str]]:
    with VirtualPhone(request.param, emulator=True) as running:
        yield running, request.param.partition(":")[0]


@pytest.fixture
def device(phone: tuple[VirtualPhone, str], tmp_path: Path) -> Iterator[Device]:
    phone[0].reset()
    connected = Device.connect(phone[0].serial, SystemClock())
    connected.journal = Journal.at(phone[0].serial, tmp_path)
    if connected.info.sdk >= 24:
        connected.adb.shell(["locksettings", "set-disabled", "false"])
    if connected.info.sdk >= 23:
        connected.apps.set_permission(APP, PERMISSION, granted=True)
    companion_apk.set_up(connected)
    connected.apps.open(APP)
    yield connected
    connected.close()


def state(device: Device) -> str:
    words = ["settings list system", "settings list secure", "settings list global", "dumpsys battery"]
    if device.info.sdk < 21:
        table = "content query --uri content://settings/"
        words = [table + "system", table + "secure", table + "global", "dumpsys battery"]
    if device.info.sdk >= 33:
        words += ["getprop persist.sys.timezone", f"cmd locale get-app-locales {APP}"]
    said = "".join(device.adb.shell(each.split()).stdout for each in words)
    rows = [
        row
        for service in (["package", APP], ["devicestoragemonitor"], ["activity", "activities"])
        for row in device.adb.shell(["dumpsys", *service]).stdout.splitlines()
        if any(sign in row for sign in ("granted=", " level=", "mKeyguardShowing="))
    ]
    return said + str(rows)


@pytest.mark.parametrize("name", sorted(ANOMALIES))
def test_it_is_in_force_and_put_back_or_refused_by_name(
    phone: tuple[VirtualPhone, str], device: Device, name: str
) -> None:
    anomaly = ANOMALIES[name]
    app = OTHERS.get(name, APP)
    device.apps.open(app)
    before = state(device)
    if name not in HAVE[phone[1]]:
        with pytest.raises(
            CommandError, match=r"requires Android|did not change|cannot be read|has no screen lock"
        ):
            perform(device, anomaly, request_for(device, anomaly, app=app))
        restore_or_fail(device.adb, device.journal)
        assert state(device) == before
        return
    force = perform(device, anomaly, request_for(device, anomaly, app=app))
    assert force.evidence
    settled = device.settle()
    front = device.focus().package
    changed = bool(device.journal.entries)
    assert changed or anomaly.verification.name in ("DIED", "HOME", "SWITCHED", "CONFIRMED")
    if name not in ("process-kill", "sms"):
        assert not answered(device, force, settled.reading.tree, front)
    restored = restore_or_fail(device.adb, device.journal)
    assert state(device) == before
    assert bool(restored) is changed
    device.apps.open(app)
    assert answered(device, force, device.settle().reading.tree, device.focus().package)


@pytest.mark.parametrize("name", ["home", "app-switch"])
def test_what_leaves_the_app_is_not_in_force_while_a_dialog_of_a_crash_keeps_the_focus(
    phone: tuple[VirtualPhone, str], device: Device, name: str
) -> None:
    if "crash" not in HAVE[phone[1]]:
        return
    crash, anomaly = ANOMALIES["crash"], ANOMALIES[name]
    perform(device, crash, request_for(device, crash, app=APP))
    assert device.focus().activity == ""
    with pytest.raises(CommandError, match=f"{name}: .* has the focus"):
        perform(device, anomaly, request_for(device, anomaly, app=APP))
    (restored,) = restore_or_fail(device.adb, device.journal)
    assert str(restored) == "restored the crash dialog: as before"
    assert "Application Error" not in device.adb.shell(["dumpsys", "window"]).stdout
    device.apps.open(APP)
    device.settle()
    force = perform(device, anomaly, request_for(device, anomaly, app=APP))
    assert device.focus().package in force.evidence[-1]


def test_home_is_not_in_force_where_the_home_screen_is_in_front_already(device: Device) -> None:
    anomaly = ANOMALIES["home"]
    perform(device, anomaly, request_for(device, anomaly, app=APP))
    with pytest.raises(CommandError, match=r"home: .* has the focus"):
        perform(device, anomaly, request_for(device, anomaly, app=APP))


def test_a_killed_process_is_seen_to_be_gone_and_another_to_be_there(
    phone: tuple[VirtualPhone, str], device: Device
) -> None:
    if "process-kill" not in HAVE[phone[1]]:
        return
    anomaly = ANOMALIES["process-kill"]
    force = perform(device, anomaly, request_for(device, anomaly, app=APP))
    asked, gone, anew = (each.partition(f"pidof {APP}: ")[2] for each in force.evidence)
    assert gone == "(nothing)"
    assert asked.isdigit() and anew.isdigit() and asked != anew


def test_the_keyboard_needs_a_text_field_and_an_agent_takes_it_away_by_back(device: Device) -> None:
    anomaly = ANOMALIES["keyboard"]
    with pytest.raises(CommandError, match="the screen has no text field"):
        perform(device, anomaly, request_for(device, anomaly, app=APP))
    assert not device.journal.entries
    app = OTHERS["keyboard"]
    device.apps.open(app)
    force = perform(device, anomaly, request_for(device, anomaly, app=app))
    with pytest.raises(CommandError, match="is already so"):
        perform(device, anomaly, request_for(device, anomaly, app=app))
    device.adb.shell(["input", "keyevent", "4"])
    assert answered(device, force, device.settle().reading.tree, app)
    (restored,) = restore_or_fail(device.adb, device.journal)
    assert str(restored) == "restored the keyboard: false"
    assert device.focus().package == app
