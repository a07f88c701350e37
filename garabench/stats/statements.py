"""What comparisons establish and what they do not, in plain sentences."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from garabench.stats.intervals import Interval
from garabench.stats.paired_comparisons import Contrast, PairedComparison


@dataclass(frozen=True, slots=True)
class Statement:
    """A sentence about a comparison.

    Attributes:
        text: The sentence, without a full stop.
        established: Whether it states a difference.
        comparison: The comparison.
    """

    text: str
    established: bool
    comparison: PairedComparison


def statements(comparisons: Iterable[PairedComparison]) -> tuple[Statement, ...]:
    """Return a sentence for each comparison."""
    return tuple(Statement(_text(each), each.established, each) for each in comparisons)


def format_p(p_value: float) -> str:
    """Format a p-value as in ``p = .03``."""
    if p_value < 0.001:
        return "p < .001"
    if p_value >= 0.995:
        return "p = 1"
    digits = 3 if p_value < 0.01 else 2
    return f"p = {p_value:.{digits}f}".replace("0.", ".", 1)


def format_points(share: float, *, sign: bool = False) -> str:
    """Format a share as percentage points: ``6.1``; with a sign ``+6.1``."""
    text = f"{share * 100:+.1f}" if sign else f"{share * 100:.1f}"
    text = text.replace("-0.0", "0.0").replace("+0.0", "0.0")
    return text.replace("-", "−")  # a real minus sign


def format_interval(interval: Interval | None) -> str:
    """Format the 95% interval of a difference: ``95% CI 0.4…11.9``."""
    if interval is None:
        return "no interval"
    return f"95% CI {format_points(interval.low)}…{format_points(interval.high)}"


def _text(each: PairedComparison) -> str:
    if each.difference is None:
        return f"{_subject(each)}: no pair of the same task and seed, so nothing can be compared"
    if each.tasks < 2:
        return (
            f"{_subject(each)}: {_sides(each)} on one task only, which says nothing about other tasks"
            f" ({_evidence(each)})"
        )
    if each.established:
        return _difference(each)
    return f"{_subject(each)}: no difference established ({_sides(each)}; {_evidence(each)})"


def _subject(each: PairedComparison) -> str:
    match each.contrast:
        case Contrast.AGENTS:
            return f"{each.condition}: {each.first} and {each.second}"
        case Contrast.INTERRUPTED:
            return f"{each.first}: {each.condition} against clean"
        case Contrast.DROPS:
            return f"{each.condition}: the drops of {each.first} and {each.second}"


def _sides(each: PairedComparison) -> str:
    first, second, difference = each.first_value or 0.0, each.second_value or 0.0, each.difference or 0.0
    unit = " points" if each.contrast is Contrast.DROPS else "%"
    if first == second:
        return f"both {format_points(first)}{unit}"
    return f"{format_points(first)} and {format_points(second)}{unit}, {format_points(difference, sign=True)}"


def _difference(each: PairedComparison) -> str:
    difference, interval = each.difference or 0.0, each.interval
    higher, lower = (each.second, each.first) if difference > 0 else (each.first, each.second)
    if difference < 0 and interval is not None:
        interval = interval.negated()
    points = f"{format_points(abs(difference))} points"
    evidence = _evidence(each, interval)
    match each.contrast:
        case Contrast.AGENTS:
            return f"{each.condition}: {higher} is {points} above {lower} ({evidence})"
        case Contrast.INTERRUPTED:
            effect = "costs" if difference < 0 else "gains"
            return f"{each.first}: {each.condition} {effect} {points} against clean ({evidence})"
        case Contrast.DROPS:
            return f"{each.condition}: {higher} drops by {points} more than {lower} ({evidence})"


def _evidence(each: PairedComparison, interval: Interval | None = None) -> str:
    parts = [format_interval(interval or each.interval)]
    if each.adjusted is not None:
        parts.append(
            format_p(each.adjusted) + (f" after Holm over {each.tests} tests" if each.tests > 1 else "")
        )
    parts.append(f"{each.tasks} paired task{'' if each.tasks == 1 else 's'}")
    if each.pairs != each.tasks:
        parts.append(f"{each.pairs} pairs")
    return ", ".join(parts)
