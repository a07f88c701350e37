"""Decide what is wrong with a device; pure."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from shlex import quote
from types import MappingProxyType

from garabench.core.campaign_events import Symptom
from garabench.device.health import TRIM_CACHES, find_problems
from garabench.doctor.device_reading import AppReading, DeviceReading
from garabench.doctor.finding import DoctorFinding, Status, passed

MAX_CLOCK_OFFSET = 300.0
"""Seconds; beyond, signed requests of apps are refused."""
_MIN_SCREEN_MS = 600_000
_SCALES = ("window_animation_scale", "transition_animation_scale", "animator_duration_scale")
_OURS = ("com.github.uiautomator/.AdbKeyboard", "com.android.adbkeyboard/.AdbIME")
_HINTS = {
    Symptom.BOOTING: "wait until it has booted; else {adb} -s {serial} reboot",
    Symptom.LOCKED: "set the screen lock to None or Swipe in the device's security settings",
    Symptom.DIALOG: "{adb} -s {serial} shell am broadcast -a android.intent.action.CLOSE_SYSTEM_DIALOGS",
    Symptom.COVERED: "answer the prompt on the device",
    Symptom.NO_FOCUS: "{adb} -s {serial} shell input keyevent HOME",
    Symptom.EMPTY_TREE: "{adb} -s {serial} reboot",
    Symptom.U2_FAILED: "{adb} -s {serial} shell pkill -f com.wetest.uia2.Main",
    Symptom.LOW_STORAGE: "{adb} -s {serial} shell " + TRIM_CACHES,
    Symptom.WRONG_TIME: "{adb} -s {serial} shell settings put global auto_time 1; "
    "{adb} -s {serial} shell cmd alarm set-time $(date +%s)000",
    Symptom.NO_NETWORK: "{adb} -s {serial} shell svc wifi enable",
    Symptom.SLOW_ADB: "connect the device to another port or hub, or restart it",
    Symptom.UNREACHABLE: "{adb} -s {serial} reconnect",
}
_MAX_SHOWN = 5
_TOLERATED = frozenset({Symptom.U2_FAILED, Symptom.SLOW_ADB, Symptom.NO_NETWORK})


def check_device_reading(
    device: DeviceReading,
    languages: Collection[str],
    *,
    real_time: bool,
    without: Mapping[str, str] = MappingProxyType({}),
) -> Iterator[DoctorFinding]:
    """Yield a finding per check of a device.

    Args:
        device: What was read.
        languages: The languages of the suite's instructions.
        real_time: Whether its clock, animations and screen timeout follow the real time.
        without: The selector of the planned tasks without those of an app, by its package; none for an app of
            which all tasks are.
    """
    yield from _health(device)
    yield _developer_options(device)
    yield _input(device)
    yield _rivals(device)
    yield _keyboard(device)
    yield _locale(device, languages)
    if real_time:
        yield _screen(device)
        yield _animations(device)
        yield _clock(device)
    else:
        for name in ("screen", "animations", "clock"):
            yield passed(name, device.serial, "does not apply to a virtual phone")
    for app, reading in device.apps.items():
        yield _app(device.serial, app, reading, device.adb, without.get(app, ""))


def _health(device: DeviceReading) -> Iterator[DoctorFinding]:
    problems = find_problems(device.health, had_network=device.had_network)
    for each in problems:
        status = Status.WARN if each.symptom in _TOLERATED else Status.FAIL
        hint = _HINTS[each.symptom].format(adb=device.adb, serial=device.serial)
        name = each.symptom.value.replace("_", "-")
        fix = _clock_fix(device) if each.symptom is Symptom.WRONG_TIME else ()
        yield DoctorFinding(name, device.serial, status, each.detail, hint, fix)
    if not problems:
        free = device.health.free_bytes
        room = "" if free is None else f", {free // 1024**2} MB free"
        yield passed("health", device.serial, f"booted, unlocked, UI tree readable{room}")


def _clock_fix(device: DeviceReading) -> tuple[tuple[str, ...], ...]:
    """Return commands that set the clock from the network, and at once to this computer's time."""
    commands: tuple[tuple[str, ...], ...] = (("settings", "put", "global", "auto_time", "1"),)
    if device.health.time is not None and device.clock_offset is not None:
        now = round((device.health.time - device.clock_offset) * 1000)
        commands += (("cmd", "alarm", "set-time", str(now)),)
    return commands


