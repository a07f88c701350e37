from __future__ import annotations

import pytest

from garabench.virtual.apps.jd import content, names
from garabench.virtual.apps.jd.picture_gallery import PICTURES
from tests.virtual.apps.jd.robot import Robot, line

PRODUCT = next(product for product in content.products().values() if "Switch OLED 国行" in product.title)


@pytest.fixture
def robot() -> Robot:
    robot = Robot()
    robot.open(names.PRODUCT, product=PRODUCT.id)
    return robot


def test_the_gallery_shows_the_selected_picture(robot: Robot) -> None:
    frames = set()
    for place in range(PICTURES):
        robot.tap(id="gallery_thumb", desc=f"第{place + 1}张图片")
        assert robot.node(id="picture_number").text == f"{place + 1}/{PICTURES}"
        assert [node.selected for node in robot.nodes(id="gallery_thumb")].index(True) == place
        image = robot.phone.frame().image
        bounds = robot.node(id="product_image").bounds
        frames.add(image.crop((bounds.left, bounds.top, bounds.right, bounds.bottom)).tobytes())
    assert len(frames) == PICTURES


def test_options_and_quantity_are_added_to_the_cart(robot: Robot) -> None:
    robot.tap(id="add_to_cart")
    robot.tap(id="sku_option", text="白色手柄")
    robot.tap(id="quantity_plus")
    assert robot.node(id="quantity").text == "2"
    robot.tap(id="sku_add_to_cart")
    assert robot.toast == "加入购物车成功"
    robot.tap(id="cart_button")
    assert any(
        "白色手柄" in text for text in robot.texts(text_contains="白色手柄", inside=line("Switch OLED 国行"))
    )


def test_the_price_follows_the_options() -> None:
    product = next(p for p in content.products().values() if any(any(c.extra) for c in p.choices))
    choice = next(c for c in product.choices if any(c.extra))
    dear = choice.values[max(range(len(choice.values)), key=lambda place: choice.extra[place])]
    options = [
        dear if c is choice else value for c, value in zip(product.choices, product.default, strict=True)
    ]
    robot = Robot()
    robot.open(names.PRODUCT, product=product.id)
    robot.tap(id="add_to_cart")
    robot.tap(id="sku_option", text=dear)
    assert content.price_text(product.price_of(options)) in robot.texts(text_contains="¥")


def test_closing_the_options_adds_nothing_to_the_cart(robot: Robot) -> None:
    before = [node.text for node in robot.nodes(id="cart_count")]
    robot.tap(id="add_to_cart")
    robot.back()
    assert [node.text for node in robot.nodes(id="cart_count")] == before


def test_a_favourite_survives_a_force_stop(robot: Robot) -> None:
    robot.tap(id="favorite_button")
    assert robot.toast == "收藏成功"
    robot.stop()
    robot.open(names.PRODUCT, product=PRODUCT.id)
    assert robot.node(id="favorite_button").selected
    robot.tap(id="favorite_button")
    assert not robot.node(id="favorite_button").selected


def test_a_followed_shop_is_followed_on_its_own_page(robot: Robot) -> None:
    robot.tap(id="shop_button")
    assert robot.node(id="shop_name").text == PRODUCT.shop.name
    robot.tap(id="follow_shop")
    assert robot.node(id="follow_shop").selected
    robot.stop()
    robot.open(names.SHOP, shop=PRODUCT.shop.id)
    assert robot.node(id="follow_shop").selected


def test_sharing_can_be_cancelled(robot: Robot) -> None:
    robot.tap(id="share")
    assert robot.sees(text="分享到")
    robot.tap(text="取消")
    assert not robot.sees(text="分享到")


def test_reviews_are_filtered_by_kind(robot: Robot) -> None:
    robot.open(names.REVIEWS, product=PRODUCT.id)
    assert robot.node(id=names.REVIEWS_TITLE_ID).text == "商品评价"
    robot.tap(id="review_kind", text="有图")
    shown = len(robot.nodes(id="review_item"))
    assert shown
    assert len(robot.nodes(id="review_picture")) >= shown - 1  # the last may end below the screen
    robot.tap(id="review_kind", text="最新")
    dates = robot.texts(id="review_date")
    assert dates == sorted(dates, reverse=True)


@pytest.mark.parametrize("product", ["", "none-such"])
def test_an_unknown_product(product: str) -> None:
    robot = Robot()
    robot.open(names.PRODUCT, product=product)
    assert robot.sees(text="商品已下架")


def test_an_offline_visit_is_recorded_after_retry() -> None:
    robot = Robot()
    robot.network(False)
    robot.open(names.PRODUCT, product=PRODUCT.id)
    assert not robot.sees(id="product_title")
    robot.network(True)
    robot.tap(text="重新加载")
    assert robot.sees(id="product_title")
    robot.open(names.HISTORY)
    assert robot.texts(id="product_title")[0] == PRODUCT.title


def test_out_of_stock_products_cannot_be_bought() -> None:
    gone = next(product for product in content.products().values() if not product.stocked)
    robot = Robot()
    robot.open(names.PRODUCT, product=gone.id)
    assert not robot.sees(id="add_to_cart")
    assert not robot.sees(id="buy_now")
    robot.scroll(until={"id": "choose_options"}, inside={"id": "product_scroll"})
    robot.tap(id="choose_options")
    assert robot.toast == "商品暂时无货"
    robot.tap(id="arrival_notice")
    assert robot.toast == "到货后将通知您"
