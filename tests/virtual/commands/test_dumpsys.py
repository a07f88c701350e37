from __future__ import annotations

import asyncio
import re

import pytest

from garabench.device import focus
from garabench.virtual.android.installer import InstallOptions
from garabench.virtual.android.phone import Phone
from garabench.virtual.commands.pm_install import Installer
from tests.virtual.android import toys
from tests.virtual.android.apks import apk, manifest
from tests.virtual.shell.harness import on_phone


@pytest.fixture
def phone() -> Phone:
    device = toys.phone()
    toys.start(device)
    return device


@pytest.mark.parametrize(
    ("profile", "line", "named"),
    [
        ("android-19", "dumpsys window windows", True),
        ("android-19", "dumpsys window", True),
        ("android-19", "dumpsys window displays", False),
        ("android-30", "dumpsys window windows", False),
        ("android-30", "dumpsys window", True),
        ("android-30", "dumpsys window displays", True),
        ("android-34", "dumpsys window windows", False),
        ("android-34", "dumpsys window displays", True),
    ],
)
def test_the_focused_window_by_version(profile: str, line: str, named: bool) -> None:
    device = toys.phone(profile)
    toys.start(device)
    out = on_phone(line, phone=device)[0]
    shown = re.search(r"mCurrentFocus=Window\{(\w+) u0 toy.app/toy.app.Main\}", out)
    assert (shown is not None) is named
    assert shown is None or len(shown[1]) == (8 if profile == "android-19" else 6)
    found = focus.parse_window(out)
    assert (found is not None and found.package == "toy.app") is named


@pytest.mark.parametrize(
    ("profile", "label"),
    [
        ("android-19", "    mResumedActivity: "),
        ("android-30", "  mResumedActivity: "),
        ("android-34", "  topResumedActivity="),
    ],
)
def test_the_resumed_activity_by_version(profile: str, label: str) -> None:
    device = toys.phone(profile)
    toys.start(device)
    number = device.activities.tasks[0].task_id
    out = on_phone("dumpsys activity activities", phone=device)[0]
    shown = rf"^{label}ActivityRecord\{{\w+ u0 toy.app/.Main t{number}\}}$"
    assert re.search(shown, out, re.MULTILINE)
    found = focus.parse_activities(out)
    assert found is not None
    assert found.activity == "toy.app.Main"


def test_the_focus_in_special_states(phone: Phone) -> None:
    line = "dumpsys window | grep mCurrentFocus"
    phone.windows.open_shade()
    assert on_phone(line, phone=phone)[0] == "  mCurrentFocus=Window{f96644 u0 NotificationShade}\n"
    phone.windows.close_overlay()
    phone.faults.enable("stray-brace")
    assert on_phone(line, phone=phone)[0] == "  mCurrentFocus=Window{f96644 u0 toy.app/toy.app.Main}}\n"
    phone.faults.enable("focus-null")
    assert on_phone(line, phone=phone)[0] == "  mCurrentFocus=null\n"


def test_until_android_10_the_open_shade_is_the_status_bar_window() -> None:
    device = toys.phone("android-19")
    device.windows.open_shade()
    out = on_phone("dumpsys window windows | grep mCurrentFocus", phone=device)[0]
    assert re.fullmatch(r"  mCurrentFocus=Window\{\w{8} u0 StatusBar\}\n", out)


@pytest.mark.parametrize(
    ("profile", "upright", "turned"),
    [
        ("android-19", "mRotation=0 mAltOrientation=false", "mRotation=1 mAltOrientation=false"),
        ("android-30", "mCurrentRotation=ROTATION_0", "mCurrentRotation=ROTATION_90"),
        ("android-34", "mCurrentRotation=ROTATION_0", "mCurrentRotation=ROTATION_90"),
    ],
)
def test_rotation_by_version(profile: str, upright: str, turned: str) -> None:
    device = toys.phone(profile)
    toys.start(device)
    natural = device.display.natural
    for value, named in ((0, upright), (1, turned)):
        on_phone(f"settings put system user_rotation {value}", phone=device)
        line = "dumpsys window windows" if profile == "android-19" else "dumpsys window"
        assert named in on_phone(line, phone=device)[0]
        out = on_phone("dumpsys display", phone=device)[0]
        assert f"orientation={value}, logicalFrame=Rect(0, 0 - {device.display.current_size.width}, " in out
        assert f"deviceWidth={natural.width}, deviceHeight={natural.height}}}" in out
        assert on_phone("wm size", phone=device)[0] == f"Physical size: {natural}\n"
    assert device.display.current_size == natural.rotated


