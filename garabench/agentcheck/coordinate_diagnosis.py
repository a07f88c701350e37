"""Diagnose an agent's coordinates from the targets of its taps and the points where they landed.

Coordinates are confused in a few typical ways, each of which moves every tap by the same rule: thousandths
used as pixels, swapped axes, a resized image without scaling back. Every rule is tried on all pairs; rules
with free parameters are fitted robustly first. The verdict is the simplest rule that explains the pairs about
as well as the best one. Single stray taps do not matter: rules are compared by a quantile of their errors,
and fitted by medians.
"""

from __future__ import annotations

import enum
import math
import statistics
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from garabench.core.geometry import Point, Size

MIN_PAIRS = 6
"""Minimum number of pairs to distinguish a rule from chance."""
_QUANTILE = 0.8
"""Share of the pairs that a rule must explain."""
_SLACK = 1.6
_GRACE = 4.0
"""Additional error in pixels, such as from rounding, that a simpler rule may have."""
_MAX_ERROR = 0.07
"""Largest error of a rule that explains the pairs, as a fraction of the screen's diagonal."""
_SAME_PLACE = 0.02
_EXACT = 0.012
"""Largest error of exact taps, as a fraction of the diagonal."""


class CoordinateConfusion(enum.StrEnum):
    """How an agent confuses coordinates."""

    NONE = "none"
    IMPRECISE = "imprecise"
    THOUSANDTHS_AS_PIXELS = "0-1000-as-pixels"
    PIXELS_AS_THOUSANDTHS = "pixels-as-0-1000"
    PERCENT_AS_PIXELS = "0-100-as-pixels"
    FRACTION_AS_PIXELS = "0-1-as-pixels"
    SWAPPED = "x-and-y-exchanged"
    SWAPPED_SHARES = "x-and-y-exchanged-in-shares"
    SWAPPED_THOUSANDTHS = "y-and-x-of-0-1000-as-pixels"
    SWAPPED_PERCENT = "y-and-x-of-0-100-as-pixels"
    FROM_BELOW = "y-from-below"
    FROM_RIGHT = "x-from-right"
    OFFSET_TOP = "offset-by-the-top-inset"
    OFFSET = "offset"
    SCALED = "scaled"
    STRETCHED = "scaled-differently-in-x-and-y"
    LINEAR = "some-linear-map"
    ONE_PLACE = "always-the-same-place"
    NO_RELATION = "no-relation"
    TOO_FEW = "too-few-taps"


@dataclass(frozen=True, slots=True)
class TapPair:
    """A target and the tap on it.

    Attributes:
        target: Center of the button.
        landed: Point of the tap.
        number: Number of the button.
        hit: Whether it hit the button.
    """

    target: Point
    landed: Point
    number: int = 0
    hit: bool = False

    @property
    def error(self) -> float:
        """Distance between the two in pixels."""
        return math.hypot(self.landed.x - self.target.x, self.landed.y - self.target.y)


@dataclass(frozen=True, slots=True)
class CoordinateDiagnosis:
    """The diagnosis of an agent's coordinates.

    Attributes:
        confusion: Kind of confusion.
        text: Description with numbers.
        error: Median of the taps' errors, in pixels.
        left: Error at the 80th percentile that the rule leaves unexplained, in pixels.
        scale, shift: Fitted parameters in x and y; (1, 1) and (0, 0) if none were fitted.
    """

    confusion: CoordinateConfusion
    text: str
    error: float
    left: float
    scale: tuple[float, float] = (1.0, 1.0)
    shift: tuple[float, float] = (0.0, 0.0)

    @property
    def ok(self) -> bool:
        """Whether the coordinates are right."""
        return self.confusion is CoordinateConfusion.NONE


_Place = tuple[float, float]
_Rule = Callable[[float, float], _Place]


@dataclass(frozen=True, slots=True)
class _Candidate:
    confusion: CoordinateConfusion
    rule: _Rule
    text: str
    scale: tuple[float, float] = (1.0, 1.0)
    shift: tuple[float, float] = (0.0, 0.0)


