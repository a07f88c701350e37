"""Faults: behaviours of real devices that trip runners, each switched on and off by name while it runs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from garabench.core.names import did_you_mean
from garabench.errors import InputError

KNOWN: Mapping[str, str] = {
    "animation": "the app in front changes every `ms` (100 unless given) and never comes to rest",
    "background-start-refused": "am start of a named activity (of `package`, where given) starts "
    "nothing, as from the background",
    "cut-mid-transfer": "every connection breaks off after `bytes` bytes (100000 unless given)",
    "dialog-on-top": "a dialog of the system, about an app that keeps stopping, stays over everything",
    "disconnect": "the device drops its connections once, and takes new ones",
    "dump-conflict": "uiautomator dump is killed while uiautomator2's server runs: there is one UiAutomation",
    "focus-null": "mCurrentFocus is null, as during a transition",
    "hang": "the device takes commands and never answers",
    "idle-never": "the screen never rests: uiautomator dump fails with 'could not get idle state'",
    "install-refused": "the store asks for a confirmation that nobody gives: installing fails",
    "install-slow": "installing takes `ms` longer (20000 unless given)",
    "no-space": "no space is left for apps: installing fails",
    "keyboard-up": "the soft keyboard comes up by itself where there is a text field, over half the screen",
    "mute": "the device takes bytes in and never says anything again; only a new connection helps afterwards",
    "not-responding": "the app in front takes no touch; 5 s after one the system offers to close it",
    "null-root": "no root node: dumps fail as UiTestAutomationBridge does",
    "offline": "the device drops its connections and answers no new one: adb lists it as offline",
    "refuse": "the device drops its connections, and its port refuses new ones",
    "screencap-black": "screenshots are black, as of a secure screen",
    "secure-screen": "a window that asks who you are, with FLAG_SECURE, stays over everything",
    "single-connection": "one connection at a time: a second adb server sees the device offline",
    "slow-dump": "every dump takes `ms` longer (5000 unless given)",
    "slow-transport": "every block on the wire takes `ms` longer (50 unless given)",
    "stale-dump": "uiautomator dump fails with exit status 0 and leaves the old file in its place",
    "start-timeout": "am start -W waits in vain: Status: timeout",
    "stray-brace": "dumpsys prints a stray brace in the focus, as some builds of Android 13 and 14 do",
    "text-drops": "typed text loses every `every`-th character (5 unless given)",
    "unauthorized": "the device wants the adb server's key to be accepted first",
    "u2-crash": "uiautomator2's server ends once; it can be started again",
    "u2-dead": "uiautomator2's server drops its connections without an answer",
    "u2-hang": "uiautomator2's server never answers",
}
_MOMENTARY = frozenset({"disconnect", "u2-crash"})
"""Faults that happen once, when they are switched on."""


class Faults:
    """The faults that are switched on."""

    def __init__(self) -> None:
        self._on: dict[str, Mapping[str, Any]] = {}
        self._watchers: list[Callable[[str, bool], None]] = []

    def watch(self, changed: Callable[[str, bool], None]) -> None:
        """Have a function called with a fault's name and state whenever one is switched."""
        self._watchers.append(changed)

    def _tell(self, name: str, on: bool) -> None:
        for changed in self._watchers:
            changed(name, on)

    @staticmethod
    def known() -> Mapping[str, str]:
        """Every fault and what it does."""
        return KNOWN

    def enable(self, name: str, **params: Any) -> None:
        """Switch a fault on.

        Raises:
            InputError: There is no such fault.
        """
        if name not in KNOWN:
            raise InputError(f"no fault is called {name!r}", hint=did_you_mean(name, KNOWN))
        if name not in _MOMENTARY:
            self._on[name] = dict(params)
        self._tell(name, True)

    def disable(self, name: str) -> None:
        """Switch a fault off; harmless when it is off.

        Raises:
            InputError: There is no such fault.
        """
        if name not in KNOWN:
            raise InputError(f"no fault is called {name!r}", hint=did_you_mean(name, KNOWN))
        self._on.pop(name, None)
        self._tell(name, False)

    def active(self, name: str) -> Mapping[str, Any] | None:
        """A fault's parameters while it is on, else None."""
        return self._on.get(name)