@pytest.mark.parametrize(
    ("line", "wanted"),
    [
        ("dumpsys activity top", r"TASK toy.app id=\d+ userId=0\n  ACTIVITY toy.app/.Main \w{7} pid=\d+\n$"),
        ("dumpsys activity recents", r"\* Recent #0: Task\{1f2e3d4 #\d+ type=standard A=10050:toy.app"),
        ("dumpsys activity processes", r"ProcessRecord\{2a3b4c5 \d+:toy.app/u0a\d+\}"),
        ("dumpsys activity services", r"\(nothing\)"),
        ("dumpsys activity", r"mResumedActivity|topResumedActivity="),
        ("dumpsys activity nope", "Bad activity command, or no activities match: nope"),
        ("dumpsys window nope", "Bad window command, or no windows match: nope"),
        ("dumpsys window policy", "mScreenOnFully=true"),
        ("dumpsys window displays", r"init=1080x2400 420dpi cur=1080x2400 app="),
        ("dumpsys window", "mCurrentRotation=ROTATION_0"),
        ("dumpsys display", r"valid=true, .*orientation=0, .*deviceWidth=1080, deviceHeight=2400"),
        ("dumpsys package toy.app", r"versionCode=\d+ minSdk=19 targetSdk=\d+\n    versionName="),
        ("dumpsys package toy.app", r"android.permission.CAMERA: granted=false\n"),
        ("dumpsys package no.pe", r"^Unable to find package: no.pe\n$"),
        ("dumpsys battery", "AC powered: true\n.*\n.*\n  status: 2\n"),
        ("dumpsys input_method", r"mInputShown=false\n"),
        ("dumpsys power", r"mWakefulness=Awake\n"),
        ("dumpsys power", r"Display Power: state=ON\n"),
        ("dumpsys input", r"orientation=0, logicalFrame=\[0, 0, 1080, 2400\]"),
        ("dumpsys SurfaceFlinger --display-id", r"^Display \d+ \(HWC display 0\): port=0 "),
        ("dumpsys SurfaceFlinger --list", "toy.app/toy.app.Main#0"),
        ("dumpsys connectivity", "Active default network: 100"),
        ("dumpsys wifi", "^Wi-Fi is enabled\n"),
        ("dumpsys meminfo toy.app", r"\*\* MEMINFO in pid \d+ \[toy.app\] \*\*"),
        ("dumpsys meminfo nope", "No process found for: nope"),
        ("dumpsys cpuinfo", r"0% \d+/toy.app: 0% user"),
        ("dumpsys -l", "^Currently running services:\n  SurfaceFlinger\n  SurfaceFlingerAIDL\n"),
        ("dumpsys -t 5 wifi", "^Wi-Fi is enabled\n"),
        ("dumpsys | grep 'DUMP OF SERVICE'", "DUMP OF SERVICE window:\n$"),
    ],
)
def test_lines(phone: Phone, line: str, wanted: str) -> None:
    out, err, status = on_phone(line, phone=phone)
    assert re.search(wanted, out), out
    assert (err, status) == ("", 0)


def test_an_unknown_service() -> None:
    assert on_phone("dumpsys nope") == ("", "Can't find service: nope\n", 0)


def test_rotation_swaps_width_and_height(phone: Phone) -> None:
    on_phone("settings put system user_rotation 1", phone=phone)
    out = on_phone("dumpsys display; dumpsys input; dumpsys window", phone=phone)[0]
    assert "orientation=1, logicalFrame=Rect(0, 0 - 2400, 1080)" in out
    assert "mCurrentRotation=ROTATION_90" in out
    assert on_phone("wm size", phone=phone)[0] == "Physical size: 1080x2400\n"


@pytest.mark.parametrize(
    ("profile", "present"), [("android-19", True), ("android-30", True), ("android-34", False)]
)
def test_surface_orientation_was_removed_in_android_13(profile: str, present: bool) -> None:
    assert ("SurfaceOrientation: 0" in on_phone("dumpsys input", phone=toys.phone(profile))[0]) is present


def test_battery_overrides_last_until_reset(phone: Phone) -> None:
    on_phone("dumpsys battery set level 7; dumpsys battery unplug; dumpsys battery set temp 310", phone=phone)
    out = on_phone("dumpsys battery", phone=phone)[0]
    assert "  (UPDATES STOPPED -- use 'reset' to restart)\n  AC powered: false\n" in out
    assert "  status: 3\n" in out
    assert "  level: 7\n" in out
    assert "  temperature: 310\n" in out
    on_phone("dumpsys battery reset", phone=phone)
    assert "  level: 85\n" in on_phone("dumpsys battery", phone=phone)[0]
    assert on_phone("dumpsys battery set level x", phone=phone)[0] == "Bad value: x\n"
    assert on_phone("dumpsys battery set nope 1", phone=phone)[0] == "Unknown set option: nope\n"


