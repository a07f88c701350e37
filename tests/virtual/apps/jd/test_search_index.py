from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from garabench.virtual.apps.jd import content
from garabench.virtual.apps.jd.search_index import (
    JdFilters,
    JdSortOrder,
    arrange,
    brands_of,
    related,
    search,
    suggestions,
    words_of,
)
from tests.cases import every_case

PRODUCTS = tuple(content.products().values())
fen = st.none() | st.integers(0, 1_000_000)
filters = st.builds(
    JdFilters,
    lowest=fen,
    highest=fen,
    self_run=st.booleans(),
    delivered=st.booleans(),
    brands=st.frozensets(st.sampled_from(sorted({product.brand for product in PRODUCTS})), max_size=3),
)


@pytest.mark.parametrize(
    ("query", "word"),
    [
        ("加湿器", "加湿器"),
        ("任天堂 Switch", "Switch"),
        ("IPHONE 15 pro max", "iPhone 15 Pro Max"),
        ("机械键盘", "键盘"),
        ("长安的荔枝", "长安的荔枝"),
    ],
)
def test_the_first_result(query: str, word: str) -> None:
    assert word in search(query)[0].title


@pytest.mark.parametrize("query", ["", "  ", "—", "没有人会搜的词汇组合"])
def test_a_query_without_results(query: str) -> None:
    assert search(query) == ()


def test_words_are_runs_of_one_script() -> None:
    assert words_of("Switch游戏机 OLED") == ("switch", "游戏机", "oled")


@every_case("product", PRODUCTS, ids=lambda product: product.id)
def test_every_product_is_found_by_its_title(product: content.JdProduct) -> None:
    assert product in search(product.title)


def test_every_product_has_similar_ones() -> None:
    families = {product.family for product in PRODUCTS}
    alone = [name for name in families if sum(p.family == name for p in PRODUCTS) < 2]
    assert len(alone) <= len(families) // 4


@given(chosen=filters, order=st.sampled_from(JdSortOrder))
def test_arrange_filters_and_sorts(chosen: JdFilters, order: JdSortOrder) -> None:
    result = arrange(PRODUCTS, order, chosen)
    assert {p.id for p in result} == {p.id for p in PRODUCTS if chosen.matches(p)}
    match order:
        case JdSortOrder.SALES:
            assert [p.sold for p in result] == sorted((p.sold for p in result), reverse=True)
        case JdSortOrder.PRICE_UP:
            assert [p.price for p in result] == sorted(p.price for p in result)
        case JdSortOrder.PRICE_DOWN:
            assert [p.price for p in result] == sorted((p.price for p in result), reverse=True)
        case JdSortOrder.DEFAULT:
            assert result == tuple(p for p in PRODUCTS if chosen.matches(p))


@pytest.mark.parametrize(
    ("chosen", "active"),
    [
        (JdFilters(), 0),
        (JdFilters(lowest=100, highest=200), 1),
        (JdFilters(highest=200, self_run=True), 2),
        (JdFilters(0, None, True, True, frozenset({"小米"})), 4),
    ],
)
def test_active_filters_are_counted(chosen: JdFilters, active: int) -> None:
    assert chosen.active == active


@given(st.text(max_size=12))
def test_suggestions_contain_the_text(typed: str) -> None:
    found = suggestions(typed)
    assert len(found) == len(set(found)) <= 10
    assert all(content.fold(typed) in content.fold(word) for word in found)


def test_suggestions_with_the_prefix_come_first() -> None:
    assert suggestions("加湿")[0] == "加湿器"
    assert suggestions("") == ()


def test_brands_are_unique_and_related_products_are_not_results() -> None:
    found = search("加湿器")
    assert len(brands_of(found)) == len({product.brand for product in found})
    assert not set(related(found)) & set(found)
    assert len(related(())) == 8
