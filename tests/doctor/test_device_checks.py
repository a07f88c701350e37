from __future__ import annotations

from dataclasses import replace

import pytest

from garabench.core.campaign_events import Symptom
from garabench.core.selector import Selector
from garabench.core.tree import parse_tree
from garabench.device.health import HealthReading
from garabench.doctor.device_checks import _HINTS, check_device_reading
from garabench.doctor.device_reading import AppReading, DeviceReading, divide_elements
from garabench.doctor.finding import DoctorFinding, Status

LATIN = "com.google.android.inputmethod.latin/.LatinIME"
WELL = DeviceReading(
    serial="s1",
    health=HealthReading(title="a/.A", free_bytes=1 << 30),
    settings={
        "system/screen_off_timeout": "30000",
        "global/stay_on_while_plugged_in": "7",
        "global/window_animation_scale": "0",
        "global/transition_animation_scale": "0.0",
        "global/animator_duration_scale": "0",
        "secure/default_input_method": LATIN,
    },
    input_methods=(LATIN,),
    clock_offset=3.0,
    apps={"com.a": AppReading("1.2", ("id=tab",), (), opened=True)},
)


def findings(device: DeviceReading, *, real_time: bool = True) -> list[DoctorFinding]:
    return list(check_device_reading(device, {"zh", "en"}, real_time=real_time))


def settings(**changed: str) -> DeviceReading:
    return replace(
        WELL, settings={**WELL.settings, **{name.replace("__", "/"): v for name, v in changed.items()}}
    )


def with_app(app: AppReading) -> DeviceReading:
    return replace(WELL, apps={"com.a": app})


def test_a_device_in_order_passes_every_check() -> None:
    assert {each.status for each in findings(WELL)} == {Status.PASS}
    assert len(findings(WELL)) == 10
    shown = {each.check: each.message for each in findings(WELL, real_time=False)}
    assert len(shown) == 10
    assert {shown[name] for name in ("screen", "animations", "clock")} == {
        "does not apply to a virtual phone"
    }


@pytest.mark.parametrize(
    ("device", "check", "status", "hint"),
    [
        (replace(WELL, health=HealthReading()), "no-focus", "fail", "input keyevent HOME"),
        (replace(WELL, input_error="needs INJECT_EVENTS"), "input", "fail", "Disable permission monitoring"),
        (replace(WELL, miui="V140", input_switch="0"), "input", "fail", "USB debugging (Security settings)"),
        (replace(WELL, rivals=("io.appium.uiautomator2.server.test",)), "u2-conflict", "warn",
         "am force-stop io.appium.uiautomator2.server"),
        (replace(WELL, input_methods=()), "keyboard", "fail", "ime reset"),
        (replace(settings(secure__default_input_method="com.android.adbkeyboard/.AdbIME"),
                 input_methods=("com.android.adbkeyboard/.AdbIME", LATIN)), "keyboard", "warn",
         f"ime set {LATIN}"),
        (replace(WELL, language="ar"), "locale", "warn", "LOCALE_SETTINGS"),
        (settings(global__stay_on_while_plugged_in="0"), "screen", "warn", "svc power stayon true"),
        (settings(global__window_animation_scale="1.0"), "animations", "warn", "window_animation_scale 0"),
        (replace(WELL, clock_offset=-4000.0), "clock", "warn", "auto_time 1"),
        (with_app(AppReading("1.2", (), ("tab",))), "app com.a", "warn", "install a version"),
        (with_app(AppReading(problem="it crashed")), "app com.a", "warn", "device screenshot s1"),
        (
            with_app(AppReading(problem="it crashed", launcher="com.a/.A$B")),
            "app com.a",
            "warn",
            """adb -s s1 shell am start -n ''"'"'com.a/.A$B'"'"''   # and look""",
        ),
        (with_app(AppReading(installed=False)), "app com.a", "fail", "adb -s s1 install PATH_OF_ITS_APK"),
        (with_app(AppReading("1.2", disabled=True)), "app com.a", "fail", "adb -s s1 shell pm enable com.a"),
        (replace(WELL, health=HealthReading(title="a/.A", free_bytes=1 << 20), adb="'/my tools/adb'"),
         "low-storage", "fail", "'/my tools/adb' -s s1 shell pm trim-caches 1G"),
        (settings(global__development_settings_enabled="0"), "developer-options", "warn",
         "put global development_settings_enabled 1"),
    ],
)  # fmt: skip
def test_what_is_wrong_has_a_command(device: DeviceReading, check: str, status: str, hint: str) -> None:
    wrong = [each for each in findings(device) if each.status is not Status.PASS]
    assert [(each.check, each.status) for each in wrong] == [(check, status)]
    assert hint in wrong[0].hint
    assert wrong[0].message


