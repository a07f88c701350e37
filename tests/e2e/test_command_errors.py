"""A command that fails with exit status 0 is reported at once, with the reason that Android printed."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from garabench.core.anomalies.catalog import ANOMALIES
from garabench.core.device_changes import Setting
from garabench.device.device import Device
from garabench.device.undo.apply import apply
from garabench.errors import CommandError
from garabench.interruptions.system.perform import perform_anomaly, request_for
from garabench.virtual.phone_process import VirtualPhone
from tests.device.phone_actions import CallCounter
from tests.phones import PhonePool

pytestmark = pytest.mark.e2e

APP = "tv.danmaku.bili"
SETTINGS = "com.android.settings"


@pytest.fixture(scope="module", params=["android-19:720x1280", "android-30"])
def phone(phone_pool: PhonePool, request: pytest.FixtureRequest) -> Iterator[VirtualPhone]:
    with phone_pool.borrow(request.param) as running:
        yield running


def test_failed_command_of_an_anomaly_is_reported_at_once(
    device: Device, monkeypatch: pytest.MonkeyPatch
) -> None:
    device.adb.shell(["pm", "disable-user" if device.info.sdk >= 24 else "disable", SETTINGS])
    device.apps.open(APP)
    anomaly = ANOMALIES["app-switch"]
    counter = CallCounter()
    with pytest.raises(
        CommandError, match=r"bring about app-switch: am.*: Error: Activity not started, unable to"
    ):
        request = request_for(device, anomaly, app=APP)
        counter.watch(monkeypatch)
        perform_anomaly(device, anomaly, request)
    assert sorted(counter.calls) == ["am start", "dumpsys window"]


@pytest.mark.parametrize(
    ("argv", "error"),
    [
        (["am", "start", "-n", "no.such/.App"], "Error: Activity class"),
        (["settings", "put", "nope", "a", "b"], "Invalid namespace 'nope'"),
        (["pm", "clear", "no.such.app"], "Failed"),
        (["input", "tap", "a", "b"], r"Error: .*"),
        (["content", "query", "--uri", "content://nope"], "java.lang.IllegalStateException"),
    ],
)
def test_errors_of_android_4_4_fail_the_check(device: Device, argv: list[str], error: str) -> None:
    if device.info.sdk >= 24:
        return
    result = device.adb.shell(argv)
    assert result.exit_code == 0 or argv[0] == "content"
    with pytest.raises(CommandError, match=f"^could not do it: {argv[0]}.*: {error}"):
        result.check("do it")


def test_failed_change_names_the_error(device: Device) -> None:
    if device.info.sdk >= 24:
        return
    bad = Setting("nope", "a", "1")  # type: ignore[arg-type]  # Android rejects the table
    with pytest.raises(CommandError, match=r"Invalid namespace 'nope'|cannot be read"):
        apply(device.adb, device.journal, bad, sdk=19, purpose="test")
