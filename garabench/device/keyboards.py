"""Type any Unicode text through a keyboard app that takes it by broadcast, and put the old keyboard back.

It is the way for devices without uiautomator2's server, Android 4.4 among them. The keyboard is ADBKeyBoard
where the device has it, else the one that comes with uiautomator2, which is installed when first needed.
Sources: uiautomator2's ``_input.py``; the readme of senzhk/ADBKeyBoard.
"""

from __future__ import annotations

import base64
import importlib.resources
from pathlib import Path

from garabench.core.clock import Clock
from garabench.device.adb import Adb
from garabench.errors import CommandFailed

AUTOMATOR = "com.github.uiautomator/.AdbKeyboard"
ADB_KEYBOARD = "com.android.adbkeyboard/.AdbIME"
_APK = "app-uiautomator.apk"
_REMOTE_APK = "/data/local/tmp/garabench-keyboard.apk"
_INSTALL_LIMIT = 90.0
_TRIES = 10
_POLL = 0.2  # seconds; a keyboard that was just set needs a moment until it is bound to the field
_ACTIONS = {AUTOMATOR: ("ADB_KEYBOARD_INPUT_TEXT", "text"), ADB_KEYBOARD: ("ADB_INPUT_B64", "msg")}


class BroadcastKeyboard:
    """The keyboards of one device that type what a broadcast tells them."""

    def __init__(self, adb: Adb, clock: Clock) -> None:
        """Prepare; nothing is installed or changed yet."""
        self._adb = adb
        self._clock = clock

    def type(self, text: str) -> str:
        """Add a text to the field in focus.

        Args:
            text: Any Unicode text.

        Returns:
            Why it could not be typed, or empty. Whether it arrived is for the caller to read back.

        Raises:
            DeviceError: The device is gone.
        """
        try:
            ime = self._there() or self._installed()
        except CommandFailed as error:
            return str(error)
        before = self._current()
        enabled = ime in self._list("-s")
        try:
            self._adb.shell(["ime", "enable", ime]).check("enable a keyboard")
            self._adb.shell(["ime", "set", ime]).check("switch to a keyboard")
            return self._send(ime, text)
        except CommandFailed as error:
            return str(error)
        finally:
            if not enabled:
                self._adb.shell(["ime", "disable", ime])
            if before not in ("", "null", ime):
                self._adb.shell(["ime", "set", before])

    def leave(self) -> None:
        """Switch back from uiautomator2's keyboard where a run that was killed has left it on.

        Which keyboard was there before is not known any more; another that is enabled takes its place.
        """
        if self._current() != AUTOMATOR:
            return
        other = next((ime for ime in self._list("-s") if ime != AUTOMATOR), "")
        if other:
            self._adb.shell(["ime", "set", other]).check("switch to a keyboard")
            self._adb.shell(["ime", "disable", AUTOMATOR])

    def _current(self) -> str:
        return self._adb.shell(["settings", "get", "secure", "default_input_method"]).stdout.strip()

    def _send(self, ime: str, text: str) -> str:
        action, name = _ACTIONS[ime]
        words = [
            "am",
            "broadcast",
            "-a",
            action,
            "--es",
            name,
            base64.b64encode(text.encode()).decode("ascii"),
        ]
        said = ""
        for attempt in range(_TRIES):
            if attempt:
                self._clock.sleep(_POLL)
            said = self._adb.shell(words).output
            # ADBKeyBoard's receiver sets no result; uiautomator2's says -1 (RESULT_OK) when it has typed.
            if ime == ADB_KEYBOARD or "result=-1" in said:
                return ""
        return f"the keyboard {ime} did not take the text: {said.strip().splitlines()[-1:]}"

    def _list(self, *options: str) -> list[str]:
        return self._adb.shell(["ime", "list", *options]).stdout.split()

    def _there(self) -> str:
        """The device's keyboard of this kind, or empty."""
        known = self._list("-a", "-s")
        return next((ime for ime in (ADB_KEYBOARD, AUTOMATOR) if ime in known), "")

    def _installed(self) -> str:
        """Install uiautomator2's keyboard.

        Raises:
            CommandFailed: It cannot be had.
        """
        asset = importlib.resources.files("uiautomator2") / "assets" / _APK
        if not asset.is_file():
            raise CommandFailed("this installation of uiautomator2 has no keyboard to install")
        with importlib.resources.as_file(asset) as path:
            self._adb.push(Path(path), _REMOTE_APK)
        done = self._adb.shell(["pm", "install", "-r", "-t", _REMOTE_APK], timeout=_INSTALL_LIMIT)
        self._adb.shell(["rm", "-f", _REMOTE_APK])
        if "Success" not in done.output:
            raise CommandFailed(f"could not install a keyboard: {done.output.strip().splitlines()[-1:]}")
        for _ in range(_TRIES):
            if ime := self._there():
                return ime
            self._clock.sleep(_POLL)
        raise CommandFailed("the keyboard that was installed is not listed")
