"""Look for an element that is not on the screen."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass

from garabench.agents.heuristic.matching import best_element, best_match, rows_of_list
from garabench.agents.heuristic.memory import MAX_ATTEMPTS, EpisodeMemory
from garabench.agents.heuristic.screen import ScreenContents, ScreenItem
from garabench.agents.heuristic.subgoals import Subgoal, SubgoalKind
from garabench.agents.heuristic.text_fields import search_entrance, search_field
from garabench.agents.heuristic.ui_labels import ALL, AVATARS, COMMITS, MORE, PANELS, PERSONAL, SETTINGS
from garabench.agents.interface import Decision
from garabench.core import action as act

_MAX_SCROLLS = 3
_MAX_BACKS = 2
_MIN_STRONG_SCORE = 0.85
_MAX_BACKS_TO_PAGE = 4
_PLACES = ("收藏", "列表", "订单", "记录", "夹", "箱", "中心", "详情", "cart", "orders", "history", "lists")
_MAX_SHORT = 8
_UPPER = 0.12
_MIN_SCORE = 0.6
_SEARCH_TABS = ("搜索", "发现", "首页", "search", "explore", "discover", "home")
_TAB_EDGE = 0.9


@dataclass(frozen=True, slots=True)
class ExplorationAttempt:
    """A decision, and the element that it presses, if any."""

    decision: Decision
    item: ScreenItem | None = None


class Explorer:
    """Looks for an element: scrolls, opens menus and tabs, goes back, and gives up in the end."""

    def __init__(self, memory: EpisodeMemory, draw: random.Random) -> None:
        """Prepare.

        Args:
            memory: The memory of the episode.
            draw: Random generator for choices between equals.
        """
        self._memory = memory
        self._draw = draw

    def explore(self, subgoal: Subgoal, screen: ScreenContents) -> ExplorationAttempt | None:
        """Return the next attempt to find a subgoal's element; None to skip the subgoal."""
        memory = self._memory
        memory.tries += 1
        if memory.tries > (3 if subgoal.optional else MAX_ATTEMPTS):
            return None
        if self._next_is_on_screen(screen):
            return None
        if subgoal.optional and subgoal.order is not None and memory.tries > 1:
            return None
        for attempt in self._attempts(subgoal, screen):
            if attempt is not None:
                return attempt
        return None

    def _next_is_on_screen(self, screen: ScreenContents) -> bool:
        """Return whether the element of the next subgoal is already on screen."""
        following = self._memory.following
        if (
            following is None
            or following.kind not in (SubgoalKind.FIND, SubgoalKind.PICK, SubgoalKind.SWITCH)
            or not following.names
        ):
            return False
        match = best_element(screen, following, without=self._memory.excluded_keys(screen))
        # Tabs are always on screen, so they do not show progress.
        return match is not None and match.score >= _MIN_STRONG_SCORE and not _is_tab(match.item, screen)

    def _attempts(self, subgoal: Subgoal, screen: ScreenContents) -> Iterator[ExplorationAttempt | None]:
        short = bool(subgoal.names) and len(subgoal.names[0]) <= _MAX_SHORT
        yield self._confirm(screen)
        if subgoal.kind is SubgoalKind.PICK:
            yield self._open(screen, PANELS, "the option may be in it")
        if subgoal.kind is SubgoalKind.ACT and not subgoal.optional:
            yield self._row(subgoal, screen)
        if subgoal.kind is SubgoalKind.SEARCH:
            yield self._tab(screen, _SEARCH_TABS)
        if subgoal.kind is SubgoalKind.SWITCH or _is_setting(subgoal):
            yield self._settings(screen)
        if subgoal.kind in (SubgoalKind.FIND, SubgoalKind.SWITCH) and short:
            yield self._personal(screen)
        yield self._scroll(screen)
        if subgoal.kind is SubgoalKind.ANSWER:
            yield self._row(subgoal, screen)
            return
        if (
            subgoal.kind in (SubgoalKind.ACT, SubgoalKind.PICK, SubgoalKind.TYPE)
            and not self._memory.counts["more", self._memory.at]
        ):
            move = self._open(screen, MORE, "it may contain the element")
            self._memory.counts["more", self._memory.at] += move is not None
            yield move
        if subgoal.kind is SubgoalKind.FIND:
            yield self._open(screen, ALL, "it may contain the element")
            yield self._search_for(subgoal, screen)
            yield self._personal(screen)
            if not _is_setting(subgoal):
                yield self._tab(screen)
        yield self._back(screen, subgoal)

    def _confirm(self, screen: ScreenContents) -> ExplorationAttempt | None:
        """Confirm a choice in a sheet or form that is still open."""
        if not self._memory.picked:
            return None
        return self._open(screen, COMMITS, "confirm the choice", least=0.95)

    def _open(
        self, screen: ScreenContents, names: tuple[str, ...], thought: str, *, least: float = 0.88
    ) -> ExplorationAttempt | None:
        failed = self._memory.excluded_keys(screen)
        items = [item for item in screen.items if item.key not in failed]
        match = best_match(items, names)
        if match is None or match.score < least:
            return None
        if not self._memory.first_time("open", self._memory.at, screen.key, match.item.key):
            return None
        if names is COMMITS:
            self._memory.picked = False
        return ExplorationAttempt(
            Decision(match.item.tap(), f"press {match.item.title!r}: {thought}"), match.item
        )

    def _row(self, subgoal: Subgoal, screen: ScreenContents) -> ExplorationAttempt | None:
        """Open a row of a list: a control that is not on the list may be on the row's page."""
        if subgoal.near or not self._memory.searched or not self._memory.first_time("row", self._memory.at):
            return None
        listed = rows_of_list(screen)
        if not listed:
            return None
        match = best_match(listed, (self._memory.searched,))
        item = match.item if match else listed[0]
        return ExplorationAttempt(Decision(item.tap(), f"open {item.title!r}, the search result"), item)

    def _personal(self, screen: ScreenContents) -> ExplorationAttempt | None:
        """Open the tab of the user's own pages, or else the user's picture in the top bar."""
        items = [item for item in screen.items if item.state is not True and len(item.title) <= _MAX_SHORT]
        match = best_match([item for item in items if _is_tab(item, screen)], PERSONAL)
        if (
            match
            and match.score >= _MIN_STRONG_SCORE
            and self._memory.first_time("personal", self._memory.at)
        ):
            return ExplorationAttempt(
                Decision(match.item.tap(), "it may be among the user's own pages"), match.item
            )
        upper = [
            item
            for item in screen.items
            if item.bounds.top < _UPPER * screen.size.height and item.bounds.width < 0.2 * screen.size.width
        ]
        match = best_match(upper, AVATARS)
        if match and match.score >= _MIN_SCORE and self._memory.first_time("avatar", self._memory.at):
            return ExplorationAttempt(
                Decision(match.item.tap(), "it may be on the user's profile"), match.item
            )
        return None

    def _search_for(self, subgoal: Subgoal, screen: ScreenContents) -> ExplorationAttempt | None:
        """Search for a name that is not on screen."""
        if (
            subgoal.optional
            or len(subgoal.names) != 1
            or _is_setting(subgoal)
            or not _is_proper(subgoal.names[0])
        ):
            return None
        if self._memory.searched == subgoal.names[0] or not self._memory.first_time(
            "searching", self._memory.at, limit=3
        ):
            return None
        field = search_field(screen)
        if field is not None:
            self._memory.searched = subgoal.names[0]
            at = field.bounds.center
            typed = act.Type(text=subgoal.names[0], clear=True, submit=True, at=(at.x, at.y))
            return ExplorationAttempt(Decision(typed, f"search for {subgoal.names[0]!r}"))
        entrance = search_entrance(screen, self._memory.excluded_keys(screen))
        return (
            None
            if entrance is None
            else ExplorationAttempt(Decision(entrance.tap(), "search for it"), entrance)
        )

    def _settings(self, screen: ScreenContents) -> ExplorationAttempt | None:
        return self._open(screen, SETTINGS, "it may be a setting", least=0.75)

    def _tab(self, screen: ScreenContents, names: tuple[str, ...] = ()) -> ExplorationAttempt | None:
        if not _has_tabs(screen):
            return None
        tabs = [item for item in screen.items if _is_tab(item, screen) and item.state is not True]
        if names:
            match = best_match(tabs, names)
            tabs = [match.item] if match and match.score >= _MIN_STRONG_SCORE else []
        fresh = [item for item in tabs if not self._memory.counts["tab", self._memory.at, item.title]]
        if not fresh:
            return None
        item = self._draw.choice(fresh)
        self._memory.first_time("tab", self._memory.at, item.title)
        return ExplorationAttempt(Decision(item.tap(), f"look at {item.title!r}"), item)

    def _scroll(self, screen: ScreenContents) -> ExplorationAttempt | None:
        if not screen.scrolls:
            return None
        area = screen.scrolls[0]
        content = "|".join(text for text, _ in screen.texts)
        if not self._memory.first_time("seen", self._memory.at, content):
            return None
        if not self._memory.first_time("scroll", self._memory.at, limit=_MAX_SCROLLS):
            return None
        at = area.center
        return ExplorationAttempt(
            Decision(act.Scroll(direction="down", x=at.x, y=at.y), "it may be further down")
        )

    def _back(self, screen: ScreenContents, subgoal: Subgoal) -> ExplorationAttempt | None:
        if self._memory.backs >= (_MAX_BACKS_TO_PAGE if _is_place(subgoal) else _MAX_BACKS) or _has_tabs(
            screen
        ):
            return None
        self._memory.backs += 1
        return ExplorationAttempt(Decision(act.Back(), f"{subgoal} is not here: go back"))


