"""The user's content: posts, reposts, comments, messages and drafts."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from garabench.virtual.apps.weibo import content
from garabench.virtual.apps.weibo.content import ME, WeiboPost
from garabench.virtual.kit.server_calls import ServerStore, requires_network

OPEN = "公开"
VISIBILITIES = (OPEN, "粉丝", "好友圈", "仅自己可见")
"""Visibility options, from everyone to the author only."""


@dataclass(frozen=True, slots=True)
class OwnComment:
    """A comment by the user; `to` is the author of the comment that it replies to, or empty."""

    id: str
    text: str
    at: dt.datetime
    to: str
    of: str


@dataclass(frozen=True, slots=True)
class WeiboMessage:
    """A message of a chat."""

    mine: bool
    text: str
    at: dt.datetime


@dataclass(frozen=True, slots=True)
class Draft:
    """An unpublished post."""

    id: str
    text: str
    at: dt.datetime
    topic: str = ""
    place: str = ""
    visibility: str = OPEN


@dataclass(frozen=True, slots=True)
class Reaction:
    """A reaction of another user: a mention, a comment or a like."""

    id: str
    kind: str
    user: str
    text: str
    of: WeiboPost
    at: dt.datetime


class UserContent(ServerStore):
    """The part of the store with the user's content, and the reactions to it."""

    # Posts

    def post(self, name: str) -> WeiboPost | None:
        """Return a post by id, including the user's own; None if it was deleted."""
        if name in self._data["deleted"]:
            return None
        known = content.posts().get(name)
        return known or next((post for post in self._published() if post.id == name), None)

    def pick(self, ids: Iterable[str]) -> tuple[WeiboPost, ...]:
        """Return the posts of these ids that still exist, in this order."""
        found = (self.post(name) for name in ids)
        return tuple(post for post in found if post is not None)

    def own_posts(self) -> tuple[WeiboPost, ...]:
        """Return the user's posts, newest first."""
        deleted = self._data["deleted"]
        older = [post for post in content.posts_of(ME) if post.id not in deleted]
        return (*self._published(), *older)

    @requires_network
    def publish(
        self,
        text: str,
        at: dt.datetime,
        *,
        place: str = "",
        visibility: str = OPEN,
        pics: int = 0,
        of: str = "",
    ) -> WeiboPost:
        """Publish a post, or with `of` repost another one."""
        row = {
            "id": f"own-{self._next()}",
            "user": ME,
            "at": at.isoformat(),
            "text": text,
            "place": place,
            "visibility": visibility,
            "pics": pics,
            "of": of,
            "source": "GaraPhone",
        }
        self._data["posts"].insert(0, row)
        return _post(row)

    @requires_network
    def delete_post(self, post: WeiboPost) -> None:
        """Delete one of the user's posts."""
        self._data["posts"] = [row for row in self._data["posts"] if row["id"] != post.id]
        self._put("deleted", post.id, True)

    @requires_network
    def set_visibility(self, post: WeiboPost, visibility: str) -> None:
        """Change the visibility of a post written on this phone."""
        for row in self._data["posts"]:
            if row["id"] == post.id:
                row["visibility"] = visibility

    def own_reposts(self, post: WeiboPost) -> tuple[WeiboPost, ...]:
        """Return the user's reposts of a post, newest first."""
        return tuple(own for own in self.own_posts() if own.of == post.id)

    def _published(self) -> tuple[WeiboPost, ...]:
        return tuple(_post(row) for row in self._data["posts"])

    # Comments

    def own_comments(self, post: WeiboPost) -> tuple[OwnComment, ...]:
        """Return the user's comments on a post, newest first."""
        rows = self._data["comments"].get(post.id, ())
        return tuple(
            OwnComment(
                row["id"], row["text"], dt.datetime.fromisoformat(row["at"]), row["to"], row.get("of", "")
            )
            for row in rows
        )

    @requires_network
    def comment(self, post: WeiboPost, text: str, at: dt.datetime, *, to: str = "", of: str = "") -> None:
        """Publish a comment, or a reply to the comment `of` by the author `to`."""
        row = {"id": f"own-{self._next()}", "text": text, "at": at.isoformat(), "to": to, "of": of}
        self._data["comments"].setdefault(post.id, []).insert(0, row)

    @requires_network
    def delete_comment(self, post: WeiboPost, comment: str) -> None:
        """Delete one of the user's comments."""
        rows = self._data["comments"].get(post.id, [])
        self._data["comments"][post.id] = [row for row in rows if row["id"] != comment]

    # Drafts

    def drafts(self) -> tuple[Draft, ...]:
        """Return the drafts, latest first."""
        rows = self._data["drafts"]
        return tuple(Draft(**{**row, "at": dt.datetime.fromisoformat(row["at"])}) for row in rows)

    def draft(self, name: str) -> Draft | None:
        """Return a draft by its id."""
        return next((draft for draft in self.drafts() if draft.id == name), None)

    def save_draft(
        self, text: str, at: dt.datetime, *, name: str = "", place: str = "", visibility: str = OPEN
    ) -> None:
        """Save a draft, replacing the one of that name, if any."""
        self.delete_draft(name)
        self._data["drafts"].insert(
            0,
            {
                "id": name or f"own-{self._next()}",
                "text": text,
                "at": at.isoformat(),
                "topic": "",
                "place": place,
                "visibility": visibility,
            },
        )

    def delete_draft(self, name: str) -> None:
        """Delete a draft."""
        self._data["drafts"] = [row for row in self._data["drafts"] if row["id"] != name]

    # Messages

    def chats(self) -> tuple[str, ...]:
        """Return the ids of chat partners, latest first."""
        return tuple(
            sorted(
                (user for user, rows in self._data["chats"].items() if rows),
                key=lambda user: str(self._data["chats"][user][-1]["at"]),
                reverse=True,
            )
        )

    def messages(self, user: str) -> tuple[WeiboMessage, ...]:
        """Return the messages of a chat, oldest first."""
        rows = self._data["chats"].get(user, ())
        return tuple(
            WeiboMessage(row["mine"], row["text"], dt.datetime.fromisoformat(row["at"])) for row in rows
        )

    def add_message(self, user: str, text: str, at: dt.datetime, *, mine: bool = True) -> None:
        """Add a message to a chat."""
        rows = self._data["chats"].setdefault(user, [])
        rows.append({"mine": mine, "text": text, "at": at.isoformat()})

    def delete_chat(self, user: str) -> None:
        """Delete a chat."""
        self._data["chats"].pop(user, None)
        self._data["unread"].pop(user, None)

    def unread(self, user: str) -> int:
        """Return the number of unread messages of a chat."""
        count: int = self._data["unread"].get(user, 0)
        return count

    def mark_read(self, user: str) -> None:
        """Mark a chat as read."""
        self._data["unread"].pop(user, None)

    # Reactions of others

    def mentions(self) -> tuple[Reaction, ...]:
        """Return the mentions of the user."""
        return self._notes("mentions")

    def received(self) -> tuple[Reaction, ...]:
        """Return the comments on the user's posts."""
        return self._notes("received")

    def liked_by(self) -> tuple[Reaction, ...]:
        """Return the likes of the user's posts."""
        return self._notes("liked_by")

    def _notes(self, name: str) -> tuple[Reaction, ...]:
        result = []
        for place, row in enumerate(self._data[name]):
            post = self.post(row["of"])
            if post is not None:
                result.append(_note(f"{name}-{place}", row, post))
        return tuple(sorted(result, key=lambda note: note.at, reverse=True))

    def _next(self) -> int:
        """Return an unused number."""
        self._data["serial"] += 1
        number: int = self._data["serial"]
        return number

    def _put(self, name: str, item: str, wanted: bool) -> None:
        """Add the item to the front of the named list, or remove it."""
        others = [other for other in self._data[name] if other != item]
        self._data[name] = [item, *others] if wanted else others


def _post(row: Mapping[str, Any]) -> WeiboPost:
    return WeiboPost(**{**row, "at": dt.datetime.fromisoformat(row["at"])})


def _note(name: str, row: Mapping[str, Any], post: WeiboPost) -> Reaction:
    return Reaction(
        name,
        row.get("kind", ""),
        row["user"],
        row.get("text", ""),
        post,
        dt.datetime.fromisoformat(row["at"]),
    )
