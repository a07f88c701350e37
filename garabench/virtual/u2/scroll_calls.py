"""Calls of UiScrollable and UiCollection: scroll, fling, and children by text, description or instance."""

from __future__ import annotations

from functools import partial
from typing import Any

from garabench.virtual.u2 import object_search, touch_calls
from garabench.virtual.u2.accessibility import AxNode
from garabench.virtual.u2.rpc import not_found
from garabench.virtual.u2.server_session import CALL_MS, Calls, ServerSession, boolean, integer, string
from garabench.virtual.u2.ui_selector import (
    Criteria,
    FieldComparison,
    Operator,
    Relation,
    UiSelector,
    chained,
    parse_selector,
)
from garabench.virtual.ui.scene import ScrollInfo

SCROLL_STEPS = 55
FLING_STEPS = 5
MAX_SEARCH_SWIPES = 30
DEAD_ZONE = 0.1
"""Share of the height (or width) at either end that scroll swipes avoid."""
MAX_SWIPES = 2000


class ScrollCalls:
    """``scroll*``, ``fling*``, ``childBy*`` and the calls that store objects."""

    def __init__(self, session: ServerSession) -> None:
        self._session = session
        self._phone = session.phone

    def calls(self) -> Calls:
        """Return the calls by name."""
        return {
            "scrollForward": partial(self.scroll, forward=True),
            "scrollBackward": partial(self.scroll, forward=False),
            "scrollToEnd": partial(self.scroll_far, forward=True),
            "scrollToBeginning": partial(self.scroll_far, forward=False),
            "scrollTo": self.scroll_to,
            "flingForward": partial(self.fling, forward=True),
            "flingBackward": partial(self.fling, forward=False),
            "flingToEnd": partial(self.fling_far, forward=True),
            "flingToBeginning": partial(self.fling_far, forward=False),
            "childByText": self.child_by_text,
            "childByDescription": self.child_by_description,
            "childByInstance": self.child_by_instance,
            "getUiObject": self.get_ui_object,
            "getUiObjects": self.get_ui_objects,
            "removeUiObject": self.remove_ui_object,
            "getChild": self.get_child,
            "getFromParent": self.get_from_parent,
        }

    async def scroll(self, obj: Any, vertical: Any, steps: Any, *, forward: bool) -> bool:
        """``scrollForward`` / ``scrollBackward``: False once the end is reached."""
        selector = self._session.target(obj).selector
        return await self._scroll_once(selector, boolean(vertical), integer(steps), forward)

    async def scroll_far(self, obj: Any, vertical: Any, swipes: Any, steps: Any, *, forward: bool) -> bool:
        """``scrollToEnd`` / ``scrollToBeginning``."""
        selector = self._session.target(obj).selector
        return await self._scroll_far(selector, boolean(vertical), integer(swipes), integer(steps), forward)

    async def fling(self, obj: Any, vertical: Any, *, forward: bool) -> bool:
        """``flingForward`` / ``flingBackward``."""
        return await self.scroll(obj, vertical, FLING_STEPS, forward=forward)

    async def fling_far(self, obj: Any, vertical: Any, swipes: Any, *, forward: bool) -> bool:
        """``flingToEnd`` / ``flingToBeginning``."""
        return await self.scroll_far(obj, vertical, swipes, FLING_STEPS, forward=forward)

    async def scroll_to(self, obj: Any, wanted: Any, vertical: Any) -> bool:
        """``scrollTo(object, selector, vertical)``: scrolls until it is in view."""
        selector = self._session.target(obj).selector
        return await self._scroll_into_view(selector, parse_selector(wanted), boolean(vertical))

    async def _scroll_into_view(self, selector: UiSelector, wanted: UiSelector, vertical: bool) -> bool:
        inside = chained(selector, Relation.CHILD, wanted)
        if self._is_visible(inside):
            return True
        await self._scroll_far(selector, vertical, MAX_SEARCH_SWIPES, SCROLL_STEPS, forward=False)
        if self._is_visible(inside):
            return True
        for _ in range(MAX_SEARCH_SWIPES):
            more = await self._scroll_once(selector, vertical, SCROLL_STEPS, forward=True)
            if self._is_visible(inside):
                return True
            if not more:
                return False
        return False

    def _is_visible(self, selector: UiSelector) -> bool:
        return object_search.find_ui(self._session.screen(), selector) is not None

    async def _scroll_far(
        self, selector: UiSelector, vertical: bool, swipes: int, steps: int, forward: bool
    ) -> bool:
        for _ in range(min(max(0, swipes), MAX_SWIPES)):
            if not await self._scroll_once(selector, vertical, steps, forward):
                break
        return True

    async def _scroll_once(self, selector: UiSelector, vertical: bool, steps: int, forward: bool) -> bool:
        node = self._find(selector)
        rect = node.visible
        before = _scroll_of(node, vertical)
        edge = int((rect.height if vertical else rect.width) * DEAD_ZONE)
        if vertical:
            ends = [(rect.center.x, rect.bottom - edge), (rect.center.x, rect.top + edge)]
        else:
            ends = [(rect.right - edge, rect.center.y), (rect.left + edge, rect.center.y)]
        start, end = ends if forward else reversed(ends)
        scene = self._phone.scene()
        await touch_calls.inject_swipe(self._session, start, end, steps)
        moved = object_search.find_ui(self._session.screen(), selector)
        after = None if moved is None else _scroll_of(moved, vertical)
        if before is None or after is None:  # not a scrollable: only accessibility events are left
            return self._phone.scene() is not scene
        if after.offset == before.offset:
            return False
        return not after.at_end if forward else after.offset > 0

    def _find(self, selector: UiSelector) -> AxNode:
        node = object_search.find_ui(self._session.screen(), selector)
        if node is None:
            raise not_found(str(selector))
        return node

    async def child_by_text(self, obj: Any, child: Any, text: Any, scroll: Any = None) -> str:
        """``childByText(collection, child, text[, scroll])``: stores the child with the text."""
        return await self._child_by(
            obj, child, FieldComparison("text", "text", Operator.IS, string(text)), scroll
        )

    async def child_by_description(self, obj: Any, child: Any, text: Any, scroll: Any = None) -> str:
        """``childByDescription``: as ``childByText``, by content description."""
        comparison = FieldComparison("description", "desc", Operator.IS, string(text))
        return await self._child_by(obj, child, comparison, scroll)

    async def _child_by(self, obj: Any, child: Any, comparison: FieldComparison, scroll: Any) -> str:
        collection = self._session.target(obj).selector
        inside = UiSelector(Criteria((comparison,)))
        node = object_search.find_ui(self._session.screen(), collection)
        if scroll is None:  # by default the server scrolls if the collection is scrollable
            scroll = node is not None and node.flag("scrollable")
        if boolean(scroll):
            await self._scroll_into_view(collection, inside, vertical=True)
        await self._phone.spend(CALL_MS)
        node = self._find(collection)
        pattern = parse_selector(child)
        for index, row in enumerate(object_search.find_all_below(node, pattern)):
            if any(comparison.holds(descendant, ignore_case=False) for descendant in row.walk()):
                return self._session.store(chained(collection, Relation.CHILD, pattern.with_instance(index)))
        name = "text" if comparison.attribute == "text" else "description"
        raise not_found(f'for {name}= "{comparison.wanted}"')

    async def child_by_instance(self, obj: Any, child: Any, instance: Any) -> str:
        """``childByInstance(collection, child, number)``: stores the n-th child, whether or not it exists."""
        collection = self._session.target(obj).selector
        pattern = parse_selector(child).with_instance(max(0, integer(instance)))
        return self._session.store(chained(collection, Relation.CHILD, pattern))

    async def get_ui_object(self, obj: Any) -> str:
        """``getUiObject(selector)``: stores an object and returns its id."""
        return self._session.store(parse_selector(obj))

    async def get_ui_objects(self) -> list[str]:
        """``getUiObjects``: the ids of stored objects."""
        return list(self._session.objects)

    async def remove_ui_object(self, identity: Any) -> None:
        """``removeUiObject``."""
        self._session.objects.pop(string(identity), None)

    async def get_child(self, identity: Any, selector: Any) -> str:
        """``getChild(id, selector)``."""
        return self._store_related(identity, Relation.CHILD, selector)

    async def get_from_parent(self, identity: Any, selector: Any) -> str:
        """``getFromParent(id, selector)``."""
        return self._store_related(identity, Relation.SIBLING, selector)

    def _store_related(self, identity: Any, relation: Relation, selector: Any) -> str:
        base = self._session.target(string(identity)).selector
        return self._session.store(chained(base, relation, parse_selector(selector)))


def _scroll_of(node: AxNode, vertical: bool) -> ScrollInfo | None:
    scroll = node.placed.scroll
    return scroll if scroll is not None and scroll.horizontal is not vertical else None
