"""Align two episodes of one task, and find where they diverge and where they converge.

Steps are compared by the screen that the agent saw and by its action. Equal screens have equal signatures; on
a real device a clock or an advertisement changes them, so the same action in the same window counts, too.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum


class RowKind(StrEnum):
    """How the steps of a row relate."""

    SAME = "same"
    """The same screen and the same action."""
    SCREEN = "same-screen"
    """The same screen, another action."""
    ACTION = "same-action"
    """The same action in the same window, on a screen that differs."""
    LEFT = "left-only"
    RIGHT = "right-only"


@dataclass(frozen=True, slots=True)
class AlignedStep:
    """What is compared of a step.

    Attributes:
        signature: Hash of the screen that the agent saw.
        window: The focused window.
        action: The canonical action: its type, its target by name, its text.
    """

    signature: str
    window: str
    action: str


@dataclass(frozen=True, slots=True)
class AlignedRow:
    """A row of the alignment.

    Attributes:
        left, right: Positions of the steps; None for a gap. At least one is given.
        kind: How they relate.
    """

    left: int | None
    right: int | None
    kind: RowKind


@dataclass(frozen=True, slots=True)
class Divergence:
    """A stretch in which the episodes differ.

    Attributes:
        first: The first row that differs.
        converge: The first row after it in which they agree again; None if they never do.
    """

    first: int
    converge: int | None


@dataclass(frozen=True, slots=True)
class Alignment:
    """Two aligned episodes.

    Attributes:
        rows: The rows, in order.
        divergences: Where they diverge and converge, in order.
    """

    rows: tuple[AlignedRow, ...]
    divergences: tuple[Divergence, ...]


_SCORES = {RowKind.SAME: 6, RowKind.SCREEN: 4, RowKind.ACTION: 3}


def align(left: Sequence[AlignedStep], right: Sequence[AlignedStep]) -> Alignment:
    """Align two episodes so that as many steps as possible agree, in order.

    Args:
        left: Steps of one episode, such as the clean one.
        right: Steps of the other one.
    """
    rows = _rows(left, right)
    return Alignment(rows, _divergences(rows))


def _kind(one: AlignedStep, other: AlignedStep) -> RowKind | None:
    if one.signature == other.signature:
        return RowKind.SAME if one.action == other.action else RowKind.SCREEN
    if one.action and one.action == other.action and one.window == other.window:
        return RowKind.ACTION
    return None


def _rows(left: Sequence[AlignedStep], right: Sequence[AlignedStep]) -> tuple[AlignedRow, ...]:
    """Align by dynamic programming: the best score of the remaining steps from each pair of positions."""
    n, m = len(left), len(right)
    best = [[0] * (m + 1) for _ in range(n + 1)]
    for i in reversed(range(n)):
        for j in reversed(range(m)):
            kind = _kind(left[i], right[j])
            paired = _SCORES[kind] + best[i + 1][j + 1] if kind else -1
            best[i][j] = max(paired, best[i + 1][j], best[i][j + 1])
    rows: list[AlignedRow] = []
    i = j = 0
    while i < n and j < m:
        kind = _kind(left[i], right[j])
        if kind and best[i][j] == _SCORES[kind] + best[i + 1][j + 1]:
            rows.append(AlignedRow(i, j, kind))
            i, j = i + 1, j + 1
        elif best[i][j] == best[i + 1][j]:
            rows.append(AlignedRow(i, None, RowKind.LEFT))
            i += 1
        else:
            rows.append(AlignedRow(None, j, RowKind.RIGHT))
            j += 1
    rows += [AlignedRow(place, None, RowKind.LEFT) for place in range(i, n)]
    rows += [AlignedRow(None, place, RowKind.RIGHT) for place in range(j, m)]
    return tuple(rows)


def _divergences(rows: Sequence[AlignedRow]) -> tuple[Divergence, ...]:
    """Return where the episodes diverge and converge.

    Another action on the same screen is a divergence. A return to the same screen is a convergence, for any
    action that follows.
    """
    found: list[Divergence] = []
    diverged: int | None = None
    for place, row in enumerate(rows):
        if diverged is not None and row.kind in _SCORES:
            found.append(Divergence(diverged, place))
            diverged = None
        if diverged is None and row.kind not in (RowKind.SAME, RowKind.ACTION):
            diverged = place
    if diverged is not None:
        found.append(Divergence(diverged, None))
    return tuple(found)
