from __future__ import annotations

import pytest

from garabench.virtual.apps.facebook import names
from tests.virtual.apps.facebook.hand import Hand, post

LOAF = "First loaf from the new starter"
FEED = {"id": "feed"}


@pytest.fixture
def hand() -> Hand:
    return Hand()


def like(text: str) -> dict[str, object]:
    return {"desc_contains": "Like button", "inside": post(text)}


def test_liking_and_unliking_a_post(hand: Hand) -> None:
    hand.scroll(like(LOAF), FEED)
    hand.tap(**like(LOAF))
    assert hand.node(**like(LOAF)).desc.startswith("Like button, pressed.")
    assert hand.sees(desc="87 reactions", inside=post(LOAF))
    hand.tap(**like(LOAF))
    assert hand.node(**like(LOAF)).desc.startswith("Like button.")
    assert hand.sees(desc="86 reactions", inside=post(LOAF))


def test_holding_the_button_offers_reactions(hand: Hand) -> None:
    hand.scroll(like(LOAF), FEED)
    hand.hold(**like(LOAF))
    hand.tap(desc="Wow")
    assert "pressed, Wow" in hand.node(**like(LOAF)).desc
    hand.stop()
    hand.scroll(like(LOAF), FEED)
    assert "pressed, Wow" in hand.node(**like(LOAF)).desc


def test_comments_are_posted_liked_answered_and_deleted(hand: Hand) -> None:
    hand.open(names.POST, post="maya-loaf")
    hand.write("Looks great", id="comment_field")
    hand.tap(desc="Send")
    assert hand.texts(id="comment_text")[-1] == "Looks great"
    hand.tap(text="Delete")
    assert "Looks great" not in hand.texts(id="comment_text")
    hand.tap(desc="Like Theo Brandt's comment")
    assert hand.sees(desc="Like Theo Brandt's comment, pressed")
    hand.tap(desc="Reply to Theo Brandt")
    assert hand.node(id="comment_field").text == "Theo Brandt "
    hand.back()
    hand.tap(desc="Sorted by Most relevant")
    hand.tap(desc="Newest")
    assert hand.texts(id="comment_author")[0] == "Dario Conti"


def test_an_empty_comment_is_not_posted(hand: Hand) -> None:
    hand.open(names.POST, post="records-sale")
    hand.write("   ", id="comment_field")
    hand.tap(desc="Send")
    assert not hand.sees(id="comment")


def test_a_saved_post_is_listed(hand: Hand) -> None:
    hand.open(names.POST, post="hana-print")
    hand.tap(desc="More options for Hana Morita")
    hand.tap(desc="Save post")
    hand.open(names.SAVED)
    assert hand.texts(id="post_text")[0].startswith("New print")
    hand.tap(desc="More options for Hana Morita")
    hand.tap(desc="Unsave post")
    assert not hand.sees(**post("New print"))


def test_the_feed_omits_hidden_posts_and_unfollowed_friends(hand: Hand) -> None:
    hand.tap(desc="More options for Maya Lindqvist")
    hand.tap(desc="Hide post")
    assert not hand.sees(**post(LOAF))
    hand.open(names.PROFILE, who="theo")
    hand.tap(desc="Following")
    assert hand.sees(desc="Follow")
    hand.open(names.MAIN, tab="Home")
    hand.scroll({"id": "post_text", "text_contains": "Sunday hike"}, FEED)
    assert not hand.sees(**post("Moving on Saturday"))


def test_posting_with_a_feeling_and_an_audience(hand: Hand) -> None:
    hand.tap(text="What's on your mind?")
    hand.write("Hello there", id="composer_field")
    hand.tap(id="audience")
    hand.tap(desc="Only me")
    hand.scroll({"desc": "Feeling/activity"}, {"id": "composer_scroll"})
    hand.tap(desc="Feeling/activity")
    hand.tap(desc="tired")
    hand.tap(desc="POST")
    assert hand.sees(desc="Shared with Only me", inside=post("Hello there"))
    hand.tap(desc="More options for Alex Marlowe")
    hand.tap(desc="Edit audience")
    hand.tap(desc="Public")
    assert hand.sees(desc="Shared with Public", inside=post("Hello there"))
    hand.tap(desc="More options for Alex Marlowe")
    hand.tap(desc="Delete post")
    hand.tap(desc="Delete")
    assert not hand.sees(**post("Hello there"))


def test_discarding_a_draft_asks_for_confirmation(hand: Hand) -> None:
    hand.open(names.COMPOSER)
    hand.tap(desc="POST")
    assert hand.toast == "Write something first"
    hand.write("Draft", id="composer_field")
    hand.back()
    hand.back()
    hand.tap(desc="Cancel")
    assert hand.node(id="composer_field").text == "Draft"
    hand.back()
    hand.tap(desc="Discard")
    assert hand.sees(**FEED)


def test_likes_need_a_network(hand: Hand) -> None:
    hand.scroll(like(LOAF), FEED)
    hand.network(False)
    hand.tap(**like(LOAF))
    assert hand.toast == "No internet connection"
    hand.open(names.POST, post="maya-loaf")
    assert hand.sees(id="empty_text", text="No internet connection")
    hand.network(True)
    hand.tap(desc="Try again")
    assert hand.sees(id="comment_field")


def test_a_new_post_scrolls_the_feed_to_the_top(hand: Hand) -> None:
    hand.scroll({"id": "post_text", "text_contains": "Moving on Saturday"}, FEED)
    hand.tap(desc="Create")
    hand.write("Here I am", id="composer_field")
    hand.tap(desc="POST")
    assert hand.sees(id="post_text", text="Here I am")


def test_a_group_post_is_shared_with_the_group(hand: Hand) -> None:
    hand.open(names.POST, post="bikes-brake")
    assert hand.sees(desc="Shared with Public group")
    hand.open(names.POST, post="maya-loaf")
    assert hand.sees(desc="Shared with Public")
