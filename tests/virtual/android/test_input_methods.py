from __future__ import annotations

import base64

import pytest

from garabench.virtual.android.adb_keyboards import ADB_KEYBOARD, UIAUTOMATOR_KEYBOARD
from garabench.virtual.android.input_methods import LATIN
from garabench.virtual.android.installer import InstallOptions, install_apk
from garabench.virtual.android.phone import Phone
from garabench.virtual.ui.scene import WindowKind
from tests.virtual.android.test_apk import UIAUTOMATOR
from tests.virtual.android.toys import PKG, main_of, nodes, phone, start, tap


def coded(text: str) -> str:
    return base64.b64encode(text.encode()).decode()


@pytest.fixture
def device() -> Phone:
    device = phone()
    install_apk(device.packages, UIAUTOMATOR.read_bytes(), InstallOptions(test=True))
    start(device)
    tap(device, resource_id=f"{PKG}:id/query")
    return device


def use(device: Phone, identity: str) -> None:
    assert device.ime.enable(identity)
    assert device.ime.set(identity)


def test_broadcasts_type_only_while_their_keyboard_is_selected(device: Phone) -> None:
    assert device.broadcast("ADB_KEYBOARD_INPUT_TEXT", {"text": coded("稻香")}) == (0, "")
    use(device, UIAUTOMATOR_KEYBOARD)
    assert device.broadcast("ADB_KEYBOARD_INPUT_TEXT", {"text": coded("稻香 a")}) == (-1, "success")
    assert main_of(device).query == "稻香 a"
    assert device.broadcast("ADB_KEYBOARD_SET_TEXT", {"text": coded("b")})[0] == -1
    assert main_of(device).query == "b"
    assert device.broadcast("ADB_KEYBOARD_SMART_ENTER", {})[0] == -1
    assert main_of(device).submitted == "b"
    assert device.broadcast("ADB_KEYBOARD_CLEAR_TEXT", {})[0] == -1
    assert main_of(device).query == ""
    assert device.broadcast("ADB_KEYBOARD_INPUT_KEYCODE", {"code": "29"})[0] == -1
    assert main_of(device).query == "a"


def test_the_keyboard_hides_shows_and_needs_a_field(device: Phone) -> None:
    use(device, UIAUTOMATOR_KEYBOARD)
    assert device.broadcast("ADB_KEYBOARD_HIDE", {})[0] == -1
    assert not device.ime.shown
    assert device.broadcast("ADB_KEYBOARD_SHOW", {})[0] == -1
    assert device.ime.shown
    device.ime.hide(drop_focus=True)
    assert device.broadcast("ADB_KEYBOARD_INPUT_TEXT", {"text": coded("x")})[0] == 0
    assert device.broadcast("ADB_KEYBOARD_INPUT_TEXT", {"text": "no base 64"})[0] == 0
    assert device.broadcast("ADB_KEYBOARD_UNKNOWN", {}) == (0, "")


def test_a_keyboard_without_keys_does_not_resize_the_app(device: Phone) -> None:
    before = next(w for w in device.scene().windows if w.kind is WindowKind.IME).bounds.height
    use(device, UIAUTOMATOR_KEYBOARD)
    window = next(w for w in device.scene().windows if w.kind is WindowKind.IME)
    assert window.bounds.height < before / 3
    assert window.package == "com.github.uiautomator"
    assert nodes(device, text="ATX {ON}")


def test_disabling_the_selected_keyboard_falls_back_to_the_built_in_one(device: Phone) -> None:
    use(device, UIAUTOMATOR_KEYBOARD)
    assert device.ime.list() == (LATIN, UIAUTOMATOR_KEYBOARD)
    assert device.ime.disable(UIAUTOMATOR_KEYBOARD)
    assert device.ime.default == LATIN
    assert not device.ime.disable(UIAUTOMATOR_KEYBOARD)
    assert device.ime.disable(LATIN)
    assert (device.ime.default, device.ime.enabled) == ("", ())


def test_adbkeyboard_types_without_a_result(device: Phone) -> None:
    installed = device.packages.get(PKG)
    assert installed is not None
    installed.input_methods = (ADB_KEYBOARD,)
    use(device, ADB_KEYBOARD)
    assert device.broadcast("ADB_INPUT_TEXT", {"msg": "plain"}) == (0, "")
    assert device.broadcast("ADB_INPUT_B64", {"msg": coded("中")}) == (0, "")
    assert main_of(device).query == "plain中"
    device.broadcast("ADB_INPUT_CODE", {"code": 67})
    assert main_of(device).query == "plain"
    device.broadcast("ADB_EDITOR_CODE", {"code": 3})
    assert main_of(device).submitted == "plain"
    device.broadcast("ADB_CLEAR_TEXT", {})
    assert main_of(device).query == ""
