from __future__ import annotations

from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st

from garabench.report.viewer.alignment import AlignedRow, AlignedStep, Divergence, RowKind, align


def steps(text: str) -> list[AlignedStep]:
    """Return steps from pairs of a screen and an action: ``a1 b2``."""
    return [AlignedStep(pair[0], "window", pair[1:]) for pair in text.split()]


def kinds(left: str, right: str) -> str:
    return " ".join(row.kind.value for row in align(steps(left), steps(right)).rows)


def test_equal_episodes_never_part() -> None:
    found = align(steps("a1 b2"), steps("a1 b2"))
    assert [row.kind for row in found.rows] == [RowKind.SAME, RowKind.SAME]
    assert found.divergences == ()


def test_an_interruption_is_a_detour() -> None:
    found = align(steps("a1 b2 c3"), steps("a1 x9 y8 b2 c3"))
    assert found.divergences == (Divergence(1, 3),)
    assert found.rows[1] == AlignedRow(None, 1, RowKind.RIGHT)


def test_they_may_never_rejoin() -> None:
    assert align(steps("a1 b2"), steps("a1 x9")).divergences == (Divergence(1, None),)


def test_the_same_action_on_a_changed_screen_agrees() -> None:
    assert kinds("a1 b2", "A1 b2") == "same-action same"


def test_another_action_on_the_same_screen_is_a_divergence() -> None:
    found = align(steps("a1 b2 c3"), steps("a1 b7 c3"))
    assert [row.kind for row in found.rows] == [RowKind.SAME, RowKind.SCREEN, RowKind.SAME]
    assert found.divergences == (Divergence(1, 2),)


def test_nothing_to_align() -> None:
    assert align([], []).rows == ()
    assert align(steps("a1"), []).divergences == (Divergence(0, None),)


WORDS = st.lists(st.sampled_from(["a1", "a2", "b1", "c3"]), max_size=7).map(" ".join)


@given(WORDS, WORDS)
def test_every_step_is_in_one_row_in_order(left: str, right: str) -> None:
    rows = align(steps(left), steps(right)).rows
    assert [row.left for row in rows if row.left is not None] == list(range(len(left.split())))
    assert [row.right for row in rows if row.right is not None] == list(range(len(right.split())))
    mirrored = align(steps(right), steps(left)).rows
    assert score(mirrored) == score(rows)


def score(rows: Sequence[AlignedRow]) -> int:
    weights = {RowKind.SAME: 6, RowKind.SCREEN: 4, RowKind.ACTION: 3}
    return sum(weights.get(row.kind, 0) for row in rows)
