"""State of the on-device server between calls, and its access to the phone."""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from garabench.virtual.u2 import object_search
from garabench.virtual.u2.accessibility import AxNode, AxScreen
from garabench.virtual.u2.rpc import UI_OBJECT_NOT_FOUND, JavaError, invalid_params, not_found
from garabench.virtual.u2.ui_selector import UiSelector, parse_selector
from garabench.virtual.ui.dump import u2_xml

if TYPE_CHECKING:
    from garabench.virtual.android.phone import Phone
    from garabench.virtual.ui.scene import Scene

POLL_MS = 100
"""Polling interval of a waiting call, in phone time."""
STEP_MS = 5
"""UI Automator injects one move every 5 ms."""
TAP_MS = 60
CALL_MS = 5
MAX_OBJECTS = 10_000
MAX_WAIT_MS = 3_600_000


@dataclass(frozen=True, slots=True)
class ObjectTarget:
    """The object argument of a call: a selector, or the id of a stored object.

    Attributes:
        stored: Whether it is a stored object; these are UiObjects, found by UiSelector only.
    """

    selector: UiSelector
    stored: bool = False


@dataclass(slots=True)
class UiWatcher:
    """A registered UiWatcher, which acts when all its conditions are on the screen.

    Attributes:
        conditions: Selectors that must all be found.
        target: Object to click, or None for a watcher that presses `keys`.
        triggered: Whether it has acted since the last reset.
    """

    conditions: tuple[UiSelector, ...]
    target: UiSelector | None = None
    keys: tuple[str, ...] = ()
    triggered: bool = False


def default_configurator() -> dict[str, int]:
    """UI Automator's timeouts in ms, as the server sets them at its start."""
    return {
        "actionAcknowledgmentTimeout": 500,
        "keyInjectionDelay": 0,
        "scrollAcknowledgmentTimeout": 200,
        "uiAutomationFlags": 0,
        "waitForIdleTimeout": 0,
        "waitForSelectorTimeout": 0,
    }


@dataclass(slots=True)
class ServerSession:
    """State of one running server.

    Attributes:
        phone: The phone it runs on.
        objects: Selectors of stored objects by id.
        watchers: Watchers by name, in order of registration.
        configurator: UI Automator's timeouts.
        old_toast: The last toast before the start or the last clearing; only later ones are reported.
        stopped: Whether ``/stop`` was called; the server then answers no more.
    """

    phone: Phone
    objects: dict[str, UiSelector] = field(default_factory=dict)
    watchers: dict[str, UiWatcher] = field(default_factory=dict)
    configurator: dict[str, int] = field(default_factory=default_configurator)
    old_toast: tuple[str, str] | None = None
    stopped: bool = False
    _screen: AxScreen | None = None
    _dump: tuple[Scene, bool, int, str] | None = None
    _counter: int = 0

    def __post_init__(self) -> None:
        self.clear_toast()

    @property
    def toast(self) -> str | None:
        """Text of the last toast since the start or the last clearing."""
        latest = self.phone.windows.last_toast
        return None if latest is None or latest is self.old_toast else latest[0]

    def clear_toast(self) -> None:
        """Clear the last toast."""
        self.old_toast = self.phone.windows.last_toast

    def screen(self) -> AxScreen:
        """Return the current screen; the same object until something changes."""
        scene = self.phone.scene()
        if self._screen is None or self._screen.scene is not scene:
            self._screen = AxScreen(scene)
        return self._screen

    def dump(self, scene: Scene, *, compressed: bool, max_depth: int) -> str:
        """Return a screen as XML, as `u2_xml` does; the same screen is not written twice in a row."""
        last = self._dump
        if last is None or last[0] is not scene or last[1:3] != (compressed, max_depth):
            self._dump = last = scene, compressed, max_depth, u2_xml(scene, compressed, max_depth)
        return last[3]

    def store(self, selector: UiSelector) -> str:
        """Store an object and return its id."""
        if len(self.objects) >= MAX_OBJECTS:
            raise JavaError("java.lang.OutOfMemoryError", "too many stored objects")
        self._counter += 1
        identity = str(uuid.UUID(int=self._counter, version=4))
        self.objects[identity] = selector
        return identity

    def target(self, value: Any) -> ObjectTarget:
        """Parse an object argument.

        Raises:
            RpcError: It is neither a selector nor the id of a stored object.
        """
        if not isinstance(value, str):
            return ObjectTarget(parse_selector(value))
        selector = self.objects.get(value)
        if selector is None:
            raise JavaError(UI_OBJECT_NOT_FOUND, "UiObject not found!")
        return ObjectTarget(selector, stored=True)

    def find(self, target: ObjectTarget) -> AxNode | None:
        """Search for the object once."""
        if target.stored:
            return object_search.find_ui(self.screen(), target.selector)
        return object_search.find_object(self.screen(), target.selector)

    def require(self, value: Any, *, ui_only: bool = False) -> AxNode:
        """Find the object of an argument.

        Args:
            value: A selector or an id.
            ui_only: Whether the call always uses a UiSelector.

        Raises:
            RpcError: UiObjectNotFoundException if it is not on the screen.
        """
        target = self.target(value)
        node = self.find(ObjectTarget(target.selector, stored=True) if ui_only else target)
        if node is None:
            raise not_found(str(target.selector))
        return node

    async def wait(self, holds: Callable[[], bool], timeout_ms: int) -> bool:
        """Poll every 100 ms of phone time until a condition holds; at least once.

        The condition is checked again only after the screen has changed.
        """
        remaining = min(max(0, timeout_ms), MAX_WAIT_MS)
        looked_at = self.screen()
        if holds():
            return True
        while remaining > 0:
            part = min(POLL_MS, remaining)
            await self.phone.spend(part)
            await asyncio.sleep(0)
            remaining -= part
            if self.screen() is not looked_at:
                looked_at = self.screen()
                if holds():
                    return True
        return False


Calls = dict[str, Callable[..., Awaitable[Any]]]


def integer(value: Any) -> int:
    """Convert JSON to a Java int; fractions are truncated, as in Jackson.

    Raises:
        RpcError: Not a number.
    """
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise invalid_params()
    if value != value or abs(value) > 2**53:
        raise invalid_params()
    return int(value)


def number(value: Any) -> float:
    """Convert JSON to a Java float.

    Raises:
        RpcError: Not a number.
    """
    if isinstance(value, bool) or not isinstance(value, int | float) or value != value:
        raise invalid_params()
    return float(value)


def boolean(value: Any) -> bool:
    """Convert JSON to a Java boolean.

    Raises:
        RpcError: Not a boolean.
    """
    if isinstance(value, bool | int):
        return bool(value)
    raise invalid_params()


def string(value: Any) -> str:
    """Convert JSON to a Java String.

    Raises:
        RpcError: Not a string.
    """
    if isinstance(value, str):
        return value
    raise invalid_params()
