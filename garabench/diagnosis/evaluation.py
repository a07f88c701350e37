"""Measure diagnoses against failures whose cause is known: pure functions of recorded probe outcomes.

Every probe of a case was performed once. What another order, another number of rounds or a left-out type
would have led to follows from these outcomes, so that all variants are compared on the same probes. Each
variant follows the procedure of `garabench.diagnosis.procedure`, as diagnoses of runs do.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from garabench.diagnosis.attribution import entropy
from garabench.diagnosis.failure_summary import FailureSummary
from garabench.diagnosis.loop import AttributedTo, DiagnosisSettings, DiagnosisState, ProbeOrder
from garabench.diagnosis.probe import (
    DiagnosticProbe,
    DiagnosticProbeResult,
    ProbeOutcome,
    ProbeType,
)
from garabench.diagnosis.procedure import (
    CaseOutline,
    ProbeTask,
    ProcedureEnd,
    RoundSummary,
    follow_procedure,
)
from garabench.diagnosis.routing import FailureCategory


@dataclass(frozen=True, slots=True)
class CandidateOutcome:
    """A candidate probe of a known case, and what it showed.

    Attributes:
        name, type: Its name and type.
        outcome: Its outcome.
        steps: Number of performed actions, with those of the replayed prefix.
        seconds: Duration.
        reason: How it ended.
        p_success_agent: The supervisor's estimate of its success if the agent is at fault, or None.
        repeated: Whether it only repeated the failed action.
        other_result: How repeating the recorded actions had another result; empty if it had not.
    """

    name: str
    type: ProbeType
    outcome: ProbeOutcome
    steps: int
    seconds: float
    reason: str = ""
    p_success_agent: float | None = None
    repeated: bool = False
    other_result: str = ""

    @property
    def probe(self) -> DiagnosticProbe:
        """The probe, without its steps."""
        return DiagnosticProbe(self.name, self.type, (), "", p_success_agent=self.p_success_agent)

    @property
    def result(self) -> DiagnosticProbeResult:
        """The outcome as the loop takes it."""
        witness = "goal met" if self.outcome is ProbeOutcome.PASS else ""
        return DiagnosticProbeResult(
            self.outcome,
            self.reason or "unknown",
            witness,
            repeated=self.repeated,
            other_result=self.other_result,
            steps=self.steps,
            seconds=self.seconds,
        )


@dataclass(frozen=True, slots=True)
class RetryOutcome:
    """A whole new attempt of the same agent.

    Attributes:
        solved: Whether it met the goal.
        steps: Number of performed actions.
    """

    solved: bool
    steps: int


@dataclass(frozen=True, slots=True)
class KnownRound:
    """A round of a known case.

    Attributes:
        category: The category of its summary.
        fork: Place of the fork in the episode's steps.
        candidates: The performed candidates with their outcomes, in the supervisor's order.
    """

    category: FailureCategory
    fork: int
    candidates: tuple[CandidateOutcome, ...]


@dataclass(frozen=True, slots=True)
class KnownCase:
    """A failure whose cause is known.

    Attributes:
        name: Its name.
        task: The task.
        truth: Who caused it: the agent or the environment.
        cause: The defect or the agent's fault.
        condition: The episode's condition.
        held_out: Whether it belongs to the half on which nothing was tuned.
        steps: Number of actions of the failed episode.
        outline: The failed episode as the procedure knows it.
        rounds: The rounds; empty if the record could not be diagnosed.
        from_start: The confirmation from the start; None if no variant needs it.
        retries: Further attempts of the agent, in order.
        seconds: Duration of the failed episode.
        certain: Whether the cause makes every attempt fail; False for a defect that shows itself at times.
    """

    name: str
    task: str
    truth: AttributedTo
    cause: str
    condition: str
    held_out: bool
    steps: int
    outline: CaseOutline
    rounds: tuple[KnownRound, ...]
    from_start: CandidateOutcome | None = None
    retries: tuple[RetryOutcome, ...] = ()
    seconds: float = 0.0
    certain: bool = True


Keep = Callable[[ProbeType], bool]
"""Returns whether candidates of a type may be selected."""


@dataclass(frozen=True, slots=True)
class CaseOutcome:
    """What a variant of the diagnosis makes of a known case.

    Attributes:
        case: The case.
        end: How the procedure ended.
    """

    case: KnownCase
    end: ProcedureEnd

    @property
    def state(self) -> DiagnosisState:
        """The state of the loop at its end."""
        return self.end.state

    @property
    def attributed_to(self) -> AttributedTo:
        """To whom it attributes the failure."""
        return self.end.attributed_to

    @property
    def passed(self) -> bool:
        """Whether a probe met the goal, regardless of the attribution."""
        return self.state.passed is not None

    @property
    def right(self) -> bool:
        """Whether the attribution is the truth."""
        return self.attributed_to is self.case.truth

    @property
    def probes(self) -> int:
        """Number of performed probes."""
        return len(self.state.performed)

    @property
    def steps(self) -> int:
        """Number of actions in all probes."""
        return sum(each.result.steps for each in self.state.performed)

    @property
    def entropy_drop(self) -> float:
        """The drop of the signal's entropy, in bits."""
        return entropy(self.state.settings.model.prior) - entropy(self.state.p)


