from __future__ import annotations

import datetime as dt

import pytest

from garabench.virtual.apps.ctrip import content
from garabench.virtual.apps.ctrip.content import GeoPoint, cities, fold, hotels, rooms, sights, tours
from garabench.virtual.apps.ctrip.store import CtripStore, initial_data
from garabench.virtual.apps.ctrip.user_data import CtripOrder, CtripStatus, Traveller, order_of
from tests.cases import every_case


def test_everything_is_in_a_known_city() -> None:
    known = cities().keys()
    assert {hotel.city for hotel in hotels().values()} <= known
    assert {sight.city for sight in sights().values()} <= known
    assert {tour.city for tour in tours().values()} | {tour.start for tour in tours().values()} <= known
    assert {place.city for place in content.landmarks()} <= known


def test_account_lists_name_existing_products() -> None:
    store = CtripStore(initial_data())
    for kind in ("hotel", "sight", "tour"):
        assert all(content.exists(kind, name) for name in store.favorites(kind))
    assert all(content.exists(visit.kind, visit.name) for visit in store.history())
    linked = [order.product.split(":") for order in store.orders() if order.product]
    assert all(content.exists(kind, name) for kind, name in linked)
    recommended = [one.split(":") for one in content.home()["recommended"]]
    assert all(content.exists(kind, name) for kind, name in recommended)


@every_case("hotel", sorted(hotels()))
def test_a_hotels_lowest_price_is_a_rooms_price(hotel: str) -> None:
    offers = [offer for room in rooms(hotel) for offer in room.offers]
    assert min(offer.price for offer in offers) in (hotels()[hotel].price, hotels()[hotel].price - 5)
    assert any(offer.meals for offer in offers) == hotels()[hotel].breakfast
    assert any(offer.cancel for offer in offers) == hotels()[hotel].cancel


def test_products_differ_in_more_than_their_id() -> None:
    names = [hotel.name for hotel in hotels().values()]
    assert len(names) == len(set(names))
    assert sum(name.startswith("全季酒店(上海虹桥") for name in names) == 2
    assert len({tour.title for tour in tours().values()}) == len(tours())


@pytest.mark.parametrize(
    ("one", "other", "km"),
    [("上海", "北京", 1068), ("广州", "深圳", 105), ("上海", "上海", 0)],
)
def test_distances(one: str, other: str, km: float) -> None:
    assert cities()[one].at.km_to(cities()[other].at) == pytest.approx(km, rel=0.05, abs=1)


def test_distance_is_symmetric() -> None:
    one, other = GeoPoint(31.2, 121.4), GeoPoint(39.9, 116.4)
    assert one.km_to(other) == pytest.approx(other.km_to(one))


@pytest.mark.parametrize(
    ("text", "folded"), [("全季酒店(上海)", "全季酒店上海"), ("ＡＢＣ 1", "abc1"), ("  ", "")]
)
def test_fold(text: str, folded: str) -> None:
    assert fold(text) == folded


@pytest.mark.parametrize(
    ("number", "masked"),
    [("330102199208150046", "3301**********0046"), ("E71234568", "E712*4568"), ("E123", "E123")],
)
def test_documents_are_masked(number: str, masked: str) -> None:
    assert Traveller("", "周小棠", "成人", "护照", number, "13700137021").masked_number == masked


def test_orders_round_trip_through_the_data() -> None:
    order = CtripOrder(
        id="1",
        kind="train",
        title="上海虹桥-北京南",
        when="6月6日",
        start=dt.date(2024, 6, 6),
        facts=(("车次", "G1122"),),
        total=600,
        status=CtripStatus.UNPAID,
        at=dt.datetime(2024, 5, 20, 9, 41, tzinfo=dt.UTC),
    )
    assert order_of(order.row()) == order


def test_a_placed_order_gets_a_new_number() -> None:
    store = CtripStore(initial_data())
    first = store.orders()[0]
    placed = [store.place(first).id for _ in range(3)]
    assert len({*placed, *(order.id for order in store.orders())}) == len(store.orders())
