"""Apps are opened without changing anything else on the phone."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from garabench.core import action as act
from garabench.core import events as ev
from garabench.device.device import Device
from garabench.interruptions import companion_apk
from garabench.virtual.phone_process import VirtualPhone
from tests.device.phone_actions import CallCounter
from tests.e2e.scripted import SUITE, always, events_of, run_scripted
from tests.e2e.test_system_interruptions import make_interrupted_spec
from tests.phones import PhonePool

pytestmark = pytest.mark.e2e

TASK = "bili-follow-science-uploader"
APP = SUITE.tasks[TASK].app
SETTINGS = "com.android.settings"


@pytest.fixture(scope="module", params=["android-19:720x1280", "android-34:720x1280"])
def phone(phone_pool: PhonePool, request: pytest.FixtureRequest) -> Iterator[VirtualPhone]:
    with phone_pool.borrow(request.param) as running:
        yield running


def test_opening_an_app_keeps_the_rotation(device: Device) -> None:
    for key, value in (("accelerometer_rotation", "0"), ("user_rotation", "1")):
        device.adb.shell(["settings", "put", "system", key, value])
    for package in (SETTINGS, APP, SETTINGS):
        assert device.apps.open(package)
        assert device.settle().reading.tree.rotation == 1
        assert device.focus().package == package
    assert not device.apps.open("no.such.app")


def test_opening_an_app_does_not_end_the_anomaly_rotation(device: Device, tmp_path: Path) -> None:
    companion_apk.set_up(device)
    spec = make_interrupted_spec(("rotation", "90"), task=TASK)
    opening = always(act.OpenApp(package=APP))
    log, agent = run_scripted(device, tmp_path, spec, opening, opening)
    assert [each.rotation for each in agent.observations] == [1, 1, 1]
    (resolved,) = events_of(log, ev.InterruptionResolved)
    assert (resolved.how, resolved.exit) == ("open", "in force")


def test_the_activity_is_looked_up_once(device: Device, monkeypatch: pytest.MonkeyPatch) -> None:
    assert device.apps.open(APP)
    counter = CallCounter()
    counter.watch(monkeypatch)
    assert device.apps.open(APP)
    assert [name for name in counter.calls if name.startswith(("am", "pm", "cmd", "dumpsys", "monkey"))] == [
        "am start"
    ]


def test_an_uninstalled_app_is_looked_up_again(device: Device) -> None:
    assert device.apps.open(APP)
    device.adb.shell(["pm", "uninstall", APP])
    assert not device.apps.open(APP)
