"""Entries of the undo journal: what was changed on a device and how it is restored.

Anyone who can write to the journal's file could run commands on the device through it. Therefore only
commands that GaraBench itself writes are accepted when it is read.
"""

from __future__ import annotations

import enum
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from garabench.core.clock_reading import READ_CLOCK, Instant
from garabench.core.device_changes import CONSOLE, Argv, StateQuery

_MAX_WORD_LENGTH = 10_000
_MAX_WORDS = 40

_WMSHELL = ("dumpsys", "activity", "service", "SystemUIService", "WMShell")
_UNDO_COMMANDS: frozenset[tuple[str, ...]] = frozenset(
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
        ("cmd", "location", "set-location-enabled"),
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
        ("svc", "bluetooth"),
        ("svc", "data"),
        ("svc", "wifi"),
        ("wm", "dismiss-keyguard"),
    }
)
"""Prefixes of the commands that restore something."""

_QUERIES: frozenset[tuple[str, ...]] = frozenset(
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
        READ_CLOCK,
    }
)
"""Prefixes of the commands that read a state."""


class Scope(enum.StrEnum):
    """How long a change lasts."""

    EPISODE = "episode"
    RUN = "run"


_FORMER_KEYS = {"what": "subject", "why": "purpose", "probe": "query"}
"""Keys in journals of version 0.2.0 and before: a device may still hold one."""


@dataclass(frozen=True, slots=True)
class UndoEntry:
    """One change.

    Attributes:
        subject: Description of what is changed: ``the setting system/font_scale``.
        purpose: The purpose: an anomaly's id, or ``the run``.
        scope: How long the change lasts.
        undo_commands: The commands that restore the state, in order.
        query: Reads the state, to verify that it is restored.
        expected: The readings that count as restored.
        clock: For a shifted clock, its reading before the shift; the undo works out what the clock would
            show now. None for all other changes.
    """

    subject: str
    purpose: str
    scope: Scope
    undo_commands: tuple[Argv, ...]
    query: StateQuery
    expected: tuple[str, ...]
    clock: Instant | None = None

    def __post_init__(self) -> None:
        for argv in self.undo_commands:
            _check(argv, _UNDO_COMMANDS, "does not restore anything that GaraBench changes")
        _check(self.query.argv, _QUERIES, "does not read a state that GaraBench changes")
        if not self.undo_commands or not self.expected:
            raise ValueError("an entry needs a command that restores the state and an expected reading")

    def to_json(self) -> dict[str, Any]:
        """Return the entry as JSON-compatible data."""
        clock = {} if self.clock is None else {"clock": self.clock.to_json()}
        upto = {"upto": self.query.upto} if self.query.upto else {}
        return {
            "subject": self.subject,
            "purpose": self.purpose,
            "scope": self.scope.value,
            "back": [list(argv) for argv in self.undo_commands],
            "query": list(self.query.argv),
            "after": self.query.after,
            **upto,
            "expected": list(self.expected),
            **clock,
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> UndoEntry:
        """Parse the output of `to_json`, also of version 0.2.0 and before.

        Raises:
            ValueError: It is malformed, or has a command that GaraBench does not write.
        """
        data = {_FORMER_KEYS.get(key, key): value for key, value in data.items()}
        try:
            return cls(
                subject=_text(data["subject"]),
                purpose=_text(data["purpose"]),
                scope=Scope(data["scope"]),
                undo_commands=tuple(_words(argv) for argv in data["back"]),
                query=StateQuery(_words(data["query"]), _text(data["after"]), _text(data.get("upto", ""))),
                expected=_words(data["expected"]),
                clock=Instant.from_json(data["clock"]) if "clock" in data else None,
            )
        except (KeyError, TypeError) as error:
            raise ValueError(f"not a valid change: {error}") from error


def _check(argv: Argv, known: frozenset[tuple[str, ...]], problem: str) -> None:
    if not any(argv[:length] in known for length in range(1, len(argv) + 1)):
        raise ValueError(f"{' '.join(argv)!r} {problem}")
    if len(argv) > _MAX_WORDS or any("\0" in word or len(word) > _MAX_WORD_LENGTH for word in argv):
        raise ValueError(f"{argv[0]!r} has arguments that GaraBench does not write")
    if argv[0] == CONSOLE and not all(word.isprintable() for word in argv):
        raise ValueError("a console command must be a single printable line")


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise ValueError(f"expected a string, not {value!r}")
    return value


def _words(value: object) -> Argv:
    if not isinstance(value, list):
        raise ValueError(f"expected a list of strings, not {value!r}")
    return tuple(_text(word) for word in value)
