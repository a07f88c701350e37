from __future__ import annotations

import pytest

from garabench.virtual.apps.jd import content, names
from garabench.virtual.apps.jd.picture_gallery import PICTURES
from tests.virtual.apps.jd.hand import Hand, line

PRODUCT = next(product for product in content.products().values() if "Switch OLED 国行" in product.title)


@pytest.fixture
def hand() -> Hand:
    hand = Hand()
    hand.open(names.PRODUCT, product=PRODUCT.id)
    return hand


def test_the_gallery_shows_the_selected_picture(hand: Hand) -> None:
    frames = set()
    for place in range(PICTURES):
        hand.tap(id="gallery_thumb", desc=f"第{place + 1}张图片")
        assert hand.node(id="picture_number").text == f"{place + 1}/{PICTURES}"
        assert [node.selected for node in hand.nodes(id="gallery_thumb")].index(True) == place
        image = hand.phone.frame().image
        bounds = hand.node(id="product_image").bounds
        frames.add(image.crop((bounds.left, bounds.top, bounds.right, bounds.bottom)).tobytes())
    assert len(frames) == PICTURES


def test_options_and_quantity_are_added_to_the_cart(hand: Hand) -> None:
    hand.tap(id="add_to_cart")
    hand.tap(id="sku_option", text="白色手柄")
    hand.tap(id="quantity_plus")
    assert hand.node(id="quantity").text == "2"
    hand.tap(id="sku_add_to_cart")
    assert hand.toast == "加入购物车成功"
    hand.tap(id="cart_button")
    assert any(
        "白色手柄" in text for text in hand.texts(text_contains="白色手柄", inside=line("Switch OLED 国行"))
    )


def test_the_price_follows_the_options() -> None:
    product = next(p for p in content.products().values() if any(any(c.extra) for c in p.choices))
    choice = next(c for c in product.choices if any(c.extra))
    dear = choice.values[max(range(len(choice.values)), key=lambda place: choice.extra[place])]
    options = [
        dear if c is choice else value for c, value in zip(product.choices, product.default, strict=True)
    ]
    hand = Hand()
    hand.open(names.PRODUCT, product=product.id)
    hand.tap(id="add_to_cart")
    hand.tap(id="sku_option", text=dear)
    assert content.price_text(product.price_of(options)) in hand.texts(text_contains="¥")


def test_closing_the_options_adds_nothing_to_the_cart(hand: Hand) -> None:
    before = [node.text for node in hand.nodes(id="cart_count")]
    hand.tap(id="add_to_cart")
    hand.back()
    assert [node.text for node in hand.nodes(id="cart_count")] == before


def test_a_favourite_survives_a_force_stop(hand: Hand) -> None:
    hand.tap(id="favorite_button")
    assert hand.toast == "收藏成功"
    hand.stop()
    hand.open(names.PRODUCT, product=PRODUCT.id)
    assert hand.node(id="favorite_button").selected
    hand.tap(id="favorite_button")
    assert not hand.node(id="favorite_button").selected


def test_a_followed_shop_is_followed_on_its_own_page(hand: Hand) -> None:
    hand.tap(id="shop_button")
    assert hand.node(id="shop_name").text == PRODUCT.shop.name
    hand.tap(id="follow_shop")
    assert hand.node(id="follow_shop").selected
    hand.stop()
    hand.open(names.SHOP, shop=PRODUCT.shop.id)
    assert hand.node(id="follow_shop").selected


def test_sharing_can_be_cancelled(hand: Hand) -> None:
    hand.tap(id="share")
    assert hand.sees(text="分享到")
    hand.tap(text="取消")
    assert not hand.sees(text="分享到")


def test_reviews_are_filtered_by_kind(hand: Hand) -> None:
    hand.open(names.REVIEWS, product=PRODUCT.id)
    assert hand.node(id=names.REVIEWS_TITLE_ID).text == "商品评价"
    hand.tap(id="review_kind", text="有图")
    shown = len(hand.nodes(id="review_item"))
    assert shown
    assert len(hand.nodes(id="review_picture")) >= shown - 1  # the last may end below the screen
    hand.tap(id="review_kind", text="最新")
    dates = hand.texts(id="review_date")
    assert dates == sorted(dates, reverse=True)


@pytest.mark.parametrize("product", ["", "none-such"])
def test_an_unknown_product(product: str) -> None:
    hand = Hand()
    hand.open(names.PRODUCT, product=product)
    assert hand.sees(text="商品已下架")


def test_an_offline_visit_is_recorded_after_retry() -> None:
    hand = Hand()
    hand.network(False)
    hand.open(names.PRODUCT, product=PRODUCT.id)
    assert not hand.sees(id="product_title")
    hand.network(True)
    hand.tap(text="重新加载")
    assert hand.sees(id="product_title")
    hand.open(names.HISTORY)
    assert hand.texts(id="product_title")[0] == PRODUCT.title


def test_out_of_stock_products_cannot_be_bought() -> None:
    gone = next(product for product in content.products().values() if not product.stocked)
    hand = Hand()
    hand.open(names.PRODUCT, product=gone.id)
    assert not hand.sees(id="add_to_cart")
    assert not hand.sees(id="buy_now")
    hand.scroll(until={"id": "choose_options"}, inside={"id": "product_scroll"})
    hand.tap(id="choose_options")
    assert hand.toast == "商品暂时无货"
    hand.tap(id="arrival_notice")
    assert hand.toast == "到货后将通知您"
