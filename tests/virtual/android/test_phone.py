from __future__ import annotations

import asyncio

import pytest

from garabench.core.geometry import Size
from garabench.errors import InputError
from garabench.virtual.android.device_profile import PROFILES, Profile
from garabench.virtual.android.faults import Faults
from garabench.virtual.android.log_buffer import CAPACITY, LogEntry
from garabench.virtual.android.phone_clock import START, Latency, PhoneClock
from garabench.virtual.android.system_properties import build_properties
from garabench.virtual.kit.framework import Intent
from tests.virtual.android.toys import CAMERA, HOME, PKG, main_of, phone, start, tap


def test_instant_latency_advances_by_the_cost_of_commands() -> None:
    clock = PhoneClock(Latency.INSTANT)
    ran: list[tuple[str, int]] = []
    clock.after(300, lambda: ran.append(("late", clock.now_ms())))
    clock.after(100, lambda: ran.append(("early", clock.now_ms())))

    def again() -> None:
        clock.after(50, lambda: ran.append(("inner", clock.now_ms())))

    clock.after(100, again)
    clock.after(200, lambda: ran.append(("never", 0))).cancel()
    asyncio.run(clock.spend(250))
    assert ran == [("early", 100), ("inner", 150)]
    asyncio.run(clock.spend(50))
    assert ran[-1] == ("late", 300)
    assert (clock.wall() - START).total_seconds() == 0.3


def test_phone_latency_follows_real_time() -> None:
    now = [10.0]
    clock = PhoneClock(Latency.PHONE, monotonic=lambda: now[0])
    ran: list[int] = []
    clock.after(1500, lambda: ran.append(clock.now_ms()))
    now[0] = 11.0
    clock.catch_up()
    assert (clock.now_ms(), ran) == (1000, [])
    now[0] = 12.0
    clock.catch_up()
    assert (clock.now_ms(), ran) == (2000, [1500])


def test_profiles_are_parsed_with_a_size() -> None:
    assert Profile.parse("android-30") == PROFILES["android-30"]
    large = Profile.parse("android-34:1440x3120")
    assert (large.size, large.density, large.sdk) == (Size(1440, 3120), 560, 34)
    assert build_properties(large, emulator=False)["ro.sf.lcd_density"] == "560"
    with pytest.raises(InputError, match="android-3"):
        Profile.parse("android-3")
    with pytest.raises(InputError, match="1080x1"):
        Profile.parse("android-34:1080x1")


def test_android_4_4_lacks_newer_features() -> None:
    old, new = PROFILES["android-19"], PROFILES["android-34"]
    assert (old.shell_v2, old.has_cmd, old.crlf) == (False, False, True)
    assert (new.shell_v2, new.has_cmd, new.crlf) == (True, True, False)


def test_faults_are_known_by_name() -> None:
    faults = Faults()
    assert faults.active("slow-dump") is None
    faults.enable("slow-dump", ms=700)
    assert faults.active("slow-dump") == {"ms": 700}
    faults.disable("slow-dump")
    assert faults.active("slow-dump") is None
    for act in (faults.enable, faults.disable):
        with pytest.raises(InputError, match="slow-dum"):
            act("slow-dum")
    assert all(text for text in faults.known().values())


def test_settings_observers_are_notified_of_changes_only() -> None:
    settings = phone().settings
    observed: list[str | None] = []
    settings.observe("system", "screen_brightness", observed.append)
    settings.put("system", "screen_brightness", "128")  # unchanged
    settings.put("system", "screen_brightness", "10")
    assert settings.delete("system", "screen_brightness")
    assert not settings.delete("system", "screen_brightness")
    assert observed == ["10", None]
    assert settings.get("global", "nothing") is None
    assert settings.get("global", "device_provisioned") == "1"
    assert list(settings.list("secure")) == sorted(settings.list("secure"))
    with pytest.raises(KeyError):
        settings.get("nowhere", "x")


def test_the_log_is_read_followed_and_cleared() -> None:
    log = phone().logcat
    log.clear()
    observed: list[LogEntry] = []
    leave = log.subscribe(observed.append)
    log.write("I", "Tag", "one\ntwo", pid=7)
    leave()
    log.write("W", "Tag", "three", pid=7, tid=8)
    assert [entry.message for entry in log.read()] == ["one", "two", "three"]
    assert [entry.message for entry in observed] == ["one", "two"]
    newest = log.read()[-1]
    assert (newest.level, newest.pid, newest.tid) == ("W", 7, 8)
    assert [entry.message for entry in log.read(after=observed[0].number)] == ["two", "three"]
    for number in range(CAPACITY):
        log.write("D", "Flood", str(number), pid=1)
    assert len(log.read()) == CAPACITY
    log.clear()
    assert log.read() == ()


