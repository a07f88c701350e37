"""What was changed on a device, and how it is put back: values, as they stand in the undo journal.

The journal is a file, so whoever can write to it could have commands run on the device: only commands that
GaraBench itself would write there are read back.
"""

from __future__ import annotations

import enum
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from garabench.core.changes import CONSOLE, Argv, Probe
from garabench.core.instants import ASK, Instant

_LONGEST_WORD = 10_000
_MOST_WORDS = 40

_WMSHELL = ("dumpsys", "activity", "service", "SystemUIService", "WMShell")
_UNDOES: frozenset[tuple[str, ...]] = frozenset(
    {
        ("am", "broadcast", "-a", "android.intent.action.AIRPLANE_MODE"),
        ("am", "broadcast", "-a", "android.intent.action.CLOSE_SYSTEM_DIALOGS"),
        ("am", "broadcast", "-a", "org.garabench.interruptions.CLOSE"),
        ("am", "force-stop"),
        ("cmd", "alarm", "set-time"),
        ("cmd", "alarm", "set-timezone"),
        ("cmd", "connectivity", "airplane-mode"),
        ("cmd", "devicestoragemonitor", "reset"),
        ("cmd", "locale", "set-app-locales"),
        ("cmd", "statusbar", "collapse"),
        ("cmd", "uimode", "night"),
        ("content", "delete", "--uri", "content://settings/global", "--where"),
        ("content", "delete", "--uri", "content://settings/secure", "--where"),
        ("content", "delete", "--uri", "content://settings/system", "--where"),
        ("dumpsys", "battery", "reset"),
        (*_WMSHELL, "exitSplitScreen"),
        (*_WMSHELL, "removeFromSideStage"),
        (*_WMSHELL, "splitscreen", "exitSplitScreen"),
        (*_WMSHELL, "splitscreen", "removeFromSideStage"),
        (CONSOLE, "gsm", "cancel"),
        (CONSOLE, "network", "delay"),
        (CONSOLE, "network", "speed"),
        ("input", "keyevent"),
        ("pm", "grant"),
        ("pm", "revoke"),
        ("settings", "delete"),
        ("settings", "put"),
        ("svc", "wifi"),
        ("wm", "dismiss-keyguard"),
    }
)
"""Beginnings of the commands that put something back."""

_PROBES: frozenset[tuple[str, ...]] = frozenset(
    {
        ("am", "stack", "list"),
        ("cmd", "locale", "get-app-locales"),
        ("cmd", "uimode", "night"),
        ("dumpsys", "activity", "activities"),
        ("dumpsys", "battery"),
        ("dumpsys", "devicestoragemonitor"),
        ("dumpsys", "input_method"),
        ("dumpsys", "notification"),
        ("dumpsys", "package"),
        ("dumpsys", "window"),
        (CONSOLE, "gsm", "list"),
        (CONSOLE, "network", "status"),
        ("getprop",),
        ("ps", "-o", "S=", "-p"),
        ("settings", "get"),
        ASK,
    }
)
"""Beginnings of the commands that read a state."""


class Scope(enum.StrEnum):
    """How long a change lasts."""

    EPISODE = "episode"
    RUN = "run"


@dataclass(frozen=True, slots=True)
class Entry:
    """One change.

    Attributes:
        what: The thing that is changed, in words: ``the setting system/font_scale``.
        why: What for: an anomaly's id, or ``the run``.
        scope: Until when it lasts.
        back: The commands that put it back, in their order.
        probe: How it is seen that it is back.
        expected: What the probe reads then: one of these.
        clock: Of a clock that was moved: what it was, and when. The way back gets what it would be by then,
            and the probe is to read that; None of everything else.
    """

    what: str
    why: str
    scope: Scope
    back: tuple[Argv, ...]
    probe: Probe
    expected: tuple[str, ...]
    clock: Instant | None = None

    def __post_init__(self) -> None:
        for argv in self.back:
            _check(argv, _UNDOES, "puts nothing back that GaraBench changes")
        _check(self.probe.argv, _PROBES, "reads no state that GaraBench changes")
        if not self.back or not self.expected:
            raise ValueError("a change has a way back, and a reading that proves it")

    def to_json(self) -> dict[str, Any]:
        """As JSON-like data."""
        clock = {} if self.clock is None else {"clock": self.clock.to_json()}
        upto = {"upto": self.probe.upto} if self.probe.upto else {}
        return {
            "what": self.what,
            "why": self.why,
            "scope": self.scope.value,
            "back": [list(argv) for argv in self.back],
            "probe": list(self.probe.argv),
            "after": self.probe.after,
            **upto,
            "expected": list(self.expected),
            **clock,
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Entry:
        """Read back what `to_json` gave.

        Raises:
            ValueError: It is not that, or holds a command that GaraBench would not write.
        """
        try:
            return cls(
                what=_text(data["what"]),
                why=_text(data["why"]),
                scope=Scope(data["scope"]),
                back=tuple(_words(argv) for argv in data["back"]),
                probe=Probe(_words(data["probe"]), _text(data["after"]), _text(data.get("upto", ""))),
                expected=_words(data["expected"]),
                clock=Instant.from_json(data["clock"]) if "clock" in data else None,
            )
        except (KeyError, TypeError) as error:
            raise ValueError(f"no change is described: {error}") from error


def _check(argv: Argv, known: frozenset[tuple[str, ...]], problem: str) -> None:
    if not any(argv[:length] in known for length in range(1, len(argv) + 1)):
        raise ValueError(f"{' '.join(argv)!r} {problem}")
    if len(argv) > _MOST_WORDS or any("\0" in word or len(word) > _LONGEST_WORD for word in argv):
        raise ValueError(f"{argv[0]!r} has words that no command of GaraBench has")
    if argv[0] == CONSOLE and not all(word.isprintable() for word in argv):
        raise ValueError("a console takes one line")


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise ValueError(f"{value!r} is no text")
    return value


def _words(value: object) -> Argv:
    if not isinstance(value, list):
        raise ValueError(f"{value!r} is no list of words")
    return tuple(_text(word) for word in value)
