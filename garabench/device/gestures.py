"""Touches and keys, through uiautomator2's server where it is available, else through ``input``."""

from __future__ import annotations

from collections.abc import Sequence

from garabench.core.geometry import Point
from garabench.device.adb import Adb
from garabench.device.u2_client import U2Client, U2UnavailableError

_STEP_MS = 5  # UiAutomator's swipe injects a move every 5 ms
_TAP_LIMIT = 20.0
_MOST_KEYS = 100
"""Number of keys per command of ``input``, so that it ends within its time limit."""


class Gestures:
    """Gestures on one device, in device pixels of the current rotation."""

    def __init__(self, adb: Adb, server: U2Client) -> None:
        self._adb = adb
        self._server = server

    def _rpc(self, method: str, *params: int) -> bool:
        """Try the server; return False when it is unavailable and ``input`` must be used."""
        if self._server.failed:
            return False
        try:
            self._server.call(method, params)
        except U2UnavailableError:
            return False
        return True

    def _input(self, *words: str | int, seconds: float = 0) -> None:
        argv = ["input", *map(str, words)]
        self._adb.shell(argv, timeout=_TAP_LIMIT + seconds).check(f"perform a {words[0]}")

    def tap(self, at: Point) -> None:
        """Tap once."""
        if not self._rpc("click", at.x, at.y):
            self._input("tap", at.x, at.y)

    def double_tap(self, at: Point) -> None:
        """Tap twice in quick succession."""
        self.tap(at)
        self.tap(at)

    def long_press(self, at: Point, milliseconds: int) -> None:
        """Hold a finger down."""
        if not self._rpc("click", at.x, at.y, milliseconds):
            self._input("swipe", at.x, at.y, at.x, at.y, milliseconds, seconds=milliseconds / 1000)

    def swipe(self, start: Point, end: Point, milliseconds: int) -> None:
        """Move a finger in a straight line."""
        steps = max(2, milliseconds // _STEP_MS)
        if not self._rpc("swipe", start.x, start.y, end.x, end.y, steps):
            self._input("swipe", start.x, start.y, end.x, end.y, milliseconds, seconds=milliseconds / 1000)

    def drag(self, start: Point, end: Point, milliseconds: int) -> None:
        """Pick up what is under the finger, move it and drop it."""
        steps = max(2, milliseconds // _STEP_MS)
        if not self._rpc("drag", start.x, start.y, end.x, end.y, steps):
            self._input(
                "draganddrop", start.x, start.y, end.x, end.y, milliseconds, seconds=milliseconds / 1000
            )

    def key(self, code: int) -> None:
        """Press a key, by its Android key code."""
        if not self._rpc("pressKeyCode", code):
            self._input("keyevent", code)

    def keys(self, codes: Sequence[int]) -> None:
        """Press keys one after the other, by few commands: each takes seconds on old phones."""
        left = list(codes)
        while left and self._rpc("pressKeyCode", left[0]):
            del left[0]
        for start in range(0, len(left), _MOST_KEYS):
            self._input("keyevent", *left[start : start + _MOST_KEYS])
