"""The user's coupons and the coupon center."""

from __future__ import annotations

from functools import partial

from garabench.virtual.apps.jd import names
from garabench.virtual.apps.jd.content import JdCoupon, yuan
from garabench.virtual.apps.jd.page import JdPage
from garabench.virtual.apps.jd.theme import (
    BACKGROUND,
    INK,
    INK_3,
    RED,
    RED_SOFT,
    WHITE,
    message_page,
    pill,
    tab_strip,
    text_action,
)
from garabench.virtual.ui.widgets import (
    MATCH,
    Align,
    Box,
    Column,
    ListView,
    Row,
    Text,
    Widget,
    insets,
)

KINDS = {"未使用": "owned", "已使用": "used", "已过期": "expired"}
SCOPES = ("精选", "图书", "超市", "数码", "家电", "美妆")
QUERIES = {"图书": "图书", "超市": "京东超市", "数码": "手机", "家电": "家电", "美妆": "防晒霜"}


def ticket(coupon: JdCoupon, trailing: Widget | None, *, dead: bool = False) -> Widget:
    """Return a coupon as a ticket."""
    color = INK_3 if dead else RED
    value = Column(
        width=92,
        height=MATCH,
        justify=Align.CENTER,
        radius=10,
        background="#EDEDF0" if dead else RED_SOFT,
        children=(
            Text(
                id="coupon_amount",
                text=f"¥{yuan(coupon.amount)}",
                size=23,
                bold=True,
                color=color,
                align=Align.CENTER,
                width=MATCH,
            ),
            Text(
                id="coupon_condition",
                text=coupon.condition,
                size=11,
                color=color,
                align=Align.CENTER,
                width=MATCH,
            ),
        ),
    )
    words = Column(
        weight=1,
        gap=6,
        padding=insets(12, 0),
        children=(
            Text(
                id="coupon_title",
                text=coupon.title,
                size=15,
                bold=True,
                color=INK_3 if dead else INK,
                max_lines=1,
            ),
            Text(text=f"限{coupon.scope}类商品可用", size=12, color=INK_3),
            Text(text=f"有效期至 {coupon.until}", size=11, color=INK_3),
        ),
    )
    tail = (Box(padding=insets(0, 0, 12, 0), children=(trailing,)),) if trailing is not None else ()
    return Box(
        key=coupon.id,
        width=MATCH,
        height=96,
        padding=insets(10, 8, 10, 0),
        children=(
            Row(
                id="coupon_item",
                width=MATCH,
                height=88,
                radius=10,
                background=WHITE,
                children=(value, words, *tail),
            ),
        ),
    )


class MyCouponActivity(JdPage):
    """The user's coupons by state."""

    def on_create(self) -> None:
        """Start with the usable ones."""
        self.kind = "未使用"

    def choose(self, kind: str) -> None:
        """Select a state."""
        self.kind = kind

    def bar(self) -> Widget:
        """Return the title bar with the link to more coupons."""
        return self.back_bar(
            "我的优惠券",
            text_action("领券中心", "coupon_center", partial(self.ctx.open, names.COUPON_CENTER)),
        )

    def content(self) -> Widget:
        """Return the states above the tickets."""
        coupons = self.store.coupons(KINDS[self.kind])
        strip = tab_strip(tuple(KINDS), self.kind, {kind: partial(self.choose, kind) for kind in KINDS})

        def line(coupon: JdCoupon, _: int) -> Widget:
            if self.kind != "未使用":
                return ticket(coupon, None, dead=True)
            use = self.finds(QUERIES[coupon.scope])
            return ticket(coupon, pill("去使用", use, rid="coupon_use", size=12, padding=insets(12, 6)))

        body: Widget = (
            ListView(
                id="coupon_list",
                width=MATCH,
                height=MATCH,
                weight=1,
                background=BACKGROUND,
                items=coupons,
                build=line,
                item_height=96,
            )
            if coupons
            else message_page("ticket_percent_outline", "这里还没有优惠券")
        )
        return Column(width=MATCH, height=MATCH, weight=1, children=(strip, body))


class CouponCenterActivity(JdPage):
    """Available coupons, by what they apply to."""

    def on_create(self) -> None:
        """Start with all scopes."""
        self.scope = "精选"

    def choose(self, scope: str) -> None:
        """Select a scope."""
        self.scope = scope
        self.ctx.scroll_to("center_list")

    def claim(self, coupon: JdCoupon) -> None:
        """Claim a coupon."""
        self.store.claim(coupon)
        self.ctx.toast("领取成功")

    def bar(self) -> Widget:
        """Return the title bar."""
        return self.back_bar(
            "领券中心", text_action("我的券", "my_coupons", partial(self.ctx.open, names.COUPONS))
        )

    def content(self) -> Widget:
        """Return the scopes above the tickets."""
        every = self.store.coupons("center")
        shown = [coupon for coupon in every if self.scope in ("精选", coupon.scope)]
        strip = tab_strip(
            SCOPES, self.scope, {scope: partial(self.choose, scope) for scope in SCOPES}, size=14
        )

        def line(coupon: JdCoupon, _: int) -> Widget:
            if self.store.has_coupon(coupon):
                done = pill(
                    "去使用",
                    self.finds(QUERIES[coupon.scope]),
                    rid="coupon_use",
                    fill=False,
                    size=12,
                    padding=insets(12, 6),
                )
                return ticket(coupon, done)
            claim = self.if_online(partial(self.claim, coupon))
            return ticket(coupon, pill("立即领取", claim, rid="coupon_claim", size=12, padding=insets(12, 6)))

        return Column(
            width=MATCH,
            height=MATCH,
            weight=1,
            children=(
                strip,
                ListView(
                    id="center_list",
                    width=MATCH,
                    height=MATCH,
                    weight=1,
                    background=BACKGROUND,
                    items=shown,
                    build=line,
                    item_height=96,
                ),
            ),
        )
