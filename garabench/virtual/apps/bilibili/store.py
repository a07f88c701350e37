"""The user's persistent state: likes, coins, favourites, history, comments and settings.

It lives in ``Context.data`` as JSON-like values, so it survives leaving the app and a force-stop.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from garabench.virtual.apps.bilibili import content
from garabench.virtual.apps.bilibili.content import Video, load
from garabench.virtual.kit.server_calls import ServerStore, requires_network

MAX_COINS = 2
"""Maximum number of coins per video."""
MAX_HISTORY = 200
MAX_SEARCHES = 10


def initial_data() -> dict[str, Any]:
    """Return the app's initial data: an account with some history."""
    account: dict[str, Any] = load("account.json")
    return {
        **account,
        "comments": {},
        "comment_likes": [],
        "danmaku": {},
        "dynamic_likes": [],
        "shared": [],
        "settings": {},
        "teen": False,
    }


@dataclass(frozen=True, slots=True)
class Folder:
    """The current state of a favourites folder."""

    id: str
    name: str
    videos: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class HistoryItem:
    """A video in the history."""

    video: Video
    at: dt.datetime
    seconds: int


@dataclass(frozen=True, slots=True)
class WatchLaterItem:
    """A video in the watch-later list."""

    video: Video
    done: bool


class BilibiliStore(ServerStore):
    """Reads and modifies the app's data; every method takes effect immediately."""

    # Likes, coins, shares

    def liked(self, video: Video) -> bool:
        """Return whether the user likes a video."""
        return video.id in self._data["likes"]

    @requires_network
    def set_liked(self, video: Video, liked: bool) -> None:
        """Like or unlike a video."""
        self._put("likes", video.id, liked)

    def coins(self, video: Video) -> int:
        """Return the number of coins that the user has given to a video, 0 to 2."""
        count: int = self._data["coins"].get(video.id, 0)
        return count

    @property
    def coins_left(self) -> int:
        """The coins in the account."""
        left: int = self._data["coins_left"]
        return left

    @requires_network
    def give_coins(self, video: Video, number: int) -> bool:
        """Give coins; return False if the account or the video's limit forbids it."""
        if number < 1 or self.coins(video) + number > MAX_COINS or number > self.coins_left:
            return False
        self._data["coins"][video.id] = self.coins(video) + number
        self._data["coins_left"] -= number
        return True

    def shared(self, video: Video) -> bool:
        """Return whether the user has shared a video."""
        return video.id in self._data["shared"]

    def share(self, video: Video) -> None:
        """Record that a video was shared."""
        self._put("shared", video.id, True)

    # Favourites

    def folders(self) -> tuple[Folder, ...]:
        """Return all folders, the default one first."""
        return tuple(Folder(row["id"], row["name"], tuple(row["videos"])) for row in self._data["folders"])

    def folder(self, folder_id: str) -> Folder | None:
        """Return a folder by its id."""
        return next((folder for folder in self.folders() if folder.id == folder_id), None)

    def folders_with(self, video: Video) -> frozenset[str]:
        """Return the ids of the folders that contain a video."""
        return frozenset(folder.id for folder in self.folders() if video.id in folder.videos)

    @requires_network
    def set_folders(self, video: Video, folders: frozenset[str]) -> None:
        """Set the folders that contain a video; it becomes the newest in the added ones."""
        for row in self._data["folders"]:
            contained = video.id in row["videos"]
            if row["id"] in folders and not contained:
                row["videos"].insert(0, video.id)
            elif row["id"] not in folders and contained:
                row["videos"].remove(video.id)

    @requires_network
    def add_folder(self, name: str) -> str:
        """Create a folder and return its id; an existing name returns that folder's."""
        for folder in self.folders():
            if folder.name == name:
                return folder.id
        folder_id = f"own-{len(self._data['folders'])}"
        self._data["folders"].append({"id": folder_id, "name": name, "videos": []})
        return folder_id

    # Follows

    def follows(self) -> tuple[str, ...]:
        """Return the ids of the uploaders that the user follows, latest first."""
        return tuple(self._data["follows"])

    def following(self, uploader: str) -> bool:
        """Return whether the user follows an uploader."""
        return uploader in self._data["follows"]

    @requires_network
    def set_following(self, uploader: str, follow: bool) -> None:
        """Follow or unfollow an uploader."""
        self._put("follows", uploader, follow)

    # Comments, bullet comments, posts

    def own_comments(self, video: Video) -> tuple[tuple[str, dt.datetime], ...]:
        """Return the user's comments on a video, latest first."""
        rows = self._data["comments"].get(video.id, ())
        return tuple((row["text"], dt.datetime.fromisoformat(row["at"])) for row in rows)

    @requires_network
    def comment(self, video: Video, text: str, at: dt.datetime) -> None:
        """Publish a comment."""
        self._data["comments"].setdefault(video.id, []).insert(0, {"text": text, "at": at.isoformat()})

    @requires_network
    def delete_comment(self, video: Video, index: int) -> None:
        """Delete one of the user's comments, by its position."""
        del self._data["comments"][video.id][index]

    def danmaku(self, video: Video) -> tuple[str, ...]:
        """Return the user's bullet comments on a video, in order."""
        return tuple(self._data["danmaku"].get(video.id, ()))

    @requires_network
    def send_danmaku(self, video: Video, text: str) -> None:
        """Send a bullet comment."""
        self._data["danmaku"].setdefault(video.id, []).append(text)

    def comment_liked(self, comment_id: str) -> bool:
        """Return whether the user likes a comment."""
        return comment_id in self._data["comment_likes"]

    @requires_network
    def set_comment_liked(self, comment_id: str, liked: bool) -> None:
        """Like or unlike a comment."""
        self._put("comment_likes", comment_id, liked)

    def dynamic_liked(self, post: str) -> bool:
        """Return whether the user likes a post of the 动态 tab."""
        return post in self._data["dynamic_likes"]

    @requires_network
    def set_dynamic_liked(self, post: str, liked: bool) -> None:
        """Like or unlike a post."""
        self._put("dynamic_likes", post, liked)

    # History, watch later, searches

    def history(self) -> tuple[HistoryItem, ...]:
        """Return the watched videos, latest first."""
        return tuple(
            HistoryItem(content.videos()[row["video"]], dt.datetime.fromisoformat(row["at"]), row["seconds"])
            for row in self._data["history"]
            if row["video"] in content.videos()
        )

    def watch(self, video: Video, at: dt.datetime) -> None:
        """Add an opened video to the history; does nothing while the history is turned off."""
        if not self.setting("history_record", True):
            return
        self.remove_from_history(video)
        self._data["history"].insert(0, {"video": video.id, "at": at.isoformat(), "seconds": 3})
        del self._data["history"][MAX_HISTORY:]
        for row in self._data["later"]:
            if row["video"] == video.id:
                row["done"] = True

    def remove_from_history(self, video: Video) -> None:
        """Remove a video from the history."""
        self._data["history"] = [row for row in self._data["history"] if row["video"] != video.id]

    def clear_history(self) -> None:
        """Clear the history."""
        self._data["history"] = []

    def later(self) -> tuple[WatchLaterItem, ...]:
        """Return the watch-later list, latest first."""
        rows = self._data["later"]
        return tuple(
            WatchLaterItem(content.videos()[row["video"]], row["done"])
            for row in rows
            if row["video"] in content.videos()
        )

    def in_later(self, video: Video) -> bool:
        """Return whether a video is in the watch-later list."""
        return any(row["video"] == video.id for row in self._data["later"])

    @requires_network
    def set_later(self, video: Video, wanted: bool, at: dt.datetime) -> None:
        """Add a video to the watch-later list, or remove it."""
        if wanted and not self.in_later(video):
            self._data["later"].insert(0, {"video": video.id, "at": at.isoformat(), "done": False})
        elif not wanted:
            self._data["later"] = [row for row in self._data["later"] if row["video"] != video.id]

    @requires_network
    def delete_watched(self) -> int:
        """Remove watched videos from the watch-later list; return how many were removed."""
        before = len(self._data["later"])
        self._data["later"] = [row for row in self._data["later"] if not row["done"]]
        return before - len(self._data["later"])

    def searches(self) -> tuple[str, ...]:
        """Return recent searches, latest first."""
        return tuple(self._data["search_history"])

    def add_search(self, query: str) -> None:
        """Add a query to the recent searches."""
        others = [text for text in self._data["search_history"] if text != query]
        self._data["search_history"] = [query, *others][:MAX_SEARCHES]

    def clear_searches(self) -> None:
        """Clear the recent searches."""
        self._data["search_history"] = []

    # Account and settings

    @property
    def profile(self) -> Mapping[str, Any]:
        """The user's name, number, level and counts."""
        profile: Mapping[str, Any] = self._data["profile"]
        return profile

    @property
    def cached(self) -> tuple[Video, ...]:
        """Return the videos saved for offline use."""
        return content.pick(self._data["cached"])

    @property
    def teen(self) -> bool:
        """Return whether youth mode is on."""
        on: bool = self._data["teen"]
        return on

    def set_teen(self, on: bool) -> None:
        """Toggle youth mode."""
        self._data["teen"] = on

    def setting(self, key: str, default: Any) -> Any:
        """Return a setting's value, or its default."""
        return self._data["settings"].get(key, default)

    def set_setting(self, key: str, value: Any) -> None:
        """Change a setting."""
        self._data["settings"][key] = value

    def _put(self, name: str, item: str, wanted: bool) -> None:
        """Add the item to the front of the named list, or remove it."""
        others = [other for other in self._data[name] if other != item]
        self._data[name] = [item, *others] if wanted else others
