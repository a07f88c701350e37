"""A sleeping or locked phone is woken and unlocked before an episode, or refused with the reason."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from garabench.device import foreground
from garabench.device.device import Device
from garabench.episode.reset import prepare
from garabench.errors import ScreenLockedError
from garabench.virtual.phone_process import VirtualPhone
from tests.device.phone_actions import CallCounter
from tests.phones import PhonePool

pytestmark = pytest.mark.e2e

APP = "tv.danmaku.bili"


@pytest.fixture(scope="module", params=["android-19:720x1280", "android-30", "android-34:720x1280"])
def phone(phone_pool: PhonePool, request: pytest.FixtureRequest) -> Iterator[VirtualPhone]:
    with phone_pool.borrow(request.param) as running:
        yield running


def press_power(device: Device, times: int) -> None:
    if device.info.sdk >= 24:
        device.adb.shell(["locksettings", "set-disabled", "false"])
    for _ in range(times):
        device.adb.shell(["input", "keyevent", "26"])


@pytest.mark.parametrize("times", [1, 2], ids=["asleep", "locked"])
def test_a_sleeping_or_locked_phone_is_prepared(device: Device, times: int) -> None:
    press_power(device, times)
    before = foreground.read_foreground(device.adb)
    assert (before.awake, before.locked) == (times == 2, True)
    prepare(device, APP, ())
    assert device.focus().package == APP
    after = foreground.read_foreground(device.adb)
    assert (after.awake, after.locked) == (True, False)


def test_nothing_is_pressed_while_the_screen_is_on(device: Device, monkeypatch: pytest.MonkeyPatch) -> None:
    counter = CallCounter()
    counter.watch(monkeypatch)
    device.unlock()
    assert dict(counter.calls) == {"dumpsys power": 1, "dumpsys window": 1}


@pytest.mark.parametrize(
    ("secret", "named"), [("pin", "PIN"), ("pattern", "pattern"), ("password", "password")]
)
def test_a_secret_is_named_and_refused(phone: VirtualPhone, device: Device, secret: str, named: str) -> None:
    phone.fault("credential-lock", secret=secret)
    try:
        press_power(device, 2)
        with pytest.raises(
            ScreenLockedError, match=f"^the screen of .* is locked with a {named}: unlock it, and"
        ):
            prepare(device, APP, ())
    finally:
        phone.fault("credential-lock", on=False)
    prepare(device, APP, ())
