"""The last tab: the user's own page."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from garabench.virtual.apps.jd import content, names
from garabench.virtual.apps.jd.cards import product_card
from garabench.virtual.apps.jd.orders import AFTER_SALES, TABS
from garabench.virtual.apps.jd.theme import (
    BACKGROUND,
    GOLD,
    INK,
    INK_2,
    INK_3,
    RED,
    WHITE,
    card,
    icon_button,
    plus_badge,
)
from garabench.virtual.ui.widgets import (
    MATCH,
    Align,
    Box,
    Column,
    Gradient,
    Handler,
    Icon,
    ImageView,
    Row,
    ScrollView,
    Text,
    Widget,
    insets,
    spacer,
)

if TYPE_CHECKING:
    from garabench.virtual.apps.jd.main import JdMainActivity

_ORDERS = (
    ("待付款", "wallet_outline"),
    ("待收货", "truck_outline"),
    ("待评价", "comment_edit_outline"),
    (AFTER_SALES, "autorenew"),
    ("全部订单", "clipboard_text_outline"),
)
_TOOLS = (
    ("客户服务", "headset", "#service"),
    ("地址", "map_marker_outline", names.ADDRESSES),
    ("领券中心", "ticket_percent_outline", names.COUPON_CENTER),
    ("PLUS会员", "crown_outline", names.PLUS),
    ("京东超市", "basket_outline", "@超市"),
    ("寄件服务", "package_variant", ""),
    ("个人信息", "card_account_details_outline", names.USER_INFO),
    ("设置", "cog_outline", names.SETTINGS),
)


def mine_page(page: JdMainActivity) -> Widget:
    """Return the whole tab."""
    store = page.store
    orders = store.book.orders()
    return ScrollView(
        id="mine_scroll",
        width=MATCH,
        height=MATCH,
        weight=1,
        background=BACKGROUND,
        padding=insets(0, 0, 0, 12),
        children=(
            _header(page),
            card(
                Row(
                    width=MATCH,
                    children=(
                        _number(
                            str(len(store.favorites())), "商品收藏", partial(page.ctx.open, names.FAVORITES)
                        ),
                        _number(
                            str(len(store.follows())),
                            "店铺关注",
                            partial(page.ctx.open, names.FAVORITES, tab="店铺"),
                        ),
                        _number(str(len(store.history())), "浏览记录", partial(page.ctx.open, names.HISTORY)),
                        _number(str(store.profile["beans"]), "京豆", page.toasting("京豆可在结算时抵扣")),
                    ),
                ),
                rid="mine_numbers",
                padding=insets(4, 14),
            ),
            card(
                Row(
                    width=MATCH,
                    children=[
                        _order(page, label, icon, sum(order.status is TABS.get(label) for order in orders))
                        for label, icon in _ORDERS
                    ],
                ),
                rid="mine_orders",
                padding=insets(4, 14),
            ),
            card(
                Row(
                    width=MATCH,
                    children=(
                        _number(
                            str(len(store.coupons("owned"))), "优惠券", partial(page.ctx.open, names.COUPONS)
                        ),
                        _number(
                            f"¥{store.profile['red_packets']}",
                            "红包",
                            page.toasting("红包将在结算时自动使用"),
                        ),
                        _number("¥0", "京东E卡", page.toasting("暂无京东E卡")),
                        _number("8,000", "白条额度", page.toasting("白条暂未开通")),
                    ),
                ),
                rid="mine_wallet",
                padding=insets(4, 14),
            ),
            _tools(page),
            _similar(page),
        ),
    )


def _header(page: JdMainActivity) -> Widget:
    profile = page.store.profile
    words = Column(
        weight=1,
        gap=5,
        children=(
            Text(id="user_name", text=str(profile["name"]), size=19, bold=True, color=INK, max_lines=1),
            Row(
                gap=6,
                children=(
                    plus_badge("PLUS会员") if profile["plus"] else spacer(1),
                    Text(text=f"京享值 {profile['growth']}", size=12, color=INK_2),
                ),
            ),
        ),
    )
    return Column(
        width=MATCH,
        background=Gradient(start="#FFD9D2", end="#F4F4F6"),
        padding=insets(16, 6, 10, 6),
        children=(
            Row(
                width=MATCH,
                height=40,
                children=(
                    spacer(),
                    icon_button(
                        "settings",
                        rid="mine_settings",
                        desc="设置",
                        on_click=partial(page.ctx.open, names.SETTINGS),
                    ),
                    icon_button("message", rid="mine_message", desc="消息", on_click=page.chooses("消息")),
                ),
            ),
            Row(
                width=MATCH,
                gap=12,
                children=(
                    Box(
                        id="user_face",
                        desc="头像",
                        width=60,
                        height=60,
                        radius=30,
                        on_click=partial(page.ctx.open, names.USER_INFO),
                        children=(
                            ImageView(
                                seed="jd-me", kind="avatar", width=60, height=60, radius=30, important=False
                            ),
                        ),
                    ),
                    words,
                    Row(
                        id="plus_entry",
                        height=30,
                        radius=15,
                        gap=2,
                        padding=insets(12, 0, 6, 0),
                        background="#2E2A27",
                        on_click=partial(page.ctx.open, names.PLUS),
                        children=(
                            Text(text="我的会员", size=12, color=GOLD),
                            Icon(name="chevron_right", size=15, color=GOLD, important=False),
                        ),
                    ),
                ),
            ),
        ),
    )


def _number(value: str, label: str, on_click: Handler) -> Widget:
    return Column(
        id="mine_entry",
        key=f"entry-{label}",
        desc=label,
        weight=1,
        gap=4,
        align=Align.CENTER,
        on_click=on_click,
        children=(
            Text(id="entry_value", text=value, size=17, bold=True, color=INK, max_lines=1),
            Text(id="entry_label", text=label, size=12, color=INK_2, max_lines=1),
        ),
    )


def _order(page: JdMainActivity, label: str, icon: str, count: int) -> Widget:
    on_click = partial(page.ctx.open, names.ORDERS, tab="全部" if label == "全部订单" else label)
    mark = Text(
        id="order_count",
        text=str(count),
        size=9,
        bold=True,
        color=WHITE,
        background=RED,
        radius=8,
        padding=insets(4, 0),
        margin=insets(24, 0, 0, 0),
        align_self=Align.CENTER,
        align_vertical=Align.START,
    )
    words = Column(
        gap=6,
        align_self=Align.CENTER,
        align=Align.CENTER,
        children=(
            Icon(name=icon, size=25, color=INK, important=False),
            Text(id="entry_label", text=label, size=12, color=INK_2, max_lines=1),
        ),
    )
    return Box(
        id="order_entry",
        key=f"order-{label}",
        desc=label,
        weight=1,
        on_click=on_click,
        children=(words, mark) if count else (words,),
    )


def _tools(page: JdMainActivity) -> Widget:
    def cell(label: str, icon: str, target: str) -> Widget:
        if target.startswith("@"):
            act: Handler = page.finds(target[1:])
        elif target == "#service":
            act = partial(page.ctx.open, names.CHAT, shop="jdsm")
        elif target:
            act = partial(page.ctx.open, target)
        else:
            act = page.toasting(f"{label}暂未开通")
        return Column(
            id="tool",
            key=f"tool-{label}",
            desc=label,
            weight=1,
            gap=6,
            align=Align.CENTER,
            on_click=act,
            children=(
                Icon(name=icon, size=25, color="#C8402E", important=False),
                Text(id="tool_label", text=label, size=12, color=INK_2, max_lines=1),
            ),
        )

    cells = [cell(*tool) for tool in _TOOLS]
    return card(
        Text(text="工具与服务", size=15, bold=True, color=INK),
        *(Row(width=MATCH, children=cells[at : at + 4]) for at in range(0, len(cells), 4)),
        rid="mine_tools",
        gap=16,
    )


def _similar(page: JdMainActivity) -> Widget:
    others = content.pick(content.home()["recommended"])[:6]
    cells: list[Widget] = [Box(weight=1, children=(product_card(o, page.opens(o)),)) for o in others]
    return Column(
        width=MATCH,
        padding=insets(10, 14),
        gap=8,
        children=(
            Text(text="为你推荐", size=15, bold=True, color=INK_3),
            *(Row(width=MATCH, gap=8, children=cells[at : at + 2]) for at in range(0, len(cells), 2)),
        ),
    )
