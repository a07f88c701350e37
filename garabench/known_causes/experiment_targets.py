"""The targets of the experiment, and whether the measured figures reach them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import median

from garabench.diagnosis.evaluation import (
    CaseOutcome,
    KnownCase,
    first_recovers,
    order_matters,
    retried,
    simulate,
)
from garabench.diagnosis.loop import AttributedTo, DiagnosisSettings, ProbeOrder
from garabench.known_causes.result_cells import auc_cell, rate_cell, signal_auc

_ONE = DiagnosisSettings()
_TWO = replace(_ONE, rounds=2)
_RECOVERY, _RECOVERY_TWO, _KEPT, _AUC, _FIRST = 0.75, 0.85, 0.95, 0.9, 0.66
_DIAGNOSIS_S, _EXPERIMENT_S = 12.0, 25 * 60.0
_ATTEMPTS = {"retry ×1": 1, "retry ×2": 2, "best of 3": 3}


@dataclass(frozen=True, slots=True)
class TargetResult:
    """A figure with its target.

    Attributes:
        figure: What is measured.
        target: The target, in words.
        measured: The figure, with an interval if it is a rate or an area.
        reached: Whether the figure itself reaches the target; None if nothing was measured.
    """

    figure: str
    target: str
    measured: str
    reached: bool | None


def target_results(
    held: Sequence[KnownCase],
    weaker: Mapping[str, Sequence[KnownCase]],
    *,
    duration: float | None = None,
) -> tuple[TargetResult, ...]:
    """Return each target with what was measured.

    Args:
        held: The held-out failures whose causes are certain.
        weaker: Those that were probed again, by who continued the probes.
        duration: How long the experiment took, in seconds; None if unknown.
    """
    two = [simulate(case, _TWO) for case in held if case.truth is AttributedTo.AGENT]
    rows = [
        *_rates(held, ""),
        _rate("FN recovery, two rounds", _RECOVERY_TWO, [each.right for each in two]),
        *_orders(held),
        *_retries(held),
        _durations(held),
    ]
    if duration is not None:
        rows.append(
            TargetResult(
                "the experiment",
                f"{_EXPERIMENT_S / 60:.0f} min",
                f"{duration / 60:.1f} min",
                duration <= _EXPERIMENT_S,
            )
        )
    for name, cases in weaker.items():
        rows += _rates(cases, f", probes continued by the {name}")
    return tuple(rows)


def _rates(cases: Sequence[KnownCase], suffix: str) -> Iterable[TargetResult]:
    outcomes = [simulate(case, _ONE) for case in cases]
    agent = [each.right for each in outcomes if each.case.truth is AttributedTo.AGENT]
    kept = [
        each.attributed_to is not AttributedTo.AGENT
        for each in outcomes
        if each.case.truth is AttributedTo.ENVIRONMENT
    ]
    yield _rate(f"FN recovery, one round{suffix}", _RECOVERY, agent)
    yield _rate(f"TN kept{suffix}", _KEPT, kept)
    area = signal_auc(outcomes)
    reached = None if area is None else area >= _AUC
    yield TargetResult(f"AUC of p{suffix}", f"{_AUC:.2f}", auc_cell(outcomes), reached)


def _orders(held: Sequence[KnownCase]) -> Iterable[TargetResult]:
    settings = replace(_ONE, order=ProbeOrder.GAIN)
    agent = [case for case in held if case.truth is AttributedTo.AGENT]
    differing = [case for case in agent if order_matters(case)]
    for suffix, cases in (("", agent), (", where the probes differ", differing)):
        found = [each for case in cases if (each := first_recovers(case, settings)) is not None]
        yield _rate(f"the first probe by gain recovers{suffix}", _FIRST, [first for first, _ in found])


def _retries(held: Sequence[KnownCase]) -> Iterable[TargetResult]:
    """Compare with retries that use at most the actions of the diagnosis of the same failure."""
    agent = [case for case in held if case.truth is AttributedTo.AGENT and case.retries]
    outcomes = [simulate(case, _ONE) for case in agent]
    ours = [each.right for each in outcomes]
    for name, attempts in _ATTEMPTS.items():
        theirs = [retried(each.case, attempts, each.steps) for each in outcomes]
        measured = f"{rate_cell(ours)} against {rate_cell(theirs)}" if ours else "–"
        yield TargetResult(
            f"FN recovery against {name}, at equal steps",
            "ahead",
            measured,
            sum(ours) > sum(theirs) if ours else None,
        )


def _durations(held: Sequence[KnownCase]) -> TargetResult:
    found = sorted(_seconds(simulate(case, _ONE)) for case in held if case.rounds)
    figure, target = "a diagnosis, with the confirmation", f"{_DIAGNOSIS_S:.0f} s"
    if not found:
        return TargetResult(figure, target, "–", None)
    words = f"median {median(found):.1f} s, longest {found[-1]:.1f} s"
    return TargetResult(figure, target, words, found[-1] <= _DIAGNOSIS_S)


def _seconds(outcome: CaseOutcome) -> float:
    return sum(each.result.seconds for each in outcome.state.performed)


def _rate(figure: str, target: float, values: Sequence[bool]) -> TargetResult:
    reached = sum(values) >= target * len(values) if values else None
    return TargetResult(figure, f"{target:.0%}", rate_cell(values), reached)
