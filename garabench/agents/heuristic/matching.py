"""Which element of a screen an intent means, and how surely."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from garabench.agents.heuristic.screen import ScreenContents, ScreenItem
from garabench.agents.heuristic.similarity import NormalizedText, covers, normalize, similarity
from garabench.agents.heuristic.subgoals import ListRank, Subgoal, SubgoalKind

SURE = 0.62
"""From this score on an element is pressed."""
_ENTRY = 0.8
"""Weight of an element's resource id relative to its text on screen."""
_NEAR = 0.35
_LATER_LABEL = 0.93
_PRICE = re.compile(r"[¥￥$]\s*(\d+(?:[.,]\d+)*)|(\d+(?:\.\d+)?)\s*元")
_COUNT = re.compile(r"(\d+(?:\.\d+)?)\s*([万亿kKmM]?)")
_UNITS = {"万": 1e4, "亿": 1e8, "k": 1e3, "m": 1e6, "": 1.0}
_SMALL = 0.035
_LOW = 0.12
"""Share of the screen's height up to which an element is a control rather than a card."""
_MAKES = ("新建", "新增", "添加", "create", "addnew")
_SHORT_LABEL = 18
_LED = 0.86
"""Score of a control whose label only begins with its name."""


@dataclass(frozen=True, slots=True)
class ItemMatch:
    """An element that an intent may mean.

    Attributes:
        item: The element.
        score: How surely, about 0 to 1.5.
    """

    item: ScreenItem
    score: float


def best_match(
    items: Sequence[ScreenItem], names: Sequence[str], near: Sequence[str] = ()
) -> ItemMatch | None:
    """Return the element whose label resembles one of the names and that is next to the text of `near`.

    Args:
        items: The elements in question.
        names: Names, the likeliest first; any of them will do.
        near: Phrases that its row or card should say.
    """
    phrases = [normalize(name) for name in names]
    beside = [normalize(phrase) for phrase in near if phrase]
    found: ItemMatch | None = None
    for item in items:
        score = name_score(item, phrases)
        if score <= 0.3:
            continue
        if item.node.checkable and score < 1 and not item.node.cls.endswith("Switch"):
            score -= 0.1
        if beside:
            score += _NEAR * (2 * sum(covers(phrase, item.around) for phrase in beside) / len(beside) - 1)
        if item.field:
            score -= 0.4
        elif item.title.startswith(_MAKES) and not phrases[0].plain.startswith(_MAKES):
            score -= 0.25  # what makes one more of a thing is not the thing
        if found is None or score > found.score + 1e-9:
            found = ItemMatch(item, score)
    return found


def name_score(item: ScreenItem, phrases: Sequence[NormalizedText]) -> float:
    """How well an element is called by one of some names."""
    score = 0.0
    for rank, phrase in enumerate(phrases):
        weight = 1.0 - 0.001 * rank
        for place, label in enumerate(item.labels):
            here = similarity(phrase, label) * weight
            score = max(score, here if place == 0 else here * _LATER_LABEL)
        if item.entry.plain and phrase.plain.isascii():
            score = max(score, similarity(phrase, item.entry) * weight * _ENTRY)
    return score


def rows(screen: ScreenContents) -> tuple[ScreenItem, ...]:
    """What looks like the rows or cards of the screen's list, top first."""
    area = None if not screen.scrolls else screen.scrolls[0]
    found = [
        item
        for item in screen.items
        if not item.field
        and item.bounds.width >= screen.size.width * 0.4
        and item.bounds.height >= screen.size.height * _SMALL
        and len(item.labels) >= 2
        and (area is None or (area.top <= item.bounds.top and item.bounds.bottom <= area.bottom))
    ]
    return tuple(sorted(found, key=lambda item: (item.bounds.top, item.bounds.left)))


