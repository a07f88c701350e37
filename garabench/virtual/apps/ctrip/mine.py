"""我的 and 行程: the account and the upcoming trips, as tabs of the main screen."""

from __future__ import annotations

from typing import TYPE_CHECKING

from garabench.virtual.apps.ctrip import names
from garabench.virtual.apps.ctrip.orders import order_card
from garabench.virtual.apps.ctrip.theme import (
    BLUE,
    GOLD,
    INK,
    INK_2,
    INK_3,
    RED,
    WHITE,
    card,
    glyph,
    icon_button,
    label,
)
from garabench.virtual.apps.ctrip.user_data import CtripStatus
from garabench.virtual.apps.ctrip.widgets import message_page
from garabench.virtual.ui.widgets import (
    MATCH,
    Align,
    Box,
    Column,
    Gradient,
    Handler,
    ImageView,
    ListView,
    Row,
    ScrollView,
    Text,
    Widget,
    insets,
    spacer,
)

if TYPE_CHECKING:
    from garabench.virtual.apps.ctrip.main import CtripHomeActivity

_ORDERS = (
    ("全部订单", "clipboard-text-outline", "全部"),
    ("待付款", "wallet", "待付款"),
    ("待出行", "bag-suitcase-outline", "待出行"),
    ("待点评", "comment", "待点评"),
)


def _cell(rid: str, name: str, icon: str, click: Handler, count: int = 0) -> Widget:
    words = Column(
        align_self=Align.CENTER,
        gap=6,
        align=Align.CENTER,
        children=(glyph(icon, 26, INK_2), label(name, 12, INK, rid=f"{rid}_text")),
    )
    mark = Text(
        text=str(count),
        size=9,
        bold=True,
        color=WHITE,
        background=RED,
        radius=8,
        padding=insets(4, 0.5),
        margin=insets(26, 0, 0, 0),
        align_self=Align.CENTER,
    )
    return Box(
        id=rid,
        key=name,
        desc=name,
        weight=1,
        height=58,
        on_click=click,
        children=(words, mark) if count else (words,),
    )


def mine_view(page: CtripHomeActivity) -> Widget:
    """Return the 我的 tab: orders, favourites, history, coupons, travellers, settings."""
    profile = page.store.profile
    counts = {status: sum(order.status is status for order in page.store.orders()) for status in CtripStatus}
    header = Row(
        width=MATCH,
        padding=insets(16, 18, 8, 18),
        gap=12,
        background=Gradient(start="#CFE6FF", end="#F3F5F9"),
        children=(
            ImageView(seed="ctrip-user", kind="avatar", width=58, height=58, radius=29),
            Column(
                weight=1,
                gap=5,
                children=(
                    label(str(profile["name"]), 20, INK, rid="mine_name", bold=True),
                    Row(
                        gap=8,
                        children=(
                            Text(
                                id="mine_level",
                                text=str(profile["level"]),
                                size=11,
                                color=WHITE,
                                background=GOLD,
                                radius=9,
                                padding=insets(8, 2),
                            ),
                            label(f"积分 {profile['points']}", 12, INK_2, rid="mine_points"),
                        ),
                    ),
                ),
            ),
            icon_button("settings", page.opens_page(names.SETTINGS), rid="mine_settings", desc="设置"),
        ),
    )
    shelves = Row(
        width=MATCH,
        children=(
            _cell("mine_favorites", "收藏", "heart", page.opens_page(names.FAVORITES)),
            _cell("mine_history", "浏览历史", "history", page.opens_page(names.HISTORY)),
            _cell("mine_coupons", "优惠券", "coupon", page.opens_page(names.COUPONS)),
            _cell("mine_points_shop", "积分商城", "gift", page.toasting("积分商城暂未开通")),
        ),
    )
    orders = Row(
        width=MATCH,
        children=[
            _cell(
                "mine_order",
                name,
                icon,
                page.opens_page(names.ORDERS, tab=tab),
                counts.get(CtripStatus(tab), 0) if tab in ("待付款", "待点评") else 0,
            )
            for name, icon, tab in _ORDERS
        ],
    )
    tools = Row(
        width=MATCH,
        children=(
            _cell(
                "mine_travellers", "常用出行人", "account-multiple-outline", page.opens_page(names.TRAVELLERS)
            ),
            _cell("mine_addresses", "常用地址", "location", page.opens_page(names.ADDRESSES)),
            _cell("mine_service", "联系客服", "headset", page.opens_page(names.CHAT, name="携程客服")),
            _cell("mine_setting", "设置", "settings", page.opens_page(names.SETTINGS)),
        ),
    )
    return ScrollView(
        id="mine_scroll",
        width=MATCH,
        height=MATCH,
        weight=1,
        padding=insets(0, 0, 0, 16),
        children=(
            header,
            card(shelves, padding=insets(4, 12)),
            card(label("  我的订单", 15, INK, bold=True), orders, padding=insets(4, 12), gap=10),
            card(label("  我的工具", 15, INK, bold=True), tools, padding=insets(4, 12), gap=10),
        ),
    )


def trips_view(page: CtripHomeActivity) -> Widget:
    """Return the 行程 tab: upcoming trips, the next first."""
    coming = sorted(
        (order for order in page.store.orders() if order.status is CtripStatus.COMING),
        key=lambda order: (order.start, order.id),
    )
    header = Row(
        width=MATCH,
        height=48,
        padding=insets(16, 0),
        background=WHITE,
        children=(
            label("我的行程", 18, INK, rid="trips_title", bold=True),
            spacer(),
            label("全部订单", 13, BLUE, rid="trips_orders", on_click=page.opens_page(names.ORDERS)),
        ),
    )
    if coming:
        body: Widget = ListView(
            id="trip_list",
            width=MATCH,
            height=MATCH,
            weight=1,
            padding=insets(0, 0, 0, 12),
            header=(
                Text(text=f"即将出行 · {len(coming)}个", size=13, color=INK_3, padding=insets(16, 12, 0, 2)),
            ),
            items=coming,
            build=lambda order, _: order_card(order, page.opens_page(names.ORDER, order=order.id)),
        )
    else:
        body = message_page("bag-suitcase-outline", "暂无行程，去看看哪里好玩吧")
    return Column(width=MATCH, height=MATCH, weight=1, children=(header, body))
