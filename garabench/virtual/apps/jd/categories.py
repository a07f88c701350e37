"""The second tab: categories at the left, their groups at the right."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from garabench.virtual.apps.jd import content, names
from garabench.virtual.apps.jd.theme import BACKGROUND, INK, INK_2, INK_3, RED, WHITE
from garabench.virtual.ui.widgets import (
    MATCH,
    Align,
    Box,
    Column,
    Icon,
    Row,
    ScrollView,
    Text,
    Widget,
    insets,
)

if TYPE_CHECKING:
    from garabench.virtual.apps.jd.main import JdMainActivity

_IN_ROW = 3


class CategoryView:
    """The content of 分类; `chosen` is the index of the selected category."""

    def __init__(self, page: JdMainActivity) -> None:
        self.page = page
        self.chosen = 0

    def choose(self, number: int) -> None:
        """Select a category."""
        self.chosen = number
        self.page.ctx.scroll_to("category_groups")

    def view(self) -> Widget:
        """Return the whole tab."""
        rows = content.home()["categories"]
        names_at_left = [self._name(number, row["name"]) for number, row in enumerate(rows)]
        groups = [self._group(group) for group in rows[self.chosen]["groups"]]
        bar = Box(
            width=MATCH,
            padding=insets(12, 8),
            background=WHITE,
            children=(
                Row(
                    id="search_bar",
                    desc="搜索框",
                    width=MATCH,
                    height=36,
                    radius=18,
                    gap=8,
                    padding=insets(14, 0),
                    background=BACKGROUND,
                    on_click=partial(self.page.ctx.open, names.SEARCH),
                    children=(
                        Icon(name="search", size=18, color=INK_3, important=False),
                        Text(text="搜索商品", size=14, color=INK_3),
                    ),
                ),
            ),
        )
        return Column(
            width=MATCH,
            height=MATCH,
            weight=1,
            background=WHITE,
            children=(
                bar,
                Row(
                    width=MATCH,
                    height=MATCH,
                    weight=1,
                    align=Align.STRETCH,
                    children=(
                        ScrollView(
                            id="category_names",
                            width=92,
                            height=MATCH,
                            background=BACKGROUND,
                            children=names_at_left,
                        ),
                        ScrollView(
                            id="category_groups",
                            weight=1,
                            height=MATCH,
                            padding=insets(12, 10),
                            gap=16,
                            children=groups,
                        ),
                    ),
                ),
            ),
        )

    def _name(self, number: int, label: str) -> Widget:
        on = number == self.chosen
        return Box(
            key=f"category-{number}",
            id="category",
            width=MATCH,
            height=50,
            background=WHITE if on else None,
            selected=on,
            on_click=partial(self.choose, number),
            children=(
                Text(
                    id="category_name",
                    text=label,
                    size=13.5,
                    bold=on,
                    color=RED if on else INK_2,
                    align_self=Align.CENTER,
                    align_vertical=Align.CENTER,
                ),
                Widget(
                    width=3,
                    height=18,
                    background=RED if on else None,
                    align_self=Align.START,
                    align_vertical=Align.CENTER,
                    important=False,
                ),
            ),
        )

    def _group(self, group: Any) -> Widget:
        items = [self._item(*pair) for pair in group["items"]]
        missing = -len(items) % _IN_ROW
        items += [Widget(weight=1, important=False)] * missing
        lines = [Row(width=MATCH, children=items[at : at + _IN_ROW]) for at in range(0, len(items), _IN_ROW)]
        return Column(
            width=MATCH,
            gap=12,
            children=(Text(text=group["title"], size=14, bold=True, color=INK), *lines),
        )

    def _item(self, word: str, icon: str) -> Widget:
        return Column(
            id="category_item",
            key=word,
            weight=1,
            gap=6,
            align=Align.CENTER,
            on_click=self.page.finds(word),
            children=(
                Box(
                    width=62,
                    height=62,
                    radius=12,
                    background="#F5F6FA",
                    important=False,
                    children=(
                        Icon(
                            name=icon,
                            size=36,
                            color="#6B7385",
                            align_self=Align.CENTER,
                            align_vertical=Align.CENTER,
                            important=False,
                        ),
                    ),
                ),
                Text(id="item_label", text=word, size=12, color=INK, max_lines=1),
            ),
        )
