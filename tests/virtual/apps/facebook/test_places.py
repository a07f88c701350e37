"""Facebook's groups, events, marketplace, notifications and settings."""

from __future__ import annotations

import pytest

from garabench.virtual.apps.facebook import content, names
from garabench.virtual.apps.facebook.content import count_text, matches
from garabench.virtual.apps.facebook.store import FacebookStore, initial_data
from garabench.virtual.ui.icons import glyph
from tests.virtual.apps.facebook.robot import Robot


def test_a_group_is_joined_and_left() -> None:
    robot = Robot()
    robot.open(names.GROUP, group="boardgames")
    robot.tap(desc="Join group")
    assert robot.sees(desc="Joined")
    robot.tap(desc="Write something")
    robot.write("Thursday?", id="composer_field")
    robot.tap(desc="POST")
    robot.scroll({"id": "post_text", "text": "Thursday?"}, {"id": "group_scroll"})
    robot.open(names.GROUP, group="boardgames")
    robot.tap(desc="Joined")
    robot.tap(desc="Leave group")
    assert robot.sees(desc="Join group")


def test_joining_a_private_group_asks_a_question() -> None:
    robot = Robot()
    robot.open(names.GROUPS)
    robot.tap(desc="Discover, tab")
    robot.tap(text="Film Photography Swap")
    assert robot.sees(id="empty_text", text="This group is private")
    robot.tap(desc="Join group")
    robot.tap(desc="Submit")
    assert robot.toast == "Answer the question first"
    robot.write("An old one", id="answer_field")
    robot.tap(desc="Submit")
    assert robot.node(id="group_answer").text == "Your answer: An old one"
    robot.tap(desc="Cancel request")
    assert robot.sees(desc="Join group")


def test_events_of_the_city_and_of_the_user() -> None:
    robot = Robot()
    robot.open(names.EVENTS)
    robot.tap(text="Your events")
    assert robot.sees(text="Clock Winding Day")
    assert not robot.sees(text="Crate Sale Friday")
    robot.tap(text="Clock Winding Day")
    assert robot.sees(desc="Interested, selected")
    robot.tap(desc="Going")
    assert robot.node(id="event_going").text == "41 going · 210 interested"
    robot.tap(desc="Not interested")
    robot.back()
    assert robot.sees(id="empty_text", text="No events")


def test_the_marketplace_is_searched_filtered_and_sorted() -> None:
    robot = Robot()
    robot.tab("Marketplace")
    robot.tap(desc="Search Marketplace")
    robot.phone.ime.commit_text("desk")
    robot.phone.input.key(66)
    robot.settle()
    robot.tap(text="Sort by")
    robot.tap(desc="Price: lowest first")
    assert robot.texts(id="item_price")[:2] == ["$25", "$30"]
    robot.tap(text="Distance")
    robot.tap(desc="5 miles")
    robot.tap(text="Price")
    robot.write("50", id="price_min")
    robot.tap(desc="Apply")
    assert robot.texts(id="item_price") == ["$75", "$180"]
    robot.tap(text="Price")
    robot.write("900", id="price_min")
    robot.tap(desc="Apply")
    assert robot.node(id="empty_text").text.startswith("No results for ")


def test_messaging_a_seller_and_saving_an_item() -> None:
    robot = Robot()
    robot.open(names.ITEM, item="sofa")
    robot.tap(desc="Send")
    assert robot.node(id="sent_message").text == "You: Hi, is this available?"
    robot.tap(desc="Save, button")
    robot.open(names.SAVED)
    robot.tap(desc="Marketplace, tab")
    assert robot.texts(id="item_title") == ["Green velvet sofa"]
    robot.open(names.ITEM, item="gone")
    assert robot.sees(id="empty_text")


def test_notifications_open_their_targets_and_are_marked_as_read() -> None:
    robot = Robot()
    robot.tab("Notifications")
    assert robot.sees(desc="Notifications, tab 4 of 5, 4 new")
    robot.tap(text_contains="invited you to Sunday Hike")
    assert robot.node(id="event_name").text == "Sunday Hike to Tumalo Falls"
    robot.back()
    assert robot.sees(desc="Notifications, tab 4 of 5, 3 new")
    robot.tap(desc="Manage notifications")
    robot.tap(desc="Mark all as read")
    assert robot.sees(desc="Notifications, tab 4 of 5")


def test_settings_persist_and_open_the_system_page() -> None:
    robot = Robot()
    light = robot.phone.frame().png()
    robot.open(names.SETTINGS)
    robot.tap(desc="Dark mode")
    robot.tap(desc="On")
    robot.tab("Home")
    assert robot.phone.frame().png() != light
    robot.open(names.SETTINGS, page="posts")
    robot.tap(desc="Who can see your future posts?")
    robot.tap(desc="Only me")
    robot.stop()
    robot.open(names.COMPOSER)
    assert robot.node(id="audience").text == "Only me"
    robot.open(names.SETTINGS, page="notifications")
    robot.scroll({"desc": "Push notifications on this device"}, {"id": "setting_list"})
    robot.tap(desc="Push notifications on this device")
    assert robot.node(id="entity_header_title").text == "Facebook"


def test_back_returns_to_the_home_tab_first() -> None:
    robot = Robot("android-19:720x1280")
    robot.tab("Menu")
    robot.back()
    assert robot.sees(id="feed")


@pytest.mark.parametrize(
    ("number", "text"), [(0, "0"), (950, "950"), (1500, "1.5K"), (2000, "2K"), (12400, "12K"), (48200, "48K")]
)
def test_counts_are_rounded_down(number: int, text: str) -> None:
    assert count_text(number) == text


@pytest.mark.parametrize(
    ("query", "fitting"),
    [
        ("maya", True),
        ("MAYA LIN", True),
        ("lindqvist maya", True),
        ("aya", False),
        ("", False),
        ("maya x", False),
    ],
)
def test_queries_match_word_prefixes(query: str, fitting: bool) -> None:
    assert matches(query, "Maya Lindqvist") is fitting


def test_data_references_exist() -> None:
    known = content.people().keys() | content.pages().keys()
    for post in content.posts():
        assert post.by in known
        assert not post.group or post.group in content.groups()
        assert not post.photo or glyph(post.photo)
        assert {who for who, _ in post.comments} <= content.people().keys()
    assert {item.seller for item in content.items().values()} <= content.people().keys()
    assert {event.by for event in content.events().values()} <= content.pages().keys()
    for row in content.load("places")["notifications"]:
        assert row["who"] in known
    assert len({post.id for post in content.posts()}) == len(content.posts())


def test_initial_data_is_not_shared() -> None:
    first, second = FacebookStore(initial_data()), FacebookStore(initial_data())
    first.react("maya-loaf", "Love")
    assert second.reaction("maya-loaf") == ""


@pytest.mark.parametrize(
    ("activity", "field", "found"),
    [
        (names.SEARCH, "search_field", "search_results"),
        (names.MARKET_SEARCH, "market_field", "market_results"),
    ],
)
def test_search_has_no_results_until_online(activity: str, field: str, found: str) -> None:
    robot = Robot()
    robot.open(activity)
    robot.network(False)
    robot.write("bike", submit=True, id=field)
    assert not robot.sees(id=found)
    robot.tap(text="Try again")
    assert robot.toast == "No internet connection"
    robot.network(True)
    robot.tap(text="Try again")
    assert robot.sees(id=found)
