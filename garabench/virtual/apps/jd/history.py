"""What was looked at, by day."""

from __future__ import annotations

from functools import partial
from itertools import groupby

from garabench.virtual.apps.jd.cards import slim_line
from garabench.virtual.apps.jd.page import Page
from garabench.virtual.apps.jd.records import Visit
from garabench.virtual.apps.jd.theme import (
    GROUND,
    INK,
    INK_2,
    RED,
    WHITE,
    message_page,
    pill,
    text_action,
)
from garabench.virtual.ui.widgets import MATCH, CheckBox, Column, Row, Scroll, Text, View, insets, spacer


class HistoryActivity(Page):
    """The history; while `managing`, lines are ticked to be deleted."""

    def on_create(self) -> None:
        """Show everything."""
        self.managing = False
        self.marked: set[str] = set()

    def manage(self) -> None:
        """Begin or end deleting."""
        self.managing = not self.managing
        self.marked.clear()

    def mark(self, name: str) -> None:
        """Tick a line, or untick it."""
        self.marked ^= {name}

    def delete(self) -> None:
        """Ask, and delete what is ticked."""
        if not self.marked:
            self.ctx.toast("请选择要删除的浏览记录")
            return
        chosen = frozenset(self.marked)

        def gone() -> None:
            self.store.forget(chosen)
            self.manage()

        self.asks(f"确定删除这{len(chosen)}条浏览记录？", "删除", gone)()

    def bar(self) -> View:
        """The title, and how to delete."""
        if not self.store.history():
            return self.back_bar("浏览记录")
        clear = self.asks("确定清空全部浏览记录？", "清空", self.store.clear_history)
        return self.back_bar(
            "浏览记录",
            text_action("清空", "history_clear", clear),
            text_action("完成" if self.managing else "管理", "history_manage", self.manage),
        )

    def content(self) -> View:
        """One block a day."""
        visits = self.store.history()
        if not visits:
            return message_page("clock", "暂无浏览记录")
        blocks: list[View] = []
        for day, group in groupby(visits, key=lambda visit: visit.at.date()):
            blocks.append(
                Row(
                    key=f"day-{day}",
                    width=MATCH,
                    height=38,
                    padding=insets(14, 0),
                    children=(Text(id="history_day", text=self._day(day), size=14, bold=True, color=INK),),
                )
            )
            blocks += [self._line(visit) for visit in group]
        parts: list[View] = [
            Scroll(id="history_list", width=MATCH, height=MATCH, weight=1, background=GROUND, children=blocks)
        ]
        if self.managing:
            parts.append(
                Row(
                    id="manage_bar",
                    width=MATCH,
                    height=56,
                    padding=insets(14, 0),
                    background=WHITE,
                    children=(
                        Text(id="marked_count", text=f"已选{len(self.marked)}条", size=14, color=INK_2),
                        spacer(),
                        pill(
                            "删除",
                            self.delete,
                            rid="history_delete",
                            fill=False,
                            size=14,
                            padding=insets(26, 8),
                        ),
                    ),
                )
            )
        return Column(width=MATCH, height=MATCH, weight=1, children=parts)

    def _day(self, day: object) -> str:
        today = self.ctx.now().date()
        if day == today:
            return "今天"
        return f"{day:%m月%d日}"

    def _line(self, visit: Visit) -> View:
        product = visit.product
        tick: tuple[View, ...] = ()
        if self.managing:
            tick = (
                CheckBox(
                    id="history_check",
                    desc=f"选择{product.title}",
                    round=True,
                    color=RED,
                    width=32,
                    height=32,
                    checked=product.id in self.marked,
                    on_click=partial(self.mark, product.id),
                ),
            )
        forget = partial(self.store.forget, frozenset({product.id}))
        return slim_line(
            product,
            partial(self.mark, product.id) if self.managing else self.opens(product),
            rid="history_item",
            leading=tick,
            note=f"{visit.at:%H:%M} 浏览",
            on_long_click=self.asks("确定删除这条浏览记录？", "删除", forget),
        )
