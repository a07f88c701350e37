"""UI Automator's watchers: registered conditions that trigger a click or keys."""

from __future__ import annotations

from typing import Any

from garabench.virtual.u2 import object_search, touch_calls
from garabench.virtual.u2.device_calls import DeviceCalls
from garabench.virtual.u2.rpc import invalid_params
from garabench.virtual.u2.server_session import Calls, ServerSession, UiWatcher, string
from garabench.virtual.u2.ui_selector import UiSelector, parse_selector

MAX_WATCHERS = 200


class WatcherCalls:
    """The calls that register, run and query watchers.

    The Python client implements its own watchers; these are the server's.
    """

    def __init__(self, session: ServerSession, device: DeviceCalls) -> None:
        self._session = session
        self._device = device

    def calls(self) -> Calls:
        """Return the calls by name."""
        return {
            "registerClickUiObjectWatcher": self.register_click,
            "registerPressKeyskWatcher": self.register_keys,  # sic: the server's name
            "removeWatcher": self.remove,
            "resetWatcherTriggers": self.reset,
            "runWatchers": self.run,
            "getWatchers": self.names,
            "hasWatcherTriggered": self.has_triggered,
            "hasAnyWatcherTriggered": self.has_any_triggered,
        }

    async def register_click(self, name: Any, conditions: Any, target: Any) -> None:
        """``registerClickUiObjectWatcher(name, conditions, target)``."""
        self._register(string(name), UiWatcher(_conditions(conditions), parse_selector(target)))

    async def register_keys(self, name: Any, conditions: Any, keys: Any) -> None:
        """``registerPressKeyskWatcher(name, conditions, keys)``."""
        if not isinstance(keys, list):
            raise invalid_params()
        self._register(
            string(name), UiWatcher(_conditions(conditions), keys=tuple(string(key) for key in keys))
        )

    def _register(self, name: str, watcher: UiWatcher) -> None:
        if len(self._session.watchers) >= MAX_WATCHERS:
            raise invalid_params()
        self._session.watchers.pop(name, None)
        self._session.watchers[name] = watcher

    async def remove(self, name: Any) -> None:
        """``removeWatcher``."""
        self._session.watchers.pop(string(name), None)

    async def reset(self) -> None:
        """``resetWatcherTriggers``."""
        for watcher in self._session.watchers.values():
            watcher.triggered = False

    async def names(self) -> list[str]:
        """``getWatchers``."""
        return list(self._session.watchers)

    async def has_triggered(self, name: Any) -> bool:
        """``hasWatcherTriggered``."""
        watcher = self._session.watchers.get(string(name))
        return watcher is not None and watcher.triggered

    async def has_any_triggered(self) -> bool:
        """``hasAnyWatcherTriggered``."""
        return any(watcher.triggered for watcher in self._session.watchers.values())

    async def run(self) -> None:
        """``runWatchers``: triggers every watcher whose conditions are on the screen."""
        for watcher in list(self._session.watchers.values()):
            screen = self._session.screen()
            if any(object_search.find_ui(screen, condition) is None for condition in watcher.conditions):
                continue
            watcher.triggered = True
            await self._act(watcher)

    async def _act(self, watcher: UiWatcher) -> None:
        for key in watcher.keys:
            await self._device.press_key(key)
        if watcher.target is not None:
            node = object_search.find_ui(self._session.screen(), watcher.target)
            if node is not None:
                await touch_calls.inject_tap(self._session, node.visible.center.x, node.visible.center.y)


def _conditions(value: Any) -> tuple[UiSelector, ...]:
    if not isinstance(value, list):
        raise invalid_params()
    return tuple(parse_selector(selector) for selector in value)