def _is_place(subgoal: Subgoal) -> bool:
    """Return whether a subgoal is a page of the app rather than an item on a page."""
    name = subgoal.names[0] if subgoal.names else ""
    return _is_setting(subgoal) or name.startswith("我") or name.endswith(_PLACES)


def _is_proper(name: str) -> bool:
    """Return whether a name is a proper name, which a search may find, not a label of the app."""
    return len(name) >= 4 and (name[0].isupper() or not name[0].isascii())


def _is_setting(subgoal: Subgoal) -> bool:
    return any(name.endswith("设置") or "settings" in name.casefold() for name in subgoal.names[:1])


def _is_tab(item: ScreenItem, screen: ScreenContents) -> bool:
    """Return whether an element is a tab of the bottom bar, or a numbered tab at the top."""
    low = item.bounds.top >= screen.size.height * (_TAB_EDGE - 0.05)
    return (low and item.bounds.height < screen.size.height * 0.09) or " tab " in item.node.desc.lower()


def _has_tabs(screen: ScreenContents) -> bool:
    tabs = [item for item in screen.items if _is_tab(item, screen)]
    narrow = [item for item in tabs if item.bounds.width <= 0.34 * screen.size.width]
    if len(narrow) < 3 or any(item.field for item in screen.items):
        return False
    widths = [item.bounds.width for item in narrow]
    return max(widths) - min(widths) <= 0.1 * screen.size.width
