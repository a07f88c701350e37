"""Keyboards that type text from broadcasts: uiautomator2's AdbKeyboard, and ADBKeyBoard.

The code of their APKs cannot run here, so the phone answers their broadcasts itself while one of them is the
current input method.
"""

from __future__ import annotations

import base64
import binascii
from collections.abc import Mapping

from garabench.virtual.android.phone_interface import PhoneInterface

UIAUTOMATOR_KEYBOARD = "com.github.uiautomator/.AdbKeyboard"
ADB_KEYBOARD = "com.android.adbkeyboard/.AdbIME"
OK, CANCELED = -1, 0
_SUCCESS = (OK, "success")


def handle_broadcast(
    phone: PhoneInterface, action: str, extras: Mapping[str, object]
) -> tuple[int, str] | None:
    """Handle a broadcast.

    Returns:
        Its result code and data, or None if the current keyboard does not handle it.
    """
    if action.startswith("ADB_KEYBOARD_") and phone.ime.default == UIAUTOMATOR_KEYBOARD:
        return _handle_uiautomator(phone, action.removeprefix("ADB_KEYBOARD_"), extras)
    if action.startswith("ADB_") and phone.ime.default == ADB_KEYBOARD:
        return _handle_adb_keyboard(phone, action.removeprefix("ADB_"), extras)
    return None


def _handle_uiautomator(
    phone: PhoneInterface, verb: str, extras: Mapping[str, object]
) -> tuple[int, str] | None:
    done = False
    match verb:
        case "INPUT_TEXT":
            done = phone.ime.commit_text(_decode(extras.get("text")))
        case "SET_TEXT":
            done = phone.ime.clear() and phone.ime.commit_text(_decode(extras.get("text")))
        case "CLEAR_TEXT":
            done = phone.ime.clear()
        case "SMART_ENTER" | "EDITOR_CODE":
            done = phone.ime.perform_editor_action()
        case "INPUT_KEYCODE":
            code = str(extras.get("code", ""))
            if done := code.isdecimal():
                phone.input.key(int(code))
        case "HIDE":
            phone.ime.hide()
            done = True
        case "SHOW":
            done = phone.ime.show_for_focus()
        case _:
            return None
    return _SUCCESS if done else (CANCELED, "no input connection")


def _handle_adb_keyboard(
    phone: PhoneInterface, verb: str, extras: Mapping[str, object]
) -> tuple[int, str] | None:
    # Its receiver sets no result, so ``am broadcast`` always reports 0.
    message, code = str(extras.get("msg", "")), str(extras.get("code", ""))
    match verb:
        case "INPUT_TEXT":
            phone.ime.commit_text(message)
        case "INPUT_B64":
            phone.ime.commit_text(_decode(message))
        case "INPUT_CODE" if code.isdecimal():
            phone.input.key(int(code))
        case "EDITOR_CODE":
            phone.ime.perform_editor_action()
        case "CLEAR_TEXT":
            phone.ime.clear()
        case _:
            return None
    return (CANCELED, "")


def _decode(text: object) -> str:
    try:
        return base64.b64decode(str(text or ""), validate=True).decode()
    except (binascii.Error, UnicodeDecodeError):
        return ""
