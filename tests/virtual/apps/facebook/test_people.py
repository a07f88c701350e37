"""Facebook's search, friends, profiles and messages."""

from __future__ import annotations

from garabench.virtual.apps.facebook import names
from tests.virtual.apps.facebook.robot import Robot


def searched(query: str) -> Robot:
    robot = Robot()
    robot.tap(desc="Search")
    robot.phone.ime.commit_text(query)
    robot.phone.input.key(66)
    robot.settle()
    return robot


def test_results_by_kind() -> None:
    robot = searched("sourdough")
    robot.tap(desc="Groups")
    assert robot.sees(text="Sourdough Beginners")
    assert robot.sees(text="Sourdough Beginners Oregon")
    robot.tap(desc="People")
    assert robot.node(id="empty_text").text == "We didn't find any results for sourdough"
    robot.tap(desc="Posts")
    assert not robot.sees(id="person")


def test_names_match_without_accents_and_in_part() -> None:
    robot = searched("ines car")
    assert robot.sees(text="Inês Carvalho")


def test_recent_searches_are_saved_and_deleted() -> None:
    robot = searched("bruno")
    robot.back()
    robot.write("", id="search_field")
    assert robot.sees(desc="Remove bruno")
    robot.tap(desc="Remove bruno")
    assert not robot.sees(desc="Remove bruno")
    robot.tap(desc="Clear all")
    assert not robot.sees(id="search_row")


def test_a_friend_request_is_sent_and_cancelled() -> None:
    robot = Robot()
    robot.open(names.PROFILE, who="kenji")
    robot.tap(desc="Add Kenji Okafor as a friend")
    robot.tap(desc="Cancel request to Kenji Okafor")
    assert robot.sees(desc="Add Kenji Okafor as a friend")


def test_requests_are_confirmed_or_deleted() -> None:
    robot = Robot()
    robot.tab("Friends")
    robot.tap(desc="Confirm Leila Farrow's friend request")
    robot.tap(desc="Delete Leif Farrow's friend request")
    assert not robot.sees(text="Leila Farrow")
    robot.tap(desc="Your friends")
    assert robot.node(id="friends_count").text == "12 friends"
    robot.write("leila", id="friends_field")
    assert robot.node(id="friends_count").text == "1 friends"


def test_removing_a_friend_asks_for_confirmation() -> None:
    robot = Robot()
    robot.open(names.PROFILE, who="callum")
    robot.tap(desc="Friends with Callum Reyes")
    robot.tap(desc="Cancel")
    assert robot.sees(desc="Friends with Callum Reyes")
    robot.tap(desc="Friends with Callum Reyes")
    robot.tap(desc="Unfriend")
    assert robot.sees(desc="Add Callum Reyes as a friend")


def test_the_bio_is_edited_on_the_users_profile() -> None:
    robot = Robot()
    robot.tap(desc="Go to profile")
    robot.tap(desc="Edit profile")
    robot.write("Lamps and soup", id="bio_field")
    robot.tap(desc="Save")
    assert robot.node(id="profile_bio").text == "Lamps and soup"
    robot.tap(desc="Photos, tab")
    assert robot.sees(desc="Photo 1")


def test_about_shows_details_of_people_and_pages() -> None:
    robot = Robot()
    robot.open(names.PROFILE, who="wren")
    robot.tap(desc="About, tab")
    assert "Librarian at Salem Public Library" in robot.texts(id="about_line")
    robot.open(names.PROFILE, who="museum")
    robot.tap(desc="About, tab")
    assert any("closed Tuesday" in text for text in robot.texts(id="about_line"))
    robot.open(names.PROFILE, who="nobody")
    assert robot.sees(id="empty_text")


def test_messages_persist() -> None:
    robot = Robot()
    robot.open(names.CHAT, who="hana")
    robot.write("Is number seven left?", id="message_field")
    robot.tap(desc="Send")
    robot.stop()
    robot.open(names.CHAT, who="hana")
    assert robot.texts(id="own_message") == ["Is number seven left?"]
