"""Look for a target that is not on the screen."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass

from garabench.agents.heuristic.matching import best_match, find, rows
from garabench.agents.heuristic.memory import MAX_ATTEMPTS, EpisodeMemory
from garabench.agents.heuristic.screen import ScreenContents, ScreenItem
from garabench.agents.heuristic.subgoals import Subgoal, SubgoalKind
from garabench.agents.heuristic.text_fields import search_entrance, search_field
from garabench.agents.heuristic.ui_labels import ALL, AVATARS, COMMITS, MORE, PANELS, PERSONAL, SETTINGS
from garabench.agents.interface import Decision
from garabench.core import action as act

_SCROLLS = 3
_BACKS = 2
_STRONG = 0.85
_MORE_BACKS = 4
_PLACES = ("收藏", "列表", "订单", "记录", "夹", "箱", "中心", "详情", "cart", "orders", "history", "lists")
_SHORT = 8
_UPPER = 0.12
_NAMED = 0.6
_SEARCH_TABS = ("搜索", "发现", "首页", "search", "explore", "discover", "home")
_TAB_EDGE = 0.9


@dataclass(frozen=True, slots=True)
class ExplorationAttempt:
    """A decision, and the element that it presses, if any."""

    decision: Decision
    item: ScreenItem | None = None


class Explorer:
    """Looks for what is not in sight: scrolls, opens menus and tabs, goes back; passes over in the end."""

    def __init__(self, memory: EpisodeMemory, draw: random.Random) -> None:
        """Prepare.

        Args:
            memory: Of the episode.
            draw: For what is as good as each other.
        """
        self._memory = memory
        self._draw = draw

    def explore(self, intent: Subgoal, screen: ScreenContents) -> ExplorationAttempt | None:
        """The next attempt to find it, or None to pass it over."""
        memory = self._memory
        memory.tries += 1
        if memory.tries > (3 if intent.optional else MAX_ATTEMPTS):
            return None
        if self._next_is_here(screen):
            return None
        if intent.optional and intent.order is not None and memory.tries > 1:
            return None
        for attempt in self._attempts(intent, screen):
            if attempt is not None:
                return attempt
        return None

    def _next_is_here(self, screen: ScreenContents) -> bool:
        """Whether what comes after it is in sight already: then the way was another one."""
        following = self._memory.following
        if (
            following is None
            or following.kind not in (SubgoalKind.FIND, SubgoalKind.PICK, SubgoalKind.SWITCH)
            or not following.names
        ):
            return False
        match = find(screen, following, without=self._memory.without(screen))
        # The bar of tabs is always there: its tabs say nothing about how far one has come.
        return match is not None and match.score >= _STRONG and not _is_tab(match.item, screen)

    def _attempts(self, intent: Subgoal, screen: ScreenContents) -> Iterator[ExplorationAttempt | None]:
        short = bool(intent.names) and len(intent.names[0]) <= _SHORT
        yield self._confirm(screen)
        if intent.kind is SubgoalKind.PICK:
            yield self._open(screen, PANELS, "what is asked for may be behind it")
        if intent.kind is SubgoalKind.ACT and not intent.optional:
            yield self._row(intent, screen)
        if intent.kind is SubgoalKind.SEARCH:
            yield self._tab(screen, _SEARCH_TABS)
        if intent.kind is SubgoalKind.SWITCH or _is_setting(intent):
            yield self._settings(screen)
        if intent.kind in (SubgoalKind.FIND, SubgoalKind.SWITCH) and short:
            yield self._personal(screen)
        yield self._scroll(screen)
        if intent.kind is SubgoalKind.ANSWER:
            yield self._row(intent, screen)
            return
        if (
            intent.kind in (SubgoalKind.ACT, SubgoalKind.PICK, SubgoalKind.TYPE)
            and not self._memory.counts["more", self._memory.at]
        ):
            move = self._open(screen, MORE, "there may be more behind it")
            self._memory.counts["more", self._memory.at] += move is not None
            yield move
        if intent.kind is SubgoalKind.FIND:
            yield self._open(screen, ALL, "there may be more behind it")
            yield self._search_for(intent, screen)
            yield self._personal(screen)
            if not _is_setting(intent):
                yield self._tab(screen)
        yield self._back(screen, intent)

    def _confirm(self, screen: ScreenContents) -> ExplorationAttempt | None:
        """Something was chosen in a sheet or a form, and its page is still here."""
        if not self._memory.picked:
            return None
        return self._open(screen, COMMITS, "confirm the choice", least=0.95)

    def _open(
        self, screen: ScreenContents, names: tuple[str, ...], thought: str, *, least: float = 0.88
    ) -> ExplorationAttempt | None:
        dead = self._memory.without(screen)
        items = [item for item in screen.items if item.key not in dead]
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

    def _row(self, intent: Subgoal, screen: ScreenContents) -> ExplorationAttempt | None:
        """A control that is not on a list is on the page of one of its rows."""
        if intent.near or not self._memory.searched or not self._memory.first_time("row", self._memory.at):
            return None
        listed = rows(screen)
        if not listed:
            return None
        match = best_match(listed, (self._memory.searched,))
        item = match.item if match else listed[0]
        return ExplorationAttempt(Decision(item.tap(), f"open {item.title!r}, which was searched for"), item)

    def _personal(self, screen: ScreenContents) -> ExplorationAttempt | None:
        """The tab of what belongs to the user, or else their picture in the upper bar."""
        items = [item for item in screen.items if item.state is not True and len(item.title) <= _SHORT]
        match = best_match([item for item in items if _is_tab(item, screen)], PERSONAL)
        if match and match.score >= _STRONG and self._memory.first_time("personal", self._memory.at):
            return ExplorationAttempt(
                Decision(match.item.tap(), "what belongs to the user may be there"), match.item
            )
        upper = [
            item
            for item in screen.items
            if item.bounds.top < _UPPER * screen.size.height and item.bounds.width < 0.2 * screen.size.width
        ]
        match = best_match(upper, AVATARS)
        if match and match.score >= _NAMED and self._memory.first_time("avatar", self._memory.at):
            return ExplorationAttempt(
                Decision(match.item.tap(), "what belongs to the user may be behind their picture"), match.item
            )
        return None

    def _search_for(self, intent: Subgoal, screen: ScreenContents) -> ExplorationAttempt | None:
        """What cannot be seen can be searched for, by the name that it was given."""
        if (
            intent.optional
            or len(intent.names) != 1
            or _is_setting(intent)
            or not _is_proper(intent.names[0])
        ):
            return None
        if self._memory.searched == intent.names[0] or not self._memory.first_time(
            "searching", self._memory.at, limit=3
        ):
            return None
        field = search_field(screen)
        if field is not None:
            self._memory.searched = intent.names[0]
            at = field.bounds.center
            typed = act.Type(text=intent.names[0], clear=True, submit=True, at=(at.x, at.y))
            return ExplorationAttempt(Decision(typed, f"search for {intent.names[0]!r}"))
        way = search_entrance(screen, self._memory.without(screen))
        return None if way is None else ExplorationAttempt(Decision(way.tap(), "it can be searched for"), way)

    def _settings(self, screen: ScreenContents) -> ExplorationAttempt | None:
        return self._open(screen, SETTINGS, "it is a setting", least=0.75)

    def _tab(self, screen: ScreenContents, names: tuple[str, ...] = ()) -> ExplorationAttempt | None:
        if not _has_tabs(screen):
            return None
        tabs = [item for item in screen.items if _is_tab(item, screen) and item.state is not True]
        if names:
            match = best_match(tabs, names)
            tabs = [match.item] if match and match.score >= _STRONG else []
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
        look = "|".join(text for text, _ in screen.texts)
        if not self._memory.first_time("seen", self._memory.at, look):
            return None
        if not self._memory.first_time("scroll", self._memory.at, limit=_SCROLLS):
            return None
        at = area.center
        return ExplorationAttempt(
            Decision(act.Scroll(direction="down", x=at.x, y=at.y), "it may be further down")
        )

    def _back(self, screen: ScreenContents, intent: Subgoal) -> ExplorationAttempt | None:
        if self._memory.backs >= (_MORE_BACKS if _is_place(intent) else _BACKS) or _has_tabs(screen):
            return None
        self._memory.backs += 1
        return ExplorationAttempt(Decision(act.Back(), f"{intent} is not here: go back"))


def _is_place(intent: Subgoal) -> bool:
    """Whether it is a page of the app rather than a thing in it."""
    name = intent.names[0] if intent.names else ""
    return _is_setting(intent) or name.startswith("我") or name.endswith(_PLACES)


def _is_proper(name: str) -> bool:
    """Whether a name is a proper name, which a search may find, rather than a word of the app."""
    return len(name) >= 4 and (name[0].isupper() or not name[0].isascii())


def _is_setting(intent: Subgoal) -> bool:
    return any(name.endswith("设置") or "settings" in name.casefold() for name in intent.names[:1])


def _is_tab(item: ScreenItem, screen: ScreenContents) -> bool:
    """Whether an element is one of the bar at the screen's lower edge, or of one at the top with numbers."""
    low = item.bounds.top >= screen.size.height * (_TAB_EDGE - 0.05)
    return (low and item.bounds.height < screen.size.height * 0.09) or " tab " in item.node.desc.lower()


def _has_tabs(screen: ScreenContents) -> bool:
    tabs = [item for item in screen.items if _is_tab(item, screen)]
    narrow = [item for item in tabs if item.bounds.width <= 0.34 * screen.size.width]
    if len(narrow) < 3 or any(item.field for item in screen.items):
        return False
    widths = [item.bounds.width for item in narrow]
    return max(widths) - min(widths) <= 0.1 * screen.size.width
