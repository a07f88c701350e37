from __future__ import annotations

import pytest

from garabench.virtual.apps.facebook import content, names
from garabench.virtual.apps.facebook.content import count_text, fits
from garabench.virtual.apps.facebook.store import FacebookStore, initial_data
from garabench.virtual.ui.icons import glyph
from tests.virtual.apps.facebook.hand import Hand


def test_a_group_is_joined_and_left() -> None:
    hand = Hand()
    hand.open(names.GROUP, group="boardgames")
    hand.tap(desc="Join group")
    assert hand.sees(desc="Joined")
    hand.tap(desc="Write something")
    hand.write("Thursday?", id="composer_field")
    hand.tap(desc="POST")
    hand.scroll({"id": "post_text", "text": "Thursday?"}, {"id": "group_scroll"})
    hand.open(names.GROUP, group="boardgames")
    hand.tap(desc="Joined")
    hand.tap(desc="Leave group")
    assert hand.sees(desc="Join group")


def test_joining_a_private_group_asks_a_question() -> None:
    hand = Hand()
    hand.open(names.GROUPS)
    hand.tap(desc="Discover, tab")
    hand.tap(text="Film Photography Swap")
    assert hand.sees(id="empty_text", text="This group is private")
    hand.tap(desc="Join group")
    hand.tap(desc="Submit")
    assert hand.toast == "Answer the question first"
    hand.write("An old one", id="answer_field")
    hand.tap(desc="Submit")
    assert hand.node(id="group_answer").text == "Your answer: An old one"
    hand.tap(desc="Cancel request")
    assert hand.sees(desc="Join group")


def test_events_of_the_city_and_of_the_user() -> None:
    hand = Hand()
    hand.open(names.EVENTS)
    hand.tap(text="Your events")
    assert hand.sees(text="Clock Winding Day")
    assert not hand.sees(text="Crate Sale Friday")
    hand.tap(text="Clock Winding Day")
    assert hand.sees(desc="Interested, selected")
    hand.tap(desc="Going")
    assert hand.node(id="event_going").text == "41 going · 210 interested"
    hand.tap(desc="Not interested")
    hand.back()
    assert hand.sees(id="empty_text", text="No events")


def test_the_marketplace_is_searched_filtered_and_sorted() -> None:
    hand = Hand()
    hand.tab("Marketplace")
    hand.tap(desc="Search Marketplace")
    hand.phone.ime.commit_text("desk")
    hand.phone.input.key(66)
    hand.settle()
    hand.tap(text="Sort by")
    hand.tap(desc="Price: lowest first")
    assert hand.texts(id="item_price")[:2] == ["$25", "$30"]
    hand.tap(text="Distance")
    hand.tap(desc="5 miles")
    hand.tap(text="Price")
    hand.write("50", id="price_min")
    hand.tap(desc="Apply")
    assert hand.texts(id="item_price") == ["$75", "$180"]
    hand.tap(text="Price")
    hand.write("900", id="price_min")
    hand.tap(desc="Apply")
    assert hand.node(id="empty_text").text.startswith("No results for ")


def test_messaging_a_seller_and_saving_an_item() -> None:
    hand = Hand()
    hand.open(names.ITEM, item="sofa")
    hand.tap(desc="Send")
    assert hand.node(id="sent_message").text == "You: Hi, is this available?"
    hand.tap(desc="Save, button")
    hand.open(names.SAVED)
    hand.tap(desc="Marketplace, tab")
    assert hand.texts(id="item_title") == ["Green velvet sofa"]
    hand.open(names.ITEM, item="gone")
    assert hand.sees(id="empty_text")


def test_notifications_open_their_targets_and_are_marked_as_read() -> None:
    hand = Hand()
    hand.tab("Notifications")
    assert hand.sees(desc="Notifications, tab 4 of 5, 4 new")
    hand.tap(text_contains="invited you to Sunday Hike")
    assert hand.node(id="event_name").text == "Sunday Hike to Tumalo Falls"
    hand.back()
    assert hand.sees(desc="Notifications, tab 4 of 5, 3 new")
    hand.tap(desc="Manage notifications")
    hand.tap(desc="Mark all as read")
    assert hand.sees(desc="Notifications, tab 4 of 5")


def test_settings_persist_and_open_the_system_page() -> None:
    hand = Hand()
    light = hand.phone.frame().png()
    hand.open(names.SETTINGS)
    hand.tap(desc="Dark mode")
    hand.tap(desc="On")
    hand.tab("Home")
    assert hand.phone.frame().png() != light
    hand.open(names.SETTINGS, page="posts")
    hand.tap(desc="Who can see your future posts?")
    hand.tap(desc="Only me")
    hand.stop()
    hand.open(names.COMPOSER)
    assert hand.node(id="audience").text == "Only me"
    hand.open(names.SETTINGS, page="notifications")
    hand.scroll({"desc": "Push notifications on this device"}, {"id": "setting_list"})
    hand.tap(desc="Push notifications on this device")
    assert hand.node(id="entity_header_title").text == "Facebook"


def test_back_returns_to_the_home_tab_first() -> None:
    hand = Hand("android-19:720x1280")
    hand.tab("Menu")
    hand.back()
    assert hand.sees(id="feed")


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
    assert fits(query, "Maya Lindqvist") is fitting


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
    hand = Hand()
    hand.open(activity)
    hand.network(False)
    hand.write("bike", submit=True, id=field)
    assert not hand.sees(id=found)
    hand.tap(text="Try again")
    assert hand.toast == "No internet connection"
    hand.network(True)
    hand.tap(text="Try again")
    assert hand.sees(id=found)
