"""The membership page, which the subscription prompt opens."""

from __future__ import annotations

from garabench.virtual.apps.bilibili.cards import avatar
from garabench.virtual.apps.bilibili.page import BilibiliPage
from garabench.virtual.apps.bilibili.theme import INK, INK_2, INK_3, PINK, PINK_SOFT, WHITE
from garabench.virtual.ui.widgets import (
    MATCH,
    Align,
    Button,
    Column,
    Gradient,
    Handler,
    Icon,
    Row,
    ScrollView,
    Text,
    Widget,
    divider,
    insets,
)

PLANS = (
    ("连续包年", "118", "折合 9.8 元/月"),
    ("连续包月", "15", "次月自动续费"),
    ("年度大会员", "168", "一次买断"),
)
PRIVILEGES = (
    ("番剧畅看", "tv"),
    ("4K 超清", "hd"),
    ("每月 5 B币", "coin"),
    ("专属装扮", "shirt"),
    ("游戏礼包", "gift"),
    ("会员购特惠", "bag"),
    ("漫读券", "comic"),
    ("动态表情", "emoji"),
)


class VipActivity(BilibiliPage):
    """The membership page, a web page in the real app."""

    def on_create(self) -> None:
        """Start with the first plan selected."""
        self.plan = 0
        self.agreed = False

    def bar(self) -> Widget:
        """Return the title bar."""
        return self.back_bar("大会员")

    def content(self) -> Widget:
        """Return the plans, the benefits, and the button to subscribe."""

        def chooses(place: int) -> Handler:
            def run() -> None:
                self.plan = place

            return run

        plans = [
            Column(
                key=name,
                id="vip_plan",
                weight=1,
                height=124,
                gap=5,
                radius=10,
                align=Align.CENTER,
                justify=Align.CENTER,
                background=PINK_SOFT if place == self.plan else WHITE,
                border=PINK if place == self.plan else "#E3E5E7",
                border_width=1.5,
                selected=place == self.plan,
                on_click=chooses(place),
                children=(
                    Text(text=name, size=14, bold=True, color=INK),
                    Text(text=f"¥{price}", size=26, bold=True, color=PINK),
                    Text(text=note, size=11, color=INK_3, max_lines=1),
                ),
            )
            for place, (name, price, note) in enumerate(PLANS)
        ]
        rows = [PRIVILEGES[at : at + 4] for at in range(0, len(PRIVILEGES), 4)]
        privileges = [
            Row(
                width=MATCH,
                children=[
                    Column(
                        weight=1,
                        height=80,
                        gap=7,
                        align=Align.CENTER,
                        justify=Align.CENTER,
                        children=(
                            Icon(name=icon, size=28, color=PINK, important=False),
                            Text(text=name, size=12, color=INK_2, max_lines=1),
                        ),
                    )
                    for name, icon in row
                ],
            )
            for row in rows
        ]
        return Column(
            width=MATCH,
            height=MATCH,
            weight=1,
            children=(
                ScrollView(
                    id="vip_web",
                    cls="android.webkit.WebView",
                    width=MATCH,
                    height=MATCH,
                    weight=1,
                    children=(
                        Row(
                            width=MATCH,
                            height=104,
                            gap=14,
                            padding=insets(18, 0),
                            background=Gradient("#FB7299", "#FF9EB5", horizontal=True),
                            children=(
                                avatar("me", 54),
                                Column(
                                    weight=1,
                                    gap=4,
                                    children=(
                                        Text(
                                            text=str(self.store.profile["name"]),
                                            size=17,
                                            bold=True,
                                            color=WHITE,
                                        ),
                                        Text(text="你还不是大会员", id="vip_state", size=13, color="#FFF0F4"),
                                    ),
                                ),
                            ),
                        ),
                        Text(text="选择套餐", size=16, bold=True, color=INK, padding=insets(16, 16, 16, 10)),
                        Row(width=MATCH, gap=10, padding=insets(16, 0), children=plans),
                        Text(text="会员特权", size=16, bold=True, color=INK, padding=insets(16, 20, 16, 8)),
                        Column(width=MATCH, background=WHITE, padding=insets(6, 8), children=privileges),
                    ),
                ),
                divider(),
                Row(
                    width=MATCH,
                    height=64,
                    gap=12,
                    padding=insets(16, 0),
                    background=WHITE,
                    children=(
                        Column(
                            weight=1,
                            children=(
                                Text(text=f"合计 ¥{PLANS[self.plan][1]}", size=17, bold=True, color=PINK),
                                Text(text=PLANS[self.plan][0], size=12, color=INK_3),
                            ),
                        ),
                        Button(
                            id="vip_buy",
                            text="立即开通",
                            size=15,
                            color=WHITE,
                            background=PINK,
                            radius=22,
                            padding=insets(28, 11),
                            on_click=lambda: self.ctx.toast("支付服务暂不可用"),
                        ),
                    ),
                ),
            ),
        )