def _developer_options(device: DeviceReading) -> DoctorFinding:
    value = device.settings.get("global/development_settings_enabled", "null")
    if value == "0":
        return DoctorFinding(
            "developer-options",
            device.serial,
            Status.WARN,
            "developer options are off: Android then ignores some of them, and may end USB debugging",
            f"{device.adb} -s {device.serial} shell settings put global development_settings_enabled 1",
            (("settings", "put", "global", "development_settings_enabled", "1"),),
        )
    return passed("developer-options", device.serial, "on" if value == "1" else "adb works")


def _input(device: DeviceReading) -> DoctorFinding:
    if device.input_error or (device.miui and device.input_switch == "0"):
        return DoctorFinding(
            "input",
            device.serial,
            Status.FAIL,
            device.input_error or f"MIUI {device.miui} does not let adb press keys or touch the screen",
            "on the phone: Developer options > USB debugging (Security settings) > on"
            if device.miui
            else "on the phone: Developer options > Disable permission monitoring > on",
        )
    return passed("input", device.serial, "adb may press keys")


def _rivals(device: DeviceReading) -> DoctorFinding:
    if device.rivals:
        name = device.rivals[0].removesuffix(".test")
        return DoctorFinding(
            "u2-conflict",
            device.serial,
            Status.WARN,
            f"{', '.join(device.rivals)} runs: only one program at a time can read the UI tree",
            f"{device.adb} -s {device.serial} shell am force-stop {name}",
        )
    return passed("u2-conflict", device.serial, "no other program reads the UI tree")


def _keyboard(device: DeviceReading) -> DoctorFinding:
    current = device.settings.get("secure/default_input_method", "")
    if not device.input_methods:
        return DoctorFinding(
            "keyboard",
            device.serial,
            Status.FAIL,
            "no keyboard is enabled",
            f"{device.adb} -s {device.serial} shell ime reset",
        )
    others = [name for name in device.input_methods if name not in _OURS]
    if current in _OURS and others:
        return DoctorFinding(
            "keyboard",
            device.serial,
            Status.WARN,
            f"{current} is still selected, as after a killed program",
            f"{device.adb} -s {device.serial} shell ime set {others[0]}",
            (("ime", "set", others[0]),),
        )
    return passed("keyboard", device.serial, current or device.input_methods[0])


def _locale(device: DeviceReading, languages: Collection[str]) -> DoctorFinding:
    if languages and device.language not in languages:
        return DoctorFinding(
            "locale",
            device.serial,
            Status.WARN,
            f"the device's language is {device.language}; the suite has {', '.join(sorted(languages))}, so "
            "instructions are in another language than the apps",
            f"{device.adb} -s {device.serial} shell am start -a android.settings.LOCALE_SETTINGS",
        )
    return passed("locale", device.serial, device.language)


def _screen(device: DeviceReading) -> DoctorFinding:
    on = device.settings.get("global/stay_on_while_plugged_in", "null")
    timeout = device.settings.get("system/screen_off_timeout", "null")
    if on in ("0", "null") and not (timeout.isdecimal() and int(timeout) >= _MIN_SCREEN_MS):
        return DoctorFinding(
            "screen",
            device.serial,
            Status.WARN,
            f"the screen goes off after {_seconds(timeout)}, also while charging",
            f"{device.adb} -s {device.serial} shell svc power stayon true",
            (("svc", "power", "stayon", "true"),),
        )
    return passed("screen", device.serial, "it stays on")


