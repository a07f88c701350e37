"""``su`` on phones whose shell may become root, and processes that it stops.

Sources: AOSP ``system/extras/su/su.cpp``, ``signal(7)``, ``InputDispatcher.cpp`` (a key or touch that an app
has not handled within five seconds leads to an ANR), ``AnrHelper.java``.
"""

from __future__ import annotations

import pytest

from garabench.virtual.android.device_profile import Profile
from garabench.virtual.android.input_dispatcher import ANR_TIMEOUT_MS
from garabench.virtual.android.keycodes import KeyCode
from garabench.virtual.android.phone import Phone
from tests.virtual.android.toys import PKG, focus_title, front, main_of, node, start, tap, toys
from tests.virtual.shell.harness import on_phone

APP, ASKS = f"{PKG}/{PKG}.Main", f"Application Not Responding: {PKG}"


@pytest.fixture
def device() -> Phone:
    found = Phone(Profile.parse("android-34"), apps=toys(), lang="en", strict=True, rooted=True)
    start(found)
    return found


def pid(device: Phone) -> int:
    found = device.processes.pidof(PKG)
    assert found is not None
    return found


def stop(device: Phone, signal: str = "-19") -> None:
    assert on_phone(f"su 0 kill {signal} {pid(device)}", phone=device) == ("", "", 0)


def test_su_runs_commands_as_root(device: Phone) -> None:
    assert on_phone("su 0 id -u", phone=device)[0] == "0\n"
    assert on_phone("su root whoami; su 0 id", phone=device)[0].startswith("root\nuid=0(root) ")
    assert on_phone("su 0 echo one two", phone=device)[0] == "one two\n"
    assert on_phone("su 4711 id", phone=device)[1:] == ("su: invalid uid/gid '4711'\n", 1)


def test_a_phone_that_is_not_an_emulator_has_no_su() -> None:
    plain = Phone(Profile.parse("android-34"), apps=toys())
    assert on_phone("su 0 id -u", phone=plain)[2] == 127


@pytest.mark.parametrize("signal", ["-19", "-STOP", "-SIGSTOP", "-s STOP"])
def test_ps_shows_a_stopped_process(device: Phone, signal: str) -> None:
    ps = f"ps -o S= -p {pid(device)}"
    assert on_phone(ps, phone=device) == ("S\n", "", 0)
    stop(device, signal)
    assert on_phone(ps, phone=device) == ("T\n", "", 0)
    assert f" T {PKG}\n" in on_phone("ps -A", phone=device)[0]
    stop(device, "-18")
    assert on_phone(ps, phone=device) == ("S\n", "", 0)
    assert on_phone("ps -o S= -p 99", phone=device) == ("", "", 1)


@pytest.mark.parametrize(
    ("args", "message"),
    [("-19 99", "kill: 99: No such process\n"), ("-77 1", "kill: Unknown signal '77'\n")],
)
def test_signal_errors(device: Phone, args: str, message: str) -> None:
    assert on_phone(f"su 0 kill {args}", phone=device) == ("", message, 1)


def test_a_stopped_app_ignores_input_and_an_anr_dialog_follows_after_five_seconds(device: Phone) -> None:
    stop(device)
    tap(device, text="count 0")
    device.input.text("abc")
    device.press_back()
    assert main_of(device).count == 0
    device.clock.advance(ANR_TIMEOUT_MS - 1)
    assert focus_title(device) == APP
    device.clock.advance(1)
    assert focus_title(device) == ASKS
    assert f"{ASKS}}}" in on_phone("dumpsys window", phone=device)[0]
    tap(device, resource_id="android:id/aerr_wait")
    assert focus_title(device) == APP
    device.clock.advance(ANR_TIMEOUT_MS)
    assert focus_title(device) == ASKS
    tap(device, resource_id="android:id/aerr_close")
    assert device.processes.pidof(PKG) is None
    start(device)
    tap(device, text="count 0")
    assert main_of(device).count == 1


def test_a_key_press_triggers_the_anr_dialog_and_home_leaves_the_app(device: Phone) -> None:
    stop(device)
    device.input.key(KeyCode.BACK)
    device.input.key(KeyCode.HOME)
    assert focus_title(device) == "toy.home/toy.home.Home"
    device.clock.advance(ANR_TIMEOUT_MS)
    assert focus_title(device) == ASKS


def test_due_calls_of_a_stopped_app_run_once_it_continues(device: Phone) -> None:
    done: list[int] = []
    front(device).ctx.after(1000, lambda: done.append(device.clock.now_ms()))
    stop(device)
    device.clock.advance(3000)
    assert not done
    stop(device, "-18")
    device.clock.advance(200)
    assert len(done) == 1
    tap(device, text="count 0")
    assert main_of(device).count == 1
    device.clock.advance(ANR_TIMEOUT_MS)
    assert focus_title(device) == APP


def test_force_stop_ends_a_stopped_app_and_its_anr_dialog(device: Phone) -> None:
    stop(device)
    device.input.key(KeyCode.BACK)
    device.clock.advance(ANR_TIMEOUT_MS)
    on_phone(f"am force-stop {PKG}", phone=device)
    assert focus_title(device) == "toy.home/toy.home.Home"
    assert on_phone(f"pidof {PKG}", phone=device)[2] == 1


@pytest.mark.parametrize("signal", ["-9", "-TERM", ""])
def test_a_killed_app_restarts_in_a_new_process(device: Phone, signal: str) -> None:
    before = pid(device)
    tap(device, text="count 0")
    stop(device, signal)
    assert pid(device) != before
    assert focus_title(device) == APP
    assert node(device, text="count 0")