def diagnose_taps(pairs: Sequence[TapPair], screen: Size, *, top: int = 0) -> CoordinateDiagnosis:
    """Find the confusion that explains the taps.

    Args:
        pairs: The taps.
        screen: Size of the screen.
        top: Height of the status bar, by which a screenshot of the app area is offset.
    """
    error = statistics.median([pair.error for pair in pairs]) if pairs else 0.0
    if len(pairs) < MIN_PAIRS:
        text = f"only {len(pairs)} taps were made: too few for a diagnosis"
        return CoordinateDiagnosis(CoordinateConfusion.TOO_FEW, text, error, 0.0)
    diagonal = math.hypot(screen.width, screen.height)
    if (one := _one_place(pairs, diagonal)) is not None:
        text = f"always taps at about ({one.x}, {one.y}), regardless of the target"
        return CoordinateDiagnosis(CoordinateConfusion.ONE_PLACE, text, error, 0.0)
    tried = [
        (_unexplained(candidate.rule, pairs), candidate) for candidate in _candidates(pairs, screen, top)
    ]
    least = min(left for left, _ in tried)
    if least > _MAX_ERROR * diagonal:
        text = f"no relation between targets and taps (median error {error:.0f} px)"
        return CoordinateDiagnosis(CoordinateConfusion.NO_RELATION, text, error, least)
    left, found = next(pair for pair in tried if pair[0] <= least * _SLACK + _GRACE)
    if found.confusion is CoordinateConfusion.NONE and left > _EXACT * diagonal and not _mostly_hit(pairs):
        text = f"the unit of the coordinates is right, but taps are off by {error:.0f} px (median)"
        return CoordinateDiagnosis(CoordinateConfusion.IMPRECISE, text, error, left)
    return CoordinateDiagnosis(found.confusion, found.text, error, left, found.scale, found.shift)


def _mostly_hit(pairs: Sequence[TapPair]) -> bool:
    return sum(pair.hit for pair in pairs) >= 0.95 * len(pairs)


def _unexplained(rule: _Rule, pairs: Sequence[TapPair]) -> float:
    """Return the error that a rule leaves at the quantile."""
    errors = []
    for pair in pairs:
        x, y = rule(pair.target.x, pair.target.y)
        errors.append(math.hypot(pair.landed.x - x, pair.landed.y - y))
    errors.sort()
    return errors[min(len(errors) - 1, math.ceil(_QUANTILE * len(errors)) - 1)]


def _one_place(pairs: Sequence[TapPair], diagonal: float) -> Point | None:
    at = Point(
        round(statistics.median([pair.landed.x for pair in pairs])),
        round(statistics.median([pair.landed.y for pair in pairs])),
    )
    near = [
        math.hypot(pair.landed.x - at.x, pair.landed.y - at.y) <= _SAME_PLACE * diagonal for pair in pairs
    ]
    spread = max(math.hypot(p.target.x - pairs[0].target.x, p.target.y - pairs[0].target.y) for p in pairs)
    # Fractions or percent used as pixels also land in the corner, but at different points.
    cornered = at.x < 0.1 * diagonal and at.y < 0.1 * diagonal and len({pair.landed for pair in pairs}) > 1
    if sum(near) < 0.9 * len(pairs) or spread < 0.1 * diagonal or cornered:
        return None
    return at


def _candidates(pairs: Sequence[TapPair], screen: Size, top: int) -> list[_Candidate]:
    """Return every rule, simplest first."""
    width, height = screen.width, screen.height
    named = [
        _Candidate(CoordinateConfusion.NONE, lambda x, y: (x, y), "coordinates are right"),
        *_shares(width, height),
        _Candidate(CoordinateConfusion.SWAPPED, lambda x, y: (y, x), "x and y are swapped"),
        _Candidate(
            CoordinateConfusion.SWAPPED_SHARES,
            lambda x, y: (y * width / height, x * height / width),
            "x and y are swapped, then scaled to the screen (y comes before x, as a fraction)",
        ),
        *_swapped_shares(width, height),
        _Candidate(
            CoordinateConfusion.FROM_BELOW, lambda x, y: (x, height - y), "y is measured from the bottom"
        ),
        _Candidate(
            CoordinateConfusion.FROM_RIGHT, lambda x, y: (width - x, y), "x is measured from the right"
        ),
    ]
    if top:
        named += [_offset_top(top), _offset_top(-top)]
    return [*named, _offset(pairs), _scaled(pairs), _stretched(pairs), *_linear(pairs)]


def _shares(width: int, height: int) -> list[_Candidate]:
    def by(part: float) -> _Rule:
        return lambda x, y: (x * part / width, y * part / height)

    def times(part: float) -> _Rule:
        return lambda x, y: (x * width / part, y * height / part)

    return [
        _Candidate(CoordinateConfusion.THOUSANDTHS_AS_PIXELS, by(1000), "looks like 0-1000 used as pixels"),
        _Candidate(
            CoordinateConfusion.PIXELS_AS_THOUSANDTHS, times(1000), "looks like pixels used as 0-1000"
        ),
        _Candidate(CoordinateConfusion.PERCENT_AS_PIXELS, by(100), "looks like percent used as pixels"),
        _Candidate(
            CoordinateConfusion.FRACTION_AS_PIXELS, by(1), "looks like fractions from 0 to 1 used as pixels"
        ),
    ]


