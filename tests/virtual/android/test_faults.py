from __future__ import annotations

import pytest

from garabench.device.foreground import parse_foreground
from garabench.errors import InputError
from garabench.virtual.android.faults import KNOWN, Faults
from garabench.virtual.android.input_dispatcher import ANR_TIMEOUT_MS
from garabench.virtual.android.phone import Phone
from garabench.virtual.commands import dumpsys_windows
from garabench.virtual.ui.dump import uiautomator_xml
from tests.cases import every_case
from tests.virtual.android.toys import PKG, focus_title, main_of, nodes, phone, start, tap, trace


@pytest.fixture
def device() -> Phone:
    device = phone(lang="en")
    start(device)
    return device


@every_case("name", sorted(KNOWN))
def test_each_fault_is_switched_by_name(name: str) -> None:
    faults, notified = Faults(), list[tuple[str, bool]]()
    faults.watch(lambda fault, on: notified.append((fault, on)))
    assert faults.active(name) is None
    faults.enable(name, ms=7)
    assert faults.active(name) in (None, {"ms": 7})  # one-shot faults are over at once
    faults.disable(name)
    faults.disable(name)
    assert faults.active(name) is None
    assert notified == [(name, True), (name, False), (name, False)]


def test_an_unknown_fault_suggests_the_nearest_name() -> None:
    with pytest.raises(InputError, match="slow-dmp") as caught:
        Faults().enable("slow-dmp")
    assert "slow-dump" in str(caught.value.hint)
    with pytest.raises(InputError):
        Faults().disable("nope")


def test_the_animation_fault_changes_tree_and_image_over_time(device: Phone) -> None:
    calm = uiautomator_xml(device.scene())
    device.faults.enable("animation", ms=50)
    first, image = uiautomator_xml(device.scene()), device.frame().png()
    assert device.frame().png() is image
    assert device.scene() is device.scene()
    device.clock.advance(50)
    assert uiautomator_xml(device.scene()) != first
    assert device.frame().png() != image
    tap(device, text="count 0")
    assert main_of(device).count == 1
    main_of(device).count = 0
    device.faults.disable("animation")
    assert uiautomator_xml(device.scene()) == calm


def test_an_unrequested_keyboard_can_be_closed(device: Phone) -> None:
    before = nodes(device, resource_id=f"{PKG}:id/row")
    device.faults.enable("keyboard-up")
    after = nodes(device, resource_id=f"{PKG}:id/row")
    assert device.ime.shown
    assert len(after) < len(before)
    device.press_back()
    assert len(nodes(device, resource_id=f"{PKG}:id/row")) == len(before)
    assert not device.ime.shown
    start(device, "Single")
    device.scene()
    assert not device.ime.shown  # without a text field


def test_an_app_that_does_not_respond(device: Phone) -> None:
    device.faults.enable("not-responding")
    trace(device)
    tap(device, text="count 0")
    tap(device, text="count 0")
    device.input.swipe(500, 1800, 500, 1000)
    assert main_of(device).count == 0
    device.clock.advance(ANR_TIMEOUT_MS - 1)
    assert focus_title(device) == f"{PKG}/{PKG}.Main"
    device.clock.advance(1)
    assert focus_title(device) == f"Application Not Responding: {PKG}"
    assert nodes(device, text="Toy isn't responding")
    device.press_back()
    assert nodes(device, text="Toy isn't responding"), "Android's dialog cannot be cancelled"
    tap(device, resource_id="android:id/aerr_wait")
    assert focus_title(device) == f"{PKG}/{PKG}.Main"
    tap(device, text="count 0")
    device.clock.advance(ANR_TIMEOUT_MS)
    device.faults.disable("not-responding")
    assert focus_title(device) == f"{PKG}/{PKG}.Main"
    tap(device, text="count 0")
    assert main_of(device).count == 1
    assert trace(device) == []


def test_the_system_responds_while_an_app_does_not(device: Phone) -> None:
    device.faults.enable("not-responding")
    tap(device, text="count 0")
    device.press_home()
    assert device.activities.focused_app == "toy.home/.Home"
    device.clock.advance(ANR_TIMEOUT_MS)
    tap(device, resource_id="android:id/aerr_close")
    assert device.processes.pidof(PKG) is None
    assert focus_title(device) == "toy.home/toy.home.Home"


def test_the_anr_dialog_of_android_4_4() -> None:
    old = phone("android-19", lang="en")
    start(old)
    old.faults.enable("not-responding")
    tap(old, text="count 0")
    old.clock.advance(ANR_TIMEOUT_MS)
    assert nodes(old, text="Toy isn't responding. Do you want to close it?")
    tap(old, resource_id="android:id/button1")
    assert old.processes.pidof(PKG) is None


@pytest.mark.parametrize(
    ("name", "title", "secure"),
    [
        ("dialog-on-top", "Application Error: com.android.phone", False),
        ("secure-screen", "BiometricPrompt", True),
    ],
)
def test_faults_that_cover_every_app(device: Phone, name: str, title: str, secure: bool) -> None:
    device.faults.enable(name)
    window = device.scene().focus
    assert window is not None
    assert (window.title, window.secure) == (title, secure)
    front = parse_foreground(dumpsys_windows.window(device, []), dumpsys_windows.activity(device, []))
    assert (front.title, front.secure) == (title, secure)
    assert front.resumed is not None
    assert front.resumed.package == PKG
    device.press_back()
    for node in window.root.walk():
        if node.clickable:
            device.input.tap(node.visible.center.x, node.visible.center.y)
    assert focus_title(device) == title
    device.faults.disable(name)
    assert focus_title(device) != title
