"""Agreement between judges and people: confusion, kappa, alpha, error rates and intervals; pure functions.

The reference label comes second in every pair; a positive is a success.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import combinations
from typing import Any, TypeVar

import numpy as np

from garabench.stats.bootstrap import percentile_interval
from garabench.stats.intervals import Interval
from garabench.stats.repeats import RepeatedTask, clustered_interval

LabelPair = tuple[bool, bool]
"""The judged label and the reference label of one item."""
T = TypeVar("T", bound=Hashable)
DRAWS = 2000
"""The default number of resamples."""


@dataclass(frozen=True, slots=True)
class Confusion:
    """How judged labels compare with reference labels.

    Attributes:
        true_positive: Judged a success, and it is one.
        false_positive: Judged a success, but it is a failure.
        false_negative: Judged a failure, but it is a success.
        true_negative: Judged a failure, and it is one.
    """

    true_positive: int = 0
    false_positive: int = 0
    false_negative: int = 0
    true_negative: int = 0

    @property
    def items(self) -> int:
        """Number of items."""
        return self.true_positive + self.false_positive + self.false_negative + self.true_negative

    @property
    def accuracy(self) -> float | None:
        """Share of equal labels; None without an item."""
        return _share(self.true_positive + self.true_negative, self.items)

    @property
    def false_positive_rate(self) -> float | None:
        """Share of the failures that are judged a success; None without a failure."""
        return _share(self.false_positive, self.false_positive + self.true_negative)

    @property
    def false_negative_rate(self) -> float | None:
        """Share of the successes that are judged a failure; None without a success."""
        return _share(self.false_negative, self.false_negative + self.true_positive)

    @property
    def precision(self) -> float | None:
        """Share of the judged successes that are one; None without a judged success."""
        return _share(self.true_positive, self.true_positive + self.false_positive)

    @property
    def recall(self) -> float | None:
        """Share of the successes that are judged one; None without a success."""
        return _share(self.true_positive, self.true_positive + self.false_negative)

    @property
    def f1(self) -> float | None:
        """Harmonic mean of precision and recall; None if there is no success at all."""
        return _share(
            2 * self.true_positive, 2 * self.true_positive + self.false_positive + self.false_negative
        )

    @property
    def kappa(self) -> float | None:
        """Cohen's kappa; None if chance alone would agree always, so that it is not defined.

        Source: Cohen (1960), A coefficient of agreement for nominal scales, Educational and Psychological
        Measurement 20:37-46.
        """
        n = self.items
        if not n:
            return None
        judged, reference = self.true_positive + self.false_positive, self.true_positive + self.false_negative
        by_chance = (judged * reference + (n - judged) * (n - reference)) / n**2
        if math.isclose(by_chance, 1):
            return None
        return ((self.true_positive + self.true_negative) / n - by_chance) / (1 - by_chance)

    def __add__(self, other: Confusion) -> Confusion:
        return Confusion(
            self.true_positive + other.true_positive,
            self.false_positive + other.false_positive,
            self.false_negative + other.false_negative,
            self.true_negative + other.true_negative,
        )


def confusion_of(pairs: Iterable[LabelPair]) -> Confusion:
    """Count pairs of labels.

    Args:
        pairs: The judged label and the reference label of each item.
    """
    counts = Counter(pairs)
    return Confusion(counts[True, True], counts[True, False], counts[False, True], counts[False, False])


def _share(part: int, whole: int) -> float | None:
    return part / whole if whole else None


def kappa_of_categories(pairs: Sequence[tuple[T, T]]) -> float | None:
    """Return Cohen's kappa of labels of any number of categories; None if it is not defined.

    Args:
        pairs: Both labels of each item.
    """
    n = len(pairs)
    if not n:
        return None
    first, second = Counter(a for a, _ in pairs), Counter(b for _, b in pairs)
    by_chance = sum(first[category] * second[category] for category in first) / n**2
    if math.isclose(by_chance, 1):
        return None
    return (sum(a == b for a, b in pairs) / n - by_chance) / (1 - by_chance)


def confusion_by_category(pairs: Iterable[tuple[T, T]]) -> dict[tuple[T, T], int]:
    """Count how often each judged category goes with each reference category.

    Args:
        pairs: The judged category and the reference category of each item.
    """
    return dict(Counter(pairs))


def nominal_distance(first: object, second: object) -> float:
    """Return 0 for equal labels and 1 for different ones."""
    return 0.0 if first == second else 1.0


def interval_distance(first: float, second: float) -> float:
    """Return the squared difference of two numbers."""
    return (first - second) ** 2


def krippendorff_alpha(
    units: Iterable[Sequence[T]], distance: Callable[[T, T], float] = nominal_distance
) -> float | None:
    """Return Krippendorff's alpha, for any number of annotators and with missing labels.

    Units with fewer than two labels are left out.

    Args:
        units: The labels of each unit, in any order.
        distance: The distance of two labels.

    Returns:
        None if there is no pair of labels, or if all labels are equal, so that it is not defined.

    Source: Krippendorff (2011), Computing Krippendorff's alpha-reliability, University of Pennsylvania.
    """
    pairable = [tuple(unit) for unit in units if len(unit) > 1]
    total = sum(len(unit) for unit in pairable)
    if not total:
        return None
    observed = sum(
        2 * sum(distance(a, b) for a, b in combinations(unit, 2)) / (len(unit) - 1) for unit in pairable
    )
    counts = Counter(label for unit in pairable for label in unit)
    expected = sum(2 * counts[a] * counts[b] * distance(a, b) for a, b in combinations(counts, 2))
    if not expected:
        return None
    return 1 - (observed / total) / (expected / (total * (total - 1)))


Statistic = Callable[[Confusion], float | None]
"""Computes a value from a confusion."""


def bootstrap_interval(
    pairs: Sequence[LabelPair],
    statistic: Statistic,
    *,
    clusters: Sequence[str] | None = None,
    draws: int = DRAWS,
    seed: int = 0,
) -> Interval | None:
    """Return a percentile interval of a statistic by resampling the items, or whole clusters of them.

    Args:
        pairs: The labels of each item.
        statistic: Computes the value; None in a resample in which it is not defined, which is left out.
        clusters: The cluster of each item, such as its task; None if each item is its own.
        draws: Number of resamples.
        seed: Seed of the generator.

    Returns:
        None with fewer than two clusters, if the value is never defined, or if it is the same in every
        resample, as without a disagreement: resampling cannot say how uncertain it is then.
    """
    names = list(clusters) if clusters is not None else [str(number) for number in range(len(pairs))]
    groups: dict[str, np.ndarray] = {}
    for name, pair in zip(names, pairs, strict=True):
        cells = groups.setdefault(name, np.zeros(4, dtype=np.int64))
        cells[(0 if pair[0] else 2) + (0 if pair[1] else 1)] += 1
    if len(groups) < 2:
        return None
    table = np.stack(list(groups.values()))
    generator = np.random.default_rng(seed)
    chosen = generator.integers(0, len(table), size=(draws, len(table)))
    values = np.empty(draws)
    for draw in range(draws):
        both, over, under, neither = table[chosen[draw]].sum(axis=0)
        value = statistic(Confusion(int(both), int(over), int(under), int(neither)))
        values[draw] = np.nan if value is None else value
    return resampled_interval(values, len(groups))


def resampled_interval(values: np.ndarray, clusters: int) -> Interval | None:
    """Return the percentile interval of resampled values.

    Args:
        values: The values; NaN stands for a resample in which the value is not defined.
        clusters: Number of clusters that were resampled.

    Returns:
        None also if all values are equal, as without a disagreement: the interval would claim certainty.
    """
    interval = percentile_interval(values, clusters)
    return None if interval is None or interval.low == interval.high else interval


@dataclass(frozen=True, slots=True)
class Agreement:
    """The agreement of a judge with reference labels.

    Attributes:
        confusion: The counts.
        kappa: Interval of Cohen's kappa; None if judge and labels never or always differ.
        false_positive_rate, false_negative_rate, accuracy: Intervals of the rates, by Wilson; with clusters,
            their number of trials is the effective one.
    """

    confusion: Confusion
    kappa: Interval | None
    false_positive_rate: Interval | None
    false_negative_rate: Interval | None
    accuracy: Interval | None


def agreement(
    pairs: Sequence[LabelPair], *, clusters: Sequence[str] | None = None, draws: int = DRAWS, seed: int = 0
) -> Agreement:
    """Return the agreement of a judge with reference labels, with intervals.

    Args:
        pairs: The judged label and the reference label of each item.
        clusters: The cluster of each item, such as its task; None if each item is its own.
        draws: Number of resamples.
        seed: Seed of the generator.
    """
    names = clusters if clusters is not None else [str(number) for number in range(len(pairs))]
    groups: dict[str, list[LabelPair]] = {}
    for name, pair in zip(names, pairs, strict=True):
        groups.setdefault(name, []).append(pair)
    parts = [confusion_of(group) for group in groups.values()]

    def rate(counted: Callable[[Confusion], tuple[int, int]]) -> Interval | None:
        tasks = [RepeatedTask(part, part + rest) for part, rest in map(counted, parts) if part + rest]
        return clustered_interval(tasks)

    return Agreement(
        confusion_of(pairs),
        bootstrap_interval(pairs, lambda each: each.kappa, clusters=clusters, draws=draws, seed=seed),
        rate(lambda each: (each.false_positive, each.true_negative)),
        rate(lambda each: (each.false_negative, each.true_positive)),
        rate(
            lambda each: (
                each.true_positive + each.true_negative,
                each.false_positive + each.false_negative,
            )
        ),
    )


@dataclass(frozen=True, slots=True)
class LabelFlips:
    """How informed labels differ from the same annotators' blind ones.

    Attributes:
        labels: Number of labels with both.
        to_judge: Labels that changed to the judge's.
        from_judge: Labels that changed away from the judge's.
    """

    labels: int
    to_judge: int
    from_judge: int


def label_flips(labels: Iterable[tuple[bool, bool, bool]]) -> LabelFlips:
    """Count how labels changed after their annotators saw the judge's.

    Args:
        labels: The judge's label, the blind label and the informed label of each annotation.
    """
    rows = list(labels)
    changed = [(judge, informed) for judge, blind, informed in rows if blind is not informed]
    to_judge = sum(judge is informed for judge, informed in changed)
    return LabelFlips(len(rows), to_judge, len(changed) - to_judge)


def majority_label(labels: Sequence[bool]) -> bool | None:
    """Return the label of most annotators; None for a tie and without labels.

    Args:
        labels: The labels of one item.
    """
    positive = sum(labels)
    return None if 2 * positive == len(labels) else 2 * positive > len(labels)


def matched(judged: Mapping[str, bool], reference: Mapping[str, bool]) -> dict[str, LabelPair]:
    """Return the labels of the items that have both, by item in alphabetical order.

    Args:
        judged: The judge's labels by item.
        reference: The reference labels by item.
    """
    return {item: (judged[item], reference[item]) for item in sorted(judged.keys() & reference.keys())}


def agreement_data(found: Agreement) -> dict[str, Any]:
    """Return an agreement as JSON values.

    Args:
        found: The agreement.
    """
    counts = found.confusion
    return {
        "items": counts.items,
        "confusion": asdict(counts),
        "accuracy": counts.accuracy,
        "kappa": counts.kappa,
        "false_positive_rate": counts.false_positive_rate,
        "false_negative_rate": counts.false_negative_rate,
        "f1": counts.f1,
        "intervals": {
            "accuracy": found.accuracy,
            "kappa": found.kappa,
            "false_positive_rate": found.false_positive_rate,
            "false_negative_rate": found.false_negative_rate,
        },
    }
