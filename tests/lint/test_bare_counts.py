"""Goals that count things without naming them."""

from __future__ import annotations

import pytest

from garabench.lint.bare_counts import bare_counts
from garabench.lint.codes import CODES, FindingLevel
from garabench.suite.suite import read_sources
from tests.suite.written_suite import Write

LAST = '        - exists: {id: title, text: "{title}"}'
OTHERS = '{select: {id: title, text_matches: "^(雨声|稻香|晴天)$"}, equals: 3}'


def reported(write: Write, *conditions: str) -> list[str]:
    written = "\n".join([LAST, *(f"        - {each}" for each in conditions)])
    root = write("goal_schemas/bili.yaml", LAST, written)
    return [str(error) for error in bare_counts(read_sources(root))]


@pytest.mark.parametrize(
    "count",
    [
        "exists: {id: length, text: 共5个}",
        'exists: {id: length, text: "Private · 4 places"}',
        'exists: {id: length, text: "购物车(7)"}',
        "exists: {id: length, text: 收藏的点（4）}",
        'exists: {id: mine, desc: "我的收藏,12"}',
        'exists: {id: later_total, text: "5"}',
        'exists: {id: length, text_matches: "^共([3-9]|[1-9][0-9])条$"}',
        'equals: {select: {id: length}, value: 2 saved}',
        'matches: {select: {id: length}, pattern: "^全部\\\\([0-9]+\\\\)$"}',
        "count: {select: {id: row}, equals: 2}",
        "count: {select: {id: switch, checked: true}, at_most: 3}",
        "count: {select: {id: row}, at_least: 2}",
        "not: {exists: {id: length, text: 共5个}}",
        "any: [{exists: {id: length, text: 共5个}}, {exists: {id: length}}]",
    ],
)  # fmt: skip
def test_a_bare_count_is_refused(write: Write, count: str) -> None:
    (error,) = reported(write, count)
    assert error.startswith("goal_schemas/bili.yaml:10:")
    assert "bare count: one less and one more of" in error


@pytest.mark.parametrize(
    "conditions",
    [
        # named by its own text or by a relation, or nothing next to it that could cancel out
        ['count: {select: {id: title, text: "{title}"}, equals: 1}'],
        ['exists: {id: length, text: 1个, inside: {id: folder, has: {id: title, text: "{title}"}}}'],
        ['exists: {id: chip, text: "{title} · 4 places"}'],
        ["count: {select: {id: row}, at_least: 1}"],
        # as many are named as are counted
        ["count: {select: {id: title}, equals: 1}"],
        [f"count: {OTHERS}", "count: {select: {id: title}, equals: 4}"],
        # an exchange would show: in the order, in the price, or in the part to which something is added
        ["equals: {select: {id: title, index: 1}, value: 雨声}", "exists: {id: length, text: 共9个}"],
        ["exists: {id: list_total, text: ¥26.8}", "exists: {id: length, text: 共9个}"],
        ["exists: {text: 3件, inside: {id: head, has: {text: 今天}}}", "exists: {id: length, text: 共9个}"],
        ["exists: {id: title, text: 雨声}", "exists: {id: length, text: 共2个}"],
        # other numbers
        ["exists: {id: size, text: '46'}"],
        ["exists: {id: price, text: ¥26.8}"],
        ["exists: {id: day, text: 6月7日}"],
        ["exists: {id: name, text: P3 人体工学椅}"],
        ["exists: {id: note, text: 前3个小时免费1小时}"],
    ],
)
def test_what_is_named_or_no_count_is_accepted(write: Write, conditions: list[str]) -> None:
    assert reported(write, *conditions) == []


def test_the_finding_says_what_to_name(write: Write) -> None:
    (error,) = reported(write, "exists: {id: length, text: 共5个}")
    assert "10:11: bare count: one less and one more of 5 cancel out, and the goal names 1 of them" in error
    assert "Name all of them" in error


def test_two_named_of_more_are_not_enough(write: Write) -> None:
    (error,) = reported(write, f"count: {OTHERS}", "exists: {id: length, text: 共9个}")
    assert "names 4 of them" in error


def test_no_comment_silences_it(write: Write) -> None:
    comment = "exists: {id: length, text: 共5个}  # garabench: ignore[bare-count] nothing else is shown"
    assert len(reported(write, comment)) == 1
    assert CODES["bare-count"].severity is FindingLevel.ERROR


def test_a_badge_is_declared(write: Write) -> None:
    badge = "\n    badges: [{part: 3, reason: the cart is on another page}]"
    assert reported(write, 'exists: {id: cart_count, text: "5"}' + badge) == []


@pytest.mark.parametrize("condition", ["exists: {id: title}", "count: {select: {id: row}, equals: 4}"])
def test_what_the_page_shows_is_no_badge(write: Write, condition: str) -> None:
    errors = reported(write, condition + "\n    badges: [{part: 3, reason: the cart is on another page}]")
    assert any("part 3 is not a badge" in error for error in errors)


def test_the_same_thing_named_twice_is_one(write: Write) -> None:
    again = 'exists: {id: title, text: "{title}", selected: true}'
    (error,) = reported(write, again, "exists: {id: length, text: 共3个}")
    assert "names 1 of them" in error
