"""A tour's page: description, itinerary and booking."""

from __future__ import annotations

from functools import partial

from garabench.virtual.apps.ctrip import names
from garabench.virtual.apps.ctrip.content import Tour, tours
from garabench.virtual.apps.ctrip.page import CtripPage
from garabench.virtual.apps.ctrip.theme import (
    BLUE,
    INK,
    INK_2,
    INK_3,
    LINE,
    ORANGE_FADE,
    RED,
    WHITE,
    badge,
    button,
    card,
    glyph,
    icon_button,
    label,
    price,
)
from garabench.virtual.apps.ctrip.widgets import message_page
from garabench.virtual.ui.widgets import (
    MATCH,
    Align,
    Column,
    ImageView,
    Row,
    ScrollView,
    Text,
    Widget,
    divider,
    insets,
)


class TourDetailActivity(CtripPage):
    """The page of a tour."""

    def on_create(self) -> None:
        """Open the tour from the intent."""
        self.tour = tours().get(str(self.intent.extras.get("tour", "")))
        if self.tour is not None and self.loaded:
            self.store.visit("tour", self.tour.id, self.ctx.now())

    def toggle_favorite(self) -> None:
        """Toggle whether it is a favourite."""
        if self.tour is None:
            return
        wanted = not self.store.is_favorite("tour", self.tour.id)
        self.store.set_favorite("tour", self.tour.id, wanted)
        self.ctx.toast("收藏成功" if wanted else "已取消收藏")

    def bar(self) -> Widget:
        """Return the title bar."""
        return self.back_bar(
            "产品详情", icon_button("share", self.toasting("链接已复制"), rid="share_button", desc="分享")
        )

    def content(self) -> Widget:
        """Return the tour above its buttons."""
        tour = self.tour
        if tour is None:
            return message_page("map-marker-off", "线路不存在或已下线")
        header = Column(
            width=MATCH,
            background=WHITE,
            children=(
                ImageView(seed=f"tour-{tour.id}", width=MATCH, height=180, kind="banner"),
                Column(
                    id="tour_info",
                    width=MATCH,
                    padding=insets(14, 12),
                    gap=8,
                    children=(
                        Row(
                            gap=4,
                            children=(
                                price(tour.price, rid="tour_detail_price", size=24),
                                label("起/人", 13, INK_2),
                            ),
                        ),
                        Text(
                            id="tour_detail_title",
                            text=tour.title,
                            size=18,
                            bold=True,
                            color=INK,
                            line_spacing=1.1,
                        ),
                        Row(
                            gap=5,
                            children=(badge(tour.kind, BLUE), *(badge(tag, INK_3) for tag in tour.tags)),
                        ),
                        label(
                            f"{tour.score}分 · {tour.sold}人出游 · {tour.start}出发 · {tour.shop}",
                            13,
                            INK_2,
                            lines=2,
                        ),
                    ),
                ),
            ),
        )
        steps: list[Widget] = [label("行程介绍", 16, INK, bold=True)]
        for number, text in enumerate(tour.about, start=1):
            steps += [
                divider(LINE),
                Row(
                    width=MATCH,
                    gap=12,
                    children=(
                        label(f"第{number}天", 14, BLUE, bold=True),
                        label(text, 14, INK, weight=1, lines=2),
                    ),
                ),
            ]
        body = ScrollView(
            id="tour_scroll",
            width=MATCH,
            height=MATCH,
            weight=1,
            padding=insets(0, 0, 0, 12),
            children=(header, card(*steps, rid="tour_days_card", gap=10)),
        )
        return Column(width=MATCH, height=MATCH, weight=1, children=(body, divider(LINE), self._footer(tour)))

    def _footer(self, tour: Tour) -> Widget:
        liked = self.store.is_favorite("tour", tour.id)

        def small(rid: str, icon: str, text: str, color: str, on: bool, click: partial[None]) -> Widget:
            return Column(
                id=rid,
                width=56,
                gap=2,
                align=Align.CENTER,
                selected=on,
                on_click=click,
                children=(glyph(icon, 22, color), label(text, 11, INK_2, rid=f"{rid}_text")),
            )

        return Row(
            id="tour_foot",
            width=MATCH,
            height=58,
            padding=insets(8, 6, 14, 6),
            background=WHITE,
            gap=4,
            children=(
                small(
                    "tour_favorite",
                    "heart_filled" if liked else "heart",
                    "已收藏" if liked else "收藏",
                    RED if liked else INK_2,
                    liked,
                    partial(self.toggle_favorite),
                ),
                small(
                    "tour_service",
                    "headset",
                    "问客服",
                    INK_2,
                    False,
                    partial(self.ctx.open, names.CHAT, name=tour.shop),
                ),
                button(
                    "下一步",
                    self.if_online(partial(self.ctx.open, names.TOUR_ORDER, tour=tour.id)),
                    rid="tour_next",
                    fill=ORANGE_FADE,
                    size=16,
                    weight=1,
                    padding=insets(0, 11),
                ),
            ),
        )
