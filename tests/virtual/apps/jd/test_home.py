from __future__ import annotations

import pytest

from garabench.virtual.apps.jd import content, names
from tests.virtual.apps.jd.robot import Robot

PROFILES = ("android-34:1080x2400", "android-19:720x1280", "android-30:1440x3120")


@pytest.mark.parametrize("profile", PROFILES)
def test_the_recommendations_fill_several_screens(profile: str) -> None:
    robot = Robot(profile)
    seen: dict[str, None] = {}
    area = robot.node(id="home_list").bounds
    for _ in range(8):
        seen.update(dict.fromkeys(robot.texts(id="product_title")))
        robot.phone.input.swipe(
            area.center.x, area.bottom - area.height // 5, area.center.x, area.top + area.height // 5, 500
        )
        robot.settle()
    assert len(seen) >= 8


def test_every_list_of_the_home_tab_has_products() -> None:
    robot = Robot()
    for label in content.home()["tabs"]:
        robot.scroll(until={"text": label}, inside={"id": "home_tab_scroll"})
        robot.tap(text=label)
        assert robot.sees(id="home_list")
        assert robot.sees(id="product_item") or robot.sees(id="product_title") or robot.sees(id="price"), (
            label
        )


def test_the_search_bar_opens_the_search_page() -> None:
    robot = Robot()
    robot.tap(id="search_bar")
    front = robot.phone.activities.resumed
    assert front is not None
    assert front.name == names.SEARCH


def test_the_bottom_tabs_and_back() -> None:
    robot = Robot()
    for label in ("分类", "消息", "购物车", "我的"):
        robot.tap(id="navigation_item", desc=label)
        assert robot.node(id="navigation_item", desc=label).selected
    robot.back()
    assert robot.node(id="navigation_item", desc="首页").selected
    robot.back()
    front = robot.phone.activities.resumed
    assert front is None or front.app.package != names.PACKAGE


def test_the_offline_home_tab_loads_on_retry() -> None:
    robot = Robot()
    robot.network(False)
    robot.stop()
    assert not robot.sees(id="home_list")
    robot.network(True)
    robot.tap(text="重新加载")
    assert robot.sees(id="home_list")


def test_every_category_has_results() -> None:
    robot = Robot()
    robot.tab("分类")
    for label in robot.texts(id="category_name"):
        robot.tab("分类")
        robot.tap(id="category_name", text=label)
        words = robot.texts(id="item_label")
        assert words, label
        robot.open(names.RESULTS, query=words[0])
        assert robot.sees(id="product_title"), words[0]
        assert not robot.sees(id="empty_text"), words[0]
