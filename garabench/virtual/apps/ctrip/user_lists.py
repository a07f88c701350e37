"""The user's lists: favourites, browsing history, coupons."""

from __future__ import annotations

import datetime as dt
from functools import partial

from garabench.virtual.apps.ctrip import names
from garabench.virtual.apps.ctrip.calendar import short_date
from garabench.virtual.apps.ctrip.cards import favorite_flight, favorite_flight_card, name_of, product_card
from garabench.virtual.apps.ctrip.content import CtripCoupon, coupons, exists
from garabench.virtual.apps.ctrip.page import CtripPage
from garabench.virtual.apps.ctrip.theme import (
    BLUE,
    INK,
    INK_2,
    INK_3,
    ORANGE,
    RED,
    WHITE,
    bar_button,
    button,
    label,
    tabs,
)
from garabench.virtual.apps.ctrip.user_data import CtripVisit
from garabench.virtual.apps.ctrip.widgets import bottom_bar, message_page
from garabench.virtual.ui.widgets import MATCH, Align, CheckBox, Column, ListView, Row, Text, Widget, insets

KINDS = {"酒店": "hotel", "景点": "sight", "旅游": "tour", "机票": "flight"}
COUPON_TABS = ("我的优惠券", "领券中心")


class FavoriteListActivity(CtripPage):
    """收藏, by kind; several can be deleted at once."""

    def on_create(self) -> None:
        """Start with the hotels."""
        self.tab = next(iter(KINDS))
        self.managing = False
        self.checked: set[str] = set()

    def choose(self, tab: str) -> None:
        """Select a kind."""
        self.tab = tab
        self.checked.clear()

    def manage(self) -> None:
        """Toggle edit mode."""
        self.managing = not self.managing
        self.checked.clear()

    def check(self, name: str) -> None:
        """Toggle whether an item is checked."""
        self.checked ^= {name}

    def delete(self) -> None:
        """Delete the checked items."""
        for name in self.checked:
            self.store.set_favorite(KINDS[self.tab], name, False)
        self.checked.clear()
        self.ctx.toast("已取消收藏")

    def bar(self) -> Widget:
        """Return the title bar with the edit button."""
        word = "完成" if self.managing else "管理"
        return self.back_bar("我的收藏", bar_button(word, "favorite_manage", self.manage))

    def content(self) -> Widget:
        """Return the tabs and the saved items."""
        kind = KINDS[self.tab]
        shown = [name for name in self.store.favorites(kind) if kind == "flight" or exists(kind, name)]
        body = (
            ListView(
                id="favorite_list",
                key=f"favorites-{kind}",
                width=MATCH,
                height=MATCH,
                weight=1,
                padding=insets(0, 0, 0, 12),
                items=shown,
                build=lambda name, _: self._row(kind, name),
            )
            if shown
            else message_page("heart", f"还没有收藏的{self.tab}")
        )
        parts: list[Widget] = [tabs(tuple(KINDS), self.tab, self.choose, rid="favorite_tab"), body]
        if self.managing:
            ask = self.asks(f"确定取消收藏这{len(self.checked)}项？", "确定", self.delete)
            delete = ask if self.checked else self.toasting("请先选择")
            parts.append(bottom_bar(button("取消收藏", delete, rid="favorite_drop", fill=RED, weight=1)))
        return Column(width=MATCH, height=MATCH, weight=1, children=parts)

    def _row(self, kind: str, name: str) -> Widget:
        if kind == "flight":
            ends, extras = favorite_flight(name)
            line = favorite_flight_card(ends, extras, self.opens_page(names.FLIGHT_FARES, **extras))
        else:
            ends = name_of(kind, name)
            line = product_card(kind, name, self.opens)
        if not self.managing:
            return line
        check = CheckBox(
            id="favorite_check",
            desc=ends,
            checked=name in self.checked,
            color=BLUE,
            round=True,
            width=30,
            height=60,
            margin=insets(12, 0, 0, 0),
            on_click=partial(self.check, name),
        )
        return Row(
            id="favorite_row", key=name, width=MATCH, children=(check, Column(weight=1, children=(line,)))
        )


