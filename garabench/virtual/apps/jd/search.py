"""The search page: recent searches, trending words and suggestions."""

from __future__ import annotations

from functools import partial

from garabench.virtual.apps.jd import content, names
from garabench.virtual.apps.jd.page import JdPage
from garabench.virtual.apps.jd.search_index import suggestions
from garabench.virtual.apps.jd.theme import (
    BACKGROUND,
    INK,
    INK_2,
    INK_3,
    ORANGE,
    RED,
    WHITE,
    icon_button,
)
from garabench.virtual.ui.widgets import (
    MATCH,
    Column,
    Handler,
    Icon,
    ListView,
    Row,
    ScrollView,
    Text,
    TextField,
    Widget,
    insets,
    spacer,
)


def search_box(
    text: str, hint: str, *, on_change: Handler | None, field: Widget | None, on_clear: Handler | None
) -> Widget:
    """Return the rounded search box: a text field, or the current query."""
    shown = field or Text(
        id="search_text", text=text or hint, size=14, color=INK, weight=1, max_lines=1, on_click=on_change
    )
    clear = (
        (
            icon_button(
                "close-circle", rid="search_clear", desc="清空", color=INK_3, size=17, on_click=on_clear
            ),
        )
        if text and on_clear is not None
        else ()
    )
    return Row(
        weight=1,
        height=36,
        radius=18,
        gap=6,
        background=BACKGROUND,
        padding=insets(12, 0, 0, 0),
        on_click=on_change,
        children=(Icon(name="search", size=18, color=INK_3, important=False), shown, *clear),
    )


class JdSearchActivity(JdPage):
    """The search page; the results are on a separate page."""

    needs_network = False

    def on_create(self) -> None:
        """Start with the text from the intent."""
        self.text = str(self.intent.extras.get("text", ""))
        self.hint = str(self.intent.extras.get("hint", "")) or content.home()["search_hints"][0]
        self.deleting = False

    def change(self, text: str) -> None:
        """Handle a change of the field's text."""
        self.text = text

    def clear(self) -> None:
        """Clear the field."""
        self.text = ""
        self.ctx.focus("search_edit")

    def submit(self) -> None:
        """Search for the typed text, or for the hint."""
        self.search(self.text.strip() or self.hint)

    def search(self, query: str) -> None:
        """Open the results."""
        self.text = query
        self.store.add_search(query)
        self.ctx.hide_keyboard()
        names.open_results(self.ctx, query)

    def searches(self, query: str) -> Handler:
        """Return a handler that searches for a query."""
        return partial(self.search, query)

    def bar(self) -> Widget:
        """Return the field with its button."""
        field = TextField(
            id="search_edit",
            text=self.text,
            hint=self.hint,
            size=14,
            color=INK,
            weight=1,
            height=36,
            on_change=self.change,
            on_submit=self.submit,
            action="search",
            autofocus=True,
        )
        return Row(
            id="search_bar",
            width=MATCH,
            height=50,
            padding=insets(2, 0, 10, 0),
            background=WHITE,
            gap=2,
            children=(
                icon_button("chevron_left", rid="back", desc="返回", size=28, on_click=self.ctx.finish),
                search_box(self.text, self.hint, on_change=None, field=field, on_clear=self.clear),
                spacer(6),
                Text(
                    id="search_button",
                    text="搜索",
                    size=14,
                    bold=True,
                    color=WHITE,
                    background=RED,
                    radius=17,
                    padding=insets(14, 8),
                    on_click=self.submit,
                ),
            ),
        )

    def content(self) -> Widget:
        """Return suggestions, or recent and trending searches."""
        matches = suggestions(self.text)
        return self._suggestions(matches) if matches else self._start()

    def _suggestions(self, suggestions: tuple[str, ...]) -> Widget:
        def row(word: str, _: int) -> Widget:
            return Row(
                id="suggestion_item",
                key=word,
                width=MATCH,
                height=48,
                gap=12,
                padding=insets(16, 0),
                on_click=self.searches(word),
                children=(
                    Icon(name="search", size=17, color=INK_3, important=False),
                    Text(
                        id="suggestion",
                        text=word,
                        size=15,
                        color=INK,
                        weight=1,
                        spans=((self.text.strip(), RED),),
                    ),
                    Icon(name="arrow_top_left", size=16, color=INK_3, important=False),
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
            item_height=48,
        )

    def _start(self) -> Widget:
        parts: list[Widget] = []
        if earlier := self.store.searches():
            parts.append(self._title("历史搜索", self._history_action()))
            parts.append(
                Row(
                    id="search_history",
                    width=MATCH,
                    wrap=True,
                    gap=8,
                    children=[self._word(word, "history_item") for word in earlier],
                )
            )
        parts.append(self._title("搜索发现"))
        parts.append(
            Row(
                id="search_discover",
                width=MATCH,
                wrap=True,
                gap=8,
                children=[self._word(word, "discover_item") for word in content.home()["hot_words"]],
            )
        )
        parts.append(self._title("京东热搜"))
        parts += [
            self._hot(number, row["word"], row["note"])
            for number, row in enumerate(content.home()["trending"], start=1)
        ]
        return ScrollView(
            id="search_home",
            width=MATCH,
            height=MATCH,
            weight=1,
            background=WHITE,
            padding=insets(14, 4),
            gap=10,
            children=parts,
        )

    def _title(self, text: str, *actions: Widget) -> Widget:
        return Row(
            width=MATCH,
            height=40,
            children=(Text(text=text, size=15, bold=True, color=INK), spacer(), *actions),
        )

    def _history_action(self) -> Widget:
        return icon_button(
            "trash",
            rid="clear_history",
            desc="清空历史搜索",
            color=INK_3,
            size=19,
            on_click=self.asks("确认删除全部历史搜索记录？", "删除", self.store.clear_searches),
        )

    def _word(self, word: str, rid: str) -> Widget:
        return Text(
            id=rid,
            key=f"{rid}-{word}",
            text=word,
            size=13,
            color=INK_2,
            background=BACKGROUND,
            radius=15,
            padding=insets(13, 7),
            max_lines=1,
            on_click=self.searches(word),
        )

    def _hot(self, number: int, word: str, note: str) -> Widget:
        mark = Text(
            text=note,
            size=10,
            color=WHITE,
            background=ORANGE if note == "新" else RED,
            radius=3,
            padding=insets(3, 0.5),
        )
        return Row(
            id="hot_item",
            key=f"hot-{number}",
            width=MATCH,
            height=38,
            gap=12,
            on_click=self.searches(word),
            children=(
                Column(
                    width=20,
                    children=(
                        Text(text=str(number), size=15, bold=True, color=RED if number < 4 else INK_3),
                    ),
                ),
                Text(id="hot_word", text=word, size=14, color=INK),
                *((mark,) if note else ()),
            ),
        )