def _swapped_shares(width: int, height: int) -> list[_Candidate]:
    def by(part: float) -> _Rule:
        return lambda x, y: (y * part / height, x * part / width)

    usage = "used as pixels, x first"
    return [
        _Candidate(CoordinateConfusion.SWAPPED_THOUSANDTHS, by(1000), f"looks like [y, x] of 0-1000 {usage}"),
        _Candidate(CoordinateConfusion.SWAPPED_PERCENT, by(100), f"looks like [y, x] in percent {usage}"),
    ]


def _offset_top(top: int) -> _Candidate:
    side = "below" if top > 0 else "above"
    text = f"offset by the status bar: every tap is {abs(top)} px {side} its target"
    return _Candidate(
        CoordinateConfusion.OFFSET_TOP, lambda x, y: (x, y + top), text, shift=(0.0, float(top))
    )


def _offset(pairs: Sequence[TapPair]) -> _Candidate:
    dx = statistics.median([pair.landed.x - pair.target.x for pair in pairs])
    dy = statistics.median([pair.landed.y - pair.target.y for pair in pairs])
    text = f"offset by ({dx:+.0f}, {dy:+.0f}) px"
    return _Candidate(CoordinateConfusion.OFFSET, lambda x, y: (x + dx, y + dy), text, shift=(dx, dy))


def _ratio(along: Sequence[tuple[float, float]]) -> float:
    """Return the robust slope of a line through the origin: a weighted median of ratios."""
    ratios = sorted((landed / target, abs(target)) for target, landed in along if target)
    if not ratios:
        return 1.0
    half, passed = sum(weight for _, weight in ratios) / 2, 0.0
    for ratio, weight in ratios:
        passed += weight
        if passed >= half:
            return ratio
    return ratios[-1][0]


def _scaled(pairs: Sequence[TapPair]) -> _Candidate:
    both = [(float(p.target.x), float(p.landed.x)) for p in pairs]
    both += [(float(p.target.y), float(p.landed.y)) for p in pairs]
    scale = _ratio(both)
    text = (
        f"scaled by {scale:.2f}: as if an image was resized by {scale:.2f}"
        if scale < 1
        else (f"scaled by {scale:.2f}: as if an image was resized by {1 / scale:.2f} and scaled back twice")
    )
    return _Candidate(
        CoordinateConfusion.SCALED, lambda x, y: (x * scale, y * scale), text, scale=(scale, scale)
    )


def _stretched(pairs: Sequence[TapPair]) -> _Candidate:
    sx = _ratio([(p.target.x, p.landed.x) for p in pairs])
    sy = _ratio([(p.target.y, p.landed.y) for p in pairs])
    text = f"scaled by {sx:.2f} in x and by {sy:.2f} in y: as if an image had another aspect ratio"
    return _Candidate(CoordinateConfusion.STRETCHED, lambda x, y: (x * sx, y * sy), text, scale=(sx, sy))


def _linear(pairs: Sequence[TapPair]) -> list[_Candidate]:
    found = []
    for swapped in (False, True):
        source = [(p.target.y, p.target.x) if swapped else (p.target.x, p.target.y) for p in pairs]
        (ax, bx) = _line([s[0] for s in source], [p.landed.x for p in pairs])
        (ay, by) = _line([s[1] for s in source], [p.landed.y for p in pairs])

        def rule(
            x: float, y: float, *, swap: bool = swapped, a: _Place = (ax, ay), b: _Place = (bx, by)
        ) -> _Place:
            one, two = (y, x) if swap else (x, y)
            return a[0] * one + b[0], a[1] * two + b[1]

        names = ("y", "x") if swapped else ("x", "y")
        text = f"a linear map: x becomes {ax:.2f}·{names[0]}{bx:+.0f}, y becomes {ay:.2f}·{names[1]}{by:+.0f}"
        found.append(_Candidate(CoordinateConfusion.LINEAR, rule, text, scale=(ax, ay), shift=(bx, by)))
    return found


def _line(xs: Sequence[float], ys: Sequence[float]) -> tuple[float, float]:
    """Return slope and intercept of the Theil-Sen estimator: medians over all pairs of points."""
    slopes = [(ys[j] - ys[i]) / (xs[j] - xs[i]) for i in range(len(xs)) for j in range(i) if xs[j] != xs[i]]
    slope = statistics.median(slopes) if slopes else 0.0
    return slope, statistics.median([y - slope * x for x, y in zip(xs, ys, strict=True)])
