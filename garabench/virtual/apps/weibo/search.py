"""The search page: history, trending searches and suggestions, then results."""

from __future__ import annotations

from functools import partial

from garabench.virtual.apps.weibo import content, names
from garabench.virtual.apps.weibo.discover import mark
from garabench.virtual.apps.weibo.post_page import PostPage
from garabench.virtual.apps.weibo.search_index import suggestions
from garabench.virtual.apps.weibo.search_results import TABS, results
from garabench.virtual.apps.weibo.theme import ORANGE, RED, icon_button
from garabench.virtual.kit.intent_filter import IntentFilter
from garabench.virtual.ui.widgets import (
    MATCH,
    Align,
    Box,
    Icon,
    ListView,
    ProgressBar,
    Row,
    ScrollView,
    Text,
    TextField,
    Widget,
    insets,
    spacer,
)

SEARCH_MS = 300
_VISIBLE_HOT = 12


class SearchResultActivity(PostPage):
    """The search page; `submitted` is the query of the results, empty while typing."""

    needs_network = False
    filters = (IntentFilter.of("android.intent.action.VIEW", scheme="sinaweibo", host="searchall"),)

    def on_create(self) -> None:
        """Start empty, or with the query from the intent."""
        self.hint = str(self.intent.extras.get("hint", "")) or content.hot_topics()[0].topic
        self.text = self.submitted = ""
        self.failed = self.searching = self.editing = False
        self.tab = TABS[0]
        query = self.request_param("query", "q")
        if query:
            self.search(query)

    def on_back(self) -> bool:
        """Back from the results returns to an empty box."""
        if self.submitted and not self.request_param("query", "q"):
            self.clear()
            return True
        return False

    def clear(self) -> None:
        """Clear the box and show the history."""
        self.text = self.submitted = ""
        self.failed = self.searching = False
        self.ctx.focus("search_edit")

    def change(self, text: str) -> None:
        """Handle a change of the box's text."""
        self.text, self.submitted = text, ""
        self.failed = self.searching = False

    def submit(self) -> None:
        """Search for the text in the box, or for the hint."""
        self.search(self.text.strip() or self.hint)

    def search(self, query: str) -> None:
        """Show the results of a query."""
        self.text = self.submitted = query
        self.tab = TABS[0]
        self.editing = False
        self.store.add_search(query)
        self.ctx.hide_keyboard()
        self.load()

    def load(self) -> None:
        """Load the results."""
        self.failed = not self.ctx.online
        self.searching = not self.failed
        if self.searching:
            self.ctx.after(SEARCH_MS, self._found)
        else:
            self.ctx.toast("网络连接失败，请稍后重试")

    def _found(self) -> None:
        self.searching = False

    def pick_tab(self, tab: str) -> None:
        """Select a tab of the results."""
        self.tab = tab

    def bar(self) -> Widget:
        """Return the search box with its buttons."""
        skin = self.skin
        clear = (
            icon_button(
                skin,
                "close-circle",
                self.clear,
                rid="search_clear",
                desc="清空",
                color=skin.ink_3,
                size=17,
                touch_size=36,
            ),
        )
        return Row(
            id="search_bar",
            width=MATCH,
            height=50,
            padding=insets(2, 0, 4, 0),
            background=skin.card,
            children=(
                icon_button(skin, "arrow-back", self.ctx.finish, rid="search_back", desc="返回"),
                Row(
                    weight=1,
                    height=36,
                    radius=18,
                    gap=6,
                    background=skin.soft,
                    padding=insets(12, 0, 0, 0),
                    children=(
                        Icon(name="search", size=17, color=skin.ink_3, important=False),
                        TextField(
                            id="search_edit",
                            text=self.text,
                            hint=self.hint,
                            size=14,
                            color=skin.ink,
                            hint_color=skin.ink_3,
                            weight=1,
                            height=36,
                            on_change=self.change,
                            on_submit=self.submit,
                            action="search",
                            autofocus=not self.submitted,
                        ),
                        *(clear if self.text else ()),
                    ),
                ),
                Text(
                    id="search_button",
                    text="搜索",
                    size=15,
                    color=ORANGE,
                    padding=insets(12, 10),
                    on_click=self.submit,
                ),
            ),
        )

    def content(self) -> Widget:
        """Return history, suggestions, or results."""
        if self.failed:
            return self.network_error(self.load)
        if self.searching:
            return Box(
                id="loading",
                width=MATCH,
                height=MATCH,
                weight=1,
                children=(
                    ProgressBar(
                        circular=True,
                        color=ORANGE,
                        width=34,
                        height=34,
                        align_self=Align.CENTER,
                        align_vertical=Align.CENTER,
                    ),
                ),
            )
        if self.submitted:
            return results(self)
        matches = suggestions(self.text)
        return self._suggestions(matches) if matches else self._start()

    def _suggestions(self, suggestions: tuple[str, ...]) -> Widget:
        skin = self.skin

        def row(text: str, _: int) -> Widget:
            return Row(
                key=text,
                id="suggestion_row",
                width=MATCH,
                height=48,
                gap=12,
                padding=insets(16, 0),
                background=skin.card,
                on_click=partial(self.search, text),
                children=(
                    Icon(name="search", size=16, color=skin.ink_3, important=False),
                    Text(
                        id="suggestion",
                        text=text,
                        size=15,
                        color=skin.ink,
                        weight=1,
                        spans=((self.text.strip(), ORANGE),),
                    ),
                ),
            )

        return ListView(
            id="suggestion_list", width=MATCH, height=MATCH, weight=1, gap=0.7, items=suggestions, build=row
        )

    def _start(self) -> Widget:
        parts: list[Widget] = self._history()
        parts.append(
            Row(
                width=MATCH,
                height=42,
                children=(
                    Text(text="微博热搜", size=15, bold=True, color=self.skin.ink),
                    spacer(),
                    Text(
                        id="hot_more",
                        text="完整热搜榜",
                        size=13,
                        color=self.skin.ink_3,
                        padding=insets(4, 8),
                        on_click=self.opens(names.HOT),
                    ),
                ),
            )
        )
        parts += [
            Row(
                key=topic.topic,
                id="hot_item",
                width=MATCH,
                height=42,
                gap=10,
                on_click=self.opens(names.TOPIC, topic=topic.topic),
                children=(
                    Text(
                        text=str(topic.rank),
                        size=14,
                        bold=True,
                        color=RED if topic.rank <= 3 else ORANGE,
                        width=22,
                        important=False,
                    ),
                    Text(id="hot_text", text=topic.topic, size=15, color=self.skin.ink, max_lines=1),
                    mark(topic),
                ),
            )
            for topic in content.hot_topics()[:_VISIBLE_HOT]
        ]
        return ScrollView(
            id="search_start",
            width=MATCH,
            height=MATCH,
            weight=1,
            background=self.skin.card,
            padding=insets(16, 6),
            children=parts,
        )

    def _edit(self) -> None:
        self.editing = not self.editing

    def _clear_all(self) -> None:
        self.ask("确定清空全部历史记录吗？", "清空", self._cleared)

    def _cleared(self) -> None:
        self.store.clear_searches()
        self.editing = False

    def _history(self) -> list[Widget]:
        searches = self.store.searches()
        if not searches:
            return []
        skin = self.skin
        actions: tuple[Widget, ...]
        if self.editing:
            actions = (
                Text(
                    id="history_clear",
                    text="全部删除",
                    size=13,
                    color=skin.ink_3,
                    padding=insets(8, 10),
                    on_click=self._clear_all,
                ),
                Text(
                    id="history_done",
                    text="完成",
                    size=13,
                    color=ORANGE,
                    padding=insets(8, 10),
                    on_click=self._edit,
                ),
            )
        else:
            actions = (
                icon_button(
                    skin, "trash", self._edit, rid="history_edit", desc="编辑历史", color=skin.ink_3, size=18
                ),
            )

        def chip(text: str) -> Widget:
            words: list[Widget] = [Text(id="history_text", text=text, size=13, color=skin.ink_2)]
            if self.editing:
                words.append(
                    Icon(name="close", size=14, color=skin.ink_3, id="history_delete", desc=f"删除{text}")
                )
            go = partial(self.store.delete_search, text) if self.editing else partial(self.search, text)
            return Row(
                key=text,
                id="history_item",
                height=32,
                gap=5,
                background=skin.soft,
                radius=16,
                padding=insets(13, 0),
                on_click=go,
                children=words,
            )

        return [
            Row(
                width=MATCH,
                height=42,
                children=(Text(text="搜索历史", size=15, bold=True, color=skin.ink), spacer(), *actions),
            ),
            Row(
                id="search_history",
                width=MATCH,
                wrap=True,
                gap=10,
                margin=insets(0, 2, 0, 12),
                children=[chip(text) for text in searches],
            ),
        ]
