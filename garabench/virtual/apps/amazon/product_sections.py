"""The sections of a product's page."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from garabench.virtual.apps.amazon import content, names
from garabench.virtual.apps.amazon.cards import badge, delivery_line, photo, rating_row, stars, tile
from garabench.virtual.apps.amazon.content import AmazonProduct, AmazonReview, date_text, price_text, similar
from garabench.virtual.apps.amazon.page import AmazonPage
from garabench.virtual.apps.amazon.theme import (
    INK,
    INK_2,
    LINE,
    ORANGE,
    PALE,
    RED,
    TEAL,
    WHITE,
    button,
    card,
    chip,
    heading,
    link,
    pairs,
)
from garabench.virtual.ui.widgets import (
    MATCH,
    Align,
    Box,
    Column,
    Handler,
    Row,
    ScrollView,
    Text,
    Widget,
    insets,
    spacer,
)

_PICTURES = 4
_GALLERY = 260
_VISIBLE_REVIEWS = 3


def title_box(page: AmazonPage, product: AmazonProduct) -> Widget:
    """Return brand, rating, title and badge."""
    brand = link(
        f"Brand: {product.brand}",
        partial(names.open_results, page.ctx, product.brand),
        rid="bylineInfo",
        size=13,
    )
    rating = rating_row(product, on_click=page.opens_page(names.REVIEWS, product=product.id))
    return Column(
        width=MATCH,
        gap=6,
        children=(
            Row(width=MATCH, children=(brand, spacer(), rating)),
            Text(id="productTitle", text=product.title, size=16, color=INK),
            *((Row(children=(badge(product),)),) if product.badge else ()),
        ),
    )


def gallery(product: AmazonProduct, view: int, on_click: Handler) -> Widget:
    """Return the pictures; a tap shows the next one."""
    dots = Row(
        gap=6,
        align_self=Align.CENTER,
        align_vertical=Align.END,
        children=[
            Widget(width=8, height=8, radius=4, background=INK_2 if number == view else LINE, important=False)
            for number in range(_PICTURES)
        ],
    )
    picture = photo(
        product,
        MATCH,
        height=_GALLERY,
        rid="image-block",
        view=view,
        desc=f"Picture {view + 1} of {_PICTURES}",
    )
    return Box(width=MATCH, height=_GALLERY + 16, on_click=on_click, children=(picture, dots))


def options_of(
    page: AmazonPage, product: AmazonProduct, chosen: Sequence[str], choose: Callable[[int, str], None]
) -> Widget:
    """Return the options with their values."""
    groups: list[Widget] = []
    for place, option in enumerate(product.options):
        groups.append(
            Row(
                key=option.name,
                gap=5,
                children=(
                    Text(text=f"{option.name}:", size=14, color=INK_2),
                    Text(id="variation_selected", text=chosen[place], size=14, bold=True, color=INK),
                ),
            )
        )
        groups.append(
            Row(
                key=f"{option.name}-values",
                width=MATCH,
                wrap=True,
                gap=8,
                children=[
                    chip(value, value == chosen[place], partial(choose, place, value), rid="variation_value")
                    for value in option.values
                ],
            )
        )
    return card(*groups, rid="variations", gap=8)


def price_box(product: AmazonProduct, chosen: Sequence[str]) -> Widget:
    """Return the price with the selected options, and the time of delivery."""
    amount = product.price_of(chosen)
    cut: tuple[Widget, ...] = ()
    struck: tuple[Widget, ...] = ()
    if product.list_price > amount:
        cut = (Text(text=f"-{round(100 - 100 * amount / product.list_price)}%", size=22, color=RED),)
        struck = (
            Text(text=f"List Price: {price_text(product.list_price)}", size=13, color=INK_2, strike=True),
        )
    return Column(
        width=MATCH,
        gap=4,
        children=(
            Row(
                gap=8,
                align=Align.END,
                children=(
                    *cut,
                    Text(id="apex_price", text=price_text(amount), size=26, bold=True, color=INK),
                ),
            ),
            *struck,
            delivery_line(product),
        ),
    )


def about(product: AmazonProduct) -> Widget:
    """Return the manufacturer's description."""
    lines = [Text(id="feature_bullet", text=f"• {text}", size=14, color=INK) for text in product.about]
    return card(heading("About this item"), *lines, rid="feature-bullets")


