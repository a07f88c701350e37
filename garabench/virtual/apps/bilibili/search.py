"""The search page: history and suggestions, then results."""

from __future__ import annotations

from garabench.virtual.apps.bilibili import content, names
from garabench.virtual.apps.bilibili.page import BilibiliPage
from garabench.virtual.apps.bilibili.search_index import BilibiliSortOrder, Length, suggestions
from garabench.virtual.apps.bilibili.search_results import results_page
from garabench.virtual.apps.bilibili.theme import (
    INK,
    INK_2,
    INK_3,
    LINE,
    ORANGE,
    PINK,
    WHITE,
    icon_button,
    network_error,
)
from garabench.virtual.ui.widgets import (
    MATCH,
    Align,
    Box,
    Handler,
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


class BilibiliSearchActivity(BilibiliPage):
    """The search page; `submitted` is the query of the results, empty while typing."""

    needs_network = False

    def on_create(self) -> None:
        """Start empty, or with the query from the intent."""
        self.text = ""
        self.submitted = ""
        self.failed = False
        self.searching = False
        self.hint = str(self.intent.extras.get("hint", "")) or content.feed()["hot_searches"][0]
        self.tab = "综合"
        self.order = BilibiliSortOrder.DEFAULT
        self.length = Length.ALL
        self.filters_open = False
        query = str(self.intent.extras.get("query", ""))
        if query:
            self.search(query)

    def on_back(self) -> bool:
        """Back from the results returns to an empty box."""
        if self.submitted:
            self.clear()
            return True
        return False

    def clear(self) -> None:
        """Clear the box and show the history."""
        self.text = self.submitted = ""
        self.failed = self.searching = False
        self.ctx.focus("search_src_text")

    def change(self, text: str) -> None:
        """Handle a change of the box's text."""
        self.text = text
        self.submitted = ""
        self.failed = self.searching = False

    def submit(self) -> None:
        """Search for the text in the box, or for the hint."""
        self.search(self.text.strip() or self.hint)

    def search(self, query: str) -> None:
        """Show the results of a query."""
        self.text = self.submitted = query
        self.tab, self.order, self.length, self.filters_open = (
            "综合",
            BilibiliSortOrder.DEFAULT,
            Length.ALL,
            False,
        )
        self.store.add_search(query)
        self.ctx.hide_keyboard()
        self.load()

    def load(self) -> None:
        """Load the results."""
        self.failed = not self.ctx.online
        self.searching = not self.failed
        if self.searching:
            self.ctx.after(SEARCH_MS, self._loaded)

    def _loaded(self) -> None:
        self.searching = False

    def retry(self) -> None:
        """Load the results again."""
        self.load()
        if self.failed:
            self.ctx.toast("网络连接失败，请稍后重试")

    def searches(self, query: str) -> Handler:
        """Return a handler that searches for a query."""
        return lambda: self.search(query)

    def bar(self) -> Widget:
        """Return the search box with its button."""
        clear = (
            icon_button(
                "close-circle", rid="search_close_btn", desc="清空", color=INK_3, size=17, on_click=self.clear
            ),
        )
        return Row(
            id="search_bar",
            width=MATCH,
            height=52,
            padding=insets(4, 0, 4, 0),
            background=WHITE,
            children=(
                icon_button(
                    "arrow-back", rid="search_back", desc="返回", color=INK, on_click=self.ctx.finish
                ),
                Row(
                    weight=1,
                    height=36,
                    radius=18,
                    background=LINE,
                    padding=insets(12, 0, 0, 0),
                    gap=6,
                    children=(
                        Icon(name="search", size=17, color=INK_3, important=False),
                        TextField(
                            id="search_src_text",
                            text=self.text,
                            hint=self.hint,
                            size=14,
                            color=INK,
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
                    id="action_search",
                    text="搜索",
                    size=15,
                    color=PINK,
                    padding=insets(12, 10),
                    on_click=self.submit,
                ),
            ),
        )

    def content(self) -> Widget:
        """Return history, suggestions, or results."""
        if self.failed:
            return network_error(self.retry)
        if self.searching:
            return Box(
                id="loading",
                width=MATCH,
                height=MATCH,
                weight=1,
                background=WHITE,
                children=(
                    ProgressBar(
                        circular=True,
                        color=PINK,
                        width=36,
                        height=36,
                        align_self=Align.CENTER,
                        align_vertical=Align.CENTER,
                    ),
                ),
            )
        if self.submitted:
            return results_page(self)
        matches = suggestions(self.text)
        return self._suggestions(matches) if matches else self._start()

    def _suggestions(self, suggestions: tuple[str, ...]) -> Widget:
        def row(text: str, _: int) -> Widget:
            return Row(
                key=text,
                width=MATCH,
                height=48,
                gap=12,
                padding=insets(16, 0),
                on_click=self.searches(text),
                children=(
                    Icon(name="search", size=16, color=INK_3, important=False),
                    Text(
                        id="suggestion",
                        text=text,
                        size=15,
                        color=INK,
                        weight=1,
                        spans=((self.text.strip(), PINK),),
                    ),
                ),
            )

        return ListView(
            id="suggestion_list",
            width=MATCH,
            height=MATCH,
            weight=1,
            background=WHITE,
            items=suggestions,
            build=row,
        )

    def _start(self) -> Widget:
        searches = self.store.searches()
        parts: list[Widget] = []
        if searches:
            parts.append(
                Row(
                    width=MATCH,
                    children=(
                        Text(text="搜索历史", size=15, bold=True, color=INK),
                        spacer(),
                        icon_button(
                            "trash",
                            rid="search_history_clear",
                            desc="清空搜索历史",
                            color=INK_3,
                            size=18,
                            on_click=self.store.clear_searches,
                        ),
                    ),
                )
            )
            parts.append(
                Row(
                    id="search_history",
                    width=MATCH,
                    wrap=True,
                    gap=10,
                    margin=insets(0, 2, 0, 14),
                    children=[
                        Text(
                            key=text,
                            id="history_text",
                            text=text,
                            size=13,
                            color=INK_2,
                            background=LINE,
                            radius=6,
                            padding=insets(12, 7),
                            on_click=self.searches(text),
                        )
                        for text in searches
                    ],
                )
            )
        hot = content.feed()["hot_searches"]
        rows = [hot[at : at + 2] for at in range(0, len(hot), 2)]
        parts.append(
            Row(
                width=MATCH,
                height=40,
                children=(
                    Text(text="bilibili热搜", size=15, bold=True, color=INK),
                    spacer(),
                    Text(
                        text="完整榜单",
                        size=12,
                        color=INK_3,
                        on_click=lambda: self.ctx.open(names.RANKING),
                        padding=insets(4, 6),
                    ),
                ),
            )
        )
        for line, row in enumerate(rows):
            parts.append(
                Row(
                    width=MATCH,
                    height=42,
                    children=[self._hot(text, 2 * line + place + 1) for place, text in enumerate(row)],
                )
            )
        return ScrollView(
            id="search_start",
            width=MATCH,
            height=MATCH,
            weight=1,
            background=WHITE,
            padding=insets(16, 8),
            children=parts,
        )

    def _hot(self, text: str, place: int) -> Widget:
        return Row(
            key=text,
            weight=1,
            height=42,
            gap=8,
            on_click=self.searches(text),
            children=(
                Text(text=str(place), size=14, bold=True, color=ORANGE if place <= 3 else INK_3, width=18),
                Text(id="hot_text", text=text, size=14, color=INK, max_lines=1, weight=1),
            ),
        )
