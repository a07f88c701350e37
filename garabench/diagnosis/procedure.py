"""The procedure of a diagnosis: rounds of probes, the confirmation from the start, and doubts.

Pure: what plans a round and what performs a probe is passed in. Diagnoses of runs follow it with a device,
and `garabench.diagnosis.evaluation` with recorded results, so that what is measured is what users get.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from garabench.diagnosis.attribution import update
from garabench.diagnosis.failure_summary import FailureSummary
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
from garabench.diagnosis.routing import routing_weights
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
class CaseOutline:
    """What the procedure knows of a failed episode.

    Attributes:
        steps: Numbers of its steps.
        interruptions: Numbers of the steps at which interruptions were injected.
        seed: Random seed of the order ``random``.
    """

    steps: tuple[int, ...]
    interruptions: tuple[int, ...] = ()
    seed: int = 0


@dataclass(frozen=True, slots=True)
class ProcedureEnd:
    """How a diagnosis ended.

    Attributes:
        state: The state of the loop, with all performed probes.
        rounds: The rounds.
        fault: What ended it early, in words; empty if nothing did.
        doubt: Why nothing is attributed although the signal does so, in words; empty if it is.
    """

    state: DiagnosisState
    rounds: tuple[RoundSummary, ...]
    fault: str
    doubt: str

    @property
    def attributed_to(self) -> AttributedTo:
        """To whom the failure is attributed."""
        return AttributedTo.INCONCLUSIVE if self.doubt else self.state.attributed_to


def follow_procedure(
    outline: CaseOutline,
    settings: DiagnosisSettings,
    plan: Callable[[DiagnosisState], RoundSummary],
    perform: Callable[[ProbeTask], DiagnosticProbeResult],
) -> ProcedureEnd:
    """Diagnose a failure.

    Args:
        outline: The failed episode.
        settings: The settings.
        plan: Summarizes the failure and proposes the next round's candidates.
        perform: Performs a probe.
    """
    state, rounds, fault = begin(settings), list[RoundSummary](), ""
    while state.needs_round:
        try:
            found = plan(state)
        except ModelError as error:
            fault = f"the supervisor's model failed: {error}"
            break
        if not any(each.valid for each in found.candidates):
            fault = "no probe can be performed from the fork"
            break
        rounds.append(found)
        weights = routing_weights(found.summary.category)
        state = begin_round(state, found.candidates, weights=weights, seed=outline.seed)
        number = 0
        while (probe := state.next_probe) is not None:
            number += 1
            task = ProbeTask(state.round, number, found.summary.fork, probe)
            state = record_result(state, perform(task))
        if not state.decided:
            state = replace(state, pending=())
    blames = state.attributed_to is AttributedTo.ENVIRONMENT
    if settings.confirm and blames and not _tried_from_start(state, rounds):
        state = _confirm(state, perform)
    return ProcedureEnd(state, tuple(rounds), fault, _doubt(outline, state, rounds))


def _tried_from_start(state: DiagnosisState, rounds: Sequence[RoundSummary]) -> bool:
    """Return whether a probe failed from the first step, before anything that the agent did."""
    return any(
        each.result.outcome is ProbeOutcome.FAIL and rounds[each.round - 1].summary.fork == 0
        for each in state.performed
    )


def _confirm(state: DiagnosisState, perform: Callable[[ProbeTask], DiagnosticProbeResult]) -> DiagnosisState:
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
    result = perform(ProbeTask(state.round, number, 0, probe))
    passed = result.outcome is ProbeOutcome.PASS
    after = update(state.settings.model, state.p, probe.type, result.outcome) if passed else state.p
    done = PerformedProbe(state.round, probe, result, state.p, after)
    return replace(state, p=after, pending=(), performed=(*state.performed, done))


def _doubt(outline: CaseOutline, state: DiagnosisState, rounds: Sequence[RoundSummary]) -> str:
    """Return why nothing can be attributed although the signal does so, in words; empty if it can."""
    other = next((each.result.other_result for each in state.performed if each.result.other_result), "")
    if other:
        return f"the same action had another result: possibly flaky ({other})"
    last = next((each for each in state.performed if each.probe.from_start), None)
    if last is None:
        return ""
    fork = outline.steps[rounds[-1].summary.fork]
    if last.result.outcome is ProbeOutcome.INCONCLUSIVE:
        return f"whether the task can be done from its start is unknown: {last.result.reason}"
    if last.result.outcome is ProbeOutcome.PASS and any(
        outline.steps[0] < each <= fork for each in outline.interruptions
    ):
        return (
            f"the goal was met from the start, without the interruption, and not from step {fork}: the agent "
            "or the interruption changed the app before"
        )
    return ""
