"""The user's persistent state: friends, follows, reactions, comments, posts, saved items, settings.

It lives in ``Context.data`` as JSON-like values, so it survives leaving the app and a force-stop.
"""

from __future__ import annotations

import copy
from typing import Any

from garabench.virtual.apps.facebook import content
from garabench.virtual.apps.facebook.content import ME, FacebookPost, Person, post_of
from garabench.virtual.kit.server_calls import ServerStore, requires_network

REACTIONS = ("Like", "Love", "Care", "Haha", "Wow", "Sad", "Angry")
AUDIENCES = ("Public", "Friends", "Only me")
MAX_SEARCHES = 10


def initial_data() -> dict[str, Any]:
    """Return the app's initial data: an account with some history."""
    account: dict[str, Any] = copy.deepcopy(content.load("account"))
    return account


class FacebookStore(ServerStore):
    """Reads and modifies the app's data; every method takes effect immediately."""

    # People

    def friendship(self, person: Person) -> str:
        """Return a person's relation: self, friend, request, requested, suggestion, stranger, removed."""
        return str(self._data["friends"].get(person.id, person.friend))

    @requires_network
    def set_friendship(self, person: Person, state: str) -> None:
        """Change a person's relation to the user; friends are followed."""
        self._data["friends"][person.id] = state
        if state == "friend":
            self.set_followed(person.id, True)

    def people_with(self, state: str) -> tuple[Person, ...]:
        """Return all people with this relation to the user."""
        return tuple(person for person in content.people().values() if self.friendship(person) == state)

    def follows(self, who: str) -> bool:
        """Return whether the user follows a person or a page; friends are followed unless unfollowed."""
        person = content.people().get(who)
        started = who in self._data["follows"]
        if f"-{who}" in self._data["follows"]:
            return False
        return started or (person is not None and person.friend == "friend")

    @requires_network
    def set_followed(self, who: str, wanted: bool) -> None:
        """Follow or unfollow a person or a page."""
        others = [name for name in self._data["follows"] if name.lstrip("-") != who]
        self._data["follows"] = [who if wanted else f"-{who}", *others]

    # Posts

    def posts(self) -> tuple[FacebookPost, ...]:
        """Return all posts that are not hidden, the user's new ones first."""
        every = (*map(post_of, self._data["posts"]), *content.posts())
        return tuple(post for post in every if post.id not in self._data["hidden"])

    def feed(self) -> tuple[FacebookPost, ...]:
        """Return the feed: posts of followed people and of the user's groups."""
        return tuple(
            post
            for post in self.posts()
            if (self.is_member(post.group) if post.group else post.by == ME or self._shown(post.by))
        )

    def _shown(self, who: str) -> bool:
        return self.follows(who) or who in content.pages()

    def post(self, post_id: str) -> FacebookPost | None:
        """Return a post by its id."""
        return next((post for post in self.posts() if post.id == post_id), None)

    @requires_network
    def publish(self, text: str, *, audience: str, extra: str, photo: str, group: str = "") -> str:
        """Publish a post and return its id."""
        post_id = f"own-{len(self._data['posts'])}"
        row = {
            "id": post_id,
            "by": ME,
            "ago": "Just now",
            "text": text,
            "likes": 0,
            "shares": 0,
            "comments": [],
        }
        row |= {"audience": audience, "extra": extra, "photo": photo}
        if group:
            row["in"] = group
        self._data["posts"].insert(0, row)
        return post_id

    @requires_network
    def edit_audience(self, post_id: str, audience: str) -> None:
        """Change the audience of one of the user's new posts."""
        for row in self._data["posts"]:
            if row["id"] == post_id:
                row["audience"] = audience

    @requires_network
    def hide(self, post_id: str) -> None:
        """Hide a post; the user's new ones are deleted."""
        self._data["posts"] = [row for row in self._data["posts"] if row["id"] != post_id]
        self._data["hidden"] = [*self._data["hidden"], post_id]

    def reaction(self, post_id: str) -> str:
        """Return the user's reaction to a post, or empty."""
        return str(self._data["reactions"].get(post_id, ""))

    @requires_network
    def react(self, post_id: str, reaction: str) -> None:
        """React to a post; an empty reaction removes it."""
        self._data["reactions"].pop(post_id, None)
        if reaction:
            self._data["reactions"][post_id] = reaction

    def likes(self, post: FacebookPost) -> int:
        """Return the number of reactions to a post; that of the data files includes the user's."""
        first = bool(content.load("account")["reactions"].get(post.id))
        return post.likes + bool(self.reaction(post.id)) - first

    def comments(self, post: FacebookPost) -> tuple[tuple[str, str], ...]:
        """Return the comments on a post (person, text), oldest first."""
        own = self._data["comments"].get(post.id, [])
        return (*post.comments, *((ME, text) for text in own))

    @requires_network
    def comment(self, post_id: str, text: str) -> None:
        """Comment on a post."""
        self._data["comments"].setdefault(post_id, []).append(text)

    @requires_network
    def delete_comment(self, post_id: str, text: str) -> None:
        """Delete the user's comment."""
        own = self._data["comments"].get(post_id, [])
        if text in own:
            own.remove(text)

    def likes_comment(self, key: str) -> bool:
        """Return whether the user likes a comment."""
        return key in self._data["liked_comments"]

    @requires_network
    def toggle_comment(self, key: str) -> None:
        """Like or unlike a comment."""
        self._toggle("liked_comments", key)

    # Saved items, groups, events

    def saved(self) -> tuple[FacebookPost, ...]:
        """Return the saved posts, latest first."""
        every = {post.id: post for post in self.posts()}
        return tuple(every[name] for name in self._data["saved"] if name in every)

    def is_saved(self, post_id: str) -> bool:
        """Return whether a post is saved."""
        return post_id in self._data["saved"]

    @requires_network
    def toggle_saved(self, post_id: str) -> None:
        """Save or unsave a post."""
        self._toggle("saved", post_id)

    def saved_items(self) -> tuple[content.Item, ...]:
        """Return the saved items of the Marketplace, latest first."""
        return tuple(content.items()[name] for name in self._data["saved_items"])

    def is_item_saved(self, item_id: str) -> bool:
        """Return whether an item is saved."""
        return item_id in self._data["saved_items"]

    @requires_network
    def toggle_item(self, item_id: str) -> None:
        """Save or unsave an item."""
        self._toggle("saved_items", item_id)

    def _toggle(self, name: str, key: str) -> None:
        others = [other for other in self._data[name] if other != key]
        self._data[name] = others if len(others) < len(self._data[name]) else [key, *others]

    def membership(self, group_id: str) -> str:
        """Return the membership in a group: joined, pending, or empty."""
        known = content.groups().get(group_id)
        first = "joined" if known is not None and known.joined else ""
        return str(self._data["groups"].get(group_id, first))

    def is_member(self, group_id: str) -> bool:
        """Return whether the user is a member of a group."""
        return self.membership(group_id) == "joined"

    @requires_network
    def set_membership(self, group_id: str, state: str, answer: str = "") -> None:
        """Join a group, request to join, or leave it."""
        self._data["groups"][group_id] = state
        self._data["answers"][group_id] = answer

    def answer(self, group_id: str) -> str:
        """Return the user's answer to a group's question."""
        return str(self._data["answers"].get(group_id, ""))

    def attendance(self, event_id: str) -> str:
        """Return the attendance of an event: Going, Interested, Not interested, or empty."""
        return str(self._data["events"].get(event_id, ""))

    @requires_network
    def attend(self, event_id: str, state: str) -> None:
        """Set the attendance of an event."""
        self._data["events"][event_id] = state

    # Notifications, searches, profile, messages, settings

    def is_read(self, notification: str) -> bool:
        """Return whether a notification has been read."""
        return notification in self._data["read"]

    def mark_read(self, *notifications: str) -> None:
        """Mark all notifications as read."""
        self._data["read"] = sorted({*self._data["read"], *notifications})

    def searches(self) -> tuple[str, ...]:
        """Return recent searches, latest first."""
        return tuple(self._data["searches"])

    def add_search(self, query: str) -> None:
        """Add a query to the recent searches."""
        others = [text for text in self._data["searches"] if text != query]
        self._data["searches"] = [query, *others][:MAX_SEARCHES]

    def delete_search(self, query: str = "") -> None:
        """Delete a recent search, or all."""
        self._data["searches"] = [text for text in self._data["searches"] if query and text != query]

    @property
    def bio(self) -> str:
        """The user's bio."""
        return str(self._data["bio"])

    @requires_network
    def set_bio(self, text: str) -> None:
        """Set the user's bio."""
        self._data["bio"] = text

    def messages(self, who: str) -> tuple[str, ...]:
        """Return the user's messages to a person, in order."""
        return tuple(self._data["chats"].get(who, ()))

    @requires_network
    def add_message(self, who: str, text: str) -> None:
        """Send a message to a person."""
        self._data["chats"].setdefault(who, []).append(text)

    def setting(self, key: str, default: Any) -> Any:
        """Return a setting's value, or its default."""
        return self._data["settings"].get(key, default)

    def set_setting(self, key: str, value: Any) -> None:
        """Change a setting."""
        self._data["settings"][key] = value
