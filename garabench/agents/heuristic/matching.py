"""Find the element of a subgoal on a screen, with a score."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from garabench.agents.heuristic.screen import ScreenContents, ScreenItem
from garabench.agents.heuristic.similarity import NormalizedText, covers, label_similarity, normalize_label
from garabench.agents.heuristic.subgoals import ListRank, Subgoal, SubgoalKind

MIN_SCORE = 0.62
"""Smallest score at which an element is pressed."""
_ID_WEIGHT = 0.8
"""Weight of an element's resource id relative to its text on screen."""
_NEAR = 0.35
_LATER_LABEL = 0.93
_PRICE = re.compile(r"[¥￥$]\s*(\d+(?:[.,]\d+)*)|(\d+(?:\.\d+)?)\s*元")
_COUNT = re.compile(r"(\d+(?:\.\d+)?)\s*([万亿kKmM]?)")
_UNITS = {"万": 1e4, "亿": 1e8, "k": 1e3, "m": 1e6, "": 1.0}
_SMALL = 0.035
_LOW = 0.12
"""Maximum height of a control as a fraction of the screen; taller elements are cards."""
_CREATE_PREFIXES = ("新建", "新增", "添加", "create", "addnew")
_SHORT_LABEL = 18
_PREFIX_SCORE = 0.86
"""Score of a control whose label starts with its name."""


@dataclass(frozen=True, slots=True)
class ItemMatch:
    """A candidate element for a subgoal.

    Attributes:
        item: The element.
        score: Score of the match, about 0 to 1.5.
    """

    item: ScreenItem
    score: float


def best_match(
    items: Sequence[ScreenItem], names: Sequence[str], near: Sequence[str] = ()
) -> ItemMatch | None:
    """Return the element whose label resembles one of the names and that is next to the text of `near`.

    Args:
        items: The candidate elements.
        names: Alternative names, likeliest first.
        near: Phrases that its row or card should contain.
    """
    phrases = [normalize_label(name) for name in names]
    context = [normalize_label(phrase) for phrase in near if phrase]
    found: ItemMatch | None = None
    for item in items:
        score = name_score(item, phrases)
        if score <= 0.3:
            continue
        if item.node.checkable and score < 1 and not item.node.cls.endswith("Switch"):
            score -= 0.1
        if context:
            score += _NEAR * (2 * sum(covers(phrase, item.around) for phrase in context) / len(context) - 1)
        if item.field:
            score -= 0.4
        elif item.title.startswith(_CREATE_PREFIXES) and not phrases[0].plain.startswith(_CREATE_PREFIXES):
            score -= 0.25  # a button that creates an item is not the item
        if found is None or score > found.score + 1e-9:
            found = ItemMatch(item, score)
    return found


def name_score(item: ScreenItem, phrases: Sequence[NormalizedText]) -> float:
    """Return how well an element's labels match one of the names."""
    score = 0.0
    for rank, phrase in enumerate(phrases):
        weight = 1.0 - 0.001 * rank
        for place, label in enumerate(item.labels):
            here = label_similarity(phrase, label) * weight
            score = max(score, here if place == 0 else here * _LATER_LABEL)
        if item.entry.plain and phrase.plain.isascii():
            score = max(score, label_similarity(phrase, item.entry) * weight * _ID_WEIGHT)
    return score


def rows_of_list(screen: ScreenContents) -> tuple[ScreenItem, ...]:
    """Return the rows or cards of the screen's list, top first."""
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


def by_rank(screen: ScreenContents, subgoal: Subgoal) -> ItemMatch | None:
    """Return the row that a subgoal selects by its rank in the list or by a number on it."""
    listed = rows_of_list(screen)
    if subgoal.near:
        context = [normalize_label(phrase) for phrase in subgoal.near]
        scored = [
            (sum(covers(each, item.around) for each in context) / len(context), item) for item in listed
        ]
        most = max((share for share, _ in scored), default=0.0)
        if most < 0.6:
            return None
        listed = tuple(item for share, item in scored if share == most)
        whose = {each.plain for each in context}
        listed = tuple(item for item in listed if item.title not in whose) or listed
    if not listed:
        return None
    if subgoal.order is ListRank.CHEAPEST:
        priced = [(price, item) for item in listed if (price := _price(item)) is not None]
        if priced:
            return ItemMatch(min(priced, key=lambda pair: pair[0])[1], 0.8)
    if subgoal.order is ListRank.MOST:
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


def best_element(
    screen: ScreenContents, subgoal: Subgoal, *, without: frozenset[str] = frozenset()
) -> ItemMatch | None:
    """Return the best element for a subgoal; None if no score is high enough.

    Args:
        screen: The screen.
        subgoal: The subgoal.
        without: Keys of elements to exclude.
    """
    items = [item for item in screen.items if item.key not in without]
    if subgoal.order is not None and not subgoal.names:
        match = by_rank(screen, subgoal)
        return match if match and match.item.key not in without else None
    if subgoal.kind is SubgoalKind.ACT:
        match = _control(items, subgoal, screen)
    else:
        match = best_match(_fitting(items, subgoal, screen), subgoal.names, subgoal.near)
    return match if match and match.score >= MIN_SCORE else None


def _fitting(items: Sequence[ScreenItem], subgoal: Subgoal, screen: ScreenContents) -> list[ScreenItem]:
    """Exclude implausible elements: an option is not a card, and a page is not opened by a check box."""
    if subgoal.kind is SubgoalKind.PICK:
        return [
            item for item in items if item.bounds.height <= _LOW * screen.size.height or len(item.labels) <= 2
        ]
    if subgoal.kind is SubgoalKind.FIND:
        return [item for item in items if not item.node.cls.endswith(("CheckBox", "RadioButton"))]
    return list(items)


def _starts_label(item: ScreenItem, names: Sequence[str]) -> bool:
    """Return whether a label starts with a name, as in *Save Golden Park to a list*, for screen readers."""
    return not item.field and any(
        len(name) > 3 and label.plain.startswith(name) for name in names for label in item.labels[:2]
    )


def _is_opposite(name: str, label: str) -> bool:
    """Return whether a label is the opposite of a name: *不喜欢*, *取消关注*, *unlike*."""
    return any(not name.startswith(word) and f"{word}{name}" in label for word in ("不", "取消", "un", "dis"))


def _control(items: Sequence[ScreenItem], subgoal: Subgoal, screen: ScreenContents) -> ItemMatch | None:
    """Return the best control: small, with a short label that says little more than its name."""
    names = [normalize_label(name).plain for name in subgoal.names]
    short = [
        item
        for item in items
        if not item.field
        and len(item.title) <= _SHORT_LABEL
        and item.bounds.height <= _LOW * screen.size.height
        and (
            subgoal.undo
            or not any(_is_opposite(name, label.plain) for name in names for label in item.labels)
        )
    ]
    match = best_match(short, subgoal.names)
    if match is None or match.score < MIN_SCORE:
        led = [
            item
            for item in items
            if _starts_label(item, names) and item.bounds.width <= 0.4 * screen.size.width
        ]
        match = ItemMatch(led[0], _PREFIX_SCORE) if led else None
    if match is None:
        return None
    if subgoal.near:
        context = best_match(short, subgoal.names, subgoal.near)
        if context is not None and context.score >= match.score:
            return context
    return match
