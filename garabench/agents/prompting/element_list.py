"""Describe a screen's elements as text within a token budget; the text states what it omits.

Each row is an element: its number, kind, texts, id, coordinates and state. Indentation shows nesting.

    [3] field "搜索" #search_box focused
    [4] list #feed scrollable
      [5] area "稻香" "乐迷小周 · 12万播放" @540,1204
      text "没有更多了"
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from garabench.agents.dialects.coordinates import ScreenView, Unit, from_screen
from garabench.agents.dialects.dialect import Dialect
from garabench.agents.prompting.elements import ScreenElement
from garabench.agents.prompting.quoting import quoted, word
from garabench.agents.prompting.tokens import estimate_tokens

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
_MAX_TEXTS = 8
_MAX_ID_LENGTH = 40
_MAX_INDENT = 6
_NOTE_TOKENS = 40
"""Tokens reserved for the note on omitted rows."""


@dataclass(frozen=True, slots=True)
class ElementText:
    """A screen as text.

    Attributes:
        text: The rows, and a note on what was omitted.
        rows: Number of rows.
        omitted: Number of omitted rows.
        tokens: Estimated number of tokens.
    """

    text: str
    rows: int
    omitted: int
    tokens: int


@dataclass(frozen=True, slots=True)
class _Detail:
    """How much detail a row has: the longest text, and whether it shows the id."""

    max_text: int
    ids: bool


_FULL, _SHORT = _Detail(120, True), _Detail(32, False)


def describe_elements(
    elements: Sequence[ScreenElement], view: ScreenView, dialect: Dialect, tokens: int
) -> ElementText:
    """Describe a screen's elements.

    Rows are complete if the budget allows; otherwise texts are shortened, then texts that cannot be tapped
    are omitted from the bottom up, then rows of any kind.

    Args:
        elements: The elements; an index in the list is the element's number.
        view: The view in which replies are parsed.
        dialect: The dialect that defines numbers and coordinates.
        tokens: The budget, in tokens by `garabench.agents.prompting.tokens.estimate_tokens`.
    """
    budget = max(tokens - _NOTE_TOKENS, 1)
    first = elements[: budget + 1]  # each row takes at least a token, so the rest cannot fit
    for detail in (_FULL, _SHORT):
        rows = list(_rows(first, view, dialect, detail))
        costs = [estimate_tokens(row) + 1 for row in rows]
        if len(first) == len(elements) and sum(costs) <= budget:
            return _described(elements, rows, set(range(len(rows))), dialect)
    acting = [number for number, element in enumerate(first) if element.acts]
    total = sum(costs[number] for number in acting)
    if len(first) < len(elements) or total > budget:
        return _described(elements, rows, _from_the_top(costs, budget), dialect)
    included = set(acting)
    for number, element in enumerate(first):
        if not element.acts:
            total += costs[number]
            if total > budget:
                break
            included.add(number)
    return _described(elements, rows, included, dialect)


def _from_the_top(costs: Sequence[int], budget: int) -> set[int]:
    total, included = 0, set()
    for number, cost in enumerate(costs):
        total += cost
        if total > budget:
            break
        included.add(number)
    return included


def _described(
    elements: Sequence[ScreenElement], rows: Sequence[str], included: set[int], dialect: Dialect
) -> ElementText:
    lines = [rows[number] for number in sorted(included)]
    omitted = [number for number in range(len(elements)) if number not in included]
    if omitted and all(number > max(included, default=-1) for number in omitted):
        lines.append(
            f"… {_count(len(omitted), 'more row')} below {_are(omitted)} omitted{_numbers(omitted, dialect)}"
        )
    elif omitted:
        lines.append(f"… {_count(len(omitted), 'text')} that cannot be tapped {_are(omitted)} omitted")
    text = "\n".join(lines) if lines else "(no elements)"
    return ElementText(text, len(included), len(omitted), estimate_tokens(text))


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"


def _are(omitted: Sequence[int]) -> str:
    return "is" if len(omitted) == 1 else "are"


def _numbers(omitted: Sequence[int], dialect: Dialect) -> str:
    if dialect.numbers_from is None:
        return ""
    first, last = (number + dialect.numbers_from for number in (omitted[0], omitted[-1]))
    return f", number {first}" if first == last else f", numbers {first} to {last}"


def _rows(
    elements: Sequence[ScreenElement], view: ScreenView, dialect: Dialect, detail: _Detail
) -> Iterator[str]:
    for number, element in enumerate(elements):
        parts = [_number(number, dialect), _kind(element)]
        parts += [quoted(text, detail.max_text) for text in element.texts[:_MAX_TEXTS]]
        if (more := len(element.texts) - _MAX_TEXTS) > 0:
            parts.append(f"(+{_count(more, 'text')})")
        if element.node.entry and element.acts and (detail.ids or not element.texts):
            parts.append(f"#{word(element.node.entry, _MAX_ID_LENGTH)}")
        parts += [_place(element, view, dialect), *_states(element)]
        yield "  " * min(element.depth, _MAX_INDENT) + " ".join(part for part in parts if part)


def _number(number: int, dialect: Dialect) -> str:
    return "" if dialect.numbers_from is None else f"[{number + dialect.numbers_from}]"


def _kind(element: ScreenElement) -> str:
    name = element.node.cls.rpartition(".")[2] if "." in element.node.cls else element.node.cls
    for kind, pattern in _KINDS:
        if pattern.search(name if kind != "text" else f".{name}"):
            return "area" if kind == "text" and element.acts and not element.texts else kind
    return "area" if element.acts else "text"


def _place(element: ScreenElement, view: ScreenView, dialect: Dialect) -> str:
    """Return the center in the dialect's coordinates; empty if elements are referred to by number only."""
    if dialect.numbers_from is not None and dialect.coordinates.unit is Unit.SCREEN:
        return ""
    first, second = from_screen(element.rect.center, dialect.coordinates, view)
    return f"@{first},{second}"


def _states(element: ScreenElement) -> Iterator[str]:
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
