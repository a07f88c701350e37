"""The attribution signal p: the preference for a fault of the environment, and how probes move it.

It is DiagEval's scoring rule (arXiv 2605.17439, equations 2 and 3), not a calibrated probability. An
inconclusive probe never moves it.
"""

from __future__ import annotations

import enum
import math
from collections.abc import Mapping
from dataclasses import dataclass, replace

from garabench.diagnosis.probe import DiagnosticProbe, ProbeOutcome, ProbeType
from garabench.diagnosis.routing import Weights

_MARGIN = 1e-12
"""Distance of p from 0 and 1: however many probes agree, none settles the question for good."""
GAMMA: Mapping[ProbeType, float] = {ProbeType.A: 0.60, ProbeType.B: 0.50, ProbeType.C: 0.40}
"""How compatible a failed probe of each type is with a fault of the agent."""


class Scoring(enum.StrEnum):
    """How the results of probes move the attribution signal."""

    PAPER = "paper"
    """Equations 2 and 3 as published. Their likelihoods are not one model: the gain can be negative."""
    CODE = "code"
    """The published code: prior 0.10, no early stop, and the routing weight as chance of recovery."""
    COHERENT = "coherent"
    """gamma as a likelihood ratio, so that all likelihoods are one model and the gain is never negative."""


@dataclass(frozen=True, slots=True)
class AttributionModel:
    """The parameters of a scoring.

    Attributes:
        scoring: The scoring.
        prior: p before the first probe.
        success_agent: Chance of a verified success if the agent is at fault (w; alpha in the code).
        success_env: Chance of a success signal if the environment is at fault (beta).
        threshold: p at which a diagnosis stops in favor of the environment; None if it never stops so.
    """

    scoring: Scoring
    prior: float = 0.5
    success_agent: float = 0.60
    success_env: float = 0.20
    threshold: float | None = 0.70

    def success_given_agent(self, kind: ProbeType) -> float:
        """Return the chance of a verified success of a probe if the agent is at fault."""
        if self.scoring is Scoring.COHERENT:
            return 1 - (1 - self.success_env) * GAMMA[kind]
        return self.success_agent


MODELS: Mapping[Scoring, AttributionModel] = {
    Scoring.PAPER: AttributionModel(Scoring.PAPER),
    Scoring.CODE: AttributionModel(Scoring.CODE, 0.10, 0.80, 0.10, None),
    Scoring.COHERENT: AttributionModel(Scoring.COHERENT),
}
"""The parameters of each scoring."""


def entropy(p: float) -> float:
    """Return the entropy of a binary variable in bits."""
    if p <= 0 or p >= 1:
        return 0.0
    return -(p * math.log2(p) + (1 - p) * math.log2(1 - p))


def after_failure(model: AttributionModel, p: float, kind: ProbeType) -> float:
    """Return p after a failed probe (equation 3)."""
    return _inside(p / (p + (1 - p) * GAMMA[kind]))


def after_success(model: AttributionModel, p: float, kind: ProbeType) -> float:
    """Return p after a verified success (equation 3)."""
    for_env = model.success_env * p
    return _inside(for_env / (model.success_given_agent(kind) * (1 - p) + for_env))


def update(model: AttributionModel, p: float, kind: ProbeType, outcome: ProbeOutcome) -> float:
    """Return p after a probe; an inconclusive one does not move it."""
    match outcome:
        case ProbeOutcome.PASS:
            return after_success(model, p, kind)
        case ProbeOutcome.FAIL:
            return after_failure(model, p, kind)
        case ProbeOutcome.INCONCLUSIVE:
            return p


def information_gain(
    model: AttributionModel,
    p: float,
    kind: ProbeType,
    weights: Weights | None = None,
    *,
    success_agent: float | None = None,
    success_env: float | None = None,
) -> float:
    """Return the expected information gain of a probe in bits (equation 2).

    Args:
        model: The scoring and its parameters.
        p: The attribution signal before the probe.
        kind: The probe's type.
        weights: The routing weights of the failure's category, which the scoring ``code`` uses.
        success_agent: The supervisor's estimate of a success if the agent is at fault; it replaces that of
            the scoring ``paper``. None for the scoring's own.
        success_env: Likewise if the environment is at fault.
    """
    p = _inside(p)
    if model.scoring is Scoring.PAPER:
        model = replace(
            model,
            success_agent=model.success_agent if success_agent is None else _inside(success_agent),
            success_env=model.success_env if success_env is None else _inside(success_env),
        )
    if model.scoring is Scoring.CODE:
        share = 1 / 3 if weights is None else weights[kind]
        ratio = model.success_env / (model.success_agent + model.success_env)
        success = (1 - p) * share + p * ratio
    else:
        success = (1 - p) * model.success_given_agent(kind) + p * model.success_env
    expected = success * entropy(after_success(model, p, kind)) + (1 - success) * entropy(
        after_failure(model, p, kind)
    )
    return entropy(p) - expected


def by_information_gain(
    model: AttributionModel, p: float, probes: tuple[DiagnosticProbe, ...], weights: Weights | None = None
) -> tuple[DiagnosticProbe, ...]:
    """Return probes by descending information gain; equal ones stay in the supervisor's order.

    The supervisor's estimates of a probe's success plan the order only: what an outcome means for p depends
    on the probe's type alone.
    """

    def gain(each: DiagnosticProbe) -> float:
        return information_gain(
            model,
            p,
            each.type,
            weights,
            success_agent=each.p_success_agent,
            success_env=each.p_success_env,
        )

    return tuple(sorted(probes, key=lambda each: -gain(each)))


def _inside(p: float) -> float:
    return min(1 - _MARGIN, max(_MARGIN, p))
