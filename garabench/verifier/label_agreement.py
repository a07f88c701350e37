"""Compare people's labels with each other and with a judge's, blind and informed; pure functions."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from statistics import median

import numpy as np

from garabench.stats.intervals import Interval
from garabench.verifier.agreement import (
    Agreement,
    LabelFlips,
    agreement,
    confusion_by_category,
    kappa_of_categories,
    krippendorff_alpha,
    label_flips,
    majority_label,
    matched,
    resampled_interval,
)
from garabench.verifier.label_files import HumanLabel, LabelSet
from garabench.verifier.rubric import PROCESS_THRESHOLD


@dataclass(frozen=True, slots=True)
class AnnotatorAgreement:
    """How annotators of the same trajectories agree.

    Attributes:
        trajectories: Trajectories with at least two annotators.
        pairs: Pairs of blind outcomes of the same trajectory; unsure is a separate label.
        equal: Pairs with the same label.
        kappa: Cohen's kappa of the pairs; None if it is not defined.
        alpha: Krippendorff's alpha of the labels; None if it is not defined.
        kappa_interval: The interval of kappa; None if none was requested or it is not defined.
    """

    trajectories: int
    pairs: int
    equal: int
    kappa: float | None
    alpha: float | None
    kappa_interval: Interval | None = None

    @property
    def share(self) -> float | None:
        """Share of the pairs with the same label; None without a pair."""
        return self.equal / self.pairs if self.pairs else None


PickLabel = Callable[[HumanLabel], bool | None]
"""Picks one of an annotator's labels."""


def blind_outcome(label: HumanLabel) -> bool | None:
    """Return the outcome before the annotator saw the judge's."""
    return label.outcome


def informed_outcome(label: HumanLabel) -> bool | None:
    """Return the outcome after the annotator saw the judge's."""
    return label.informed_outcome


def blind_process(label: HumanLabel) -> bool | None:
    """Return the process before the annotator saw the judge's: by the score if there is one."""
    return label.process if label.process_score is None else label.process_score >= PROCESS_THRESHOLD


def informed_process(label: HumanLabel) -> bool | None:
    """Return the process after the annotator saw the judge's."""
    return label.informed_process


def annotator_agreement(labels: LabelSet, *, draws: int = 0, seed: int = 0) -> AnnotatorAgreement:
    """Return how annotators agree on the blind outcome.

    Unsure is a separate label, as in the published agreement of AgentRewardBench.

    Args:
        labels: The labels.
        draws: Number of resamples for the interval of kappa; 0 for no interval.
        seed: Seed of the generator.
    """
    units = _units(labels)
    pairs = _pairs(units)
    return AnnotatorAgreement(
        len(units),
        len(pairs),
        sum(first is second for first, second in pairs),
        kappa_of_categories(pairs),
        krippendorff_alpha(units),
        _kappa_interval(units, draws, seed) if draws else None,
    )


def annotator_confusion(labels: LabelSet) -> dict[tuple[bool | None, bool | None], int]:
    """Return how often each blind outcome of one annotator goes with each of another; None is unsure.

    Args:
        labels: The labels.
    """
    return confusion_by_category(_pairs(_units(labels)))


def _units(labels: LabelSet) -> list[tuple[bool | None, ...]]:
    """Return the blind outcomes of each trajectory with at least two annotators."""
    return [
        tuple(label.outcome for label in group) for group in labels.by_trajectory().values() if len(group) > 1
    ]


def _pairs(units: Iterable[Sequence[bool | None]]) -> list[tuple[bool | None, bool | None]]:
    return [pair for unit in units for pair in combinations(unit, 2)]


def _kappa_interval(units: Sequence[Sequence[bool | None]], draws: int, seed: int) -> Interval | None:
    """Return a percentile interval of kappa by resampling the trajectories."""
    if len(units) < 2:
        return None
    chosen = np.random.default_rng(seed).integers(0, len(units), size=(draws, len(units)))
    values = [kappa_of_categories(_pairs(units[at] for at in draw)) for draw in chosen]
    return resampled_interval(np.array([np.nan if value is None else value for value in values]), len(units))