def specs_box(product: AmazonProduct) -> Widget:
    """Return the specifications as a table."""
    rows = (*product.specs, ("ASIN", product.asin))
    return card(heading("Product details"), pairs(rows), rid="product_details")


def question_box(page: AmazonPage, product: AmazonProduct) -> Widget:
    """Return a question with its answer, and a link to the others."""
    text, answer = content.load("reviews")["questions"][sum(map(ord, product.id)) % 5]
    return card(
        heading("Questions & answers"),
        Text(text=f"Q: {text}", size=14, bold=True, color=INK),
        Text(text=f"A: {answer}", size=14, color=INK_2),
        button(
            "See all questions",
            page.opens_page(names.QUESTIONS, product=product.id),
            rid="see_all_questions",
            color=WHITE,
        ),
        rid="ask-btf",
    )


def histogram(page: AmazonPage, product: AmazonProduct, on_click: Callable[[int], None]) -> Widget:
    """Return the percentages of ratings by stars; a row leads to those reviews."""
    rows = [
        Row(
            id="histogram_row",
            key=f"stars-{number}",
            desc=f"{share} percent of reviews have {number} stars",
            width=MATCH,
            height=32,
            gap=8,
            on_click=partial(on_click, number),
            children=(
                Text(text=f"{number} star", size=14, color=TEAL, width=52),
                Box(
                    weight=1,
                    height=18,
                    radius=4,
                    background=PALE,
                    border=LINE,
                    children=(
                        Row(
                            width=MATCH,
                            height=18,
                            children=(
                                Widget(
                                    weight=max(1, share),
                                    height=18,
                                    radius=4,
                                    background=ORANGE,
                                    important=False,
                                ),
                                Widget(weight=max(1, 100 - share), height=18, important=False),
                            ),
                        ),
                    ),
                ),
                Text(id="histogram_share", text=f"{share}%", size=14, color=TEAL, width=40, align=Align.END),
            ),
        )
        for number, share in zip(range(5, 0, -1), content.shares(product), strict=True)
    ]
    return Column(id="histogramTable", width=MATCH, children=rows)


def review_card(review: AmazonReview) -> Widget:
    """Return a review."""
    return Column(
        id="review",
        width=MATCH,
        gap=4,
        padding=insets(0, 8),
        children=(
            Text(id="review_author", text=review.author, size=13, color=INK_2),
            Row(
                gap=6,
                children=(
                    stars(float(review.stars)),
                    Text(id="review_title", text=review.title, size=14, bold=True, color=INK, max_lines=1),
                ),
            ),
            Text(text=f"Reviewed in the United States on {date_text(review.at)}", size=12, color=INK_2),
            *(
                (Text(id="review_options", text=review.options, size=12, color=INK_2, max_lines=1),)
                if review.options
                else ()
            ),
            Text(id="review_text", text=review.text, size=14, color=INK),
            Text(
                id="review_helpful", text=f"{review.helpful} people found this helpful", size=12, color=INK_2
            ),
        ),
    )


def review_box(page: AmazonPage, product: AmazonProduct) -> Widget:
    """Return the ratings, and the most helpful reviews."""

    def filtered(number: int) -> None:
        page.ctx.open(names.REVIEWS, product=product.id, stars=str(number))

    reviews = content.reviews_of(product.id)
    return card(
        heading("Customer reviews"),
        Row(
            gap=8,
            children=(
                stars(product.rating, size=20),
                Text(text=f"{product.rating} out of 5", size=16, color=INK),
            ),
        ),
        Text(text=f"{product.ratings:,} global ratings", size=13, color=INK_2),
        histogram(page, product, filtered),
        heading("Top reviews from the United States", size=16),
        *map(review_card, reviews[:_VISIBLE_REVIEWS]),
        button(
            "See all reviews",
            page.opens_page(names.REVIEWS, product=product.id),
            rid="see_all_reviews",
            color=WHITE,
        ),
        rid="reviewsMedley",
    )


def related(page: AmazonPage, product: AmazonProduct) -> Widget:
    """Return products that other customers viewed."""
    tiles = [tile(other, page.opens(other)) for other in similar(product)]
    row = ScrollView(id="related_row", horizontal=True, width=MATCH, height=186, gap=12, children=tiles)
    return card(heading("Products related to this item"), row)
