"""All reviews of a place, by kind."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from garabench.virtual.apps.amap import content
from garabench.virtual.apps.amap.detail_widgets import review_line
from garabench.virtual.apps.amap.page import AmapScreen
from garabench.virtual.apps.amap.theme import GOLD, INK, INK_3, WHITE, chip, message_page
from garabench.virtual.kit.maps.atlas import MapPlace
from garabench.virtual.ui.widgets import MATCH, Box, Column, Icon, ListView, Row, Text, Widget, insets, spacer

if TYPE_CHECKING:
    from garabench.virtual.apps.amap.activity import NewMapActivity

KINDS = {"全部": (1, 5), "好评": (4, 5), "中评": (3, 3), "差评": (1, 2)}


class ReviewsScreen(AmapScreen):
    """The reviews of a place."""

    needs_network = True
    title = "用户评价"

    def __init__(self, app: NewMapActivity, place: MapPlace) -> None:
        super().__init__(app)
        self.place = place
        self.kind = "全部"
        self.newest = False

    def choose(self, kind: str) -> None:
        """Select a kind."""
        self.kind = kind
        self.ctx.scroll_to("review_list")

    def toggle_order(self) -> None:
        """Toggle between the newest and the most helpful first."""
        self.newest = not self.newest
        self.ctx.scroll_to("review_list")

    def content(self) -> Widget:
        """Return the kinds above the list."""
        low, high = KINDS[self.kind]
        shown = [review for review in content.reviews_of(self.place) if low <= review.stars <= high]
        if self.newest:
            shown.sort(key=lambda review: review.day, reverse=True)
        header = Column(
            width=MATCH,
            gap=10,
            background=WHITE,
            padding=insets(16, 12),
            children=(
                Row(
                    gap=6,
                    width=MATCH,
                    children=(
                        Text(
                            id="review_place",
                            text=self.place.name,
                            size=16,
                            bold=True,
                            color=INK,
                            max_lines=1,
                        ),
                        spacer(),
                        Icon(name="star_filled", size=17, color=GOLD, important=False),
                        Text(
                            id="review_rating", text=f"{self.place.rating:.1f}", size=16, bold=True, color=INK
                        ),
                    ),
                ),
                Row(
                    gap=8,
                    width=MATCH,
                    children=(
                        *(
                            chip(kind, kind == self.kind, partial(self.choose, kind), rid="review_kind")
                            for kind in KINDS
                        ),
                        spacer(),
                        Text(
                            id="review_order",
                            text="最新" if self.newest else "有用优先",
                            size=13,
                            color=INK_3,
                            padding=insets(6, 8),
                            on_click=self.toggle_order,
                        ),
                    ),
                ),
            ),
        )
        body: Widget = ListView(
            id="review_list",
            width=MATCH,
            height=MATCH,
            weight=1,
            gap=1,
            items=shown,
            build=lambda review, _: Box(
                width=MATCH, background=WHITE, padding=insets(16, 12), children=(review_line(review),)
            ),
        )
        if not shown:
            body = message_page("comment_outline", "暂无此类评价")
        return Column(width=MATCH, height=MATCH, weight=1, gap=8, children=(header, body))
