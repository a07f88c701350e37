"""Calls on one object: existence, info, clicks, text, drags and pinches."""

from __future__ import annotations

from typing import Any

from garabench.core.geometry import Point, Rect
from garabench.virtual.u2 import object_search, touch_calls
from garabench.virtual.u2.accessibility import AxNode
from garabench.virtual.u2.rpc import JavaError, invalid_params
from garabench.virtual.u2.server_session import (
    CALL_MS,
    STEP_MS,
    Calls,
    ObjectTarget,
    ServerSession,
    integer,
    string,
)
from garabench.virtual.ui.widgets import TextField

LONG_PRESS_MS = 750
"""UiObject's long press: one and a half times the system's long-press timeout."""
EDGE = 5
"""UiObject's distance from corners and edges, in pixels."""
MIN_PINCH = 40
CHAR_MS = 20


class ObjectCalls:
    """The calls whose first argument is an object."""

    def __init__(self, session: ServerSession, touch: touch_calls.TouchCalls) -> None:
        self._session = session
        self._phone = session.phone
        self._touch = touch

    def calls(self) -> Calls:
        """Return the calls by name, with the overloads of ``click`` and ``swipe`` by coordinates."""
        return {
            "exist": self.exist,
            "waitForExists": self.wait_for_exists,
            "waitUntilGone": self.wait_until_gone,
            "objInfo": self.info,
            "objInfoOfAllInstances": self.info_of_all,
            "count": self.count,
            "getText": self.get_text,
            "setText": self.set_text,
            "clearTextField": self.clear_text_field,
            "click": self.click,
            "clickAndWaitForNewWindow": self.click_and_wait,
            "longClick": self.long_click,
            "dragTo": self.drag_to,
            "swipe": self.swipe,
            "pinchIn": self.pinch,
            "pinchOut": self.pinch,
            "gesture": self.gesture,
            "pasteClipboard": self.paste_clipboard,
            "clearInputText": self.clear_input_text,
        }

    async def exist(self, obj: Any) -> bool:
        """``exist``."""
        target = self._session.target(obj)
        await self._phone.spend(CALL_MS)
        if target.stored:
            return self._session.find(target) is not None
        return object_search.exists(self._session.screen(), target.selector)

    async def wait_for_exists(self, obj: Any, timeout_ms: Any) -> bool:
        """``waitForExists(object, ms)``."""
        target = self._session.target(obj)
        await self._phone.spend(CALL_MS)
        return await self._session.wait(lambda: self._exists(target), integer(timeout_ms))

    async def wait_until_gone(self, obj: Any, timeout_ms: Any) -> bool:
        """``waitUntilGone(object, ms)``."""
        target = self._session.target(obj)
        await self._phone.spend(CALL_MS)
        return await self._session.wait(lambda: not self._exists(target), integer(timeout_ms))

    def _exists(self, target: ObjectTarget) -> bool:
        if target.selector.simple and not target.stored:
            return object_search.find_by(self._session.screen(), target.selector) is not None
        return object_search.find_ui(self._session.screen(), target.selector) is not None

    async def info(self, obj: Any) -> dict[str, Any]:
        """``objInfo``."""
        await self._phone.spend(CALL_MS)
        target = self._session.target(obj)
        if target.selector.simple and not target.stored:
            node = object_search.find_by(self._session.screen(), target.selector)
            if node is not None:
                return _by_info(node)
        return _ui_info(self._session.require(obj, ui_only=True))

    async def info_of_all(self, obj: Any) -> list[dict[str, Any] | None]:
        """``objInfoOfAllInstances``.

        For chained selectors the real server counts the matches of the last link and numbers the first
        one, so some entries may be null; this server does the same.
        """
        await self._phone.spend(CALL_MS)
        selector = self._session.target(obj).selector
        screen = self._session.screen()
        total = object_search.count(screen, selector)
        if selector.first.instance is not None:
            node = object_search.find_ui(screen, selector)
            return [None if node is None else _ui_info(node)] * total
        if not selector.chain:
            return [_ui_info(node) for node in object_search.find_all_ui(screen, selector)]
        nodes = [
            object_search.find_ui(screen, selector.with_instance(i, of_first=True)) for i in range(total)
        ]
        return [None if node is None else _ui_info(node) for node in nodes]

    async def count(self, obj: Any) -> int:
        """``count``."""
        await self._phone.spend(CALL_MS)
        return object_search.count(self._session.screen(), self._session.target(obj).selector)

    async def get_text(self, obj: Any) -> str | None:
        """``getText``."""
        await self._phone.spend(CALL_MS)
        target = self._session.target(obj)
        if target.selector.simple and not target.stored:
            node = object_search.find_by(self._session.screen(), target.selector)
            if node is not None:
                return node.text if node.holds_text else None
        return self._session.require(obj, ui_only=True).text

    async def set_text(self, obj: Any, text: Any) -> bool:
        """``setText(object, text)``: clicks the field and replaces its text."""
        wanted = "" if text is None else string(text)
        await self._tap_node(self._session.require(obj))
        # The server looks the object up again: the click may have opened another screen.
        node = self._session.require(obj)
        return await self._replace_text(node, wanted)

    async def clear_text_field(self, obj: Any) -> None:
        """``clearTextField``."""
        await self._replace_text(self._session.require(obj), "")

    async def _replace_text(self, node: AxNode, text: str) -> bool:
        if not isinstance(node.placed.widget, TextField) or not node.placed.enabled:
            return False
        if not node.placed.focused:
            await self._tap_node(node)
        self._phone.ime.clear()
        if text:
            self._phone.ime.commit_text(text)
        await self._phone.spend(max(1, len(text)) * CHAR_MS)
        return True

    async def paste_clipboard(self) -> None:
        """``pasteClipboard``: Ctrl+V into the focused field."""
        text = self._phone.clipboard.get()
        if text:
            self._phone.ime.commit_text(text)
        await self._phone.spend(max(1, len(text or "")) * CHAR_MS)

    async def clear_input_text(self) -> None:
        """``clearInputText``: Ctrl+A and Delete in the focused field."""
        self._phone.ime.clear()
        await self._phone.spend(2 * CHAR_MS)

    async def click(self, *arguments: Any) -> bool:
        """``click``: (object), (object, corner), (x, y) or (x, y, ms)."""
        match arguments:
            case (dict() | str() as obj,):
                return await self._tap_node(self._session.require(obj))
            case (dict() | str() as obj, str() | None as corner):
                point = _corner(self._session.require(obj, ui_only=True).visible, corner)
                return (
                    False if point is None else await touch_calls.inject_tap(self._session, point.x, point.y)
                )
            case (x, y):
                return await self._touch.click(x, y)
            case (x, y, duration):
                return await self._touch.click(x, y, duration)
            case _:
                raise invalid_params()

    async def click_and_wait(self, obj: Any, timeout_ms: Any) -> bool:
        """``clickAndWaitForNewWindow(object, ms)``: whether a window opened or closed in time."""
        before = self._titles()
        await self._tap_node(self._session.require(obj))
        return await self._session.wait(lambda: self._titles() != before, integer(timeout_ms))

    def _titles(self) -> list[str]:
        return [window.title for window in self._phone.scene().windows]

    async def long_click(self, obj: Any, corner: Any = "center") -> bool:
        """``longClick(object[, corner])``."""
        point = _corner(self._session.require(obj).visible, corner)
        return (
            False
            if point is None
            else await touch_calls.inject_press(self._session, point.x, point.y, LONG_PRESS_MS)
        )

    async def drag_to(self, *arguments: Any) -> bool:
        """``dragTo``: (object, object, steps) or (object, x, y, steps)."""
        match arguments:
            case (obj, dict() as other, steps):
                start = self._session.require(obj, ui_only=True).visible.center
                end = self._session.require(other, ui_only=True).visible.center
            case (obj, x, y, steps):
                start = self._session.require(obj, ui_only=True).visible.center
                end = Point(integer(x), integer(y))
            case _:
                raise invalid_params()
        return await touch_calls.inject_drag(
            self._session, (start.x, start.y), (end.x, end.y), integer(steps)
        )

    async def swipe(self, *arguments: Any) -> bool:
        """``swipe``: (object, direction[, percent], steps) or (x1, y1, x2, y2, steps)."""
        match arguments:
            case (obj, str() as direction, steps):
                rect = self._session.require(obj, ui_only=True).visible
                return await self._swipe_in(rect, direction, 1.0, integer(steps))
            case (obj, str() as direction, int() | float() as percent, steps):
                rect = self._session.require(obj).visible
                return await self._swipe_in(rect, direction, min(1.0, max(0.0, percent)), integer(steps))
            case (x1, y1, x2, y2, steps):
                return await self._touch.swipe(x1, y1, x2, y2, steps)
            case _:
                raise invalid_params()

    async def _swipe_in(self, rect: Rect, direction: str, part: float, steps: int) -> bool:
        center = rect.center
        across, along = int(rect.width * part / 2) - EDGE, int(rect.height * part / 2) - EDGE
        move = {"u": (0, -along), "d": (0, along), "l": (-across, 0), "r": (across, 0)}.get(
            direction[:1].lower()
        )
        if move is None or max(abs(move[0]), abs(move[1])) <= EDGE:
            return False
        start = (center.x - move[0], center.y - move[1])
        end = (center.x + move[0], center.y + move[1])
        return await touch_calls.inject_swipe(self._session, start, end, steps)

    async def pinch(self, obj: Any, percent: Any, steps: Any) -> bool:
        """``pinchIn`` and ``pinchOut``: two fingers on the diagonal; no app here reacts to them."""
        rect = self._session.require(obj, ui_only=True).visible
        integer(percent)
        if rect.width <= MIN_PINCH:
            raise JavaError("java.lang.IllegalStateException", "Object width is too small for operation")
        await self._phone.spend(max(1, integer(steps)) * STEP_MS)
        return True

    async def gesture(self, obj: Any, start1: Any, start2: Any, end1: Any, end2: Any, steps: Any) -> bool:
        """``gesture``: two fingers between given points; no app here reacts to them."""
        self._session.require(obj, ui_only=True)
        for point in (start1, start2, end1, end2):
            if not isinstance(point, dict):
                raise invalid_params()
            integer(point.get("x", 0)), integer(point.get("y", 0))
        await self._phone.spend(max(1, integer(steps)) * STEP_MS)
        return True

    async def _tap_node(self, node: AxNode) -> bool:
        center = node.visible.center
        return await touch_calls.inject_tap(self._session, center.x, center.y)


