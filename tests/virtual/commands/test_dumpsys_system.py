"""Dumps of the smaller services and of networks; the source of each is the AOSP class named next to it."""

from __future__ import annotations

import pytest

from garabench.virtual.android.phone import Phone
from tests.virtual.android import toys
from tests.virtual.shell.harness import on_phone


@pytest.fixture
def phone() -> Phone:
    device = toys.phone()
    toys.start(device)
    return device


@pytest.mark.parametrize(
    ("line", "shown"),
    [
        # NetworkStatsService.dump, and /proc/net/dev
        ("dumpsys netstats | sed -n 2p | cut -d' ' -f3", "iface=wlan0"),
        ("svc wifi disable; svc data enable; dumpsys netstats | sed -n 2p | cut -d' ' -f3", "iface=rmnet0"),
        (
            "test $(dumpsys netstats | grep -o 'rb=[0-9]*' | head -1 | cut -c4-) = "
            "$(grep wlan0 /proc/net/dev | awk '{print $2}') && echo same",
            "same",
        ),
        # NetworkPolicyManagerService.dump
        (
            "settings put global low_power 1; dumpsys netpolicy | grep Restrict.power",
            "Restrict power: true",
        ),
        ("dumpsys netpolicy | grep -c procState=TOP", "1"),
        # DnsResolver.cpp, WifiP2pServiceImpl.dump, WifiScanningServiceImpl.dump
        ("dumpsys dnsresolver | head -1", "NetId: 100"),
        ("svc wifi disable; svc data disable; dumpsys dnsresolver", ""),
        ("svc wifi disable; dumpsys wifip2p | grep curState", "curState=P2pDisabledState"),
        ("dumpsys wifiscanner | grep -o VirtualWifi", "VirtualWifi"),
        ("svc wifi disable; dumpsys wifiscanner | grep -c VirtualWifi", "0"),
        # AdbService.dump
        ("dumpsys adb | grep adb_enabled", "  adb_enabled=true"),
        ("settings put global adb_enabled 0; dumpsys adb | grep adb_enabled", "  adb_enabled=false"),
        # ActivityTaskManagerService.dump
        ("dumpsys activity_task | grep -c 'topResumedActivity=.*toy.app'", "1"),
        # BackupManagerService, AutofillManagerService, VoiceInteractionManagerService
        (
            "settings put secure backup_enabled 1; dumpsys backup | head -1 | cut -d/ -f1",
            "Backup Manager is enabled ",
        ),
        (
            "settings put secure autofill_service a.b/.C; dumpsys autofill | grep Service:",
            "  Service: a.b/.C",
        ),
        # ColorDisplayService.dumpInternal
        (
            "settings put secure night_display_activated 1; dumpsys color_display | grep Activated",
            "    Activated: true",
        ),
        # SyncManager.dump
        ("svc wifi disable; svc data disable; dumpsys content | head -1", "Data connected: false"),
        # DeviceConfigService, DropBoxManagerService.dump
        ("cmd device_config put a b 1; dumpsys device_config | tail -1", "  a/b=1"),
        ("dumpsys dropbox | grep -o SYSTEM_BOOT", "SYSTEM_BOOT"),
        (
            "am crash toy.app; dumpsys dropbox data_app_crash | grep -c 'data_app_crash (text'",
            "1",
        ),
        ("dumpsys dropbox nothing | tail -1", "(No entries found.)"),
        # GpuService, GraphicsStatsService
        ("dumpsys gpu | grep toy.app", "appPackageName = toy.app"),
        ("dumpsys graphicsstats | grep -c 'Package: toy.app'", "1"),
        # LightsService.dump: the light is off while the screen is
        ("input keyevent SLEEP; dumpsys lights | grep -o 'color=.*'", "color=ff000000"),
        # LocaleManagerService
        (
            "cmd locale set-app-locales toy.app --locales fr-FR; dumpsys locale | tail -1",
            "  toy.app: [fr-FR]",
        ),
        # AudioFlinger::dump
        (
            "media volume --stream 3 --set 4 >/dev/null; dumpsys media.audio_flinger | "
            "awk '/^MUSIC/{print $2}'",
            "4",
        ),
        # TimeDetectorService, TimeZoneDetectorService
        (
            "cmd alarm set-timezone Asia/Tokyo >/dev/null; dumpsys time_zone_detector | "
            "grep -o 'DeviceTimeZone.*'",
            "DeviceTimeZone()=Asia/Tokyo",
        ),
        (
            "settings put global auto_time 0; dumpsys time_detector | grep -o 'EnabledSetting=[a-z]*'",
            "EnabledSetting=false",
        ),
        # UsbService.dump
        ("dumpsys battery unplug; dumpsys usb | grep ' connected'", "      connected=false"),
        # TextServicesManagerService
        (
            "settings put secure spell_checker_enabled 0; dumpsys textservices | "
            "grep -o 'CheckerEnabled=[a-z]*'",
            "CheckerEnabled=false",
        ),
        # ActivityThread.dumpMemInfoTable
        ("dumpsys meminfo toy.app | grep -o 'Activities: *1'", "Activities:        1"),
        ("dumpsys meminfo toy.app | awk '/TOTAL PSS/{print $3}'", "90000"),
    ],
)
def test_state(phone: Phone, line: str, shown: str) -> None:
    out, err, _ = on_phone(line, phone=phone)
    assert err == ""
    assert out.removesuffix("\n") == shown