def test_the_network_follows_its_switches() -> None:
    device = phone()
    network = device.network
    assert network.online
    network.wifi = False
    assert not network.online  # mobile data is off
    network.mobile_data = True
    assert network.online
    network.airplane = True
    assert not network.online
    network.wifi = True  # Wi-Fi can be switched on in airplane mode
    assert network.online
    network.wifi = network.airplane = network.mobile_data = False
    assert not network.online
    assert device.settings.get("global", "mobile_data") == "0"


@pytest.mark.parametrize(("meanwhile", "after"), [(None, True), (False, False), (True, True)])
def test_airplane_mode_turns_wifi_off_and_back_on(meanwhile: bool | None, after: bool) -> None:
    device = phone()
    device.network.airplane = True
    assert (device.network.wifi, device.network.online) == (False, False)
    assert device.settings.get("global", "wifi_on") == "3"
    if meanwhile is not None:
        device.network.wifi = meanwhile
    device.network.airplane = False
    assert device.network.wifi is after


def test_the_battery_is_overridden_until_it_is_reset() -> None:
    device = phone()
    device.battery.level, device.battery.plugged = 9, False
    device.battery.saver = True
    assert device.settings.get("global", "low_power") == "1"
    device.battery.reset()
    assert (device.battery.level, device.battery.plugged) == (85, True)


def test_the_same_seed_gives_the_same_phone() -> None:
    def story(seed: int) -> tuple[list[tuple[str, str, int]], str, float]:
        device = phone(seed=seed)
        start(device)
        tap(device, resource_id=f"{PKG}:id/count")
        front = main_of(device)
        log = [(entry.tag, entry.message, entry.pid) for entry in device.logcat.read()]
        return log, device.frame().image.tobytes().hex(), front.ctx.random("x", 1).random()

    assert story(3) == story(3)
    assert story(3)[2] != story(4)[2]


def test_a_reset_restores_the_state_after_boot() -> None:
    device = phone()
    fresh = device.frame().image.tobytes()
    observed: list[LogEntry] = []
    device.logcat.subscribe(observed.append)
    version = device.version
    start(device)
    main_of(device).ctx.data["kept"] = True
    main_of(device).ctx.after(100, main_of(device).add)
    device.settings.put("system", "user_rotation", "1")
    device.packages.grant(PKG, CAMERA)
    device.clock.advance(120_000)
    device.reset()
    installed = device.packages.get(PKG)
    assert installed is not None
    assert (installed.data, installed.granted) == ({"trace": []}, set())
    assert device.frame().image.tobytes() == fresh
    assert device.version > version
    assert device.clock.now_ms() == 0
    assert device.activities.focused_app == f"{HOME}/.Home"
    device.clock.advance(1000)
    before = len(observed)
    start(device)
    assert len(observed) > before  # log subscribers are still notified


def test_a_snapshot_restores_the_persistent_state() -> None:
    device = phone()
    start(device)
    main_of(device).ctx.data["likes"] = [1]
    device.settings.put("global", "wifi_on", "0")
    device.notifications.post(PKG, "news", "t", "x")
    snapshot = device.snapshot()
    main_of(device).ctx.data["likes"].append(2)
    device.settings.put("global", "wifi_on", "1")
    device.settings.put("global", "added", "1")
    device.packages.grant(PKG, CAMERA)
    device.packages.uninstall("toy.other")
    device.notifications.cancel_all()
    device.lang = "en"
    for _ in range(2):  # it can be restored more than once
        device.restore(snapshot)
        assert device.activities.focused_app == f"{HOME}/.Home"
        installed = device.packages.get(PKG)
        assert installed is not None
        assert installed.data["likes"] == [1]
        assert installed.granted == set()
        assert device.packages.get("toy.other") is not None
        assert not device.network.wifi
        assert device.settings.get("global", "added") is None
        assert [note.title for note in device.notifications.active()] == ["t"]
        assert device.lang == "zh"
        installed.data["likes"].append(3)


def test_an_unsupported_language_is_rejected() -> None:
    device = phone()
    device.lang = "en"
    assert device.label(PKG) == "Toy"
    assert device.label("no.such") == "no.such"
    with pytest.raises(ValueError, match="fr"):
        device.lang = "fr"


def test_an_unchanged_screen_is_composed_once() -> None:
    device = phone()
    start(device)
    device.scene()
    spent = device.clock.now_ms()
    for _ in range(20):
        tap(device, resource_id=f"{PKG}:id/count")
    assert main_of(device).count == 20
    assert (
        device.clock.now_ms() == spent
    )  # touches take no time themselves; the command that sends them spends it


def test_notifications_are_cancelled_by_package() -> None:
    device = phone()
    first = device.notifications.post(PKG, "a", "one", "")
    device.notifications.post(HOME, "a", "two", "", Intent(package=PKG))
    device.notifications.post(PKG, "a", "three", "")
    assert [note.title for note in device.notifications.active()] == ["three", "two", "one"]
    device.notifications.cancel(first.number)
    device.notifications.cancel_all(PKG)
    assert [note.title for note in device.notifications.active()] == ["two"]
    device.notifications.cancel_all()
    assert device.notifications.active() == ()
