"""The membership page."""

from __future__ import annotations

from garabench.virtual.apps.jd import content
from garabench.virtual.apps.jd.cards import product_card
from garabench.virtual.apps.jd.page import JdPage
from garabench.virtual.apps.jd.theme import GOLD, GOLD_INK, INK, INK_2, WHITE, card, pill
from garabench.virtual.ui.widgets import (
    MATCH,
    Align,
    Box,
    Column,
    Gradient,
    Icon,
    Row,
    ScrollView,
    Text,
    Widget,
    insets,
)

_MONTHLY = "freight"
"""Id of the members' monthly coupon."""
_RIGHTS = (
    ("专享价", "tag_outline"),
    ("运费券", "truck_outline"),
    ("生活特权", "gift_outline"),
    ("专属客服", "headset"),
)


class PlusHomeActivity(JdPage):
    """The benefits of membership."""

    def bar(self) -> Widget:
        """Return the title bar."""
        return self.back_bar("PLUS会员")

    def claim(self) -> None:
        """Claim this month's coupon."""
        self.store.claim(content.coupons()[_MONTHLY])
        self.ctx.toast("领取成功")

    def _monthly(self) -> Widget:
        coupon = content.coupons()[_MONTHLY]
        claimed = self.store.has_coupon(coupon)
        act = self.toasting("已放入您的优惠券") if claimed else self.if_online(self.claim)
        return card(
            Row(
                width=MATCH,
                gap=12,
                children=(
                    Text(
                        id="plus_coupon_amount",
                        text=f"¥{content.yuan(coupon.amount)}",
                        size=24,
                        bold=True,
                        color=GOLD_INK,
                    ),
                    Column(
                        weight=1,
                        gap=4,
                        children=(
                            Text(
                                id="plus_coupon_title",
                                text=f"本月{coupon.title}",
                                size=15,
                                bold=True,
                                color=INK,
                            ),
                            Text(text=f"{coupon.condition}，有效期至 {coupon.until}", size=12, color=INK_2),
                        ),
                    ),
                    pill(
                        "已领取" if claimed else "领取",
                        act,
                        rid="plus_claim",
                        fill=not claimed,
                        color=GOLD_INK,
                        size=13,
                        padding=insets(16, 6),
                    ),
                ),
            ),
            rid="plus_monthly",
        )

    def content(self) -> Widget:
        """Return the membership card, the benefits, and products with a members' price."""
        profile = self.store.profile
        products = [product for product in content.products().values() if product.plus][:6]
        cells: list[Widget] = [Box(weight=1, children=(product_card(o, self.opens(o)),)) for o in products]
        rights = [
            Column(
                id="plus_right",
                key=label,
                weight=1,
                gap=6,
                align=Align.CENTER,
                on_click=self.toasting(f"{label}：会员有效期内可用"),
                children=(
                    Icon(name=icon, size=28, color="#B5883C", important=False),
                    Text(text=label, size=12, color=INK_2),
                ),
            )
            for label, icon in _RIGHTS
        ]
        return ScrollView(
            id="plus_scroll",
            width=MATCH,
            height=MATCH,
            weight=1,
            children=(
                Column(
                    width=MATCH,
                    height=120,
                    margin=insets(10, 10, 10, 0),
                    padding=insets(18),
                    gap=8,
                    radius=14,
                    background=Gradient(start="#3A3330", end="#1F1B1A", horizontal=True),
                    children=(
                        Text(text="PLUS会员", size=22, bold=True, color=GOLD),
                        Text(id="plus_name", text=str(profile["name"]), size=14, color=WHITE),
                        Text(id="plus_until", text="有效期至 2025.03.18", size=12, color="#CBB68E"),
                    ),
                ),
                card(Row(width=MATCH, children=rights), padding=insets(4, 14), rid="plus_rights"),
                self._monthly(),
                Column(
                    width=MATCH,
                    padding=insets(10, 14),
                    gap=8,
                    children=(
                        Text(text="会员专享", size=15, bold=True, color=INK),
                        *(
                            Row(width=MATCH, gap=8, children=cells[at : at + 2])
                            for at in range(0, len(cells), 2)
                        ),
                    ),
                ),
            ),
        )