def _corner(rect: Rect, corner: Any) -> Point | None:
    name = "center" if corner is None else string(corner).lower()
    if name in ("br", "bottomright"):
        return Point(rect.right - EDGE, rect.bottom - EDGE)
    if name in ("tl", "topleft"):
        return Point(rect.left + EDGE, rect.top + EDGE)
    return rect.center if name in ("c", "center") else None


def _rect(rect: Rect) -> dict[str, int]:
    return {"bottom": rect.bottom, "left": rect.left, "right": rect.right, "top": rect.top}


def _by_info(node: AxNode) -> dict[str, Any]:
    """ObjInfo of a UiObject2: null instead of a missing text, and visible bounds."""
    return _info(node) | {
        "bounds": _rect(node.visible),
        "contentDescription": node.desc or None,
        "resourceName": node.resource_id or None,
        "text": node.text if node.holds_text else None,
    }


def _ui_info(node: AxNode) -> dict[str, Any]:
    """ObjInfo of a UiObject: empty strings instead of null, and no resource name."""
    return _info(node) | {
        "bounds": _rect(node.placed.bounds),
        "contentDescription": node.desc,
        "resourceName": None,
        "text": node.text,
    }


def _info(node: AxNode) -> dict[str, Any]:
    return {
        "checkable": node.flag("checkable"),
        "checked": node.flag("checked"),
        "childCount": len(node.children),
        "className": node.cls,
        "clickable": node.flag("clickable"),
        "enabled": node.flag("enabled"),
        "focusable": node.flag("focusable"),
        "focused": node.flag("focused"),
        "longClickable": node.flag("longClickable"),
        "packageName": node.package,
        "scrollable": node.flag("scrollable"),
        "selected": node.flag("selected"),
        "visibleBounds": _rect(node.visible),
    }
