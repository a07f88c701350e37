from __future__ import annotations

from garabench.virtual.apps.facebook import names
from tests.virtual.apps.facebook.hand import Hand


def searched(query: str) -> Hand:
    hand = Hand()
    hand.tap(desc="Search")
    hand.phone.ime.commit_text(query)
    hand.phone.input.key(66)
    hand.settle()
    return hand


def test_results_by_kind() -> None:
    hand = searched("sourdough")
    hand.tap(desc="Groups")
    assert hand.sees(text="Sourdough Beginners")
    assert hand.sees(text="Sourdough Beginners Oregon")
    hand.tap(desc="People")
    assert hand.node(id="empty_text").text == "We didn't find any results for sourdough"
    hand.tap(desc="Posts")
    assert not hand.sees(id="person")


def test_names_match_without_accents_and_in_part() -> None:
    hand = searched("ines car")
    assert hand.sees(text="Inês Carvalho")


def test_recent_searches_are_saved_and_deleted() -> None:
    hand = searched("bruno")
    hand.back()
    hand.write("", id="search_field")
    assert hand.sees(desc="Remove bruno")
    hand.tap(desc="Remove bruno")
    assert not hand.sees(desc="Remove bruno")
    hand.tap(desc="Clear all")
    assert not hand.sees(id="search_row")


def test_a_friend_request_is_sent_and_cancelled() -> None:
    hand = Hand()
    hand.open(names.PROFILE, who="kenji")
    hand.tap(desc="Add Kenji Okafor as a friend")
    hand.tap(desc="Cancel request to Kenji Okafor")
    assert hand.sees(desc="Add Kenji Okafor as a friend")


def test_requests_are_confirmed_or_deleted() -> None:
    hand = Hand()
    hand.tab("Friends")
    hand.tap(desc="Confirm Leila Farrow's friend request")
    hand.tap(desc="Delete Leif Farrow's friend request")
    assert not hand.sees(text="Leila Farrow")
    hand.tap(desc="Your friends")
    assert hand.node(id="friends_count").text == "12 friends"
    hand.write("leila", id="friends_field")
    assert hand.node(id="friends_count").text == "1 friends"


def test_removing_a_friend_asks_for_confirmation() -> None:
    hand = Hand()
    hand.open(names.PROFILE, who="callum")
    hand.tap(desc="Friends with Callum Reyes")
    hand.tap(desc="Cancel")
    assert hand.sees(desc="Friends with Callum Reyes")
    hand.tap(desc="Friends with Callum Reyes")
    hand.tap(desc="Unfriend")
    assert hand.sees(desc="Add Callum Reyes as a friend")


def test_the_bio_is_edited_on_the_users_profile() -> None:
    hand = Hand()
    hand.tap(desc="Go to profile")
    hand.tap(desc="Edit profile")
    hand.write("Lamps and soup", id="bio_field")
    hand.tap(desc="Save")
    assert hand.node(id="profile_bio").text == "Lamps and soup"
    hand.tap(desc="Photos, tab")
    assert hand.sees(desc="Photo 1")


def test_about_shows_details_of_people_and_pages() -> None:
    hand = Hand()
    hand.open(names.PROFILE, who="wren")
    hand.tap(desc="About, tab")
    assert "Librarian at Salem Public Library" in hand.texts(id="about_line")
    hand.open(names.PROFILE, who="museum")
    hand.tap(desc="About, tab")
    assert any("closed Tuesday" in text for text in hand.texts(id="about_line"))
    hand.open(names.PROFILE, who="nobody")
    assert hand.sees(id="empty_text")


def test_messages_persist() -> None:
    hand = Hand()
    hand.open(names.CHAT, who="hana")
    hand.write("Is number seven left?", id="message_field")
    hand.tap(desc="Send")
    hand.stop()
    hand.open(names.CHAT, who="hana")
    assert hand.texts(id="own_message") == ["Is number seven left?"]
