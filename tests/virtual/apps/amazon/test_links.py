from __future__ import annotations

import pytest

from garabench.virtual.apps.amazon import content, names
from garabench.virtual.apps.amazon.app import APP
from garabench.virtual.apps.amazon.links import target
from garabench.virtual.kit.framework import Intent
from tests.virtual.apps.amazon.robot import Robot

DUNE = content.products()["dune-1"]
SITE = "https://www.amazon.com"


@pytest.mark.parametrize(
    ("link", "activity", "extras"),
    [
        (f"{SITE}/dp/{DUNE.asin}", names.PRODUCT, {"product": "dune-1"}),
        (f"{SITE}/Dune-Herbert/dp/{DUNE.asin}?th=1", names.PRODUCT, {"product": "dune-1"}),
        (
            f"com.amazon.mobile.shopping://www.amazon.com/products/{DUNE.asin}/",
            names.PRODUCT,
            {"product": "dune-1"},
        ),
        (f"{SITE}/gp/product/NOWHERE", names.PRODUCT, {"product": ""}),
        (f"{SITE}/s?k=green+tea", names.RESULTS, {"query": "green tea"}),
        (f"{SITE}/s", names.SEARCH, {}),
        (f"{SITE}/gp/cart/view.html", names.MAIN, {"tab": "Cart"}),
        (f"{SITE}/hz/wishlist/ls", names.LISTS, {}),
        (f"{SITE}/nothing/here", names.MAIN, {}),
        ("https://[broken", names.MAIN, {}),
        ("", names.MAIN, {}),
    ],
)
def test_link_targets(link: str, activity: str, extras: dict[str, str]) -> None:
    assert target(link) == (activity, extras)


def test_a_link_opens_its_product_above_the_first_screen() -> None:
    robot = Robot()
    robot.phone.activities.start(
        Intent(action="android.intent.action.VIEW", data=f"{SITE}/dp/{DUNE.asin}", package=APP.package)
    )
    robot.settle()
    assert robot.node(id="productTitle").text == DUNE.title
    robot.back()
    assert robot.sees(id="home_feed")


def test_a_cart_link_selects_the_cart_tab() -> None:
    robot = Robot()
    robot.phone.activities.start(
        Intent(action="android.intent.action.VIEW", data=f"{SITE}/gp/cart", package=APP.package)
    )
    robot.settle()
    assert robot.sees(id="sc-subtotal")
