"""Facebook's content: people, pages, groups, posts and places, from the data files."""

from __future__ import annotations

import functools
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import resources
from typing import Any

import yaml

ME = "me"


@dataclass(frozen=True, slots=True)
class Person:
    """A person.

    Attributes:
        friend: The initial relation to the user: self, friend, request, suggestion, stranger.
        mutual: Number of mutual friends.
        request_age: Age of the friend request, or empty.
    """

    id: str
    name: str
    friend: str
    city: str
    work: str
    study: str
    followers: int
    mutual: int = 0
    request_age: str = ""


@dataclass(frozen=True, slots=True)
class FbPage:
    """A page of a business or a club."""

    id: str
    name: str
    kind: str
    city: str
    followers: int
    about: str
    hours: str
    phone: str


@dataclass(frozen=True, slots=True)
class FacebookGroup:
    """A group; `question` is asked on joining, `joined` is the initial state."""

    id: str
    name: str
    kind: str
    members: int
    posts: int
    joined: bool
    about: str
    question: str = ""


@dataclass(frozen=True, slots=True)
class FacebookPost:
    """A post.

    Attributes:
        by: Id of a person or a page.
        group: Id of its group, or empty.
        photo: Name of the icon in its picture, or empty.
        comments: (person, text) pairs, oldest first.
        audience: Public, Friends or Only me.
        extra: Text after the author's name, such as ``is feeling happy`` or ``at Forest Park``.
    """

    id: str
    by: str
    ago: str
    text: str
    likes: int
    shares: int
    comments: tuple[tuple[str, str], ...]
    photo: str = ""
    group: str = ""
    audience: str = "Public"
    extra: str = ""


@dataclass(frozen=True, slots=True)
class Item:
    """An item for sale; the price is in dollars, `miles` the distance from the user."""

    id: str
    title: str
    price: int
    place: str
    ago: str
    category: str
    icon: str
    seller: str
    condition: str
    text: str
    miles: int


@dataclass(frozen=True, slots=True)
class Event:
    """An event of a page."""

    id: str
    name: str
    by: str
    day: str
    place: str
    city: str
    going: int
    interested: int


@functools.cache
def load(name: str) -> Any:
    """Parse a data file of this app; cached, must not be modified."""
    file = resources.files("garabench.virtual.apps.facebook") / "content" / f"{name}.yaml"
    loader = yaml.CSafeLoader if yaml.__with_libyaml__ else yaml.SafeLoader
    return yaml.load(file.read_text(encoding="utf-8"), Loader=loader)  # noqa: S506 -- both are safe loaders


@functools.cache
def people() -> Mapping[str, Person]:
    """Return all people by id."""
    return {row["id"]: Person(**row) for row in load("people")["people"]}


@functools.cache
def pages() -> Mapping[str, FbPage]:
    """Return all pages by id."""
    return {row["id"]: FbPage(**row) for row in load("people")["pages"]}


@functools.cache
def groups() -> Mapping[str, FacebookGroup]:
    """Return all groups by id."""
    return {row["id"]: FacebookGroup(**row) for row in load("people")["groups"]}


def post_of(row: Mapping[str, Any]) -> FacebookPost:
    """Parse a post from a data file or from the app's data."""
    fields = {**row, "comments": tuple((who, text) for who, text in row["comments"])}
    fields["group"] = fields.pop("in", "")
    return FacebookPost(**fields)


@functools.cache
def posts() -> tuple[FacebookPost, ...]:
    """Return the posts of all other users, in the feed's order."""
    return tuple(map(post_of, load("posts")))


@functools.cache
def items() -> Mapping[str, Item]:
    """Return all items for sale by id."""
    return {row["id"]: Item(**row) for row in load("places")["market"]}


@functools.cache
def events() -> Mapping[str, Event]:
    """Return all events by id."""
    return {row["id"]: Event(**row) for row in load("places")["events"]}


def name_of(who: str) -> str:
    """Return the name of a person or a page."""
    person = people().get(who)
    return person.name if person is not None else pages()[who].name


def fold(text: str) -> str:
    """Normalize a text for search: case-folded, without accents."""
    flat = unicodedata.normalize("NFD", text).casefold()
    return "".join(char for char in flat if not unicodedata.combining(char))


def matches(query: str, *texts: str) -> bool:
    """Return whether each word of a query starts a word of the texts."""
    words = fold(" ".join(texts)).replace(",", " ").replace(".", " ").split()
    wanted = fold(query).split()
    return bool(wanted) and all(any(word.startswith(part) for word in words) for part in wanted)


def count_text(number: int) -> str:
    """Format a count, rounded down: ``950``, ``1.5K``, ``48K``."""
    if number < 1000:
        return str(number)
    if number < 10_000:
        return f"{number / 1000:.1f}".rstrip("0").rstrip(".") + "K"
    return f"{number // 1000}K"