def every_type(kind: ProbeType) -> bool:
    """Return True: candidates of every type may be selected."""
    return True


def without_type(left_out: ProbeType) -> Keep:
    """Return a filter that leaves out the candidates of a type."""
    return lambda kind: kind is not left_out


@dataclass(frozen=True, slots=True)
class DiagnosisVariant:
    """A variant of the diagnosis, to be compared with the others.

    Attributes:
        name: Its name in tables.
        settings: Its settings.
        keep: Returns whether candidates of a type may be selected.
    """

    name: str
    settings: DiagnosisSettings
    keep: Keep = every_type


_ONE = DiagnosisSettings()
VARIANTS = (
    DiagnosisVariant("one round (R = 1)", _ONE),
    DiagnosisVariant("two rounds (R = 2)", DiagnosisSettings(rounds=2)),
    DiagnosisVariant("without the confirmation from the start", replace(_ONE, confirm=False)),
    DiagnosisVariant("without type B", _ONE, without_type(ProbeType.B)),
    DiagnosisVariant("without EIG (supervisor's order)", replace(_ONE, order=ProbeOrder.SUPERVISOR)),
    DiagnosisVariant("without EIG (random order)", replace(_ONE, order=ProbeOrder.RANDOM)),
    DiagnosisVariant("without the stop rule", replace(_ONE, stop=False)),
)
"""The variants that are compared; the first two are measured on the tuning half as well."""


def simulate(case: KnownCase, settings: DiagnosisSettings, keep: Keep = every_type) -> CaseOutcome:
    """Return what a variant of the diagnosis makes of a known case.

    Args:
        case: The case.
        settings: The variant.
        keep: Returns whether candidates of a type may be selected.

    Raises:
        ValueError: The variant needs the confirmation from the start, which was not performed.
    """

    def kept(number: int) -> list[CandidateOutcome]:
        known = case.rounds[number - 1].candidates if number <= len(case.rounds) else ()
        return [each for each in known if keep(each.type)]

    def plan(state: DiagnosisState) -> RoundSummary:
        number = state.round + 1
        if number > len(case.rounds):
            return RoundSummary(FailureSummary(0, FailureCategory.UNKNOWN, ""), ())
        known = case.rounds[number - 1]
        summary = FailureSummary(known.fork, known.category, "")
        return RoundSummary(summary, tuple(each.probe for each in kept(number)))

    def perform(task: ProbeTask) -> DiagnosticProbeResult:
        if not task.probe.from_start:
            return next(each.result for each in kept(task.round) if each.name == task.probe.name)
        if case.from_start is None:
            raise ValueError(f"{case.name}: the confirmation from the start was not performed")
        return case.from_start.result

    return CaseOutcome(case, follow_procedure(case.outline, settings, plan, perform))


