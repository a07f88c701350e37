from __future__ import annotations

import dataclasses
from typing import Any

import pytest
from pydantic import TypeAdapter

from garabench.core.interruption import Interruption, SystemInterruption
from garabench.core.steps import DeviceStep
from garabench.interruptions.capabilities import ActivityQuery, Capabilities
from garabench.interruptions.feasibility import (
    STORE_PAGE,
    anomaly_needs,
    anomaly_problem,
    follow_up_steps,
    step_needs,
    step_problem,
)

STEP: TypeAdapter[DeviceStep] = TypeAdapter(DeviceStep)
PHONE = Capabilities("R5CT10", 34, frozenset({"com.android.settings"}), frozenset({"android.hardware.wifi"}))
DETAILS = ActivityQuery("android.settings.APPLICATION_DETAILS_SETTINGS", "package:{app}")
PERMISSIONS = ActivityQuery("android.intent.action.MANAGE_APP_PERMISSIONS")
BATTERY = ActivityQuery("android.intent.action.POWER_USAGE_SUMMARY")


def lacking(*queries: ActivityQuery, sdk: int = 34) -> Capabilities:
    return dataclasses.replace(PHONE, sdk=sdk, unresolved=frozenset(queries))


@pytest.mark.parametrize(
    ("step", "on", "problem"),
    [
        ("store_page", PHONE, ""),
        ("store_page", lacking(STORE_PAGE), "store_page: no app store opens market:// links"),
        ({"settings_page": "wifi"}, lacking(STORE_PAGE), ""),
        (
            {"settings_page": "wifi"},
            lacking(ActivityQuery("android.settings.WIFI_SETTINGS")),
            "settings_page wifi: no app handles android.settings.WIFI_SETTINGS",
        ),
        ({"settings_page": "app-permissions"}, lacking(PERMISSIONS), ""),  # the app's details instead
        (
            {"settings_page": "app-permissions"},
            lacking(PERMISSIONS, DETAILS),
            "settings_page app-permissions: no app handles android.intent.action.MANAGE_APP_PERMISSIONS",
        ),
        ({"settings_page": "app-permissions"}, lacking(PERMISSIONS, sdk=19), ""),
        (
            {"settings_page": "app-details"},
            lacking(DETAILS),
            "settings_page app-details: no app handles android.settings.APPLICATION_DETAILS_SETTINGS "
            "package:{app}",
        ),
        (
            {"settings_page": "battery-saver"},
            lacking(BATTERY, sdk=21),
            "settings_page battery-saver: no app handles android.intent.action.POWER_USAGE_SUMMARY",
        ),
        ({"wifi": False}, PHONE, ""),
        ({"wifi": False}, dataclasses.replace(PHONE, features=None), ""),
        (
            {"wifi": False},
            dataclasses.replace(PHONE, features=frozenset({"x"})),
            "wifi False: it has no Wi-Fi",
        ),
        ({"airplane": True}, dataclasses.replace(PHONE, sdk=23), ""),
        (
            {"airplane": True},
            dataclasses.replace(PHONE, sdk=29),
            "airplane True: Android 7 to 10 have no command to switch airplane mode",
        ),
        (
            {"grant": "android.permission.CAMERA"},
            dataclasses.replace(PHONE, sdk=22),
            "grant android.permission.CAMERA: Android has runtime permissions only since version 6",
        ),
        ({"start": {"package": "com.android.settings", "activity": ".Settings"}}, PHONE, ""),
        ({"start": {"package": "{app}", "activity": ".Main"}}, PHONE, ""),
        (
            {"start": {"package": "com.none", "activity": ".Main"}},
            PHONE,
            "start package=com.none activity=.Main: com.none is not installed, or is disabled",
        ),
        ("force_stop", dataclasses.replace(PHONE, sdk=19), ""),
        ({"progress": 3}, dataclasses.replace(PHONE, sdk=19), ""),
    ],
)
def test_a_step_that_a_device_cannot_perform_is_described(step: Any, on: Capabilities, problem: str) -> None:
    assert step_problem(STEP.validate_python(step), on) == problem


def test_a_notification_needs_android_10() -> None:
    step = STEP.validate_python({"notification": {"title": "Hello", "text": "World"}})
    assert not step_problem(step, PHONE)
    assert step_problem(step, dataclasses.replace(PHONE, sdk=28)).endswith("only since Android 10")


def use(system: str) -> SystemInterruption:
    return SystemInterruption(id="it", description="An anomaly", system=system)


@pytest.mark.parametrize(
    ("system", "on", "problem"),
    [
        ("rotation", dataclasses.replace(PHONE, sdk=19), ""),
        ("dark-mode", PHONE, ""),
        (
            "dark-mode",
            dataclasses.replace(PHONE, sdk=19),
            "dark-mode requires Android 10 and newer; this device has API level 19",
        ),
        ("incoming-call", PHONE, "incoming-call requires an emulator's console; this device has none"),
        ("incoming-call", dataclasses.replace(PHONE, serial="emulator-5554"), ""),
        ("app-not-responding", PHONE, "app-not-responding requires root, and `su 0` does not give it"),
        ("app-not-responding", dataclasses.replace(PHONE, rooted=True), ""),
        (
            "wifi-off",
            dataclasses.replace(PHONE, features=frozenset({"x"})),
            "wifi-off requires Wi-Fi, and the device has none",
        ),
        ("wifi-off", PHONE, ""),
    ],
)
def test_an_anomaly_that_is_impossible_on_a_device_is_described(
    system: str, on: Capabilities, problem: str
) -> None:
    assert anomaly_problem(use(system), on) == problem


def test_only_what_decides_is_read() -> None:
    assert step_needs(STEP.validate_python("home"), 34) == anomaly_needs(use("rotation"), 34)
    assert step_needs(STEP.validate_python({"wifi": False}), 34).wifi
    assert anomaly_needs(use("app-not-responding"), 34).root
    assert anomaly_needs(use("wifi-off"), 34).wifi
    both = step_needs(STEP.validate_python("store_page"), 34) | anomaly_needs(use("app-not-responding"), 34)
    assert (both.queries, both.root, both.wifi) == ({STORE_PAGE}, True, False)


def test_the_second_stages_of_further_windows_count() -> None:
    def window(name: str, *follow_up: Any) -> Interruption:
        return Interruption.model_validate(
            {
                "id": name,
                "description": "A window",
                "category": "app-prompt",
                "title": {"en": "T"},
                "message": {"en": "M"},
                "buttons": [
                    {"key": "accept", "role": "accept", "label": {"en": "A"}, "follow_up": list(follow_up)}
                ],
            }
        )

    windows = {
        "one": window("one", "home", {"show": "two"}),
        "two": window("two", "store_page", {"show": "one"}),
        "three": window("three", "relaunch"),
    }
    found = [next(iter(step.model_dump())) for step in follow_up_steps(["one"], windows)]
    assert found == ["home", "show", "store_page", "show"]
