"""The browsing history, by day."""

from __future__ import annotations

import datetime as dt
from functools import partial
from itertools import groupby

from garabench.virtual.apps.jd.cards import slim_line
from garabench.virtual.apps.jd.page import JdPage
from garabench.virtual.apps.jd.theme import (
    BACKGROUND,
    INK,
    INK_2,
    INK_3,
    RED,
    WHITE,
    message_page,
    pill,
    text_action,
)
from garabench.virtual.apps.jd.user_data import JdVisit
from garabench.virtual.ui.widgets import (
    MATCH,
    CheckBox,
    Column,
    Handler,
    Row,
    ScrollView,
    Text,
    Widget,
    insets,
    spacer,
)


class JdHistoryActivity(JdPage):
    """The history; while `managing`, items can be selected for deletion."""

    def on_create(self) -> None:
        """Start outside edit mode."""
        self.managing = False
        self.marked: set[str] = set()

    def manage(self) -> None:
        """Toggle edit mode."""
        self.managing = not self.managing
        self.marked.clear()

    def toggle_item(self, name: str) -> None:
        """Toggle the selection of an item."""
        self.marked ^= {name}

    def toggle_all(self) -> None:
        """Select all items, or none."""
        every = {visit.product.id for visit in self.store.history()}
        self.marked = set() if self.marked == every else every

    def toggle_day(self, day: dt.date) -> None:
        """Toggle the selection of a day's items."""
        own = {visit.product.id for visit in self.store.history() if visit.at.date() == day}
        self.marked = self.marked - own if own <= self.marked else self.marked | own

    def delete(self) -> None:
        """Delete the selected items after confirmation."""
        if not self.marked:
            self.ctx.toast("请选择要删除的浏览记录")
            return
        chosen = frozenset(self.marked)

        def on_yes() -> None:
            self.store.remove_from_history(chosen)
            self.manage()
            self.ctx.toast("删除成功")

        self.asks(f"确定删除这{len(chosen)}条浏览记录？", "删除", on_yes)()

    def clear(self) -> None:
        """Clear the history after confirmation."""
        self.store.clear_history()
        self.managing = False
        self.marked.clear()
        self.ctx.toast("浏览记录已清空")

    def bar(self) -> Widget:
        """Return the title with the edit button."""
        if not self.store.history():
            return self.back_bar("浏览记录")
        clear = self.asks("确定清空全部浏览记录？", "清空", self.clear)
        return self.back_bar(
            "浏览记录",
            text_action("清空", "history_clear", clear),
            text_action("完成" if self.managing else "管理", "history_manage", self.manage),
        )

    def content(self) -> Widget:
        """Return a block per day."""
        visits = self.store.history()
        if not visits:
            return message_page("clock", "暂无浏览记录")
        blocks: list[Widget] = []
        for day, group in groupby(visits, key=lambda visit: visit.at.date()):
            lines = list(group)
            name = Text(id="history_day", text=self._day(day), size=14, bold=True, color=INK)
            count = Text(id="history_count", text=f"{len(lines)}件", size=12, color=INK_3)
            check_box: tuple[Widget, ...] = ()
            if self.managing:
                whole = {visit.product.id for visit in lines} <= self.marked
                check_box = (
                    self._check_box(
                        "day_check", f"选择{self._day(day)}", whole, partial(self.toggle_day, day)
                    ),
                )
            blocks.append(
                Row(
                    id="history_head",
                    key=f"day-{day}",
                    width=MATCH,
                    height=38,
                    gap=8,
                    padding=insets(14, 0),
                    children=(*check_box, name, count),
                )
            )
            blocks += [self._line(visit) for visit in lines]
        parts: list[Widget] = [
            Text(
                id="history_total",
                text=f"共{len(visits)}件商品",
                size=12,
                color=INK_3,
                padding=insets(14, 8, 14, 0),
            ),
            ScrollView(
                id="history_list", width=MATCH, height=MATCH, weight=1, background=BACKGROUND, children=blocks
            ),
        ]
        if self.managing:
            parts.append(
                Row(
                    id="manage_bar",
                    width=MATCH,
                    height=56,
                    padding=insets(12, 0),
                    gap=6,
                    background=WHITE,
                    children=(
                        self._check_box(
                            "check_all", "全选", len(self.marked) == len(visits), self.toggle_all
                        ),
                        Text(text="全选", size=14, color=INK),
                        spacer(6),
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

    def _day(self, day: dt.date) -> str:
        match (self.ctx.now().date() - day).days:
            case 0:
                return "今天"
            case 1:
                return "昨天"
            case _:
                return f"{day:%m月%d日}"

    def _check_box(self, rid: str, desc: str, on: bool, act: Handler) -> Widget:
        return CheckBox(
            id=rid, desc=desc, round=True, color=RED, width=32, height=32, checked=on, on_click=act
        )

    def _line(self, visit: JdVisit) -> Widget:
        product = visit.product
        check_box: tuple[Widget, ...] = ()
        if self.managing:
            check_box = (
                self._check_box(
                    "history_check",
                    f"选择{product.title}",
                    product.id in self.marked,
                    partial(self.toggle_item, product.id),
                ),
            )
        remove = partial(self.store.remove_from_history, frozenset({product.id}))
        return slim_line(
            product,
            partial(self.toggle_item, product.id) if self.managing else self.opens(product),
            rid="history_item",
            leading=check_box,
            note=f"{visit.at:%H:%M} 浏览",
            on_long_click=self.asks("确定删除这条浏览记录？", "删除", remove),
        )
