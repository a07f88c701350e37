from __future__ import annotations

import datetime as dt
import json

from hypothesis import given
from hypothesis import strategies as st

from garabench.virtual.apps.jd import content
from garabench.virtual.apps.jd.store import MAX_CART, MAX_HISTORY, MAX_QUANTITY, JdStore, initial_data

NOW = dt.datetime(2024, 5, 20, 10, 0, tzinfo=dt.timezone(dt.timedelta(hours=8)))
PRODUCTS = list(content.products().values())
products = st.sampled_from(PRODUCTS)


def test_account_references_exist() -> None:
    data = initial_data()
    rows = [*data["cart"], *(item for order in data["orders"] for item in order["items"])]
    for row in rows:
        product = content.products()[row["product"]]
        assert len(row["options"]) == len(product.choices)
        for value, choice in zip(row["options"], product.choices, strict=True):
            assert value in choice.values, product.id
    assert {row["product"] for row in data["history"]} | {*data["favorites"]} <= content.products().keys()
    assert {*data["follows"], *data["chats"]} <= content.shops().keys()
    assert {*data["coupons"]} <= content.coupons().keys()
    for order in data["orders"]:
        assert {content.products()[item["product"]].shop.id for item in order["items"]} == {order["shop"]}


def test_initial_data_is_not_shared() -> None:
    first, second = JdStore(initial_data()), JdStore(initial_data())
    first.clear_history()
    first.delete_lines(frozenset(line.key for line in first.cart()))
    assert second.history()
    assert second.cart()


@given(st.lists(st.tuples(products, st.integers(1, 300)), max_size=12))
def test_the_cart_sums_quantities_within_limits(steps: list[tuple[content.JdProduct, int]]) -> None:
    data = initial_data()
    store = JdStore(data)
    wanted: dict[str, int] = {line.key: line.count for line in store.cart()}
    for product, count in steps:
        assert store.add_to_cart(product, product.default, count)
        key = f"{product.id}|{'，'.join(product.default)}"
        wanted[key] = min(MAX_QUANTITY, wanted.get(key, 0) + count)
    assert {line.key: line.count for line in store.cart()} == wanted
    assert store.pieces == sum(wanted.values())
    json.dumps(data)


def test_a_full_cart_accepts_only_existing_lines() -> None:
    store = JdStore(initial_data())
    store.delete_lines(frozenset(line.key for line in store.cart()))
    for product in PRODUCTS[:MAX_CART]:
        assert store.add_to_cart(product, product.default, 1)
    assert not store.add_to_cart(PRODUCTS[MAX_CART], PRODUCTS[MAX_CART].default, 1)
    assert store.add_to_cart(PRODUCTS[0], PRODUCTS[0].default, 1)
    assert store.cart()[0].count == 2


def test_lines_with_equal_options_are_merged() -> None:
    store = JdStore(initial_data())
    book = content.products()["santi-set"]
    store.add_to_cart(book, ("平装",), 1)
    store.add_to_cart(book, ("典藏版",), 2)
    line = next(line for line in store.cart() if line.spec == "平装")
    store.change_spec(line.key, ("典藏版",), 5)
    assert [(line.spec, line.count) for line in store.cart() if line.product == book] == [("典藏版", 5)]
    store.change_spec("gone", ("平装",), 1)
    assert [line.spec for line in store.cart() if line.product == book] == ["典藏版"]


@given(st.lists(products, max_size=20))
def test_history_is_unique_latest_first(seen: list[content.JdProduct]) -> None:
    store = JdStore(initial_data())
    for minute, product in enumerate(seen):
        store.visit(product, NOW + dt.timedelta(minutes=minute))
    shown = [visit.product.id for visit in store.history()]
    assert len(shown) == len(set(shown)) <= MAX_HISTORY
    latest = list(dict.fromkeys(product.id for product in reversed(seen)))
    assert shown[: len(latest)] == latest


def test_a_used_coupon_cannot_be_claimed_again() -> None:
    store = JdStore(initial_data())
    coupon = content.coupons()["book-299-50"]
    store.claim(coupon)
    store.claim(coupon)
    assert store.coupons("owned").count(coupon) == 1
    store.use_coupon(coupon)
    assert not store.has_coupon(coupon)
    assert coupon in store.coupons("used")
    assert coupon not in store.coupons("center")
