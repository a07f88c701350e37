"""The tables of the experiment: what variants of a diagnosis make of failures with known causes.

Pure: the same cases give the same text. Rates have 95% Wilson intervals; the AUC has a bootstrap interval
over tasks.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from garabench.core.phrases import counted
from garabench.diagnosis.evaluation import (
    ORDERS,
    VARIANTS,
    CandidateOutcome,
    CaseOutcome,
    DiagnosisVariant,
    Keep,
    KnownCase,
    brier,
    calibration,
    every_type,
    first_recovers,
    fitted_estimates,
    order_matters,
    retried,
    simulate,
    with_estimates,
    without_estimates,
)
from garabench.diagnosis.loop import AttributedTo, DiagnosisSettings, ProbeOrder
from garabench.diagnosis.probe import Continuation, ProbeOutcome
from garabench.known_causes.experiment_targets import target_results
from garabench.known_causes.result_cells import auc_cell, markdown_table, mean_cell, number_cell, rate_cell

PLOT = "images/diagnosis-calibration.svg"
"""Path of the reliability diagram, relative to the tables."""
_SETTINGS = DiagnosisSettings()


@dataclass(frozen=True, slots=True)
class PartCost:
    """What a part of an experiment used, in all calls that it took.

    Attributes:
        seconds: Duration.
        processor_seconds: Processor time, with that of the virtual phones.
    """

    seconds: float = 0.0
    processor_seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class ExperimentCost:
    """What an experiment used.

    Attributes:
        parts: What each part used, by its name.
        phones: Number of virtual phones.
        cores: Number of processor cores of the machine.
    """

    parts: Mapping[str, PartCost]
    phones: int
    cores: int

    @property
    def total(self) -> PartCost:
        """What all parts used."""
        return PartCost(
            sum(each.seconds for each in self.parts.values()),
            sum(each.processor_seconds for each in self.parts.values()),
        )


@dataclass(frozen=True, slots=True)
class ExperimentResults:
    """The measured failures of an experiment.

    Attributes:
        cases: The failures.
        weaker: A part of them, probed again with weaker continuations.
        continuation: Who continued the probes of `cases`.
        cost: What it used; None if unknown.
    """

    cases: Sequence[KnownCase]
    weaker: Mapping[Continuation, Sequence[KnownCase]] = field(default_factory=dict)
    continuation: Continuation = Continuation.REFERENCE
    cost: ExperimentCost | None = None


def experiment_tables(results: ExperimentResults) -> str:
    """Return the tables as Markdown.

    Args:
        results: The measured failures.
    """
    cases = results.cases
    certain = [case for case in cases if case.certain]
    held = [case for case in certain if case.held_out]
    parts = [
        _sample(cases),
        "### Targets, held-out half\n\n" + _targets(results, held),
        _cost(results),
        "### Held-out half\n\n" + _main_table(held),
        "### Retries, held-out failures of the agent\n\n" + _retries(held),
        "### Order of the probes, held-out failures of the agent\n\n"
        + _orders(held, fitted_estimates(each for each in certain if not each.held_out)),
        "### Calibration of p, held-out half, one round\n\n" + _calibration(held),
        "### By cause, held-out half, one round\n\n" + _causes(held),
        "### Tuning half\n\n" + _main_table([case for case in certain if not case.held_out], VARIANTS[:2]),
        _weaker(results, held),
        _contested(certain),
        _flaky([case for case in cases if not case.certain]),
    ]
    return "\n".join(part for part in parts if part)


def _sample(cases: Sequence[KnownCase]) -> str:
    truths = Counter((case.truth, case.held_out, case.certain) for case in cases)
    rows = [
        (
            name,
            truths[truth, False, certain],
            truths[truth, True, certain],
            truths[truth, False, certain] + truths[truth, True, certain],
        )
        for name, truth, certain in (
            ("agent (FN)", AttributedTo.AGENT, True),
            ("environment (TN)", AttributedTo.ENVIRONMENT, True),
            ("environment, at times (flaky)", AttributedTo.ENVIRONMENT, False),
        )
    ]
    tasks = len({case.task for case in cases})
    conditions = Counter(case.condition for case in cases)
    clean = conditions.pop("clean", 0)
    interrupted = sum(conditions.values())
    about = f"{len(cases)} failures of {tasks} tasks, {clean} clean and {interrupted} interrupted."
    return f"{about}\n\n{markdown_table(('cause', 'tuning', 'held out', 'all'), rows)}"


def _main_table(cases: Sequence[KnownCase], variants: Sequence[DiagnosisVariant] = VARIANTS) -> str:
    if not cases:
        return "No case.\n"
    rows = [_variant_row(each.name, cases, each.settings, each.keep) for each in variants]
    return markdown_table(_MAIN_HEAD, rows)


_MAIN_HEAD = (
    "variant", "FN recovery", "TN kept", "accuracy", "AUC of p", "Brier", "ΔH", "probes", "steps"
)  # fmt: skip


def _variant_row(
    name: str, cases: Sequence[KnownCase], settings: DiagnosisSettings, keep: Keep = every_type
) -> tuple[str, ...]:
    outcomes = [simulate(case, settings, keep) for case in cases]
    agent = [each for each in outcomes if each.case.truth is AttributedTo.AGENT]
    env = [each for each in outcomes if each.case.truth is AttributedTo.ENVIRONMENT]
    scores = [(each.state.p, each.case.truth is AttributedTo.ENVIRONMENT) for each in outcomes]
    return (
        name,
        rate_cell(each.right for each in agent),
        rate_cell(each.attributed_to is not AttributedTo.AGENT for each in env),
        rate_cell(each.right for each in outcomes),
        auc_cell(outcomes),
        number_cell(brier(scores), 3),
        mean_cell(each.entropy_drop for each in outcomes),
        mean_cell(each.probes for each in outcomes),
        mean_cell(each.steps for each in outcomes),
    )


def _retries(cases: Sequence[KnownCase]) -> str:
    """Compare with retries, also limited to the actions that the diagnosis of the same case used."""
    agent = [case for case in cases if case.truth is AttributedTo.AGENT and case.retries]
    if not agent:
        return "No case.\n"
    outcomes = {case.name: simulate(case, _SETTINGS) for case in agent}
    rows = [("diagnosis, one round", rate_cell(outcomes[case.name].right for case in agent), "")]
    for name, attempts in (("retry ×1", 1), ("retry ×2", 2), ("best of 3 new attempts", 3)):
        tried = [case for case in agent if len(case.retries) >= attempts or retried(case, attempts)]
        if tried:
            rows.append(
                (
                    name,
                    rate_cell(retried(case, attempts) for case in tried),
                    rate_cell(retried(case, attempts, outcomes[case.name].steps) for case in tried),
                )
            )
    return markdown_table(("method", "FN recovery", "at equal steps"), rows)


def _orders(cases: Sequence[KnownCase], fitted: Mapping[str, float]) -> str:
    """Compare orders of the selected probes, also over the cases in which the order can matter.

    Args:
        cases: The cases.
        fitted: Estimates of each probe's success, from the other half.
    """
    agent = [case for case in cases if case.truth is AttributedTo.AGENT]
    rows = []
    for suffix, chosen in (
        ("", agent),
        (", where the probes differ", [c for c in agent if order_matters(c)]),
    ):
        for order in ORDERS:
            settings = replace(_SETTINGS, order=order)
            rows.append(_order_row(f"{order.value}{suffix}", chosen, settings))
            if order is ProbeOrder.GAIN:
                plain = [without_estimates(case) for case in chosen]
                rows.append(_order_row(f"gain by type alone{suffix}", plain, settings))
                learnt = [with_estimates(case, fitted) for case in chosen]
                rows.append(_order_row(f"gain, estimates of the tuning half{suffix}", learnt, settings))
    return markdown_table(("order", "first probe recovers", "probes until one does"), rows)


def _order_row(name: str, cases: Sequence[KnownCase], settings: DiagnosisSettings) -> tuple[str, str, str]:
    found = [each for case in cases if (each := first_recovers(case, settings)) is not None]
    return name, rate_cell(first for first, _ in found), mean_cell(count for _, count in found)


def held_out_scores(cases: Iterable[KnownCase]) -> tuple[tuple[float, bool], ...]:
    """Return p of each held-out failure after one round, and whether the environment caused it.

    Args:
        cases: The measured failures of both halves.
    """
    outcomes = [simulate(case, _SETTINGS) for case in cases if case.held_out and case.certain]
    return tuple((each.state.p, each.case.truth is AttributedTo.ENVIRONMENT) for each in outcomes)


def _calibration(cases: Sequence[KnownCase]) -> str:
    scores = held_out_scores(cases)
    rows = [(f"{p:.2f}", f"{share:.2f}", count) for p, share, count in calibration(scores)]
    table = markdown_table(("mean p", "share caused by the environment", "failures"), rows)
    return f"![Reliability diagram: the table below with intervals]({PLOT})\n\n{table}" if scores else table


def _causes(cases: Sequence[KnownCase]) -> str:
    groups: dict[str, list[CaseOutcome]] = {}
    for case in cases:
        name = "defect" if case.truth is AttributedTo.ENVIRONMENT else case.cause
        groups.setdefault(name, []).append(simulate(case, _SETTINGS))
    rows = [
        (name, len(found), rate_cell(each.right for each in found)) for name, found in sorted(groups.items())
    ]
    return markdown_table(("cause", "failures", "right"), rows)


def _shared(results: ExperimentResults, held: Sequence[KnownCase]) -> dict[str, list[KnownCase]]:
    """Return the failures that were probed with every continuation, by continuation; empty without any."""
    parts = {each: {case.name: case for case in cases} for each, cases in results.weaker.items() if cases}
    every = {results.continuation: {case.name: case for case in held}} | parts
    names = sorted(set.intersection(*(set(part) for part in every.values()))) if parts else []
    return {each.value: [part[name] for name in names] for each, part in every.items()} if names else {}


def _targets(results: ExperimentResults, held: Sequence[KnownCase]) -> str:
    """Compare the measured figures with the targets."""
    cost = results.cost
    found = target_results(
        held,
        {name: cases for name, cases in _shared(results, held).items() if name != results.continuation.value},
        duration=None if cost is None else cost.total.seconds,
    )
    words = {True: "yes", False: "no", None: "–"}
    rows = [(each.figure, each.target, each.measured, words[each.reached]) for each in found]
    return markdown_table(("figure", "target", "measured", "reached"), rows)


def _weaker(results: ExperimentResults, held: Sequence[KnownCase]) -> str:
    """Compare weaker continuations on the failures that were probed with all of them."""
    every = _shared(results, held)
    if not every:
        return ""
    rows = [_variant_row(name, cases, _SETTINGS) for name, cases in every.items()]
    count = counted(len(next(iter(every.values()))), "held-out failure")
    return f"### Who continues a probe, {count}, one round\n\n" + markdown_table(
        ("continued by", *_MAIN_HEAD[1:]), rows
    )


def _cost(results: ExperimentResults) -> str:
    """Return how long each part took; the processor time includes that of the phones."""
    cost = results.cost
    if cost is None:
        return ""
    rows = [
        (name, f"{each.seconds / 60:.1f} min", f"{each.processor_seconds / 60:.1f} min")
        for name, each in (*cost.parts.items(), ("whole experiment", cost.total))
    ]
    where = f"with {counted(cost.phones, 'virtual phone')} on {counted(cost.cores, 'core')}"
    return f"### Time, {where}\n\n" + markdown_table(
        ("part", "duration", "processor time, phones included"), rows
    )


def _contested(cases: Sequence[KnownCase]) -> str:
    """List the broken tasks whose goal a probe met all the same: a way that no known solution takes."""
    rows = [
        (case.cause, case.task, each.name)
        for case in cases
        if case.truth is AttributedTo.ENVIRONMENT
        for each in _performed(case)
        if each.outcome is ProbeOutcome.PASS
    ]
    if not rows:
        return ""
    return (
        "### Contested causes\n\nA probe met the goal although no known solution does: the task can be done "
        "in another manner. They count as lost true negatives above.\n\n"
        + markdown_table(("defect", "task", "probe"), rows)
    )


def _performed(case: KnownCase) -> Iterable[CandidateOutcome]:
    """Iterate over the outcomes of all performed probes of a case."""
    for known in case.rounds:
        yield from known.candidates
    if case.from_start is not None:
        yield case.from_start


def _flaky(cases: Sequence[KnownCase]) -> str:
    if not cases:
        return ""
    outcomes = [simulate(case, _SETTINGS) for case in cases]
    counts = Counter(each.attributed_to.value for each in outcomes)
    rows = sorted(counts.items())
    return "### Defects that show themselves at times, one round\n\n" + markdown_table(
        ("attributed to", "failures"), rows
    )
