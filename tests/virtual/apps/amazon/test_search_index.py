from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from garabench.virtual.apps.amazon import content
from garabench.virtual.apps.amazon.search_index import (
    AmazonFilters,
    AmazonSortOrder,
    arrange,
    search,
    suggestions,
)


@pytest.mark.parametrize(
    ("query", "first"),
    [
        ("iphone", "ip15-rn"),
        ("Harry Poter", "hp-1"),
        ("Levi's 501", "lv-501"),
        ("levis 501", "lv-501"),
        ("logitech g403", "g403-hero"),
        ("dune", "dune-1"),
        ("Dyson Supersonic", "dys-super"),
    ],
)
def test_the_first_result(query: str, first: str) -> None:
    assert search(query)[0].id == first


@pytest.mark.parametrize("query", ["", "   ", "the", "zzzz", "!!!", "tea zzzz"])
def test_no_results(query: str) -> None:
    assert search(query) == ()


def test_an_empty_query_lists_the_department() -> None:
    found = search("", "Books")
    assert {product.dept for product in found} == {"Books"}
    assert len(found) == sum(product.dept == "Books" for product in content.products().values())


@given(st.text(max_size=30))
def test_search_accepts_any_text(text: str) -> None:
    assert set(search(text)) <= set(content.products().values())
    assert len(suggestions(text)) <= 10


@given(
    sort=st.sampled_from(AmazonSortOrder),
    lowest=st.none() | st.integers(0, 50_000),
    highest=st.none() | st.integers(0, 50_000),
    stars=st.integers(0, 4),
    prime=st.booleans(),
)
def test_filters_narrow_results_and_sorting_keeps_them(
    sort: AmazonSortOrder, lowest: int | None, highest: int | None, stars: int, prime: bool
) -> None:
    found = search("", "Electronics")
    matching = arrange(found, sort, AmazonFilters(lowest=lowest, highest=highest, stars=stars, prime=prime))
    assert len(set(matching)) == len(matching)
    assert all(product in found and product.rating >= stars for product in matching)
    assert all(lowest is None or product.price >= lowest for product in matching)
    assert all(highest is None or product.price <= highest for product in matching)
    if sort is AmazonSortOrder.PRICE_UP:
        assert [product.price for product in matching] == sorted(product.price for product in matching)


def test_colour_filters_are_plain_colours() -> None:
    products = content.products()
    assert products["pw-16"].colors == {"Black", "Green", "Blue"}
    assert products["duo-7in1"].colors == frozenset()
