"""The diagnosis of one failure as a pure state machine: probe results go in, the next probe comes out.

A verified success ends it in favor of the agent's fault, since the goal can be reached. A threshold of the
attribution signal ends it in favor of the environment's. Otherwise the next round begins, until none is left.
"""

from __future__ import annotations

import enum
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from garabench.core.seeds import generator
from garabench.diagnosis.attribution import (
    MODELS,
    AttributionModel,
    Scoring,
    by_information_gain,
    update,
)
from garabench.diagnosis.probe import DiagnosticProbe, DiagnosticProbeResult, ProbeOutcome, ProbeType
from garabench.diagnosis.routing import Weights


class AttributedTo(enum.StrEnum):
    """To whom a diagnosis attributes a failure."""

    AGENT = "agent"
    """A probe met the goal: the environment works, and the agent failed."""
    ENVIRONMENT = "environment"
    """The probes failed, and the attribution signal reached the threshold."""
    INCONCLUSIVE = "inconclusive"
    """Too few probes showed anything."""


class ProbeOrder(enum.StrEnum):
    """The order in which the selected probes are performed."""

    GAIN = "gain"
    """By expected information gain."""
    SUPERVISOR = "supervisor"
    """As the supervisor ranks them."""
    RANDOM = "random"
    """Shuffled by the case's seed."""
    FIXED = "fixed"
    """A before B before C."""


@dataclass(frozen=True, slots=True)
class DiagnosisSettings:
    """How failures are diagnosed.

    Attributes:
        scoring: The scoring.
        rounds: Maximum number of rounds (R).
        candidates: Number of candidate probes of a round (N).
        select: Number of those that are performed at most (K).
        order: Their order.
        stop: Whether the threshold ends a diagnosis.
        confirm: Whether the environment is blamed only after the task failed from its start too.
    """

    scoring: Scoring = Scoring.PAPER
    rounds: int = 1
    candidates: int = 5
    select: int = 3
    order: ProbeOrder = ProbeOrder.GAIN
    stop: bool = True
    confirm: bool = True

    def __post_init__(self) -> None:
        if self.rounds < 1 or self.select < 1 or self.candidates < self.select:
            raise ValueError("a diagnosis needs a round, a probe and as many candidates as probes")

    @property
    def model(self) -> AttributionModel:
        """The parameters of the scoring."""
        return MODELS[self.scoring]

    @property
    def threshold(self) -> float | None:
        """The signal at which a diagnosis stops; None without that rule."""
        return self.model.threshold if self.stop else None


@dataclass(frozen=True, slots=True)
class PerformedProbe:
    """A probe, its result, and the attribution signal before and after it.

    Attributes:
        round: Number of the round, from 1.
        probe: The probe.
        result: Its result.
        before, after: The attribution signal.
    """

    round: int
    probe: DiagnosticProbe
    result: DiagnosticProbeResult
    before: float
    after: float

    @property
    def type(self) -> ProbeType:
        """What it was in effect: a plan of another type that only repeated the failed action is a C."""
        return effective_type(self.probe, self.result)


def effective_type(probe: DiagnosticProbe, result: DiagnosticProbeResult) -> ProbeType:
    """Return the type by which a probe's result is counted.

    Args:
        probe: The probe.
        result: Its result, which says whether it only repeated the failed action.
    """
    return ProbeType.C if result.repeated else probe.type


@dataclass(frozen=True, slots=True)
class DiagnosisState:
    """The state of a diagnosis.

    Attributes:
        settings: The settings.
        p: The attribution signal.
        round: Number of the current round, from 1; 0 before the first.
        pending: The probes of the round that are still to be performed, in order.
        performed: The performed probes of all rounds.
    """

    settings: DiagnosisSettings
    p: float
    round: int = 0
    pending: tuple[DiagnosticProbe, ...] = ()
    performed: tuple[PerformedProbe, ...] = field(default=())

    @property
    def passed(self) -> PerformedProbe | None:
        """The probe that met the goal, or None."""
        return next((each for each in self.performed if each.result.outcome is ProbeOutcome.PASS), None)

    @property
    def decided(self) -> bool:
        """Whether a stop rule holds."""
        threshold = self.settings.threshold
        return self.passed is not None or (threshold is not None and self.p >= threshold)

    @property
    def next_probe(self) -> DiagnosticProbe | None:
        """The probe to perform next; None if the round is over."""
        return None if self.decided or not self.pending else self.pending[0]

    @property
    def needs_round(self) -> bool:
        """Whether another round begins."""
        return not self.decided and not self.pending and self.round < self.settings.rounds

    @property
    def attributed_to(self) -> AttributedTo:
        """The attribution as of now.

        Without a success, the environment is at fault if the signal reached the scoring's threshold. If it
        did not, or the scoring has none, the attribution follows from the probes that showed something: all
        of them have failed. Fewer than two of them are too few.
        """
        if self.passed is not None:
            return AttributedTo.AGENT
        failed = sum(each.result.outcome is ProbeOutcome.FAIL for each in self.performed)
        threshold = self.settings.model.threshold
        if failed and (failed >= _ENOUGH if threshold is None else self.p >= threshold):
            return AttributedTo.ENVIRONMENT
        return AttributedTo.INCONCLUSIVE


_ENOUGH = 2
"""Failed probes from which the environment is blamed by a scoring without a threshold."""


def begin(settings: DiagnosisSettings) -> DiagnosisState:
    """Return the state before the first round."""
    return DiagnosisState(settings, settings.model.prior)


def begin_round(
    state: DiagnosisState,
    selected: Sequence[DiagnosticProbe],
    *,
    weights: Weights | None = None,
    seed: int = 0,
) -> DiagnosisState:
    """Begin a round with the supervisor's selection, in the order in which it is performed.

    Args:
        state: The state after the previous round.
        selected: The valid candidates, best first; those beyond K are left out.
        weights: The routing weights of the failure's category.
        seed: Random seed of the order ``random``.

    Raises:
        ValueError: The diagnosis needs no further round.
    """
    if not state.needs_round:
        raise ValueError("the diagnosis needs no further round")
    settings = state.settings
    chosen = tuple(probe for probe in selected if probe.valid)[: settings.select]
    match settings.order:
        case ProbeOrder.GAIN:
            chosen = by_information_gain(settings.model, state.p, chosen, weights)
        case ProbeOrder.RANDOM:
            shuffled = list(chosen)
            generator(seed, "diagnosis", "order", state.round).shuffle(shuffled)
            chosen = tuple(shuffled)
        case ProbeOrder.FIXED:
            chosen = tuple(sorted(chosen, key=lambda each: each.type))
        case ProbeOrder.SUPERVISOR:
            pass
    return replace(state, round=state.round + 1, pending=chosen)


def record_result(state: DiagnosisState, result: DiagnosticProbeResult) -> DiagnosisState:
    """Return the state after the result of the next probe.

    Raises:
        ValueError: No probe is to be performed.
    """
    probe = state.next_probe
    if probe is None:
        raise ValueError("no probe is to be performed")
    after = update(state.settings.model, state.p, effective_type(probe, result), result.outcome)
    done = PerformedProbe(state.round, probe, result, state.p, after)
    return replace(state, p=after, pending=state.pending[1:], performed=(*state.performed, done))
