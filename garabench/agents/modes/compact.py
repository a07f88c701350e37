"""A screen's elements as text within a budget of tokens; what is left out is stated in the text.

A row is an element: its number, kind, texts, id, place and state. Rows are indented as they lie in each
other.

    [3] field "搜索" #search_box focused
    [4] list #feed scrollable
      [5] area "稻香" "乐迷小周 · 12万播放" @540,1204
      text "没有更多了"
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from garabench.agents.dialects.coordinates import Unit, View, from_screen
from garabench.agents.dialects.dialect import Dialect
from garabench.agents.modes.elements import Element
from garabench.agents.modes.quoting import quoted, word
from garabench.agents.modes.tokens import estimate

_KINDS = (
    ("field", re.compile(r"EditText|AutoComplete")),
    ("switch", re.compile(r"Switch|ToggleButton")),
    ("checkbox", re.compile(r"CheckBox|CheckedTextView")),
    ("radio", re.compile(r"RadioButton")),
    ("button", re.compile(r"Button$")),
    ("slider", re.compile(r"SeekBar|Slider|RatingBar")),
    ("progress", re.compile(r"ProgressBar")),
    ("chooser", re.compile(r"Spinner$")),
    ("list", re.compile(r"RecyclerView|ListView|ScrollView|GridView|ViewPager")),
    ("web", re.compile(r"WebView")),
    ("image", re.compile(r"Image")),
    ("text", re.compile(r"TextView|\.View$")),
)
_MOST_TEXTS = 8
_LONGEST_ID = 40
_DEEPEST = 6
_FOR_NOTES = 40
"""Tokens that are kept free for saying what is left out."""


@dataclass(frozen=True, slots=True)
class Told:
    """A screen as text.

    Attributes:
        text: The rows, and what was left out of them.
        rows: How many rows it has.
        left_out: How many it would have had beyond.
        tokens: How many tokens the text is, by estimate.
    """

    text: str
    rows: int
    left_out: int
    tokens: int


@dataclass(frozen=True, slots=True)
class _Detail:
    """How much is told of each element."""

    longest: int
    ids: bool


_WHOLE, _SHORT = _Detail(120, True), _Detail(32, False)


def tell(elements: Sequence[Element], view: View, dialect: Dialect, tokens: int) -> Told:
    """Tell a screen's elements.

    They are told whole where the budget allows, else with shortened texts; then texts that cannot be touched
    are left out from the bottom; then rows of any kind.

    Args:
        elements: The elements; their places in the list are their numbers.
        view: The view in which replies are read.
        dialect: Whose numbers and coordinates are used.
        tokens: The budget, by `garabench.agents.modes.tokens.estimate`.
    """
    budget = max(tokens - _FOR_NOTES, 1)
    near = elements[: budget + 1]  # a row is a token at least: the rest has no room in any case
    for detail in (_WHOLE, _SHORT):
        rows = list(_rows(near, view, dialect, detail))
        costs = [estimate(row) + 1 for row in rows]
        if len(near) == len(elements) and sum(costs) <= budget:
            return _told(elements, rows, set(range(len(rows))), dialect)
    acting = [number for number, element in enumerate(near) if element.acts]
    spent = sum(costs[number] for number in acting)
    if len(near) < len(elements) or spent > budget:
        return _told(elements, rows, _from_the_top(costs, budget), dialect)
    kept = set(acting)
    for number, element in enumerate(near):
        if not element.acts:
            spent += costs[number]
            if spent > budget:
                break
            kept.add(number)
    return _told(elements, rows, kept, dialect)


def _from_the_top(costs: Sequence[int], budget: int) -> set[int]:
    spent, kept = 0, set()
    for number, cost in enumerate(costs):
        spent += cost
        if spent > budget:
            break
        kept.add(number)
    return kept


def _told(elements: Sequence[Element], rows: Sequence[str], kept: set[int], dialect: Dialect) -> Told:
    lines = [rows[number] for number in sorted(kept)]
    lost = [number for number in range(len(elements)) if number not in kept]
    if lost and all(number > max(kept, default=-1) for number in lost):
        lines.append(
            f"… {_count(len(lost), 'more row')} below {_are(lost)} left out{_numbers(lost, dialect)}"
        )
    elif lost:
        lines.append(f"… {_count(len(lost), 'text')} that cannot be touched {_are(lost)} left out")
    text = "\n".join(lines) if lines else "nothing that can be read"
    return Told(text, len(kept), len(lost), estimate(text))


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"


def _are(lost: Sequence[int]) -> str:
    return "is" if len(lost) == 1 else "are"


def _numbers(lost: Sequence[int], dialect: Dialect) -> str:
    if dialect.numbers_from is None:
        return ""
    first, last = (number + dialect.numbers_from for number in (lost[0], lost[-1]))
    return f", number {first}" if first == last else f", numbers {first} to {last}"


def _rows(elements: Sequence[Element], view: View, dialect: Dialect, detail: _Detail) -> Iterator[str]:
    for number, element in enumerate(elements):
        parts = [_number(number, dialect), _kind(element)]
        parts += [quoted(text, detail.longest) for text in element.texts[:_MOST_TEXTS]]
        if (more := len(element.texts) - _MOST_TEXTS) > 0:
            parts.append(f"(+{_count(more, 'text')})")
        if element.node.entry and element.acts and (detail.ids or not element.texts):
            parts.append(f"#{word(element.node.entry, _LONGEST_ID)}")
        parts += [_place(element, view, dialect), *_states(element)]
        yield "  " * min(element.depth, _DEEPEST) + " ".join(part for part in parts if part)


def _number(number: int, dialect: Dialect) -> str:
    return "" if dialect.numbers_from is None else f"[{number + dialect.numbers_from}]"


def _kind(element: Element) -> str:
    name = element.node.cls.rpartition(".")[2] if "." in element.node.cls else element.node.cls
    for kind, pattern in _KINDS:
        if pattern.search(name if kind != "text" else f".{name}"):
            return "area" if kind == "text" and element.acts and not element.texts else kind
    return "area" if element.acts else "text"


def _place(element: Element, view: View, dialect: Dialect) -> str:
    """The middle, as the dialect counts; left out where elements are named by number alone."""
    if dialect.numbers_from is not None and dialect.coordinates.unit is Unit.SCREEN:
        return ""
    first, second = from_screen(element.rect.center, dialect.coordinates, view)
    return f"@{first},{second}"


def _states(element: Element) -> Iterator[str]:
    node = element.node
    if node.checkable:
        yield "on" if node.checked else "off"
    for name, holds in (
        ("selected", node.selected),
        ("focused", node.focused),
        ("scrollable", node.scrollable),
        ("password", node.password),
        ("disabled", not node.enabled),
    ):
        if holds:
            yield name