def pooled(parts: Sequence[LabelSet]) -> LabelSet:
    """Return the labels of several runs as one set; trajectories of different runs stay different.

    Args:
        parts: The labels of each run, with its judge's.
    """
    if len(parts) == 1:
        return parts[0]
    labels: list[HumanLabel] = []
    outcomes: dict[str, bool] = {}
    scores: dict[str, float] = {}
    for number, part in enumerate(parts, start=1):
        labels += [replace(label, trajectory=f"{number}: {label.trajectory}") for label in part.labels]
        outcomes |= {f"{number}: {name}": value for name, value in part.judged_outcome.items()}
        scores |= {f"{number}: {name}": value for name, value in part.judged_process_score.items()}
    return LabelSet(tuple(labels), outcomes, scores)


def aggregated(labels: LabelSet, pick: PickLabel = blind_outcome) -> dict[str, bool]:
    """Return the label of most annotators for each trajectory; ties and unsure labels are left out.

    Args:
        labels: The labels.
        pick: Picks the label.
    """
    found: dict[str, bool] = {}
    for trajectory, group in labels.by_trajectory().items():
        label = majority_label([each for each in map(pick, group) if each is not None])
        if label is not None:
            found[trajectory] = label
    return found


def aggregated_process(labels: LabelSet) -> dict[str, bool]:
    """Return the process of each trajectory: the median of the annotators' scores, binarised.

    Args:
        labels: The labels; trajectories without a score are left out.
    """
    found: dict[str, bool] = {}
    for trajectory, group in labels.by_trajectory().items():
        scores = [label.process_score for label in group if label.process_score is not None]
        if scores:
            found[trajectory] = median(scores) >= PROCESS_THRESHOLD
    return found


@dataclass(frozen=True, slots=True)
class JudgeAgreement:
    """How a judge agrees with people.

    Attributes:
        blind: Agreement with the labels given before the judge's were seen.
        informed: Agreement with those given afterwards; None without any.
        flips: How labels changed; None without informed ones.
        groups: Agreement with the blind labels by group.
    """

    blind: Agreement
    informed: Agreement | None
    flips: LabelFlips | None
    groups: Mapping[str, Agreement]


def judge_agreement(
    labels: LabelSet, judged: Mapping[str, bool], *, draws: int, seed: int = 0
) -> JudgeAgreement:
    """Return how a judge's outcomes agree with people's.

    Args:
        labels: The labels.
        judged: The judge's outcomes by trajectory.
        draws: Number of resamples for intervals.
        seed: Seed of the generator.
    """
    blind = matched(judged, aggregated(labels, blind_outcome))
    informed = matched(judged, aggregated(labels, informed_outcome))
    group_of = {label.trajectory: label.group for label in labels.labels}
    groups: dict[str, list[tuple[bool, bool]]] = {}
    for trajectory, pair in blind.items():
        groups.setdefault(group_of[trajectory], []).append(pair)
    both = [
        (judged[label.trajectory], label.outcome, label.informed_outcome)
        for label in labels.labels
        if label.trajectory in judged and label.outcome is not None and label.informed_outcome is not None
    ]
    return JudgeAgreement(
        agreement(tuple(blind.values()), draws=draws, seed=seed),
        agreement(tuple(informed.values()), draws=draws, seed=seed) if informed else None,
        label_flips(both) if both else None,
        {group: agreement(pairs, draws=draws, seed=seed) for group, pairs in sorted(groups.items())},
    )


def kendall_tau(pairs: Sequence[tuple[float, float]]) -> float | None:
    """Return Kendall's tau-b of two numbers of each item; None if one of them never differs.

    Args:
        pairs: Both numbers of each item.

    Source: Kendall (1945), The treatment of ties in ranking problems, Biometrika 33:239-251.
    """
    concordant = discordant = ties_first = ties_second = 0
    for (a, b), (c, d) in combinations(pairs, 2):
        first, second = (a > c) - (a < c), (b > d) - (b < d)
        concordant += first * second > 0
        discordant += first * second < 0
        ties_first += first == 0
        ties_second += second == 0
    whole = len(pairs) * (len(pairs) - 1) // 2
    below = ((whole - ties_first) * (whole - ties_second)) ** 0.5
    return (concordant - discordant) / below if below else None
