"""Every episode begins in the same state, regardless of what the previous one did to the phone."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from garabench.core.clock import SystemClock
from garabench.core.companion_app import PACKAGE, PROGRESS
from garabench.core.device_switches import run_settings
from garabench.device.adb import Adb
from garabench.device.device import Device
from garabench.device.undo.apply import read_query
from garabench.episode.reset import prepare
from tests.phones import PhonePool

pytestmark = pytest.mark.e2e
APP = "tv.danmaku.bili"
VM_COMMANDS = ("am", "content", "ime", "input", "monkey", "pm", "settings", "svc", "uiautomator", "wm")
CHANGES = (
    "settings put global airplane_mode_on 1",
    "svc wifi disable",
    "settings put global low_power 1",
    "settings put system accelerometer_rotation 1",
    "settings put system user_rotation 1",
    "pm disable-user com.github.uiautomator",
    "input keyevent 26",
)


@pytest.mark.parametrize("profile", ["android-19", "android-34"])
def test_radios_and_settings_are_reset(phone_pool: PhonePool, adb_server: None, profile: str) -> None:
    with phone_pool.borrow(profile) as phone:
        device = Device.connect(phone.serial, SystemClock())
        for words in (
            *CHANGES,
            *(["cmd connectivity airplane-mode enable"] if profile != "android-19" else []),
        ):
            device.adb.shell(words.split())
        held = run_settings(device.info.sdk)
        assert not all(change.is_in_effect(read_query(device.adb, change.query)) for change in held)
        prepare(device, APP, ())
        assert all(change.is_in_effect(read_query(device.adb, change.query)) for change in held)
        assert device.focus().package == APP
        device.close()


def test_settings_that_are_not_set_count_as_android_reads_them() -> None:
    by_name = {change.subject: change for change in run_settings(19)}
    for name, holds in (("system/user_rotation", True), ("system/accelerometer_rotation", False)):
        assert by_name[f"the setting {name}"].is_in_effect("null") is holds
        assert by_name[f"the setting {name}"].is_in_effect("0")
        assert not by_name[f"the setting {name}"].is_in_effect("1")


def test_preparing_an_old_phone_starts_few_virtual_machines(
    phone_pool: PhonePool, adb_server: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each of these commands takes 1.7 s on a slow phone, and a dump 3.5 s."""
    with phone_pool.borrow("android-19") as phone:
        device = Device.connect(phone.serial, SystemClock())
        prepare(device, APP, ())  # the first one locks the rotation
        lines: list[str] = []
        plain = Adb._open

        def open_service(adb: Adb, service: str, limit: float) -> Any:
            lines.append(service.partition(":")[2])
            return plain(adb, service, limit)

        monkeypatch.setattr(Adb, "_open", open_service)
        settled = prepare(device, APP, ())
        observation = device.observe(0, settled=settled)
        device.close()
        calls = Counter(line.split()[0] for line in lines)
        assert observation.focus.package == APP
        assert settled.still
        assert (calls["uiautomator"], calls["screencap"], calls["pm"]) == (1, 1, 1), lines
        assert calls["content"] == 2, lines  # the tables system and global
        assert calls["settings"] == calls["wm"] == 0, lines
        assert sum(calls[name] for name in VM_COMMANDS) <= 7, lines


def test_companion_app_is_closed_only_if_it_runs(
    phone_pool: PhonePool, adb_server: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    with phone_pool.borrow("android-19") as phone:
        device = Device.connect(phone.serial, SystemClock())
        device.apps.start(component=PROGRESS, extras={"seconds": 600, "token": "t", "title": "Busy"})
        assert device.apps.running(PACKAGE)
        prepare(device, APP, ())
        assert not device.apps.running(PACKAGE)
        stopped: list[str] = []
        monkeypatch.setattr(device.apps, "force_stop", stopped.append)
        prepare(device, APP, ())
        assert stopped == []
        device.close()
