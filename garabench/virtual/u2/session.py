"""What the on-device server remembers between calls, and how its calls reach the phone."""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from garabench.virtual.u2 import search
from garabench.virtual.u2.nodes import AxNode, AxScreen
from garabench.virtual.u2.rpc import UI_OBJECT_NOT_FOUND, JavaError, invalid_params, not_found
from garabench.virtual.u2.selector import Selector, parse

if TYPE_CHECKING:
    from garabench.virtual.os.phone import Phone

POLL_MS = 100
"""Phone time between two looks of a waiting call."""
STEP_MS = 5
"""UI Automator injects one move each 5 ms."""
TAP_MS = 60
CALL_MS = 5
MAX_OBJECTS = 10_000
MAX_WAIT_MS = 3_600_000


@dataclass(frozen=True, slots=True)
class Target:
    """The object that a call names: by a selector, or by the id of an object that the server keeps.

    Attributes:
        kept: Objects that are kept are UiObjects: they are found by UiSelector alone.
    """

    selector: Selector
    kept: bool = False


@dataclass(slots=True)
class Watcher:
    """A registered UiWatcher: when every condition is on the screen, it acts.

    Attributes:
        conditions: All must be found.
        target: What to click, or None for a watcher that presses `keys`.
        triggered: Whether it has acted since the last reset.
    """

    conditions: tuple[Selector, ...]
    target: Selector | None = None
    keys: tuple[str, ...] = ()
    triggered: bool = False


def default_configurator() -> dict[str, int]:
    """UI Automator's time-outs as the server sets them when it starts, in ms."""
    return {
        "actionAcknowledgmentTimeout": 500,
        "keyInjectionDelay": 0,
        "scrollAcknowledgmentTimeout": 200,
        "uiAutomationFlags": 0,
        "waitForIdleTimeout": 0,
        "waitForSelectorTimeout": 0,
    }


@dataclass(slots=True)
class Session:
    """One running server.

    Attributes:
        phone: The phone it runs on.
        objects: Selectors of kept objects by id.
        watchers: By name, in the order of registration.
        configurator: UI Automator's time-outs.
        old_toast: The last toast before the start or the last clearing; only later ones are told.
        stopped: ``/stop`` was called; nothing is answered any more.
    """

    phone: Phone
    objects: dict[str, Selector] = field(default_factory=dict)
    watchers: dict[str, Watcher] = field(default_factory=dict)
    configurator: dict[str, int] = field(default_factory=default_configurator)
    old_toast: tuple[str, str] | None = None
    stopped: bool = False
    _screen: AxScreen | None = None
    _made: int = 0

    def __post_init__(self) -> None:
        self.clear_toast()

    @property
    def toast(self) -> str | None:
        """Text of the last toast since the start or the last clearing."""
        latest = self.phone.windows.last_toast
        return None if latest is None or latest is self.old_toast else latest[0]

    def clear_toast(self) -> None:
        """Forget the last toast."""
        self.old_toast = self.phone.windows.last_toast

    def screen(self) -> AxScreen:
        """The present screen; the same object as long as nothing has changed."""
        scene = self.phone.scene()
        if self._screen is None or self._screen.scene is not scene:
            self._screen = AxScreen(scene)
        return self._screen

    def keep(self, selector: Selector) -> str:
        """Store an object and give its id."""
        if len(self.objects) >= MAX_OBJECTS:
            raise JavaError("java.lang.OutOfMemoryError", "too many objects are kept")
        self._made += 1
        identity = str(uuid.UUID(int=self._made, version=4))
        self.objects[identity] = selector
        return identity

    def target(self, value: Any) -> Target:
        """Read an argument that names an object.

        Raises:
            RpcError: It is neither a selector nor the id of a kept object.
        """
        if not isinstance(value, str):
            return Target(parse(value))
        selector = self.objects.get(value)
        if selector is None:
            raise JavaError(UI_OBJECT_NOT_FOUND, "UiObject not found!")
        return Target(selector, kept=True)

    def find(self, target: Target) -> AxNode | None:
        """Look for the object once."""
        if target.kept:
            return search.find_ui(self.screen(), target.selector)
        return search.find(self.screen(), target.selector)

    def require(self, value: Any, *, ui_only: bool = False) -> AxNode:
        """Find the object that an argument names.

        Args:
            value: A selector or an id.
            ui_only: Whether the call always uses a UiSelector.

        Raises:
            RpcError: UiObjectNotFoundException when it is not on the screen.
        """
        target = self.target(value)
        node = self.find(Target(target.selector, kept=True) if ui_only else target)
        if node is None:
            raise not_found(str(target.selector))
        return node

    async def wait(self, holds: Callable[[], bool], timeout_ms: int) -> bool:
        """Look every 100 ms of phone time until it holds; at least once.

        Only a screen that has changed is looked at again.
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
    """A Java int from JSON: fractions are cut off, as Jackson does.

    Raises:
        RpcError: Not a number.
    """
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise invalid_params()
    if value != value or abs(value) > 2**53:
        raise invalid_params()
    return int(value)


def number(value: Any) -> float:
    """A Java float from JSON.

    Raises:
        RpcError: Not a number.
    """
    if isinstance(value, bool) or not isinstance(value, int | float) or value != value:
        raise invalid_params()
    return float(value)


def boolean(value: Any) -> bool:
    """A Java boolean from JSON.

    Raises:
        RpcError: Not a boolean.
    """
    if isinstance(value, bool | int):
        return bool(value)
    raise invalid_params()


def string(value: Any) -> str:
    """A Java String from JSON.

    Raises:
        RpcError: Not a string.
    """
    if isinstance(value, str):
        return value
    raise invalid_params()
