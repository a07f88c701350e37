"""Dumps of services that reflect the phone's state; the source of each is the AOSP class named next to it."""

from __future__ import annotations

import re

import pytest

from garabench.virtual.android.phone import Phone
from tests.virtual.android import toys
from tests.virtual.apps.system_robot import SystemRobot
from tests.virtual.shell.harness import on_phone


@pytest.fixture
def phone() -> Phone:
    device = toys.phone()
    toys.start(device)
    return device


@pytest.mark.parametrize(
    ("line", "shown"),
    [
        # TelephonyRegistry.dump
        ("dumpsys telephony.registry | grep -o 'mCallState=.*'", "mCallState=0"),
        ("dumpsys telephony.registry | grep -o 'mVoiceRegState=[^,]*'", "mVoiceRegState=0(IN_SERVICE)"),
        (
            "cmd connectivity airplane-mode enable; dumpsys telephony.registry | grep -o "
            "'mVoiceRegState=[^,]*'",
            "mVoiceRegState=3(POWER_OFF)",
        ),
        (
            "svc data enable; dumpsys telephony.registry | grep -o 'mDataConnectionState=.*'",
            "mDataConnectionState=2",
        ),
        # AudioService.dump, VolumeStreamState.dump
        ("dumpsys audio | grep -A5 STREAM_MUSIC: | grep -o 'streamVolume:.*'", "streamVolume:7"),
        ("dumpsys audio | grep 'mode (internal)'", "- mode (internal) = NORMAL"),
        (
            "settings put global mode_ringer 0; dumpsys audio | grep 'mode (external)'",
            "- mode (external) = SILENT",
        ),
        # AlarmManagerService.dumpImpl
        ("dumpsys alarm | grep -o '=2024.* nowELAPSED'", "=2024-05-20 09:41:00 nowELAPSED"),
        # UserManagerService.dump
        ("dumpsys user | grep -o 'UserInfo.*isPrimary'", "UserInfo{0:Owner:4c13} serialNo=0 isPrimary"),
        ("dumpsys user | grep State:", "    State: RUNNING_UNLOCKED"),
        # StatusBarManagerService.dump
        ("cmd statusbar expand-notifications; dumpsys statusbar | grep mExpanded", "  mExpanded=true"),
        ("dumpsys statusbar | grep mDisabled1", "  mDisabled1=0x0"),
        # MediaSessionService.dump
        ("dumpsys media_session | grep Stack", "  Sessions Stack - have 0 sessions:"),
        # EventHub.cpp, InputReader.cpp, DisplayViewport::toString
        (
            "dumpsys input | grep -oE 'physicalFrame=[^]]*.'",
            "physicalFrame=[0, 0, 1080, 2400]",
        ),
        (
            "settings put system user_rotation 1; dumpsys input | grep -oE 'physicalFrame=[^]]*.'",
            "physicalFrame=[0, 0, 2400, 1080]",
        ),
        ("dumpsys input | grep -c Path:", "2"),
        # ThermalManagerService, UiModeManagerService, LocationManagerService, BluetoothManagerService
        ("cmd thermalservice override-status 3; dumpsys thermalservice | grep Status:", "Thermal Status: 3"),
        (
            "cmd uimode night yes >/dev/null; dumpsys uimode | grep -o 'mNightMode=. (yes)'",
            "mNightMode=2 (yes)",
        ),
        (
            "cmd location set-location-enabled false; dumpsys location | grep Setting:",
            "    Location Setting: false",
        ),
        ("svc bluetooth disable; dumpsys bluetooth_manager | grep state", "  state: OFF"),
        # SettingsProvider.dumpInternal
        (
            "dumpsys settings | grep -o 'name:adb_enabled pkg:android value:1'",
            "name:adb_enabled pkg:android value:1",
        ),
        # DeviceIdleController
        ("dumpsys deviceidle force-idle", "Now forced in to deep idle mode"),
        (
            "dumpsys deviceidle force-idle; dumpsys deviceidle get deep",
            "Now forced in to deep idle mode\nIDLE",
        ),
        ("dumpsys deviceidle step light", "Stepped to light: INACTIVE"),
        ("cmd deviceidle whitelist +toy.app; dumpsys deviceidle | grep toy", "Added: toy.app\n    toy.app"),
        (
            "cmd deviceidle force-idle; cmd deviceidle unforce | tail -1",
            "Now forced in to deep idle mode\nLight state: ACTIVE, deep state: ACTIVE",
        ),
        # GraphicsBinder / JankTracker::dump, BatteryStats.dumpLocked, AppOpsService.dump
        ("dumpsys gfxinfo toy.app | grep Total.frames", r"Total frames rendered: \d+"),
        (
            "dumpsys gfxinfo toy.app reset >/dev/null; dumpsys gfxinfo toy.app | grep Total.frames",
            "Total frames rendered: 0",
        ),
        ("dumpsys gfxinfo toy.app framestats | grep -c PROFILEDATA", "2"),
        ("dumpsys gfxinfo nope", "No process found for: nope"),
        ("dumpsys batterystats --reset", "Battery stats and history reset."),
        ("dumpsys batterystats toy.app | grep Proc", "    Proc toy.app:"),
        ("dumpsys batterystats --checkin | head -1 | cut -c-11", "9,0,i,vers,"),
        ("appops set toy.app CAMERA deny; dumpsys appops | grep CAMERA", r"      CAMERA \(deny\): "),
        # UserUsageStatsService.dump, RoleManagerService.dump
        ("dumpsys usagestats | grep -c 'ACTIVITY_RESUMED package=toy.app class=toy.app.Main'", "1"),
        ("dumpsys role | grep -A3 role.HOME | tail -1 | tr -d ' '", "toy.home"),
        ("dumpsys trust | grep -o 'deviceLocked=.'", "deviceLocked=0"),
        ("dumpsys diskstats | grep Data-Free", r"Data-Free: \d+K / \d+K total = 44% free"),
        ("dumpsys --pid window", "1000"),
    ],
)
def test_state(phone: Phone, line: str, shown: str) -> None:
    out, err, _ = on_phone(line, phone=phone)
    assert err == ""
    pattern = shown if "\\" in shown else re.escape(shown)
    assert re.fullmatch(pattern + r"\n?", out), out


