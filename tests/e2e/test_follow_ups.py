"""Follow-up steps on a phone: each is verified, and a failure names the foreground window."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from typing import Any

import pytest
from pydantic import TypeAdapter

from garabench.core.steps import DeviceStep
from garabench.device.device import Device
from garabench.device.undo.restore import restore_device
from garabench.interruptions.follow_up import StepResult, perform_follow_up
from garabench.virtual.phone_process import VirtualPhone
from tests.phones import PhonePool

pytestmark = pytest.mark.e2e

APP = "com.jingdong.app.mall"
MAIN = f"{APP}.main.MainActivity"
STEPS: TypeAdapter[DeviceStep] = TypeAdapter(DeviceStep)


@pytest.fixture(scope="module", params=["android-19", "android-34"])
def phone(phone_pool: PhonePool, request: pytest.FixtureRequest) -> Iterator[VirtualPhone]:
    with phone_pool.borrow(request.param) as running:
        yield running


@pytest.fixture
def device(phone: VirtualPhone, device: Device) -> Iterator[Device]:
    device.apps.open(APP)
    yield device
    restore_device(device.adb, device.journal)
    for name in ("background-start-refused", "dialog-on-top"):
        phone.fault(name, on=False)


def perform_steps(device: Device, *steps: Any) -> list[StepResult]:
    return list(
        perform_follow_up(device, [STEPS.validate_python(step) for step in steps], app=APP, token="t")
    )


NAVIGATION_STEPS = [
    "store_page",
    "home",
    "relaunch",
    {"progress": 1},
    {"settings_page": "wifi"},
    {"settings_page": "display"},
    {"start": {"action": "android.settings.SETTINGS"}},
    {"start": {"package": "{app}", "activity": MAIN}},
]


def test_each_step_is_verified_even_if_already_done(device: Device) -> None:
    for step in NAVIGATION_STEPS:
        for result in perform_steps(device, step, step):
            assert (result.ok, result.detail) == (True, "")


@pytest.mark.parametrize("step", NAVIGATION_STEPS, ids=str)
def test_step_fails_under_a_system_dialog_and_names_it(
    phone: VirtualPhone, device: Device, step: Any
) -> None:
    phone.fault("dialog-on-top")
    (result,) = perform_steps(device, step)
    assert not result.ok
    assert result.detail.endswith("did not appear: Application Error: com.android.phone is in the foreground")


@pytest.mark.parametrize(
    "step",
    [{"progress": 1}, {"start": {"package": "com.android.settings", "activity": ".Settings"}}],
    ids=str,
)
def test_refused_activity_start_is_a_failure(phone: VirtualPhone, device: Device, step: Any) -> None:
    phone.fault("background-start-refused")
    (result,) = perform_steps(device, step)
    assert not result.ok
    assert result.detail.endswith(f"did not appear: {APP}/{MAIN} is in the foreground")


def test_settings_page_fails_under_the_notification_shade(phone: VirtualPhone, device: Device) -> None:
    device.adb.shell(["cmd", "statusbar", "expand-notifications"])
    (result,) = perform_steps(device, {"settings_page": "wifi"})
    assert result.ok is (device.info.sdk < 24)  # older versions have no such command
    assert result.ok or "NotificationShade" in result.detail


def test_step_that_would_disconnect_the_device_is_skipped(device: Device) -> None:
    info = device.info
    device.info = dataclasses.replace(info, serial="192.168.1.7:5555")
    wifi, page = perform_steps(device, {"wifi": False}, {"settings_page": "wifi"})
    reason = "skipped: 192.168.1.7:5555 is connected over the network"
    assert (wifi.ok, wifi.skipped, wifi.detail) == (False, True, reason)
    assert page.ok
    assert device.adb.shell(["settings", "get", "global", "wifi_on"]).stdout.strip() == "1"
    device.info = info
    (wifi,) = perform_steps(device, {"wifi": False})
    assert wifi.ok


def test_relaunch_resumes_the_same_task_or_reports_none(device: Device) -> None:
    device.adb.shell(["am", "start", "-W", "-a", "android.intent.action.SEARCH", "-n", f"{APP}/{MAIN}"])
    device.settle()
    before = device.settle().reading.tree.signature
    (home, resumed) = perform_steps(device, "home", {"relaunch": "same-task"})
    assert (home.ok, resumed.ok, resumed.detail) == (True, True, "")
    assert device.settle().reading.tree.signature == before
    (stop, relaunched) = perform_steps(device, "force_stop", {"relaunch": "same-task"})
    assert (stop.ok, relaunched.ok) == (True, False)
    assert relaunched.detail == f"{APP} is not running, so it has no task to resume"


def test_airplane_mode_is_switched_and_restored(device: Device) -> None:
    results = perform_steps(device, {"airplane": True}, {"airplane": True})
    assert [(result.ok, result.detail) for result in results] == [(True, "")] * 2
    probe = ["settings", "get", "global", "airplane_mode_on"]
    assert device.adb.shell(probe).stdout.strip() == "1"
    restore_device(device.adb, device.journal)
    assert device.adb.shell(probe).stdout.strip() in ("0", "null")


def test_airplane_mode_is_unavailable_on_android_7_to_10_and_over_network(device: Device) -> None:
    info = device.info
    for changes, detail in (
        ({"sdk": 28}, "Android 7 to 10 have no command to switch airplane mode"),
        ({"serial": "10.0.0.2:5555"}, "skipped: 10.0.0.2:5555 is connected over the network"),
    ):
        device.info = dataclasses.replace(info, **changes)
        (result,) = perform_steps(device, {"airplane": True})
        assert (result.ok, result.detail) == (False, detail)
    device.info = info


def test_notification_is_posted_once_and_removed_by_restore(device: Device) -> None:
    spec = {"notification": {"title": "Parcel", "text": "It is here; $(reboot)"}}
    results = perform_steps(device, spec, spec)
    if device.info.sdk < 29:
        (result,) = results
        assert (result.ok, result.detail) == (
            False,
            "adb's shell can post notifications only since Android 10",
        )
        return
    assert [result.ok for result in results] == [True, False]
    assert "already posted" in results[1].detail
    device.adb.shell(["cmd", "statusbar", "expand-notifications"])
    assert {"Parcel", "It is here; $(reboot)"} <= {node.text for node in device.read_tree().tree.nodes}
    device.adb.shell(["cmd", "statusbar", "collapse"])
    restore_device(device.adb, device.journal)
    assert "pkg=com.android.shell" not in device.adb.shell(["dumpsys", "notification"]).stdout


def test_failed_step_skips_the_rest(device: Device) -> None:
    device.adb.shell(["pm", "disable-user", "com.android.vending"])
    results = perform_steps(device, "store_page", "home")
    device.adb.shell(["pm", "enable", "com.android.vending"])
    assert [result.description for result in results] == ["store_page"]
    assert "unable to resolve" in results[0].detail
    assert device.focus().package == APP
