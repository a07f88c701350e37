"""Show pages of the target board on a device, and read what happened on it.

The board is an app of its own, `org.garabench.board`, which is told by an intent what to show and tells by
logcat what happens: any device that has it can be checked on. See `docs/agent-check.md`.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeGuard

from garabench.core.geometry import Point, Rect
from garabench.core.observation import Observation
from garabench.core.tree import UiTree
from garabench.device.device import Device
from garabench.errors import CommandFailed

PACKAGE = "org.garabench.board"
COMPONENT = f"{PACKAGE}/{PACKAGE}.Board"
TAG = "GaraBoard"
SPEC_VERSION = 1
_BUTTON = "button_"
_LINE = "line"


@dataclass(frozen=True, slots=True)
class BoardEvent:
    """One line of the board's log.

    Attributes:
        event: ``shown``, ``touched``, ``typed``, ``left`` or ``error``.
        at: Where a touch was.
        button: Which button it hit; 0 for none.
        field, text: What a field holds now.
        reason: Of an error.
    """

    event: str
    at: Point | None = None
    button: int = 0
    field: str = ""
    text: str = ""
    reason: str = ""


def parse_event(message: str, token: str) -> BoardEvent | None:
    """Read a logged line; None where it is none of this page's (anyone may write to that tag)."""
    try:
        data = json.loads(message)
    except (ValueError, RecursionError):
        return None
    if not isinstance(data, dict) or data.get("token") != token or not isinstance(data.get("event"), str):
        return None
    x, y, button = data.get("x"), data.get("y"), data.get("button", 0)
    at = Point(x, y) if _is_number(x) and _is_number(y) else None
    words = {name: data.get(name, "") for name in ("field", "text", "reason")}
    return BoardEvent(
        data["event"],
        at,
        button if _is_number(button) else 0,
        **{name: value if isinstance(value, str) else "" for name, value in words.items()},
    )


def _is_number(value: object) -> TypeGuard[int]:
    return isinstance(value, int) and not isinstance(value, bool)


class Board:
    """The board on one device."""

    def __init__(self, device: Device) -> None:
        """Begin to watch its log.

        Raises:
            CommandFailed: The device does not have the board.
            DeviceError: The device is gone.
        """
        self.device = device
        if not device.apps.installed(PACKAGE):
            raise CommandFailed(
                f"{device.info.serial} does not have the target board {PACKAGE}: check the agent on a "
                "virtual phone (--device virtual), or on a device with an app that shows it"
            )
        self._watch = device.log_watch(TAG)
        self._token = ""
        self._shown = 0

    def show(self, **spec: object) -> None:
        """Show a page; who looks at it next has to wait until it is still.

        Args:
            spec: As the board's contract says, without the version.

        Raises:
            CommandFailed: It is not shown.
            DeviceError: The device is gone.
        """
        self._shown += 1
        self._token = f"check-{self._shown}"
        self._watch.read()
        data = {"v": SPEC_VERSION, **spec}
        encoded = base64.b64encode(json.dumps(data, ensure_ascii=False).encode()).decode("ascii")
        self.device.apps.start(component=COMPONENT, extras={"spec": encoded, "token": self._token})
        events = self.events()
        if wrong := next((event for event in events if event.event == "error"), None):
            raise CommandFailed(f"the target board refuses its page: {wrong.reason}")
        if not any(event.event == "shown" for event in events):
            raise CommandFailed(f"the target board {PACKAGE} does not say that it is shown")

    def events(self) -> tuple[BoardEvent, ...]:
        """What has happened on this page since it was asked last.

        Raises:
            DeviceError: The log cannot be read.
        """
        parsed = (parse_event(line.message, self._token) for line in self._watch.read())
        return tuple(event for event in parsed if event is not None)

    def leave(self) -> None:
        """Go home, and end the board."""
        self.device.apps.force_stop(PACKAGE)


def is_shown(tree: UiTree) -> bool:
    """Whether the board is on the screen."""
    return PACKAGE in tree.packages


def buttons(tree: UiTree) -> Mapping[int, Rect]:
    """Where the numbered buttons are."""
    found = {}
    for node in tree.nodes:
        number = node.entry.removeprefix(_BUTTON)
        if node.package == PACKAGE and node.entry != number and number.isdigit():
            found[int(number)] = node.bounds
    return found


def lines(tree: UiTree) -> Sequence[int]:
    """The numbers of the lines in sight, top first."""
    texts = [node.text for node in tree.nodes if node.package == PACKAGE and node.entry == _LINE]
    numbers = ("".join(letter for letter in text if letter.isascii() and letter.isdigit()) for text in texts)
    return [int(number) for number in numbers if number]


def top_inset(observation: Observation) -> int:
    """Height of the status bar: where the board's own area begins."""
    tops = [root.bounds.top for root in observation.tree.roots if root.package == PACKAGE]
    return min(tops, default=0)
