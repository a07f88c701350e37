"""Type any Unicode text through a keyboard app that accepts broadcasts, and restore the previous keyboard.

Used on devices without uiautomator2's server, such as Android 4.4. The keyboard is ADBKeyBoard where it is
installed, else the one bundled with uiautomator2, which is installed on first use.
Sources: uiautomator2's ``_input.py``; the readme of senzhk/ADBKeyBoard.
"""

from __future__ import annotations

import base64
import importlib.resources
import re
from pathlib import Path

from garabench.core.clock import Clock
from garabench.device.adb import Adb
from garabench.errors import CommandError

AUTOMATOR = "com.github.uiautomator/.AdbKeyboard"
ADB_KEYBOARD = "com.android.adbkeyboard/.AdbIME"
_APK = "app-uiautomator.apk"
_REMOTE_APK = "/data/local/tmp/garabench-keyboard.apk"
_INSTALL_LIMIT = 90.0
_TRIES = 10
_POLL = 0.2  # seconds; a keyboard that was just set needs a moment to bind to the field
_SELECTED = re.compile(r"\bmCurMethodId=(\S+)")
_ACTIONS = {AUTOMATOR: ("ADB_KEYBOARD_INPUT_TEXT", "text"), ADB_KEYBOARD: ("ADB_INPUT_B64", "msg")}


class BroadcastKeyboard:
    """The keyboard of one device that types the text of a broadcast."""

    def __init__(self, adb: Adb, clock: Clock) -> None:
        """Set up without installing or changing anything."""
        self._adb = adb
        self._clock = clock

    def type(self, text: str) -> str:
        """Append text to the field in focus.

        Args:
            text: Any Unicode text.

        Returns:
            Why it could not be typed, or empty. The caller verifies that the text arrived.

        Raises:
            DeviceError: The device is gone.
        """
        try:
            ime = self._find() or self._install()
        except CommandError as error:
            return str(error)
        before = self._current()
        enabled = ime in self._list("-s")
        try:
            self._adb.shell(["ime", "enable", ime]).check("enable a keyboard")
            self._adb.shell(["ime", "set", ime]).check("switch to a keyboard")
            return self._send(ime, text)
        except CommandError as error:
            return str(error)
        finally:
            if not enabled:
                self._adb.shell(["ime", "disable", ime])
            if before not in ("", "null", ime):
                self._adb.shell(["ime", "set", before])

    def restore(self) -> None:
        """Switch away from uiautomator2's keyboard where a killed run left it on.

        The keyboard before it is unknown by then, so any other enabled keyboard is selected.
        """
        if self._selected() != AUTOMATOR:
            return
        other = next((ime for ime in self._list("-s") if ime != AUTOMATOR), "")
        if other:
            self._adb.shell(["ime", "set", other]).check("switch to a keyboard")
            self._adb.shell(["ime", "disable", AUTOMATOR])

    def _current(self) -> str:
        return self._adb.shell(["settings", "get", "secure", "default_input_method"]).stdout.strip()

    def _selected(self) -> str:
        """Return the current keyboard, by the fastest command that reports it."""
        if not self._adb.starts_fast:
            found = _SELECTED.search(self._adb.shell(["dumpsys", "input_method"]).stdout)
            if found is not None:
                return found[1]
        return self._current()

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
        output = ""
        for attempt in range(_TRIES):
            if attempt:
                self._clock.sleep(_POLL)
            output = self._adb.shell(words).output
            # ADBKeyBoard's receiver sets no result; uiautomator2's returns -1 (RESULT_OK) once it has typed.
            if ime == ADB_KEYBOARD or "result=-1" in output:
                return ""
        return f"the keyboard {ime} did not accept the text: {_last_line(output)}"

    def _list(self, *options: str) -> list[str]:
        return self._adb.shell(["ime", "list", *options]).stdout.split()

    def _find(self) -> str:
        """Return the installed broadcast keyboard, or empty."""
        installed = self._list("-a", "-s")
        return next((ime for ime in (ADB_KEYBOARD, AUTOMATOR) if ime in installed), "")

    def _install(self) -> str:
        """Install uiautomator2's keyboard.

        Raises:
            CommandError: The installation failed.
        """
        asset = importlib.resources.files("uiautomator2") / "assets" / _APK
        if not asset.is_file():
            raise CommandError("this installation of uiautomator2 does not include its keyboard")
        with importlib.resources.as_file(asset) as path:
            self._adb.push(Path(path), _REMOTE_APK)
        done = self._adb.shell(["pm", "install", "-r", "-t", _REMOTE_APK], timeout=_INSTALL_LIMIT)
        self._adb.shell(["rm", "-f", _REMOTE_APK])
        if "Success" not in done.output:
            raise CommandError(f"could not install a keyboard: {_last_line(done.output)}")
        for _ in range(_TRIES):
            if ime := self._find():
                return ime
            self._clock.sleep(_POLL)
        raise CommandError("Android does not list the keyboard that was just installed")


def _last_line(output: str) -> str:
    return next(reversed(output.strip().splitlines()), "no output")
