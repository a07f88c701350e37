from __future__ import annotations

import datetime as dt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from garabench.virtual.apps.jd import content
from garabench.virtual.apps.jd.order_book import JdOrderBook
from garabench.virtual.apps.jd.store import JdStore, initial_data
from garabench.virtual.apps.jd.user_data import JdAddress, JdOrderLine, JdStatus

NOW = dt.datetime(2024, 5, 20, 10, 0, tzinfo=dt.timezone(dt.timedelta(hours=8)))
ADDRESS = JdAddress("x", "周宁", "13700001234", "上海 上海市 徐汇区", "天平路 1号", "家", False)
BOOKS = JdOrderLine(content.products()["santi-set"], ("平装",), 2)
WATER = JdOrderLine(content.products()["yibao-555"], ("555ml*24瓶",), 1)
lines = st.lists(
    st.sampled_from(list(content.products().values())).map(
        lambda product: JdOrderLine(product, product.default, 1)
    ),
    min_size=1,
    max_size=6,
    unique_by=lambda line: line.key,
)


@pytest.fixture
def book() -> JdOrderBook:
    return JdOrderBook(initial_data())


def test_one_order_per_shop_with_unique_numbers(book: JdOrderBook) -> None:
    first, second = book.place([BOOKS, WATER], NOW, ADDRESS, discount=1500, note="轻放")
    order = book.order(first)
    assert order is not None
    assert (order.status, order.discount, order.total) == (JdStatus.UNPAID, 1500, BOOKS.total - 1500)
    assert (order.person, order.place, order.note) == ("周宁 137****1234", ADDRESS.place, "轻放")
    other = book.order(second)
    assert other is not None
    assert other.discount == 0


@given(lines, st.integers(0, 50_000))
def test_the_discount_is_split_exactly(things: list[JdOrderLine], discount: int) -> None:
    book = JdOrderBook(initial_data())
    before = {order.id for order in book.orders()}
    goods = sum(line.total for line in things)
    numbers = book.place(things, NOW, ADDRESS, discount=discount)
    made = [order for order in book.orders() if order.id in numbers]
    assert len({*numbers}) == len(numbers) == len({line.product.shop for line in things})
    assert not before & {*numbers}
    assert sum(order.total for order in made) == goods - min(discount, goods)
    assert all(order.total >= 0 for order in made)


@pytest.mark.parametrize(
    ("change", "status"),
    [
        (lambda book, number: JdOrderBook.cancel(book, number, "太贵"), JdStatus.CANCELLED),
        (JdOrderBook.confirm, JdStatus.ARRIVED),
        (JdOrderBook.pay_on_delivery, JdStatus.SENT),
    ],
)
def test_a_change_affects_a_single_order(book: JdOrderBook, change: object, status: JdStatus) -> None:
    before = {order.id: order.status for order in book.orders()}
    number = "296181200739"
    change(book, number)  # type: ignore[operator]
    after = {order.id: order.status for order in book.orders()}
    assert after == before | {number: status}


def test_reviews_and_returns_are_stored(book: JdOrderBook) -> None:
    book.review("295902617750", 4, "好")
    assert book.review_of("295902617750") == (4, "好")
    assert book.review_of("295790146632") is None
    book.request_return("295790146632", "少件")
    assert [order.id for order in book.orders(JdStatus.RETURNING)] == ["295790146632", "295140862973"]


def test_numbers_of_deleted_orders_do_not_clash(book: JdOrderBook) -> None:
    (first,) = book.place([BOOKS], NOW, ADDRESS)
    book.delete("296180453217")
    (second,) = book.place([BOOKS], NOW, ADDRESS)
    assert first != second
    assert book.order("296180453217") is None


@pytest.mark.parametrize(("words", "count"), [("小米", 1), ("京东图书", 1), ("", 0), ("  ", 0), ("没有", 0)])
def test_finding_orders(book: JdOrderBook, words: str, count: int) -> None:
    assert len(book.find(words)) == count


def test_unread_messages_are_counted_by_name() -> None:
    store = JdStore(initial_data())
    assert store.unread("交易物流") == 2
    store.mark_read("交易物流")
    assert store.unread("交易物流") == 0
    assert store.unread_total == 5
    store.mark_read()
    assert store.unread_total == 0


def test_there_is_a_default_address_while_any_exists() -> None:
    store = JdStore(initial_data())
    for left in (2, 1):
        store.delete_address(store.addresses()[0].id)
        assert [address.default for address in store.addresses()].count(True) == 1
        assert len(store.addresses()) == left
    store.set_default_address(store.addresses()[0].id)
    assert store.default_address == store.addresses()[0]
