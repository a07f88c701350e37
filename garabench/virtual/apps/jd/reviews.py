"""All reviews of a product."""

from __future__ import annotations

from functools import partial

from garabench.virtual.apps.jd import content, names
from garabench.virtual.apps.jd.content import JdReview, count_text
from garabench.virtual.apps.jd.page import JdPage
from garabench.virtual.apps.jd.product_sections import review_block
from garabench.virtual.apps.jd.theme import INK_3, LINE, WHITE, chip, message_page, title_bar
from garabench.virtual.ui.widgets import MATCH, Column, ListView, Row, ScrollView, Text, Widget, insets

KINDS = ("全部", "有图", "最新", "好评", "中评", "差评")


class CommentListActivity(JdPage):
    """The reviews of a kind."""

    def on_create(self) -> None:
        """Start with all kinds."""
        self.product = content.products().get(str(self.intent.extras.get("product", "")))
        self.kind = "全部"

    def choose(self, kind: str) -> None:
        """Select a kind."""
        self.kind = kind
        self.ctx.scroll_to("review_list")

    def bar(self) -> Widget:
        """Return the title, whose id is that of the product page's own library."""
        return title_bar("商品评价", self.ctx.finish, title_id=names.REVIEWS_TITLE_ID)

    def _matching(self) -> tuple[JdReview, ...]:
        every = content.reviews_of(self.product.id) if self.product else ()
        match self.kind:
            case "全部":
                return every
            case "有图":
                return tuple(review for review in every if review.pictures)
            case "最新":
                return tuple(sorted(every, key=lambda review: review.at, reverse=True))
            case kind:
                return tuple(review for review in every if review.level == kind)

    def content(self) -> Widget:
        """Return the kinds above the list."""
        if self.product is None:
            return message_page("package_variant", "商品已下架")
        product = self.product
        about = Text(
            id="review_product",
            text=product.title,
            size=13,
            color=INK_3,
            max_lines=1,
            width=MATCH,
            background=WHITE,
            padding=insets(14, 2, 14, 4),
        )
        kinds = ScrollView(
            id="review_kinds",
            horizontal=True,
            width=MATCH,
            height=50,
            gap=8,
            padding=insets(12, 8),
            background=WHITE,
            children=[
                chip(kind, kind == self.kind, partial(self.choose, kind), rid="review_kind") for kind in KINDS
            ],
        )
        rate = Row(
            width=MATCH,
            padding=insets(14, 0, 14, 8),
            gap=12,
            background=WHITE,
            children=(
                Text(id="review_rate", text=f"好评率 {product.rate}%", size=13, color=INK_3),
                Text(text=f"共{count_text(product.reviews)}条评价", size=13, color=INK_3),
            ),
        )

        def block(review: JdReview, number: int) -> Widget:
            return Column(
                key=f"review-{number}",
                width=MATCH,
                padding=insets(14, 14),
                background=WHITE,
                border=LINE,
                border_width=0.5,
                children=(review_block(product, review),),
            )

        return Column(
            width=MATCH,
            height=MATCH,
            weight=1,
            children=(
                about,
                kinds,
                rate,
                ListView(
                    id="review_list",
                    width=MATCH,
                    height=MATCH,
                    weight=1,
                    gap=1,
                    items=self._matching(),
                    build=block,
                ),
            ),
        )
