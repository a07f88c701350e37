"""Every system anomaly takes effect and is undone, or is refused with a reason."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from garabench.core.anomalies.anomaly import Verification
from garabench.core.anomalies.catalog import ANOMALIES
from garabench.core.clock import SystemClock
from garabench.device.device import Device
from garabench.device.undo.journal import Journal
from garabench.device.undo.restore import restore_or_fail
from garabench.errors import CommandError
from garabench.interruptions import companion_apk
from garabench.interruptions.system.perform import answered, perform_anomaly, request_for
from garabench.virtual.phone_process import VirtualPhone

pytestmark = pytest.mark.e2e

APP = "com.autonavi.minimap"
APPS = {"rotation": "com.android.settings", "keyboard": "com.android.vending"}
"""Apps whose first screen rotates and has a text field, respectively."""
PERMISSION = "android.permission.ACCESS_FINE_LOCATION"
NOTHING_TO_UNDO = {
    Verification.PROCESS_ENDED,
    Verification.HOME,
    Verification.APP_SWITCHED,
    Verification.CONFIRMED,
}
"""What verifies anomalies that leave no change in the journal."""
SUPPORTED = {
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


@pytest.fixture(scope="module", params=[f"{name}:720x1280" for name in SUPPORTED])
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


def read_state(device: Device) -> str:
    """Return everything that anomalies can change, as the device reports it."""
    words = ["settings list system", "settings list secure", "settings list global", "dumpsys battery"]
    if device.info.sdk < 21:
        table = "content query --uri content://settings/"
        words = [table + "system", table + "secure", table + "global", "dumpsys battery"]
    if device.info.sdk >= 33:
        words += ["getprop persist.sys.timezone", f"cmd locale get-app-locales {APP}"]
    output = "".join(device.adb.shell(each.split()).stdout for each in words)
    rows = [
        row
        for service in (["package", APP], ["devicestoragemonitor"], ["activity", "activities"])
        for row in device.adb.shell(["dumpsys", *service]).stdout.splitlines()
        if any(sign in row for sign in ("granted=", " level=", "mKeyguardShowing="))
    ]
    return output + str(rows)


@pytest.mark.parametrize("name", sorted(ANOMALIES))
def test_anomaly_takes_effect_and_is_undone_or_is_refused(
    phone: tuple[VirtualPhone, str], device: Device, name: str
) -> None:
    anomaly = ANOMALIES[name]
    app = APPS.get(name, APP)
    device.apps.open(app)
    before = read_state(device)
    if name not in SUPPORTED[phone[1]]:
        with pytest.raises(
            CommandError, match=r"requires Android|did not change|cannot be read|has no screen lock"
        ):
            perform_anomaly(device, anomaly, request_for(device, anomaly, app=app))
        restore_or_fail(device.adb, device.journal)
        assert read_state(device) == before
        return
    active = perform_anomaly(device, anomaly, request_for(device, anomaly, app=app))
    assert active.evidence
    settled = device.settle()
    focused = device.focus().package
    changed = bool(device.journal.entries)
    assert changed or anomaly.verification in NOTHING_TO_UNDO
    if name not in ("process-kill", "sms"):
        assert not answered(device, active, settled.reading.tree, focused)
    restored = restore_or_fail(device.adb, device.journal)
    assert read_state(device) == before
    assert bool(restored) is changed
    device.apps.open(app)
    assert answered(device, active, device.settle().reading.tree, device.focus().package)


@pytest.mark.parametrize("name", ["home", "app-switch"])
def test_leaving_the_app_fails_while_a_crash_dialog_has_the_focus(
    phone: tuple[VirtualPhone, str], device: Device, name: str
) -> None:
    if "crash" not in SUPPORTED[phone[1]]:
        return
    crash, anomaly = ANOMALIES["crash"], ANOMALIES[name]
    perform_anomaly(device, crash, request_for(device, crash, app=APP))
    assert device.focus().activity == ""
    with pytest.raises(CommandError, match=f"{name}: .* has the focus"):
        perform_anomaly(device, anomaly, request_for(device, anomaly, app=APP))
    (restored,) = restore_or_fail(device.adb, device.journal)
    assert str(restored) == "restored the crash dialog: as before"
    assert "Application Error" not in device.adb.shell(["dumpsys", "window"]).stdout
    device.apps.open(APP)
    device.settle()
    active = perform_anomaly(device, anomaly, request_for(device, anomaly, app=APP))
    assert device.focus().package in active.evidence[-1]


def test_home_fails_on_the_home_screen(device: Device) -> None:
    anomaly = ANOMALIES["home"]
    perform_anomaly(device, anomaly, request_for(device, anomaly, app=APP))
    with pytest.raises(CommandError, match=r"home: .* has the focus"):
        perform_anomaly(device, anomaly, request_for(device, anomaly, app=APP))


def test_killed_process_is_gone_and_replaced(phone: tuple[VirtualPhone, str], device: Device) -> None:
    if "process-kill" not in SUPPORTED[phone[1]]:
        return
    anomaly = ANOMALIES["process-kill"]
    active = perform_anomaly(device, anomaly, request_for(device, anomaly, app=APP))
    before, gone, after = (each.partition(f"pidof {APP}: ")[2] for each in active.evidence)
    assert gone == "(nothing)"
    assert before.isdigit() and after.isdigit() and before != after


def test_keyboard_requires_a_text_field_and_back_answers_it(device: Device) -> None:
    anomaly = ANOMALIES["keyboard"]
    with pytest.raises(CommandError, match="the screen has no text field"):
        perform_anomaly(device, anomaly, request_for(device, anomaly, app=APP))
    assert not device.journal.entries
    app = APPS["keyboard"]
    device.apps.open(app)
    active = perform_anomaly(device, anomaly, request_for(device, anomaly, app=app))
    with pytest.raises(CommandError, match="is already in this state"):
        perform_anomaly(device, anomaly, request_for(device, anomaly, app=app))
    device.adb.shell(["input", "keyevent", "4"])
    assert answered(device, active, device.settle().reading.tree, app)
    (restored,) = restore_or_fail(device.adb, device.journal)
    assert str(restored) == "restored the keyboard: false"
    assert device.focus().package == app