class BrowseHistoryActivity(CtripPage):
    """浏览历史, by day."""

    needs_network = False

    def on_create(self) -> None:
        """Start outside edit mode."""
        self.managing = False

    def manage(self) -> None:
        """Toggle edit mode."""
        self.managing = not self.managing

    def bar(self) -> Widget:
        """Return the title bar with clear and edit buttons."""
        if not self.store.history():
            return self.back_bar("浏览历史")
        clear = self.asks("确定清空全部浏览历史？", "清空", self.store.clear_history)
        word = "完成" if self.managing else "管理"
        return self.back_bar(
            "浏览历史",
            bar_button("清空", "history_clear", clear, color=INK_2),
            bar_button(word, "history_manage", self.manage),
        )

    def content(self) -> Widget:
        """Return the viewed items."""
        visits = [visit for visit in self.store.history() if exists(visit.kind, visit.name)]
        if not visits:
            return message_page("history", "暂无浏览历史")
        rows: list[dt.date | CtripVisit] = []
        for visit in visits:
            if not rows or visit.at.date() != self._day_before(rows):
                rows.append(visit.at.date())
            rows.append(visit)
        return ListView(
            id="history_list",
            width=MATCH,
            height=MATCH,
            weight=1,
            padding=insets(0, 0, 0, 12),
            items=rows,
            build=lambda row, _: self._row(row),
        )

    @staticmethod
    def _day_before(rows: list[dt.date | CtripVisit]) -> dt.date:
        last = rows[-1]
        return last.at.date() if isinstance(last, CtripVisit) else last

    def _row(self, row: dt.date | CtripVisit) -> Widget:
        if not isinstance(row, CtripVisit):
            ago = (self.today - row).days
            text = {0: "今天", 1: "昨天"}.get(ago, short_date(row))
            return Text(
                id="history_day", text=text, size=14, bold=True, color=INK, padding=insets(14, 12, 0, 0)
            )
        line = product_card(row.kind, row.name, self.opens)
        if not self.managing:
            return line
        delete = button(
            "删除",
            partial(self.store.remove_from_history, row.kind, row.name),
            rid="history_delete",
            desc=f"删除{name_of(row.kind, row.name)}",
            fill=None,
            color=RED,
            size=13,
            padding=insets(12, 6),
        )
        return Row(
            id="history_row",
            key=f"{row.kind}-{row.name}",
            width=MATCH,
            padding=insets(0, 0, 10, 0),
            children=(Column(weight=1, children=(line,)), delete),
        )


class CouponListActivity(CtripPage):
    """优惠券: the user's coupons, and those that can be claimed."""

    def on_create(self) -> None:
        """Start on the tab from the intent."""
        self.tab = str(self.intent.extras.get("tab", COUPON_TABS[0]))

    def choose(self, tab: str) -> None:
        """Select a tab."""
        self.tab = tab

    def claim(self, coupon: CtripCoupon) -> None:
        """Claim a coupon."""
        self.store.claim(coupon.id)
        self.ctx.toast("领取成功")

    def bar(self) -> Widget:
        """Return the title bar."""
        return self.back_bar("优惠券")

    def content(self) -> Widget:
        """Return the tabs and the coupons."""
        own = self.tab == COUPON_TABS[0]
        shown = [item for item in coupons() if not own or self.store.has_coupon(item.id)]
        return Column(
            width=MATCH,
            height=MATCH,
            weight=1,
            children=(
                tabs(COUPON_TABS, self.tab, self.choose, rid="coupon_tab"),
                ListView(
                    id="coupon_list",
                    key=f"coupons-{self.tab}",
                    width=MATCH,
                    height=MATCH,
                    weight=1,
                    padding=insets(0, 0, 0, 12),
                    items=shown,
                    build=lambda item, _: self._row(item, own),
                ),
            ),
        )

    def _row(self, coupon: CtripCoupon, own: bool) -> Widget:
        claimed = self.store.has_coupon(coupon.id)
        if own:
            end: Widget = label("可使用", 13, BLUE, rid="coupon_state")
        elif claimed:
            end = label("已领取", 13, INK_3, rid="coupon_state")
        else:
            end = button(
                "立即领取",
                self.if_online(partial(self.claim, coupon)),
                rid="coupon_claim",
                fill=ORANGE,
                size=13,
                padding=insets(12, 7),
            )
        return Row(
            id="coupon_item",
            key=coupon.id,
            width=MATCH,
            margin=insets(10, 8, 10, 0),
            padding=insets(14, 14),
            gap=12,
            radius=10,
            background=WHITE,
            children=(
                Column(
                    width=78,
                    align=Align.CENTER,
                    gap=2,
                    children=(
                        label(f"¥{coupon.amount}", 24, ORANGE, rid="coupon_amount", bold=True),
                        label(f"满{coupon.over}可用", 11, INK_3, rid="coupon_over"),
                    ),
                ),
                Column(
                    weight=1,
                    gap=4,
                    children=(
                        label(coupon.title, 15, INK, rid="coupon_title", bold=True),
                        label(f"{coupon.scope}可用 · 有效期至{coupon.until}", 12, INK_2),
                    ),
                ),
                end,
            ),
        )
