"""Faults: behaviours of real devices that trip test runners, switched by name while the phone runs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from garabench.core.suggestions import did_you_mean
from garabench.errors import InputError

KNOWN: Mapping[str, str] = {
    "animation": "the foreground app changes every `ms` (default 100), so the screen never settles",
    "background-start-refused": "am start of an explicit activity (of `package`, if given) starts "
    "nothing, like a blocked background start",
    "credential-lock": "the screen is locked and asks for a `secret`: pin (default), pattern or password",
    "cut-mid-transfer": "every connection drops after `bytes` bytes (default 100000)",
    "dialog-on-top": "a system dialog about an app that keeps stopping covers everything",
    "disconnect": "the device drops its connections once and accepts new ones",
    "dump-conflict": "uiautomator dump is killed while uiautomator2's server runs, as on real devices",
    "focus-null": "mCurrentFocus is null, as during a transition",
    "hang": "the device accepts commands and never answers",
    "idle-never": "the screen never idles: uiautomator dump fails with 'could not get idle state'",
    "install-refused": "the store asks for a confirmation that never comes, so installing fails",
    "install-slow": "installing takes `ms` longer (default 20000)",
    "no-space": "storage is full: df says so, and installing fails",
    "no-wifi": "the device has no Wi-Fi hardware, and lists no such feature",
    "keyboard-up": "the soft keyboard opens wherever there is a text field, covering half the screen",
    "mute": "the device reads bytes and never answers again; afterwards only a new connection works",
    "not-responding": "the foreground app ignores touches; 5 s after one the system offers to close it",
    "null-root": "no root node: dumps fail as UiTestAutomationBridge does",
    "offline": "the device drops its connections and does not answer new ones: adb lists it as offline",
    "refuse": "the device drops its connections, and its port refuses new ones",
    "screencap-black": "screenshots are black, as those of a secure screen",
    "secure-screen": "a credential prompt with FLAG_SECURE covers everything",
    "single-connection": "one connection at a time: a second adb server sees the device offline",
    "slow-dump": "every dump takes `ms` longer (default 5000)",
    "slow-transport": "every block on the wire takes `ms` longer (default 50)",
    "stale-dump": "uiautomator dump fails with exit status 0 and leaves the old file",
    "start-timeout": "am start -W times out (Status: timeout)",
    "stray-brace": "dumpsys prints a stray brace in the focus line, as some builds of Android 13 and 14 do",
    "text-drops": "typed text loses every `every`-th character (default 5)",
    "unauthorized": "the adb server's key must be accepted on the device first",
    "u2-crash": "uiautomator2's server crashes once and can be restarted",
    "u2-dead": "uiautomator2's server drops its connections without an answer",
    "u2-hang": "uiautomator2's server never answers",
}
_ONE_SHOT = frozenset({"disconnect", "u2-crash"})
"""Faults that take effect once, when they are switched on."""


class Faults:
    """The faults that are switched on."""

    def __init__(self) -> None:
        self._on: dict[str, Mapping[str, Any]] = {}
        self._watchers: list[Callable[[str, bool], None]] = []

    def watch(self, changed: Callable[[str, bool], None]) -> None:
        """Call a function with a fault's name and state whenever one is switched."""
        self._watchers.append(changed)

    def _notify(self, name: str, on: bool) -> None:
        for changed in self._watchers:
            changed(name, on)

    @staticmethod
    def known() -> Mapping[str, str]:
        """Return every fault, with its description."""
        return KNOWN

    def enable(self, name: str, **params: Any) -> None:
        """Switch a fault on.

        Raises:
            InputError: The fault is unknown.
        """
        if name not in KNOWN:
            raise InputError(f"unknown fault {name!r}", hint=did_you_mean(name, KNOWN))
        if name not in _ONE_SHOT:
            self._on[name] = dict(params)
        self._notify(name, True)

    def disable(self, name: str) -> None:
        """Switch a fault off; does nothing if it is off.

        Raises:
            InputError: The fault is unknown.
        """
        if name not in KNOWN:
            raise InputError(f"unknown fault {name!r}", hint=did_you_mean(name, KNOWN))
        self._on.pop(name, None)
        self._notify(name, False)

    def active(self, name: str) -> Mapping[str, Any] | None:
        """Return a fault's parameters while it is on, else None."""
        return self._on.get(name)
