from __future__ import annotations

from typing import Any

from uiautomator2._selector import Selector as ClientSelector

from garabench.core.geometry import Rect
from garabench.virtual.u2 import object_search
from garabench.virtual.u2.accessibility import AxScreen
from garabench.virtual.u2.ui_selector import UiSelector, parse_selector
from tests.virtual.u2.trees import node, scene, window

NOWHERE = Rect(0, 0, 0, 0)


def select(client: ClientSelector | None = None, **fields: Any) -> UiSelector:
    return parse_selector(dict(client if client is not None else ClientSelector(**fields)))


def row(title: str, price: str) -> Any:
    return node(
        "LinearLayout", node("TextView", text=title), node("TextView", text=price), rid="app.one:id/row"
    )


LIST = node(
    "FrameLayout",
    row("耳机", "9"),
    row("手机", "99"),
    row("电脑", "999"),
    node("TextView", text="手机", visible=NOWHERE),
    node("Button", text="手机", clickable=True),
)
SCREEN = AxScreen(scene(window(LIST)))


def texts(screen: AxScreen, selector: UiSelector) -> list[str]:
    return [found.text for found in object_search.find_all_ui(screen, selector)]


def test_matches_are_in_reading_order_without_invisible_nodes() -> None:
    assert texts(SCREEN, select(className="android.widget.TextView")) == [
        "耳机",
        "9",
        "手机",
        "99",
        "电脑",
        "999",
    ]
    assert object_search.count(SCREEN, select(text="手机")) == 2


def test_an_instance_picks_one_of_the_matches() -> None:
    found = object_search.find_object(SCREEN, select(text="手机", instance=1))
    assert found is not None and found.cls == "android.widget.Button"
    assert object_search.find_object(SCREEN, select(text="手机", instance=2)) is None
    assert object_search.count(SCREEN, select(text="手机", instance=1)) == 1
    assert object_search.count(SCREEN, select(text="手机", instance=9)) == 0


def test_index_counts_the_siblings_in_the_tree() -> None:
    found = object_search.find_object(SCREEN, select(className="android.widget.Button", index=3))
    assert found is not None and found.text == "手机"
    assert object_search.find_object(SCREEN, select(className="android.widget.Button", index=4)) is None


def test_a_child_is_searched_below_the_match() -> None:
    client = ClientSelector(resourceId="app.one:id/row", instance=1).child(
        className="android.widget.TextView"
    )
    assert texts(SCREEN, select(client)) == ["手机", "99", "电脑", "999"]
    found = object_search.find_object(SCREEN, select(client))
    assert found is not None and found.text == "手机"


def test_a_sibling_is_searched_below_the_parent() -> None:
    client = ClientSelector(text="手机").sibling(textMatches="[0-9]+")
    found = object_search.find_object(SCREEN, select(client))
    assert found is not None and found.text == "99"


def test_the_childs_instance_is_counted_over_all_parents() -> None:
    client = ClientSelector(resourceId="app.one:id/row").child(
        className="android.widget.TextView", instance=3
    )
    found = object_search.find_object(SCREEN, select(client))
    assert found is not None and found.text == "99"
    assert (
        object_search.count(
            SCREEN, select(ClientSelector(resourceId="app.one:id/row").child(textMatches="9+"))
        )
        == 3
    )


def test_simple_selectors_search_all_windows_and_chained_ones_the_active_one() -> None:
    bar = window(
        node("TextView", text="09:41", package="com.android.systemui"), focused=False, title="StatusBar"
    )
    screen = AxScreen(scene(window(LIST), bar))
    assert object_search.find_object(screen, select(text="09:41")) is not None
    assert object_search.find_object(screen, select(text="09:41", instance=0)) is None
    assert object_search.count(screen, select(text="09:41")) == 0


def test_exist_ignores_an_instance_without_chain_or_index() -> None:
    assert object_search.exists(SCREEN, select(text="手机", instance=7))
    assert not object_search.exists(SCREEN, select(text="手机", index=7))


def test_case_is_ignored_by_ui_selectors_only() -> None:
    screen = AxScreen(scene(window(node("FrameLayout", node("TextView", text="OK done")))))
    assert object_search.find_by(screen, select(textContains="ok")) is None
    assert object_search.find_object(screen, select(textContains="ok")) is not None


def test_unimportant_views_are_replaced_by_their_children() -> None:
    hidden = node("FrameLayout", node("TextView", text="inside"), important=False)
    screen = AxScreen(scene(window(node("FrameLayout", node("TextView", text="first"), hidden))))
    found = object_search.find_object(screen, select(text="inside"))
    assert found is not None and found.index == 1


def test_no_active_window_finds_nothing() -> None:
    screen = AxScreen(scene(window(LIST, focused=False)))
    assert object_search.find_ui(screen, select(text="手机")) is None
    assert object_search.find_object(screen, select(text="手机")) is not None
