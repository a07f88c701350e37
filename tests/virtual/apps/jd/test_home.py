from __future__ import annotations

import pytest

from garabench.virtual.apps.jd import content, names
from tests.virtual.apps.jd.hand import Hand

PROFILES = ("android-34:1080x2400", "android-19:720x1280", "android-30:1440x3120")


@pytest.mark.parametrize("profile", PROFILES)
def test_the_recommendations_fill_several_screens(profile: str) -> None:
    hand = Hand(profile)
    seen: dict[str, None] = {}
    area = hand.node(id="home_list").bounds
    for _ in range(8):
        seen.update(dict.fromkeys(hand.texts(id="product_title")))
        hand.phone.input.swipe(
            area.center.x, area.bottom - area.height // 5, area.center.x, area.top + area.height // 5, 500
        )
        hand.settle()
    assert len(seen) >= 8


def test_every_list_of_the_home_tab_has_products() -> None:
    hand = Hand()
    for label in content.home()["tabs"]:
        hand.scroll(until={"text": label}, inside={"id": "home_tab_scroll"})
        hand.tap(text=label)
        assert hand.sees(id="home_list")
        assert hand.sees(id="product_item") or hand.sees(id="product_title") or hand.sees(id="price"), label


def test_the_search_bar_opens_the_search_page() -> None:
    hand = Hand()
    hand.tap(id="search_bar")
    front = hand.phone.activities.resumed
    assert front is not None
    assert front.name == names.SEARCH


def test_the_bottom_tabs_and_back() -> None:
    hand = Hand()
    for label in ("分类", "消息", "购物车", "我的"):
        hand.tap(id="navigation_item", desc=label)
        assert hand.node(id="navigation_item", desc=label).selected
    hand.back()
    assert hand.node(id="navigation_item", desc="首页").selected
    hand.back()
    front = hand.phone.activities.resumed
    assert front is None or front.app.package != names.PACKAGE


def test_the_offline_home_tab_loads_on_retry() -> None:
    hand = Hand()
    hand.network(False)
    hand.stop()
    assert not hand.sees(id="home_list")
    hand.network(True)
    hand.tap(text="重新加载")
    assert hand.sees(id="home_list")


def test_every_category_has_results() -> None:
    hand = Hand()
    hand.tab("分类")
    for label in hand.texts(id="category_name"):
        hand.tab("分类")
        hand.tap(id="category_name", text=label)
        words = hand.texts(id="item_label")
        assert words, label
        hand.open(names.RESULTS, query=words[0])
        assert hand.sees(id="product_title"), words[0]
        assert not hand.sees(id="empty_text"), words[0]
