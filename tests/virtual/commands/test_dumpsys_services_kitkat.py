"""``dumpsys`` of power, input methods, notifications and packages as a real Android 4.4.2 prints it."""

from __future__ import annotations

import re

import pytest

from garabench.device import foreground
from garabench.virtual.android.phone import Phone
from garabench.virtual.apps.companion.app import APP as COMPANION
from tests.virtual.android import toys
from tests.virtual.shell.harness import on_phone


@pytest.fixture
def phone() -> Phone:
    device = toys.phone("android-19")
    toys.start(device)
    return device


def dump(phone: Phone, line: str) -> str:
    return on_phone(f"dumpsys {line}", phone=phone)[0]


@pytest.mark.parametrize("on", [True, False])
def test_power_has_the_display_power_state(phone: Phone, on: bool) -> None:
    phone.set_screen(on)
    out = dump(phone, "power")
    assert f"\nDisplay Power State:\n  mScreenOn={str(on).lower()}\n" in out
    assert f"\n  mWakefulness={'Awake' if on else 'Asleep'}\n" in out
    assert "mWakefulnessChanging" not in out
    assert "mBatterySaverEnabled" not in out
    assert foreground.parse_foreground("", power=out).awake is on


def test_input_methods_are_nested(phone: Phone) -> None:
    out = dump(phone, "input_method")
    assert re.search(r"\n  InputMethod #0:\n    mId=\S+ mSettingsActivityName=null\n", out)
    assert "\n  Clients:\n  Client android.os.BinderProxy@" in out
    assert out.endswith(
        "\n  mShowRequested=false mShowExplicitlyRequested=false mShowForced=false mInputShown=false\n"
        "  mSystemReady=true mScreenOn=true\n"
    )
    assert "mInteractive" not in out


def test_notifications_have_listeners_and_an_archive(phone: Phone) -> None:
    phone.notifications.post("toy.app", "news", "Hello", "World")
    out = dump(phone, "notification")
    assert out.startswith(
        "Current Notification Manager state:\n  Listeners (0) enabled for current profiles:\n"
    )
    assert re.search(r"\n    NotificationRecord\(0x\w{8}: pkg=toy.app user=UserHandle\{0\} id=\d+ ", out)
    assert "        android.title=Hello\n        android.text=World\n" in out
    assert "\n  mSoundNotification=null\n" in out
    assert out.endswith("  mArchive=Archive (0 notifications)\n")


def test_a_package_begins_with_its_intent_filters(phone: Phone) -> None:
    out = dump(phone, "package toy.app")
    assert out.startswith("Activity Resolver Table:\n  Schemes:\n      toy:\n")
    assert re.search(
        r"\n  Non-Data Actions:\n      android.intent.action.MAIN:\n"
        r"        \w{8} toy.app/.Main filter \w{8}\n          Action: .android.intent.action.MAIN.\n",
        out,
    )
    assert re.search(
        r"\nReceiver Resolver Table:\n  Non-Data Actions:\n      toy.PING:\n        \w{8} toy", out
    )
    assert "\nPackages:\n  Package [toy.app] (" in out


def test_an_app_without_activity_filters_begins_with_its_receivers() -> None:
    phone = toys.phone("android-19")
    phone.packages.preinstall(COMPANION)
    assert dump(phone, f"package {COMPANION.package}").startswith("Receiver Resolver Table:\n")
