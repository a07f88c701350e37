"""All reviews of a product, and all questions and answers."""

from __future__ import annotations

from functools import partial

from garabench.virtual.apps.amazon import content
from garabench.virtual.apps.amazon.cards import slim_line, stars
from garabench.virtual.apps.amazon.content import AmazonProduct, AmazonReview
from garabench.virtual.apps.amazon.page import AmazonPage
from garabench.virtual.apps.amazon.product_sections import histogram, review_card
from garabench.virtual.apps.amazon.theme import (
    INK,
    INK_2,
    PALE,
    WHITE,
    button,
    card,
    chip,
    heading,
    message_page,
)
from garabench.virtual.ui.widgets import (
    MATCH,
    Column,
    ListView,
    Row,
    ScrollView,
    Text,
    TextField,
    Widget,
    insets,
)

_LABELS = {
    0: "All stars",
    5: "5 star only",
    4: "4 star only",
    3: "3 star only",
    2: "2 star only",
    1: "1 star only",
}
_SORTS = ("Top reviews", "Most recent")


class _ProductPage(AmazonPage):
    """A page about a product."""

    def on_create(self) -> None:
        """Read the intent."""
        self.product: AmazonProduct | None = content.products().get(
            str(self.intent.extras.get("product", ""))
        )

    def content(self) -> Widget:
        """Return the page, or a notice if the product does not exist."""
        if self.product is None:
            return message_page("package-variant", "Sorry, we couldn't find that page")
        return self.content_of(self.product)

    def content_of(self, product: AmazonProduct) -> Widget:
        """Return the page for the product."""
        raise NotImplementedError


class CustomerReviewsActivity(_ProductPage):
    """The reviews, all or those with a number of stars."""

    def on_create(self) -> None:
        """Start with the number of stars from the intent."""
        super().on_create()
        named = str(self.intent.extras.get("stars", "0"))
        self.stars = int(named) if named in ("1", "2", "3", "4", "5") else 0
        self.sort = _SORTS[0]

    def set_stars(self, number: int) -> None:
        """Filter by a number of stars; 0 shows all."""
        self.stars = number
        self.ctx.scroll_to("review_list")

    def choose_sort(self, sort: str) -> None:
        """Choose the sort order."""
        self.sort = sort
        self.ctx.scroll_to("review_list")

    @property
    def matching(self) -> tuple[AmazonReview, ...]:
        """The listed reviews, sorted."""
        if self.product is None:
            return ()
        found = [review for review in content.reviews_of(self.product.id) if self.stars in (0, review.stars)]
        if self.sort == _SORTS[1]:
            found.sort(key=lambda review: review.at, reverse=True)
        return tuple(found)

    def content_of(self, product: AmazonProduct) -> Widget:
        """Return ratings, filters and the reviews."""
        sort = self.chooses(
            "Sort by", [(name, name) for name in _SORTS], self.sort, self.choose_sort, rid="sort_choice"
        )
        bar = ScrollView(
            id="review_filters",
            horizontal=True,
            width=MATCH,
            height=52,
            gap=8,
            background=WHITE,
            padding=insets(12, 7),
            children=(
                chip(self.sort, self.sort != _SORTS[0], sort, rid="review_sort"),
                *(
                    chip(label, number == self.stars, partial(self.set_stars, number), rid="star_filter")
                    for number, label in _LABELS.items()
                ),
            ),
        )
        header = card(
            slim_line(product, self.opens(product), rid="review_product", title_id="review_product_title"),
            Row(
                gap=8,
                children=(
                    stars(product.rating, size=20),
                    Text(text=f"{product.rating} out of 5", size=16, color=INK),
                ),
            ),
            Text(text=f"{product.ratings:,} global ratings", size=13, color=INK_2),
            histogram(self, product, self.set_stars),
        )
        matching = self.matching
        count = Text(
            id="review_count",
            text=f"{len(matching)} reviews, {_LABELS[self.stars]}",
            size=14,
            color=INK_2,
            padding=insets(14, 8),
        )
        listed = ListView(
            id="review_list",
            width=MATCH,
            height=MATCH,
            weight=1,
            background=WHITE,
            header=(header, count),
            items=matching,
            build=lambda review, _: Column(
                width=MATCH, padding=insets(14, 4), children=(review_card(review),)
            ),
        )
        return Column(
            width=MATCH,
            height=MATCH,
            weight=1,
            background=WHITE,
            children=(heading_row("Customer reviews"), bar, listed),
        )


def heading_row(text: str) -> Widget:
    """Return the heading of the page."""
    return Row(
        width=MATCH,
        height=48,
        padding=insets(14, 0),
        background=WHITE,
        children=(heading(text, size=19, rid="page_title"),),
    )


class QuestionsAnswersActivity(_ProductPage):
    """Customers' questions, with a search and a field to ask."""

    def on_create(self) -> None:
        """Start with all questions."""
        super().on_create()
        self.text = ""

    def type_text(self, text: str) -> None:
        """Handle a change of the field's text."""
        self.text = text

    def ask(self) -> None:
        """Post the typed question."""
        question = " ".join(self.text.split())
        if self.product is None or not question:
            return
        asked = self.store.setting("asked", {})
        own = [*asked.get(self.product.id, []), question]
        self.store.set_setting("asked", {**asked, self.product.id: own})
        self.text = ""
        self.ctx.hide_keyboard()
        self.ctx.toast("Your question has been posted")

    def content_of(self, product: AmazonProduct) -> Widget:
        """Return the field above the questions."""
        wanted = self.text.casefold().split()
        own = [[text, ""] for text in self.store.setting("asked", {}).get(product.id, [])]
        rows = [
            row
            for row in [*own, *content.load("reviews")["questions"]]
            if all(word in " ".join(row).casefold() for word in wanted)
        ]
        field = TextField(
            id="question_field",
            text=self.text,
            hint="Search or ask a question about this product",
            size=15,
            color=INK,
            width=MATCH,
            height=46,
            radius=8,
            background=PALE,
            padding=insets(12, 0),
            on_change=self.type_text,
            on_submit=self.ask,
            action="send",
        )
        posted = () if rows or not wanted else (button("Post your question", self.ask, rid="question_post"),)
        cards = [
            Column(
                id="question_item",
                key=question,
                width=MATCH,
                gap=5,
                padding=insets(14, 12),
                background=WHITE,
                children=(
                    Text(id="question_text", text=f"Q: {question}", size=15, bold=True, color=INK),
                    Text(
                        id="answer_text",
                        text=f"A: {answer}" if answer else "No answers yet",
                        size=14,
                        color=INK_2,
                    ),
                ),
            )
            for question, answer in rows
        ]
        return ScrollView(
            id="question_list",
            width=MATCH,
            height=MATCH,
            weight=1,
            children=(
                heading_row("Questions & answers"),
                card(
                    Text(id="question_product", text=product.title, size=14, color=INK_2, max_lines=2),
                    field,
                    *posted,
                ),
                *cards,
            ),
        )
