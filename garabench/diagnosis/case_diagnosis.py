"""Diagnose one failure: join the supervisor and the loop; what performs the probes is passed in."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from garabench.diagnosis.attribution import update
from garabench.diagnosis.failed_case import FailedCase
from garabench.diagnosis.failure_summary import FailureSummary, Supervisor
from garabench.diagnosis.loop import (
    AttributedTo,
    DiagnosisSettings,
    DiagnosisState,
    PerformedProbe,
    begin,
    begin_round,
    record_result,
)
from garabench.diagnosis.probe import DiagnosticProbe, DiagnosticProbeResult, ProbeOutcome, ProbeType
from garabench.diagnosis.reasons import attribution_reason
from garabench.diagnosis.routing import quotas, routing_weights
from garabench.errors import ModelError


@dataclass(frozen=True, slots=True)
class ProbeTask:
    """A probe to perform.

    Attributes:
        round: Number of the round, from 1.
        number: Number of the probe within the round, from 1.
        fork: Place of the fork in the case's steps.
        probe: The probe.
    """

    round: int
    number: int
    fork: int
    probe: DiagnosticProbe

    @property
    def name(self) -> str:
        """Its name within the diagnosis, which names its record's folder."""
        return f"{self.round}-{self.number}-{self.probe.name}"


PerformProbe = Callable[[FailedCase, ProbeTask], DiagnosticProbeResult]
"""Performs a probe; the goal check is the witness of a pass, and nothing else about the goal is returned."""


@dataclass(frozen=True, slots=True)
class RoundSummary:
    """A round of a diagnosis.

    Attributes:
        summary: The failure diagnostic summary.
        candidates: The candidate probes, in the supervisor's order.
    """

    summary: FailureSummary
    candidates: tuple[DiagnosticProbe, ...]


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """The diagnosis of a failed episode.

    Attributes:
        case: The episode: ``task/agent/condition/seed``.
        attributed_to: Who failed.
        p: The attribution signal at the end.
        reason: Why, in plain language.
        prior: The attribution signal at the beginning.
        wrong_step: Number of the first step that looks wrong; None if the record could not be read.
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
        reason,
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
    state, rounds, fault = begin(settings), list[RoundSummary](), ""
    while state.needs_round:
        try:
            found = _round(case, supervisor, settings, state)
        except ModelError as error:
            fault = f"the supervisor's model failed: {error}"
            break
        if not any(each.valid for each in found.candidates):
            fault = "no probe can be performed from the fork"
            break
        rounds.append(found)
        weights = routing_weights(found.summary.category)
        state = begin_round(state, found.candidates, weights=weights, seed=case.seed)
        number = 0
        while (probe := state.next_probe) is not None:
            number += 1
            task = ProbeTask(state.round, number, found.summary.fork, probe)
            state = record_result(state, perform(case, task))
        if not state.decided:
            state = replace(state, pending=())
    if state.attributed_to is AttributedTo.ENVIRONMENT and not _tried_from_start(state, rounds):
        state = _confirm(case, state, perform)
    return _conclude(case, supervisor, settings, state, tuple(rounds), fault)


def _round(
    case: FailedCase, supervisor: Supervisor, settings: DiagnosisSettings, state: DiagnosisState
) -> RoundSummary:
    history = state.performed
    summary = supervisor.summarize(case, history)
    fork = min(max(0, summary.fork), len(case.steps) - 1)
    summary = replace(summary, fork=fork)
    shares = quotas(routing_weights(summary.category), settings.candidates)
    candidates = supervisor.propose(case, summary, shares, history)
    return RoundSummary(summary, supervisor.select(case, summary, candidates, history))


def _tried_from_start(state: DiagnosisState, rounds: Sequence[RoundSummary]) -> bool:
    """Return whether a probe failed from the first step, before anything that the agent did."""
    return any(
        each.result.outcome is ProbeOutcome.FAIL and rounds[each.round - 1].summary.fork == 0
        for each in state.performed
    )


def _confirm(case: FailedCase, state: DiagnosisState, perform: PerformProbe) -> DiagnosisState:
    """Return the state after the whole task was tried from the start, before the environment is blamed.

    What the agent did before the fork may have made the goal unreachable from there. Only a success moves the
    signal, since the scoring knows no such probe.
    """
    last = state.performed[-1]
    probe = DiagnosticProbe(
        "a-from-start",
        ProbeType.A,
        (),
        "what the agent did before the fork may prevent the goal",
        last.probe.continuation,
        from_start=True,
    )
    number = sum(each.round == state.round for each in state.performed) + 1
    result = perform(case, ProbeTask(state.round, number, 0, probe))
    passed = result.outcome is ProbeOutcome.PASS
    after = update(state.settings.model, state.p, probe.type, result.outcome) if passed else state.p
    done = PerformedProbe(state.round, probe, result, state.p, after)
    return replace(state, p=after, pending=(), performed=(*state.performed, done))


def _doubt(case: FailedCase, state: DiagnosisState, rounds: Sequence[RoundSummary]) -> str:
    """Return why nothing can be attributed although the signal does so, in words; empty if it can."""
    other = next((each.result.other_result for each in state.performed if each.result.other_result), "")
    if other:
        return f"the same action had another result: possibly flaky ({other})"
    last = next((each for each in state.performed if each.probe.from_start), None)
    if last is None:
        return ""
    fork = case.steps[rounds[-1].summary.fork].step
    if last.result.outcome is ProbeOutcome.INCONCLUSIVE:
        return f"whether the task can be done from its start is unknown: {last.result.reason}"
    if last.result.outcome is ProbeOutcome.PASS and any(
        case.steps[0].step < each.step <= fork for each in case.interruptions
    ):
        return (
            f"the goal was met from the start, without the interruption, and not from step {fork}: the agent "
            "or the interruption changed the app before"
        )
    return ""


def _conclude(
    case: FailedCase,
    supervisor: Supervisor,
    settings: DiagnosisSettings,
    state: DiagnosisState,
    rounds: tuple[RoundSummary, ...],
    fault: str,
) -> Diagnosis:
    first = rounds[0].summary if rounds else None
    wrong = None if first is None else first.fork if first.wrong is None else first.wrong
    doubt = _doubt(case, state, rounds)
    return Diagnosis(
        case=case.name,
        attributed_to=AttributedTo.INCONCLUSIVE if doubt else state.attributed_to,
        p=state.p,
        reason=attribution_reason(state, first, fault, doubt),
        prior=settings.model.prior,
        wrong_step=None if wrong is None else case.steps[wrong].step,
        rounds=rounds,
        probes=state.performed,
        supervisor=supervisor.name,
        scoring=settings.scoring.value,
    )
