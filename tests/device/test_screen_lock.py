"""Whether a device is awake, and which secret its lock screen asks for."""

from __future__ import annotations

import pytest

from garabench.core.tree import parse_tree
from garabench.device.screen_lock import is_awake, locked_error, secret_of


@pytest.mark.parametrize(
    ("power", "awake"),
    [
        ("  mWakefulness=Awake\n  mWakefulnessChanging=false\n", True),
        ("  mWakefulness=Asleep\n  mScreenOn=true\n", False),
        ("  mWakefulness=Dozing\n", False),
        ("  mWakefulness=Dreaming\n", False),
        ("  mWakefulness=1\n", True),
        ("  mWakefulness=0\n", False),
        ("Display Power State:\n  mScreenOn=true\n", True),
        ("Display Power State:\n  mScreenOn=false\n", False),
        ("Display Power: state=ON\n", True),
        ("Display Power: state=OFF\n", False),
        ("", True),
    ],
)
def test_the_power_managers_state_says_whether_the_device_is_awake(power: str, awake: bool) -> None:
    assert is_awake(power) is awake


@pytest.mark.parametrize(
    ("resource_id", "secret"),
    [
        ("com.android.keyguard:id/keyguard_pin_view", "PIN"),
        ("com.android.systemui:id/lockPatternView", "pattern"),
        ("com.android.systemui:id/passwordEntry", "password"),
        ("com.android.keyguard:id/clock_view", ""),
        ("", ""),
    ],
)
def test_the_view_of_the_lock_screen_names_the_secret(resource_id: str, secret: str) -> None:
    node = f'<node class="android.view.View" resource-id="{resource_id}" bounds="[0,0][9,9]" />'
    assert secret_of(parse_tree(f'<hierarchy rotation="0">{node}</hierarchy>')) == secret


def test_the_error_names_the_secret_and_what_to_do() -> None:
    assert str(locked_error("abc", "PIN")) == (
        "the screen of abc is locked with a PIN: unlock it, and set the screen lock to None or Swipe in the "
        "device's security settings"
    )
    assert "a PIN, pattern or password:" in str(locked_error("abc", ""))
