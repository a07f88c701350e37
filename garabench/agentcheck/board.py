"""Show pages of the target board on a device, and read its events.

The board is an app, `org.garabench.board`: an intent specifies what it shows, and it logs what happens to
logcat. The check runs on any device that has it. See `docs/agent-check.md`.
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
from garabench.errors import CommandError

PACKAGE = "org.garabench.board"
COMPONENT = f"{PACKAGE}/{PACKAGE}.Board"
TAG = "GaraBoard"
SPEC_VERSION = 1
_BUTTON = "button_"
_LINE = "line"


@dataclass(frozen=True, slots=True)
class BoardEvent:
    """An event in the board's log.

    Attributes:
        event: ``shown``, ``touched``, ``typed``, ``left`` or ``error``.
        at: Position of a touch.
        button: Number of the button that was hit; 0 for none.
        field, text: Name and current content of a field.
        reason: The cause of an ``error``.
    """

    event: str
    at: Point | None = None
    button: int = 0
    field: str = ""
    text: str = ""
    reason: str = ""


def parse_board_event(message: str, token: str) -> BoardEvent | None:
    """Parse a logged line; return None if it is not from this page, since any app may use that tag."""
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
        """Start watching the board's log.

        Raises:
            CommandError: The device does not have the board.
            DeviceError: The device is gone.
        """
        self.device = device
        if not device.apps.installed(PACKAGE):
            raise CommandError(
                f"{device.info.serial} does not have the target board {PACKAGE}: check the agent on a "
                "virtual phone (--device virtual), or on a device on which the board is installed"
            )
        self._watch = device.log_watch(TAG)
        self._token = ""
        self._shown = 0

    def show(self, **spec: object) -> None:
        """Show a page; the caller must let the screen settle before the next observation.

        Args:
            spec: The page's specification, without ``v``; see `docs/agent-check.md`.

        Raises:
            CommandError: The board rejects the page or does not show it.
            DeviceError: The device is gone.
        """
        self._shown += 1
        self._token = f"check-{self._shown}"
        self._watch.read()
        data = {"v": SPEC_VERSION, **spec}
        encoded = base64.b64encode(json.dumps(data, ensure_ascii=False).encode()).decode("ascii")
        self.device.apps.start(component=COMPONENT, extras={"spec": encoded, "token": self._token})
        events = self.events()
        if error := next((event for event in events if event.event == "error"), None):
            raise CommandError(f"the target board rejects its page: {error.reason}")
        if not any(event.event == "shown" for event in events):
            raise CommandError(f"the target board {PACKAGE} did not report that it is shown")

    def events(self) -> tuple[BoardEvent, ...]:
        """Return what has happened on this page since the last call.

        Raises:
            DeviceError: The log cannot be read.
        """
        parsed = (parse_board_event(line.message, self._token) for line in self._watch.read())
        return tuple(event for event in parsed if event is not None)

    def leave(self) -> None:
        """Stop the board, which returns to the home screen."""
        self.device.apps.force_stop(PACKAGE)


def is_shown(tree: UiTree) -> bool:
    """Return whether the board is on screen."""
    return PACKAGE in tree.packages


def button_bounds(tree: UiTree) -> Mapping[int, Rect]:
    """Return the bounds of the buttons by number."""
    found = {}
    for node in tree.nodes:
        number = node.entry.removeprefix(_BUTTON)
        if node.package == PACKAGE and node.entry != number and number.isdigit():
            found[int(number)] = node.bounds
    return found


def line_numbers(tree: UiTree) -> Sequence[int]:
    """Return the numbers of the visible lines, from top to bottom."""
    texts = [node.text for node in tree.nodes if node.package == PACKAGE and node.entry == _LINE]
    numbers = ("".join(letter for letter in text if letter.isascii() and letter.isdigit()) for text in texts)
    return [int(number) for number in numbers if number]


def top_inset(observation: Observation) -> int:
    """Return the height of the status bar: the y at which the board's area begins."""
    tops = [root.bounds.top for root in observation.tree.roots if root.package == PACKAGE]
    return min(tops, default=0)