def test_only_what_is_safe_is_fixed() -> None:
    fixes = {
        each.check: each.fix
        for device in (
            settings(global__stay_on_while_plugged_in="0", global__animator_duration_scale="1"),
            replace(WELL, clock_offset=999.0, language="ar", rivals=("io.appium.uiautomator2.server",)),
        )
        for each in findings(device)
        if each.fix
    }
    assert fixes == {
        "screen": (("svc", "power", "stayon", "true"),),
        "animations": (("settings", "put", "global", "animator_duration_scale", "0"),),
        "clock": (("settings", "put", "global", "auto_time", "1"),),
    }


def test_a_clock_before_the_build_is_shown_as_a_date_and_set() -> None:
    health = replace(WELL.health, time=1_577_880_000, built=1_600_000_000)
    reading = replace(WELL, health=health, clock_offset=-1000.0)
    (wrong,) = [each for each in findings(reading, real_time=False) if each.status is not Status.PASS]
    assert (wrong.check, wrong.status) == ("wrong-time", "fail")
    assert wrong.message == "its clock says 2020-01-01 12:00 UTC, before its build"
    assert wrong.fix == (
        ("settings", "put", "global", "auto_time", "1"),
        ("cmd", "alarm", "set-time", "1577881000000"),
    )


def test_every_symptom_has_a_command() -> None:
    assert _HINTS.keys() == set(Symptom)


def test_another_version_is_named() -> None:
    device = replace(WELL, apps={"com.a": AppReading("2.0", ("tab",), (), made_for="1.2")})
    found = findings(device)[-1]
    assert "version 2.0 (its tasks were made for 1.2)" in found.message
    assert (found.status, "install version 1.2" in found.hint) == (Status.WARN, True)


def test_missing_elements_are_named() -> None:
    found = findings(with_app(AppReading("1.2", ("id=tab",), ("id=search", "text=Cart"), opened=True)))[-1]
    assert found.status is Status.PASS
    assert found.message == (
        "version 1.2; 1 of 3 elements with which its tasks begin are on its first screen, without id=search, "
        "text=Cart"
    )


def test_what_was_not_checked_of_an_app_is_said() -> None:
    opened = findings(with_app(AppReading("1.2", opened=True)))[-1].message
    assert opened == "version 1.2; it opens; none of its tasks begins with an element, so no more was checked"
    closed = findings(with_app(AppReading("1.2")))[-1].message
    assert closed == "version 1.2; not opened, so its first screen was not checked"


def test_the_tasks_without_an_app_are_selected_as_planned() -> None:
    device = with_app(AppReading(installed=False))
    found = [*check_device_reading(device, {"en"}, real_time=True, without={"com.a": "jd,-jd-cart"})][-1]
    assert found.hint.endswith("install PATH_OF_ITS_APK   # or run without it: --tasks jd,-jd-cart")


def test_elements_of_other_apps_are_not_found() -> None:
    node = '<node class="a" package="{0}" resource-id="{0}:id/tab" text="Cart" bounds="[0,0][9,9]"/>'
    tree = parse_tree(f"<hierarchy>{node.format('com.a')}{node.format('com.b')}</hierarchy>")
    elements = (Selector(id="tab"), Selector(text="Cart", package="com.b"), Selector(desc="Menu"))
    assert divide_elements(tree, "com.a", elements) == (("id=tab",), ("text=Cart package=com.b", "desc=Menu"))


def test_a_silent_device_is_reconnected_by_its_serial() -> None:
    assert _HINTS[Symptom.UNREACHABLE].format(adb="adb", serial="s1") == "adb -s s1 reconnect"