def by_rank(screen: ScreenContents, intent: Subgoal) -> ItemMatch | None:
    """The row that an intent means by its place in the list or by a number that it shows."""
    listed = rows(screen)
    if intent.near:
        beside = [normalize(phrase) for phrase in intent.near]
        told = [(sum(covers(each, item.around) for each in beside) / len(beside), item) for item in listed]
        most = max((share for share, _ in told), default=0.0)
        if most < 0.6:
            return None
        listed = tuple(item for share, item in told if share == most)
        whose = {each.plain for each in beside}
        listed = tuple(item for item in listed if item.title not in whose) or listed
    if not listed:
        return None
    if intent.order is ListRank.CHEAPEST:
        priced = [(price, item) for item in listed if (price := _price(item)) is not None]
        if priced:
            return ItemMatch(min(priced, key=lambda pair: pair[0])[1], 0.8)
    if intent.order is ListRank.MOST:
        return ItemMatch(max(listed, key=_largest), 0.75)
    return ItemMatch(listed[0], 0.8)


def _price(item: ScreenItem) -> float | None:
    text = " ".join(_raw(item))
    found = [float((one or two).replace(",", "")) for one, two in _PRICE.findall(text)]
    return min(found) if found else None


def _largest(item: ScreenItem) -> float:
    return max(
        (
            float(number) * _UNITS.get(unit.lower(), 1.0)
            for text in _raw(item)
            if ":" not in text
            for number, unit in _COUNT.findall(text)
        ),
        default=0.0,
    )


def _raw(item: ScreenItem) -> Iterator[str]:
    for node in item.node.walk():
        if node.text:
            yield unicodedata.normalize("NFKC", node.text)


def find(
    screen: ScreenContents, intent: Subgoal, *, without: frozenset[str] = frozenset()
) -> ItemMatch | None:
    """The element that an intent means, or None where nothing is sure enough.

    Args:
        screen: Where.
        intent: What.
        without: Keys of elements that have led nowhere.
    """
    items = [item for item in screen.items if item.key not in without]
    if intent.order is not None and not intent.names:
        match = by_rank(screen, intent)
        return match if match and match.item.key not in without else None
    if intent.kind is SubgoalKind.ACT:
        match = _control(items, intent, screen)
    else:
        match = best_match(_fitting(items, intent, screen), intent.names, intent.near)
    return match if match and match.score >= SURE else None


def _fitting(items: Sequence[ScreenItem], intent: Subgoal, screen: ScreenContents) -> list[ScreenItem]:
    """Without what an intent can hardly mean: an option is no card, a thing that is opened no tick box."""
    if intent.kind is SubgoalKind.PICK:
        return [
            item for item in items if item.bounds.height <= _LOW * screen.size.height or len(item.labels) <= 2
        ]
    if intent.kind is SubgoalKind.FIND:
        return [item for item in items if not item.node.cls.endswith(("CheckBox", "RadioButton"))]
    return list(items)


def _leads(item: ScreenItem, names: Sequence[str]) -> bool:
    """Whether a label begins with a name, as in *Save Golden Park to a list*; screen readers want it so."""
    return not item.field and any(
        len(name) > 3 and label.plain.startswith(name) for name in names for label in item.labels[:2]
    )


def _turned(name: str, label: str) -> bool:
    """Whether a label says the contrary of a name: *不喜欢*, *取消关注*, *unlike*."""
    return any(not name.startswith(word) and f"{word}{name}" in label for word in ("不", "取消", "un", "dis"))


def _control(items: Sequence[ScreenItem], intent: Subgoal, screen: ScreenContents) -> ItemMatch | None:
    """Return the best control: small, with a short label that says little more than its name."""
    names = [normalize(name).plain for name in intent.names]
    short = [
        item
        for item in items
        if not item.field
        and len(item.title) <= _SHORT_LABEL
        and item.bounds.height <= _LOW * screen.size.height
        and (intent.undo or not any(_turned(name, label.plain) for name in names for label in item.labels))
    ]
    match = best_match(short, intent.names)
    if match is None or match.score < SURE:
        led = [item for item in items if _leads(item, names) and item.bounds.width <= 0.4 * screen.size.width]
        match = ItemMatch(led[0], _LED) if led else None
    if match is None:
        return None
    if intent.near:
        beside = best_match(short, intent.names, intent.near)
        if beside is not None and beside.score >= match.score:
            return beside
    return match
