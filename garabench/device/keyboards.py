"""Type any Unicode text through a keyboard app that accepts broadcasts, and restore the previous keyboard.

Used on devices without uiautomator2's server, such as Android 4.4. The keyboard is ADBKeyBoard where it is
installed, else the one bundled with uiautomator2, which is installed before the first episode.
Sources: uiautomator2's ``_input.py``; the readme of senzhk/ADBKeyBoard.
"""

from __future__ import annotations

import base64
import importlib.resources
import logging
import re
from collections.abc import Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass
from pathlib import Path

from garabench.core.clock import Clock
from garabench.device.adb import Adb
from garabench.errors import CommandError

_LOG = logging.getLogger(__name__)
AUTOMATOR = "com.github.uiautomator/.AdbKeyboard"
ADB_KEYBOARD = "com.android.adbkeyboard/.AdbIME"
_APK = "app-uiautomator.apk"
_REMOTE_APK = "/data/local/tmp/garabench-keyboard.apk"
_INSTALL_LIMIT = 90.0
_TRIES = 10
_POLL = 0.2  # seconds; a keyboard that was just set needs a moment to bind to the field
_INSTALLED = re.compile(r"\bmId=(\S+)")
_NOW_ENABLED = "now enabled"
"""In the output of ``ime enable`` if the keyboard was not enabled before."""
_SELECTED = re.compile(r"\bmCurMethodId=(\S+)")
_ACTIONS = {AUTOMATOR: ("ADB_KEYBOARD_INPUT_TEXT", "text"), ADB_KEYBOARD: ("ADB_INPUT_B64", "msg")}


@dataclass(frozen=True, slots=True)
class _Keyboards:
    """The keyboards of a device.

    Attributes:
        installed: The ids of all.
        selected: The id of the current one.
    """

    installed: tuple[str, ...]
    selected: str

    @property
    def broadcast_keyboard(self) -> str:
        """The id of the installed keyboard that accepts broadcasts; empty without one."""
        return next((ime for ime in (ADB_KEYBOARD, AUTOMATOR) if ime in self.installed), "")


class BroadcastKeyboard:
    """The keyboard of one device that types the text of a broadcast."""

    def __init__(self, adb: Adb, clock: Clock) -> None:
        """Set up without installing or changing anything."""
        self._adb = adb
        self._clock = clock
        self._refused = False

    def type(self, *texts: str) -> str:
        """Append texts to the field in focus, one after the other.

        Args:
            *texts: Any Unicode texts; each is sent in a broadcast.

        Returns:
            Why it could not be typed, or empty. The caller verifies that the text arrived.

        Raises:
            DeviceError: The device is gone.
        """
        state = self._read()
        try:
            ime = state.broadcast_keyboard or self._install()
        except CommandError as error:
            return str(error)
        commands = [] if state.selected in ("", "null", ime) else [("ime", "set", state.selected)]
        try:
            enabled = self._adb.shell(["ime", "enable", ime]).check("enable a keyboard").output
            if _NOW_ENABLED in enabled:
                commands.append(("ime", "disable", ime))
            self._adb.shell(["ime", "set", ime]).check("switch to a keyboard")
            return next((problem for text in texts if (problem := self._send(ime, text))), "")
        except CommandError as error:
            return str(error)
        finally:
            self._undo(commands)

    def restore(self, *, install: bool = False) -> None:
        """Switch away from uiautomator2's keyboard where a killed run left it on.

        The keyboard before it is unknown by then, so any other enabled keyboard is selected.

        Args:
            install: Whether to install a keyboard for broadcasts if there is none, so that typing need
                not. A failure is logged only: typing tries again, and reports it.
        """
        if install:
            state = self._read()
            if not (state.broadcast_keyboard or self._refused):
                self._install_early()
            selected = state.selected
        else:
            selected = self._selected()
        if selected != AUTOMATOR:
            return
        other = next((ime for ime in self._list("-s") if ime != AUTOMATOR), "")
        if other:
            self._adb.shell(["ime", "set", other]).check("switch to a keyboard")
            self._adb.shell(["ime", "disable", AUTOMATOR]).check("disable a keyboard")

    def _install_early(self) -> None:
        try:
            self._install()
        except CommandError as error:
            self._refused = True
            _LOG.warning("%s: %s", self._adb.serial, error)

    def _read(self) -> _Keyboards:
        """Read which keyboards there are, by the fastest command that reports it."""
        if not self._adb.starts_fast:
            text = self._adb.shell(["dumpsys", "input_method"]).stdout
            if (found := _SELECTED.search(text)) is not None:
                return _Keyboards(tuple(_INSTALLED.findall(text)), found[1])
        return _Keyboards(tuple(self._list("-a", "-s")), self._current())

    def _current(self) -> str:
        result = self._adb.shell(["settings", "get", "secure", "default_input_method"])
        return result.check("read the keyboard").stdout.strip()

    def _selected(self) -> str:
        return self._current() if self._adb.starts_fast else self._read().selected

    def _undo(self, commands: Sequence[tuple[str, ...]]) -> None:
        """Run commands whose order does not matter, at the same time where each takes seconds.

        A failure is only logged: the text has been typed, and `restore` switches back later.
        """
        if self._adb.starts_fast:
            results = [self._adb.shell(argv) for argv in commands]
        else:
            with ExitStack() as stack:
                started = [stack.enter_context(closing(self._adb.start_shell(argv))) for argv in commands]
                results = [running.result() for running in started]
        for result in results:
            if result.failed:
                _LOG.warning("%s: %s: %s", self._adb.serial, " ".join(result.argv), result.reason)

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
        reason = ""
        for attempt in range(_TRIES):
            if attempt:
                self._clock.sleep(_POLL)
            sent = self._adb.shell(words)
            reason = sent.reason
            # ADBKeyBoard's receiver sets no result; uiautomator2's returns -1 (RESULT_OK) once it has typed.
            if not sent.failed and (ime == ADB_KEYBOARD or "result=-1" in sent.output):
                return ""
        return f"the keyboard {ime} did not accept the text: {reason}"

    def _list(self, *options: str) -> list[str]:
        return self._adb.shell(["ime", "list", *options]).check("list the keyboards").stdout.split()

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
            if ime := self._read().broadcast_keyboard:
                return ime
            self._clock.sleep(_POLL)
        raise CommandError("Android does not list the keyboard that was just installed")


def _last_line(output: str) -> str:
    return next(reversed(output.strip().splitlines()), "no output")
