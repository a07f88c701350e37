"""Facebook's posts: reactions, comments, the feed and the composer."""

from __future__ import annotations

import pytest

from garabench.virtual.apps.facebook import names
from tests.virtual.apps.facebook.robot import Robot, post

LOAF = "First loaf from the new starter"
FEED = {"id": "feed"}


@pytest.fixture
def robot() -> Robot:
    return Robot()


def like(text: str) -> dict[str, object]:
    return {"desc_contains": "Like button", "inside": post(text)}


def test_liking_and_unliking_a_post(robot: Robot) -> None:
    robot.scroll(like(LOAF), FEED)
    robot.tap(**like(LOAF))
    assert robot.node(**like(LOAF)).desc.startswith("Like button, pressed.")
    assert robot.sees(desc="87 reactions", inside=post(LOAF))
    robot.tap(**like(LOAF))
    assert robot.node(**like(LOAF)).desc.startswith("Like button.")
    assert robot.sees(desc="86 reactions", inside=post(LOAF))


def test_holding_the_button_offers_reactions(robot: Robot) -> None:
    robot.scroll(like(LOAF), FEED)
    robot.hold(**like(LOAF))
    robot.tap(desc="Wow")
    assert "pressed, Wow" in robot.node(**like(LOAF)).desc
    robot.stop()
    robot.scroll(like(LOAF), FEED)
    assert "pressed, Wow" in robot.node(**like(LOAF)).desc


def test_comments_are_posted_liked_answered_and_deleted(robot: Robot) -> None:
    robot.open(names.POST, post="maya-loaf")
    robot.write("Looks great", id="comment_field")
    robot.tap(desc="Send")
    assert robot.texts(id="comment_text")[-1] == "Looks great"
    robot.tap(text="Delete")
    assert "Looks great" not in robot.texts(id="comment_text")
    robot.tap(desc="Like Theo Brandt's comment")
    assert robot.sees(desc="Like Theo Brandt's comment, pressed")
    robot.tap(desc="Reply to Theo Brandt")
    assert robot.node(id="comment_field").text == "Theo Brandt "
    robot.back()
    robot.tap(desc="Sorted by Most relevant")
    robot.tap(desc="Newest")
    assert robot.texts(id="comment_author")[0] == "Dario Conti"


def test_an_empty_comment_is_not_posted(robot: Robot) -> None:
    robot.open(names.POST, post="records-sale")
    robot.write("   ", id="comment_field")
    robot.tap(desc="Send")
    assert not robot.sees(id="comment")


def test_a_saved_post_is_listed(robot: Robot) -> None:
    robot.open(names.POST, post="hana-print")
    robot.tap(desc="More options for Hana Morita")
    robot.tap(desc="Save post")
    robot.open(names.SAVED)
    assert robot.texts(id="post_text")[0].startswith("New print")
    robot.tap(desc="More options for Hana Morita")
    robot.tap(desc="Unsave post")
    assert not robot.sees(**post("New print"))


def test_the_feed_omits_hidden_posts_and_unfollowed_friends(robot: Robot) -> None:
    robot.tap(desc="More options for Maya Lindqvist")
    robot.tap(desc="Hide post")
    assert not robot.sees(**post(LOAF))
    robot.open(names.PROFILE, who="theo")
    robot.tap(desc="Following")
    assert robot.sees(desc="Follow")
    robot.open(names.MAIN, tab="Home")
    robot.scroll({"id": "post_text", "text_contains": "Sunday hike"}, FEED)
    assert not robot.sees(**post("Moving on Saturday"))


def test_posting_with_a_feeling_and_an_audience(robot: Robot) -> None:
    robot.tap(text="What's on your mind?")
    robot.write("Hello there", id="composer_field")
    robot.tap(id="audience")
    robot.tap(desc="Only me")
    robot.scroll({"desc": "Feeling/activity"}, {"id": "composer_scroll"})
    robot.tap(desc="Feeling/activity")
    robot.tap(desc="tired")
    robot.tap(desc="POST")
    assert robot.sees(desc="Shared with Only me", inside=post("Hello there"))
    robot.tap(desc="More options for Alex Marlowe")
    robot.tap(desc="Edit audience")
    robot.tap(desc="Public")
    assert robot.sees(desc="Shared with Public", inside=post("Hello there"))
    robot.tap(desc="More options for Alex Marlowe")
    robot.tap(desc="Delete post")
    robot.tap(desc="Delete")
    assert not robot.sees(**post("Hello there"))


def test_discarding_a_draft_asks_for_confirmation(robot: Robot) -> None:
    robot.open(names.COMPOSER)
    robot.tap(desc="POST")
    assert robot.toast == "Write something first"
    robot.write("Draft", id="composer_field")
    robot.back()
    robot.back()
    robot.tap(desc="Cancel")
    assert robot.node(id="composer_field").text == "Draft"
    robot.back()
    robot.tap(desc="Discard")
    assert robot.sees(**FEED)


def test_likes_need_a_network(robot: Robot) -> None:
    robot.scroll(like(LOAF), FEED)
    robot.network(False)
    robot.tap(**like(LOAF))
    assert robot.toast == "No internet connection"
    robot.open(names.POST, post="maya-loaf")
    assert robot.sees(id="empty_text", text="No internet connection")
    robot.network(True)
    robot.tap(desc="Try again")
    assert robot.sees(id="comment_field")


def test_a_new_post_scrolls_the_feed_to_the_top(robot: Robot) -> None:
    robot.scroll({"id": "post_text", "text_contains": "Moving on Saturday"}, FEED)
    robot.tap(desc="Create")
    robot.write("Here I am", id="composer_field")
    robot.tap(desc="POST")
    assert robot.sees(id="post_text", text="Here I am")


def test_a_group_post_is_shared_with_the_group(robot: Robot) -> None:
    robot.open(names.POST, post="bikes-brake")
    assert robot.sees(desc="Shared with Public group")
    robot.open(names.POST, post="maya-loaf")
    assert robot.sees(desc="Shared with Public")
