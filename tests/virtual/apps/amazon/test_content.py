from __future__ import annotations

from garabench.virtual.apps.amazon import content
from garabench.virtual.apps.amazon.store import AmazonStore, initial_data
from garabench.virtual.ui.icons import glyph
from tests.cases import every_case

PRODUCTS = tuple(content.products().values())


def test_ids_and_titles_are_unique() -> None:
    rows = [row["id"] for family in content.load("products") for row in family["offers"]]
    assert len(rows) == len(set(rows)) == len(PRODUCTS)
    assert len({product.title for product in PRODUCTS}) == len(PRODUCTS)


@every_case("product", PRODUCTS, ids=lambda product: product.id)
def test_products_are_complete(product: content.AmazonProduct) -> None:
    assert product.price > 0
    assert product.list_price == 0 or product.list_price > product.price
    assert 1 <= product.rating <= 5
    assert product.price_of(product.default) == product.price
    assert all(len(option.values) == len(option.extra) for option in product.options)
    assert sum(content.shares(product)) == 100
    assert min(content.shares(product)) >= 0
    assert glyph(product.icon)
    reviews = content.reviews_of(product.id)
    assert {review.stars for review in reviews} == {1, 2, 3, 4, 5}


def test_curated_lists_name_existing_products() -> None:
    home = content.load("home")
    ids = [name for card in home["cards"] for name in card["products"]] + home["more"]
    ids += [row["product"] for row in home["deals"]]
    account = content.load("account")
    ids += account["history"] + [name for row in account["lists"] for name in row["items"]]
    assert set(ids) <= content.products().keys()
    departments = {row["name"] for row in home["departments"]}
    assert departments == {product.dept for product in PRODUCTS}


def test_initial_data_is_not_shared() -> None:
    first, second = AmazonStore(initial_data()), AmazonStore(initial_data())
    first.delete_line(first.cart()[0].key)
    assert len(second.cart()) == len(first.cart()) + 1


def test_initial_orders_can_be_parsed() -> None:
    book = AmazonStore(initial_data()).book
    orders = (*book.orders(), *book.orders(archived=True))
    assert len(orders) == 12
    assert all(order.total > 0 and order.headline and order.note and order.place for order in orders)
