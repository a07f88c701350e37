"""All reviews of a hotel, by kind."""

from __future__ import annotations

from functools import partial

from garabench.virtual.apps.ctrip.content import CtripReview, hotels, reviews
from garabench.virtual.apps.ctrip.page import CtripPage
from garabench.virtual.apps.ctrip.theme import BLUE, INK, INK_2, INK_3, WHITE, card, chip, label
from garabench.virtual.apps.ctrip.widgets import message_page
from garabench.virtual.ui.widgets import MATCH, Column, ListView, Row, Text, Widget, insets, spacer

KINDS = ("全部", "好评", "中评", "差评")


class HotelCommentListActivity(CtripPage):
    """The reviews of one hotel."""

    def on_create(self) -> None:
        """Open the hotel from the intent."""
        self.hotel = hotels().get(str(self.intent.extras.get("hotel", "")))
        self.kind = KINDS[0]

    def choose(self, kind: str) -> None:
        """Select a kind of reviews, or all."""
        self.kind = kind
        self.ctx.scroll_to("review_list")

    def bar(self) -> Widget:
        """Return the title bar."""
        return self.back_bar("住客点评")

    def content(self) -> Widget:
        """Return the kinds and the reviews."""
        hotel = self.hotel
        if hotel is None:
            return message_page("comment", "暂无点评")
        every = reviews(hotel.id)
        shown = [item for item in every if self.kind in (KINDS[0], item.kind)]
        counts = {
            kind: sum(item.kind == kind for item in every) if kind != KINDS[0] else len(every)
            for kind in KINDS
        }
        header = Column(
            width=MATCH,
            background=WHITE,
            padding=insets(14, 12),
            gap=10,
            children=(
                label(hotel.name, 16, INK, rid="review_hotel", bold=True, lines=2),
                Row(
                    gap=8,
                    children=(
                        label(f"{hotel.score}分", 20, BLUE, rid="review_score", bold=True),
                        label(f"{hotel.reviews}条点评", 13, INK_2),
                    ),
                ),
                Row(
                    width=MATCH,
                    wrap=True,
                    gap=8,
                    children=[
                        chip(
                            f"{kind}({counts[kind]})",
                            kind == self.kind,
                            partial(self.choose, kind),
                            rid="review_kind",
                        )
                        for kind in KINDS
                    ],
                ),
            ),
        )
        body = ListView(
            id="review_list",
            key=f"reviews-{self.kind}",
            width=MATCH,
            height=MATCH,
            weight=1,
            padding=insets(0, 0, 0, 12),
            items=shown,
            build=lambda item, _: self._row(item),
        )
        return Column(width=MATCH, height=MATCH, weight=1, children=(header, body))

    @staticmethod
    def _row(item: CtripReview) -> Widget:
        return card(
            Row(
                width=MATCH,
                gap=8,
                children=(
                    label(item.author, 14, INK, rid="review_author", bold=True),
                    label(f"{item.score}分", 13, BLUE),
                    spacer(),
                    label(f"{item.at:%Y-%m-%d}", 12, INK_3),
                ),
            ),
            Text(id="review_text", text=item.text, size=14, color=INK, line_spacing=1.15),
            rid="review_item",
            gap=8,
        )