def test_a_call_rings(phone: Phone) -> None:
    """``TelephonyRegistry``: state 1 is ``TelephonyManager.CALL_STATE_RINGING``."""
    phone.network.calls.ring("5551234")
    out = on_phone("dumpsys telephony.registry; dumpsys telecom", phone=phone)[0]
    assert "    mCallState=1\n" in out
    assert "    mCallIncomingNumber=5551234\n" in out
    assert "state=RINGING" in out


def test_an_outgoing_call_is_off_the_hook() -> None:
    """``TelephonyManager.CALL_STATE_OFFHOOK``, ``CallsManager.dump``; the dialler ends the call."""
    robot = SystemRobot()
    robot.start(action="android.intent.action.CALL", data="tel:5551234")
    dump = "dumpsys telephony.registry | grep -oE 'm(Ringing|Foreground|Background)?CallState=.'"
    assert on_phone(dump, phone=robot.phone)[0].split() == [
        *("mCallState=2", "mRingingCallState=0", "mForegroundCallState=3", "mBackgroundCallState=0")
    ]
    telecom = on_phone("dumpsys telecom", phone=robot.phone)[0]
    assert "state=DIALING, tpac=com.android.phone, cmgr=null, handle=tel:5551234, outgoing" in telecom
    robot.phone.network.calls.accept("5551234")
    robot.phone.changed()
    assert robot.texts("contactgrid_status_text") == ["Ongoing call"]
    robot.tap("incall_end_call")
    assert on_phone(dump, phone=robot.phone)[0].split()[0] == "mCallState=0"
    assert on_phone("dumpsys telecom | grep -c state=", phone=robot.phone)[0] == "0\n"


def test_alarms_of_the_clock_are_pending() -> None:
    """``AlarmManagerService.dumpImpl``; the phone's time is 09:41, so 08:30 rings tomorrow."""
    robot = SystemRobot()
    dump = "dumpsys alarm | grep -E 'pending alarms:|pendingSend|Next wakeup'"
    before = on_phone(dump, phone=robot.phone)[0]
    extras = {"android.intent.extra.alarm.HOUR": 10, "android.intent.extra.alarm.MINUTES": 0}
    robot.start(action="android.intent.action.SET_ALARM", extras=extras)
    assert "Today" in robot.texts("days_of_week")
    after = on_phone(dump, phone=robot.phone)[0]
    assert (
        int(after.rsplit("pending", 1)[0].split()[-1]) == int(before.rsplit("pending", 1)[0].split()[-1]) + 1
    )
    assert "= 2024-05-20 10:00:00 = +18m" in after


def test_until_android_5_the_registry_has_no_section_per_sim() -> None:
    out = on_phone("dumpsys telephony.registry", profile="android-19")[0]
    assert out.startswith("last known state:\n  mCallState=0\n")