def test_notifications_are_listed(phone: Phone) -> None:
    phone.notifications.post("toy.app", "news", "Hello", "World")
    out = on_phone("dumpsys notification", phone=phone)[0]
    assert "pkg=toy.app" in out
    assert "android.title=String (Hello)\n          android.text=String (World)\n" in out


def test_connectivity_without_a_network(phone: Phone) -> None:
    phone.network.wifi = phone.network.mobile_data = False
    assert on_phone("dumpsys connectivity", phone=phone)[0].startswith("Active default network: none\n")
    assert on_phone("dumpsys wifi", phone=phone)[0].startswith("Wi-Fi is disabled\n")


@pytest.mark.parametrize(
    ("profile", "info", "network"),
    [
        (
            "android-19",
            "SSID: VirtualWifi, BSSID: 02:00:00:00:00:00, MAC: 02:00:00:00:00:00, Supplicant state: "
            "COMPLETED, RSSI: -50, Link speed: 65, Net ID: 0, Metered hint: false",
            "[type: WIFI[], state: CONNECTED/CONNECTED, ",
        ),
        ("android-30", 'SSID: "VirtualWifi", BSSID: ', "[type: WIFI[], state: CONNECTED/CONNECTED, "),
        (
            "android-34",
            "IP: /192.168.1.23, Security type: 2, Supplicant state: COMPLETED",
            "WIFI CONNECTED} ",
        ),
    ],
)
def test_the_wifis_lines_that_clients_read(profile: str, info: str, network: str) -> None:
    """``WifiInfo.toString``, ``NetworkAgentInfo.toString``, ``LinkProperties.toString``."""
    device = toys.phone(profile)
    (line,) = re.findall(r"\nmWifiInfo (.*)\n", on_phone("dumpsys wifi", phone=device)[0])
    assert info in line
    out = on_phone("dumpsys connectivity", phone=device)[0]
    assert f"NetworkAgentInfo{{network{{100}}  handle{{432902426637}}  ni{{{network}" in out
    assert "LinkAddresses: [ 192.168.1.23/24 ]" in out
    assert "inet addr:192.168.1.23" in on_phone("ifconfig wlan0", phone=toys.phone())[0]
    on_phone("svc wifi disable", phone=device)
    assert "Supplicant state: DISCONNECTED" in on_phone("dumpsys wifi", phone=device)[0]
    on_phone("svc data enable", phone=device)
    assert "Transports: CELLULAR" in on_phone("dumpsys connectivity", phone=device)[0]


def test_layers_have_the_times_of_no_frames(phone: Phone) -> None:
    """``FrameTracker::dumpStats`` of a layer without frames; an unknown layer has only the period."""
    layer = on_phone("dumpsys SurfaceFlinger --list", phone=phone)[0].splitlines()[0]
    out = on_phone(f"dumpsys SurfaceFlinger --latency '{layer}'", phone=phone)[0]
    assert out == "16666667\n" + "0\t0\t0\n" * 127 + "\n"
    assert on_phone("dumpsys SurfaceFlinger --latency nope", phone=phone)[0] == "16666667\n"
    out = on_phone("dumpsys SurfaceFlinger | grep -E 'refresh-rate|Layer'", phone=phone)[0]
    assert f"+ Layer ({layer})\n" in out
    assert ": 60.000000 fps\n" in out


def test_windows_name_their_activity() -> None:
    """AOSP ``WindowState.dump``; adb-enhanced reads the top activity there."""
    device = toys.phone()
    toys.start(device)
    out = on_phone("dumpsys window windows", phone=device)[0]
    assert re.search(r"\n    mActivityRecord=ActivityRecord\{\w+ u0 toy\.app/\.Main t\d+\}\n", out)
    assert "mActivityRecord" not in on_phone("dumpsys window windows", phone=toys.phone("android-19"))[0]


def test_an_installed_apk_shows_its_manifest_and_the_time_of_its_installation() -> None:
    device = toys.phone()
    assert on_phone("sleep 3600", phone=device)[2] == 0
    data = apk(manifest(min_sdk=21, debuggable=True))
    assert asyncio.run(Installer(device).install(data, InstallOptions())).ok
    out = on_phone("dumpsys package org.example.small", phone=device)[0]
    assert " minSdk=21 " in out
    assert "flags=[ DEBUGGABLE HAS_CODE" in out
    assert len(re.findall(r"(?:firstInstall|lastUpdate)Time=2024-05-20 10:41:\d\d\n", out)) == 2
