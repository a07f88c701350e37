"""Diagnose one failure: join the supervisor and the loop; what performs the probes is passed in."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from garabench.diagnosis.failed_case import FailedCase
from garabench.diagnosis.failure_summary import Supervisor
from garabench.diagnosis.loop import AttributedTo, DiagnosisSettings, PerformedProbe
from garabench.diagnosis.probe import DiagnosticProbeResult
from garabench.diagnosis.procedure import CaseOutline, ProbeTask, RoundSummary, follow_procedure
from garabench.diagnosis.reasons import attribution_reason
from garabench.diagnosis.routing import quotas, routing_weights

PerformProbe = Callable[[FailedCase, ProbeTask], DiagnosticProbeResult]
"""Performs a probe; the goal check is the witness of a pass, and nothing else about the goal is returned."""


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """The diagnosis of a failed episode.

    Attributes:
        case: The episode: ``task/agent/condition/seed``.
        attributed_to: Who failed.
        p: The attribution signal at the end.
        reason: Why, in plain language.
        prior: The attribution signal at the beginning.
        wrong_step: Number of the first step that looks wrong; None if none does or the record is unreadable.
        rounds: The rounds.
        probes: The performed probes, in order.
        supervisor: The supervisor's name.
        scoring: The scoring.
    """

    case: str
    attributed_to: AttributedTo
    p: float
    reason: str
    prior: float
    wrong_step: int | None = None
    rounds: tuple[RoundSummary, ...] = ()
    probes: tuple[PerformedProbe, ...] = ()
    supervisor: str = ""
    scoring: str = ""

    @property
    def path(self) -> tuple[float, ...]:
        """The attribution signal before the first probe and after each one."""
        return (self.prior, *(each.after for each in self.probes))

    @property
    def devices(self) -> tuple[str, ...]:
        """The devices on which its probes were performed; empty if they were not recorded."""
        return tuple(dict.fromkeys(each.result.device for each in self.probes if each.result.device))


def unprobed_diagnosis(
    case: str, settings: DiagnosisSettings, reason: str, supervisor: str = ""
) -> Diagnosis:
    """Return the diagnosis of a failure that could not be probed at all."""
    prior = settings.model.prior
    return Diagnosis(
        case,
        AttributedTo.INCONCLUSIVE,
        prior,
        f"{reason[:1].upper()}{reason[1:].rstrip('.')}. Nothing is attributed.",
        prior,
        supervisor=supervisor,
        scoring=settings.scoring.value,
    )


def diagnose_case(
    case: FailedCase, supervisor: Supervisor, settings: DiagnosisSettings, perform: PerformProbe
) -> Diagnosis:
    """Diagnose a failed episode.

    Args:
        case: The episode.
        supervisor: Summarizes it, and proposes and ranks probes.
        settings: The settings.
        perform: Performs a probe.
    """
    found = follow_procedure(
        outline_of(case),
        settings,
        lambda state: plan_round(case, supervisor, settings, state.performed),
        lambda task: perform(case, task),
    )
    first = found.rounds[0].summary if found.rounds else None
    blames_environment = found.attributed_to is AttributedTo.ENVIRONMENT
    wrong = None if first is None else first.wrong_place(environment=blames_environment)
    return Diagnosis(
        case=case.name,
        attributed_to=found.attributed_to,
        p=found.state.p,
        reason=attribution_reason(found.state, first, found.fault, found.doubt),
        prior=settings.model.prior,
        wrong_step=None if wrong is None else case.steps[wrong].step,
        rounds=found.rounds,
        probes=found.state.performed,
        supervisor=supervisor.name,
        scoring=settings.scoring.value,
    )


def outline_of(case: FailedCase) -> CaseOutline:
    """Return what the procedure knows of a failed episode."""
    return CaseOutline(
        steps=tuple(each.step for each in case.steps),
        interruptions=tuple(each.step for each in case.interruptions),
        seed=case.seed,
    )


def plan_round(
    case: FailedCase, supervisor: Supervisor, settings: DiagnosisSettings, history: Sequence[PerformedProbe]
) -> RoundSummary:
    """Let the supervisor plan a round.

    Args:
        case: The failed episode.
        supervisor: The supervisor.
        settings: The settings.
        history: The probes of earlier rounds.

    Raises:
        ModelError: The supervisor's model failed, or answered nonsense.
    """
    summary = supervisor.summarize(case, history)
    fork = min(max(0, summary.fork), len(case.steps) - 1)
    summary = replace(summary, fork=fork)
    shares = quotas(routing_weights(summary.category), settings.candidates)
    candidates = supervisor.propose(case, summary, shares, history)
    return RoundSummary(summary, supervisor.select(case, summary, candidates, history))