def _seconds(timeout: str) -> str:
    return f"{int(timeout) // 1000} s" if timeout.isdecimal() else "a while"


def _animations(device: DeviceReading) -> DoctorFinding:
    on = [name for name in _SCALES if device.settings.get(f"global/{name}", "null") not in ("0", "0.0")]
    if on:
        return DoctorFinding(
            "animations",
            device.serial,
            Status.WARN,
            "animations are on: each step waits for them",
            "; ".join(f"{device.adb} -s {device.serial} shell settings put global {name} 0" for name in on),
            tuple(("settings", "put", "global", name, "0") for name in on),
        )
    return passed("animations", device.serial, "off")


def _clock(device: DeviceReading) -> DoctorFinding:
    offset = device.clock_offset
    if offset is not None and abs(offset) > MAX_CLOCK_OFFSET:
        where = "ahead of" if offset > 0 else "behind"
        return DoctorFinding(
            "clock",
            device.serial,
            Status.WARN,
            f"its clock is {abs(offset):.0f} s {where} this computer's: apps may refuse to connect",
            f"{device.adb} -s {device.serial} shell settings put global auto_time 1",
            (("settings", "put", "global", "auto_time", "1"),),
        )
    return passed("clock", device.serial, "unknown" if offset is None else f"within {abs(offset):.0f} s")


def _app(serial: str, app: str, reading: AppReading, adb: str, without: str) -> DoctorFinding:
    name = f"app {app}"
    version = f"version {reading.version or 'unknown'}"
    other_version = bool(reading.made_for and reading.version) and reading.made_for != reading.version
    if other_version:
        version += f" (its tasks were made for {reading.made_for})"
    if not reading.installed:
        return DoctorFinding(
            name,
            serial,
            Status.FAIL,
            "it is not installed"
            + (f"; its tasks were made for {reading.made_for}" if reading.made_for else ""),
            f"{adb} -s {serial} install PATH_OF_ITS_APK"
            + (f"   # or run without it: --tasks {quote(without)}" if without else ""),
        )
    if reading.disabled:
        return DoctorFinding(
            name,
            serial,
            Status.FAIL,
            f"{version}: it is disabled",
            f"{adb} -s {serial} shell pm enable {app}",
        )
    if reading.problem:
        return DoctorFinding(
            name,
            serial,
            Status.WARN,
            f"{version}: {reading.problem}",
            # Quoted for both shells, this computer's and the device's.
            f"{adb} -s {serial} shell am start -n {quote(quote(reading.launcher))}   # and look"
            if reading.launcher
            else f"garabench device screenshot {serial} screen.png   # and look",
        )
    if reading.missing and not reading.found:
        return DoctorFinding(
            name,
            serial,
            Status.WARN,
            f"{version}: none of the elements with which its tasks begin is on its first screen "
            f"({_some(reading.missing)}): another version, or a page such as a login covers it",
            f"install a version with these elements, or log in; then garabench device dump {serial}",
        )
    total = len(reading.found) + len(reading.missing)
    if total:
        shown = f"{len(reading.found)} of {total} elements with which its tasks begin are on its first screen"
    elif reading.opened:
        shown = "it opens; none of its tasks begins with an element, so no more was checked"
    else:
        shown = "not opened, so its first screen was not checked"
    if reading.missing:  # no warning: a task may begin on another screen
        shown += f", without {_some(reading.missing)}"
    if other_version:
        return DoctorFinding(
            name,
            serial,
            Status.WARN,
            f"{version}; {shown}",
            f"install version {reading.made_for}, or try its tasks: garabench device dump {serial}",
        )
    return passed(name, serial, f"{version}; {shown}")


def _some(elements: Sequence[str]) -> str:
    more = len(elements) - _MAX_SHOWN
    return ", ".join(elements[:_MAX_SHOWN]) + (f" and {more} more" if more > 0 else "")