def first_recovers(case: KnownCase, settings: DiagnosisSettings) -> tuple[bool, int] | None:
    """Return whether the first performed probe recovers a case, and the number of probes until one does.

    None if none of the selected probes of the first round recovers it.
    """
    single = replace(settings, rounds=1, stop=False, confirm=False)
    outcome = simulate(case, single)
    if not outcome.passed:
        return None
    return outcome.state.performed[0].result.outcome is ProbeOutcome.PASS, outcome.probes


def order_matters(case: KnownCase) -> bool:
    """Return whether some of the selected probes of the first round recover a case, and others do not."""
    selected = case.rounds[0].candidates[: _ONE.select] if case.rounds else ()
    outcomes = {each.outcome for each in selected}
    return ProbeOutcome.PASS in outcomes and len(outcomes) > 1


def retried(case: KnownCase, attempts: int, budget: int | None = None) -> bool:
    """Return whether retrying recovers a case.

    Args:
        case: The case.
        attempts: Number of further attempts.
        budget: Number of actions that all attempts may use together; None without a limit.
    """
    used = 0
    for each in case.retries[:attempts]:
        used += each.steps
        if budget is not None and used > budget:
            return False
        if each.solved:
            return True
    return False


def roc_auc(positive: Sequence[float], negative: Sequence[float]) -> float | None:
    """Return the chance that a positive's score exceeds a negative's; ties count half. None without both."""
    if not positive or not negative:
        return None
    won = sum((a > b) + 0.5 * (a == b) for a in positive for b in negative)
    return won / (len(positive) * len(negative))


def brier(scores: Sequence[tuple[float, bool]]) -> float | None:
    """Return the mean squared difference between scores and what happened; None without a score."""
    if not scores:
        return None
    return sum((p - happened) ** 2 for p, happened in scores) / len(scores)


def calibration(scores: Sequence[tuple[float, bool]], bins: int = 5) -> tuple[tuple[float, float, int], ...]:
    """Return mean score, share that happened and count, for each bin of scores that has any."""
    rows = []
    for number in range(bins):
        low, high = number / bins, (number + 1) / bins
        inside = [(p, did) for p, did in scores if low <= p < high or (number == bins - 1 and p == 1)]
        if inside:
            count = len(inside)
            rows.append((sum(p for p, _ in inside) / count, sum(did for _, did in inside) / count, count))
    return tuple(rows)


def without_estimates(case: KnownCase) -> KnownCase:
    """Return a case whose probes have no estimates, so that their type alone decides the gain."""
    rounds = tuple(
        replace(known, candidates=tuple(replace(each, p_success_agent=None) for each in known.candidates))
        for known in case.rounds
    )
    return replace(case, rounds=rounds)


def fitted_estimates(cases: Iterable[KnownCase]) -> dict[str, float]:
    """Return each probe's chance of success in failures of the agent, counted, with Laplace's smoothing.

    Args:
        cases: Cases other than those to which the estimates will be applied.
    """
    passed: Counter[str] = Counter()
    tried: Counter[str] = Counter()
    for case in cases:
        if case.truth is not AttributedTo.AGENT:
            continue
        for each in (candidate for known in case.rounds[:1] for candidate in known.candidates):
            if each.outcome is not ProbeOutcome.INCONCLUSIVE:
                tried[each.name] += 1
                passed[each.name] += each.outcome is ProbeOutcome.PASS
    return {name: (passed[name] + 1) / (count + 2) for name, count in tried.items()}


def with_estimates(case: KnownCase, estimates: Mapping[str, float]) -> KnownCase:
    """Return a case whose probes have these estimates; those without one keep their own."""
    rounds = tuple(
        replace(
            known,
            candidates=tuple(
                replace(each, p_success_agent=estimates.get(each.name, each.p_success_agent))
                for each in known.candidates
            ),
        )
        for known in case.rounds
    )
    return replace(case, rounds=rounds)


ORDERS = (ProbeOrder.GAIN, ProbeOrder.SUPERVISOR, ProbeOrder.RANDOM, ProbeOrder.FIXED)
"""The orders that are compared."""
