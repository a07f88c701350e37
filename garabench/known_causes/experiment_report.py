"""The tables of the experiment: what variants of a diagnosis make of failures with known causes.

Pure: the same cases give the same text. Rates have 95% Wilson intervals; the AUC has a bootstrap interval
over tasks.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from statistics import fmean

from garabench.core.phrases import counted
from garabench.core.seeds import generator
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
    retried,
    roc_auc,
    simulate,
    with_estimates,
    without_estimates,
)
from garabench.diagnosis.loop import AttributedTo, DiagnosisSettings, ProbeOrder
from garabench.diagnosis.probe import Continuation, ProbeOutcome
from garabench.stats.rates import Rate

PLOT = "images/diagnosis-calibration.svg"
"""Path of the reliability diagram, relative to the tables."""
_DRAWS = 1000
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
    return f"{about}\n\n{_table(('cause', 'tuning', 'held out', 'all'), rows)}"


def _main_table(cases: Sequence[KnownCase], variants: Sequence[DiagnosisVariant] = VARIANTS) -> str:
    if not cases:
        return "No case.\n"
    rows = [_variant_row(each.name, cases, each.settings, each.keep) for each in variants]
    return _table(_MAIN_HEAD, rows)


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
        _rate(each.right for each in agent),
        _rate(each.attributed_to is not AttributedTo.AGENT for each in env),
        _rate(each.right for each in outcomes),
        _auc(outcomes),
        _number(brier(scores), 3),
        _mean(each.entropy_drop for each in outcomes),
        _mean(each.probes for each in outcomes),
        _mean(each.steps for each in outcomes),
    )


def _retries(cases: Sequence[KnownCase]) -> str:
    """Compare with retries, also limited to the actions that the diagnosis of the same case used."""
    agent = [case for case in cases if case.truth is AttributedTo.AGENT and case.retries]
    if not agent:
        return "No case.\n"
    outcomes = {case.name: simulate(case, _SETTINGS) for case in agent}
    rows = [("diagnosis, one round", _rate(outcomes[case.name].right for case in agent), "")]
    for name, attempts in (("retry ×1", 1), ("retry ×2", 2), ("best of 3 new attempts", 3)):
        tried = [case for case in agent if len(case.retries) >= attempts or retried(case, attempts)]
        if tried:
            rows.append(
                (
                    name,
                    _rate(retried(case, attempts) for case in tried),
                    _rate(retried(case, attempts, outcomes[case.name].steps) for case in tried),
                )
            )
    return _table(("method", "FN recovery", "at equal steps"), rows)


def _orders(cases: Sequence[KnownCase], fitted: Mapping[str, float]) -> str:
    """Compare orders of the selected probes, also over the cases in which the order can matter.

    Args:
        cases: The cases.
        fitted: Estimates of each probe's success, from the other half.
    """
    agent = [case for case in cases if case.truth is AttributedTo.AGENT]
    rows = []
    for suffix, chosen in (("", agent), (", where the probes differ", [c for c in agent if _is_mixed(c)])):
        for order in ORDERS:
            settings = replace(_SETTINGS, order=order)
            rows.append(_order_row(f"{order.value}{suffix}", chosen, settings))
            if order is ProbeOrder.GAIN:
                plain = [without_estimates(case) for case in chosen]
                rows.append(_order_row(f"gain by type alone{suffix}", plain, settings))
                learnt = [with_estimates(case, fitted) for case in chosen]
                rows.append(_order_row(f"gain, estimates of the tuning half{suffix}", learnt, settings))
    return _table(("order", "first probe recovers", "probes until one does"), rows)


def _order_row(name: str, cases: Sequence[KnownCase], settings: DiagnosisSettings) -> tuple[str, str, str]:
    found = [each for case in cases if (each := first_recovers(case, settings)) is not None]
    return name, _rate(first for first, _ in found), _mean(count for _, count in found)


def _is_mixed(case: KnownCase) -> bool:
    """Return whether the order matters: some of the selected probes recover the case, and others do not."""
    outcome = simulate(case, replace(_SETTINGS, stop=False, order=ProbeOrder.SUPERVISOR))
    selected = case.rounds[0].candidates[: _SETTINGS.select] if case.rounds else ()
    return outcome.passed and len({each.outcome for each in selected}) > 1


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
    table = _table(("mean p", "share caused by the environment", "failures"), rows)
    return f"![Reliability diagram: the table below with intervals]({PLOT})\n\n{table}" if scores else table


def _causes(cases: Sequence[KnownCase]) -> str:
    groups: dict[str, list[CaseOutcome]] = {}
    for case in cases:
        name = "defect" if case.truth is AttributedTo.ENVIRONMENT else case.cause
        groups.setdefault(name, []).append(simulate(case, _SETTINGS))
    rows = [(name, len(found), _rate(each.right for each in found)) for name, found in sorted(groups.items())]
    return _table(("cause", "failures", "right"), rows)


def _weaker(results: ExperimentResults, held: Sequence[KnownCase]) -> str:
    """Compare weaker continuations on the failures that were probed with all of them."""
    parts = {each: {case.name: case for case in cases} for each, cases in results.weaker.items() if cases}
    if not parts:
        return ""
    shared = set.intersection({case.name for case in held}, *(set(part) for part in parts.values()))
    every = {results.continuation: {case.name: case for case in held}} | parts
    rows = [
        _variant_row(each.value, [part[name] for name in sorted(shared)], _SETTINGS)
        for each, part in every.items()
    ]
    return f"### Who continues a probe, {len(shared)} held-out failures, one round\n\n" + _table(
        ("continued by", *_MAIN_HEAD[1:]), rows
    )


def _cost(results: ExperimentResults) -> str:
    """Return how long each part took; the processor time includes that of the phones."""
    cost = results.cost
    if cost is None:
        return ""
    total = PartCost(
        sum(each.seconds for each in cost.parts.values()),
        sum(each.processor_seconds for each in cost.parts.values()),
    )
    rows = [
        (name, f"{each.seconds / 60:.1f} min", f"{each.processor_seconds / 60:.1f} min")
        for name, each in (*cost.parts.items(), ("whole experiment", total))
    ]
    where = f"with {counted(cost.phones, 'virtual phone')} on {counted(cost.cores, 'core')}"
    return f"### Time, {where}\n\n" + _table(("part", "duration", "processor time, phones included"), rows)


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
        + _table(("defect", "task", "probe"), rows)
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
    return "### Defects that show themselves at times, one round\n\n" + _table(
        ("attributed to", "failures"), rows
    )


def _auc(outcomes: Sequence[CaseOutcome]) -> str:
    tasks = sorted({each.case.task for each in outcomes})
    by_task = {task: [each for each in outcomes if each.case.task == task] for task in tasks}

    def area(chosen: Iterable[str]) -> float | None:
        sample = [each for task in chosen for each in by_task[task]]
        env = [each.state.p for each in sample if each.case.truth is AttributedTo.ENVIRONMENT]
        agent = [each.state.p for each in sample if each.case.truth is AttributedTo.AGENT]
        return roc_auc(env, agent)

    found = area(tasks)
    if found is None:
        return "–"
    draw = generator(0, "diagnosis", "auc")
    drawn = sorted(
        value for _ in range(_DRAWS) if (value := area(draw.choices(tasks, k=len(tasks)))) is not None
    )
    low, high = drawn[int(0.025 * len(drawn))], drawn[int(0.975 * len(drawn)) - 1]
    return f"{found:.3f} [{low:.2f}–{high:.2f}]"


def _rate(values: Iterable[bool]) -> str:
    found = list(values)
    rate = Rate(sum(found), len(found))
    interval = rate.interval()
    if rate.value is None or interval is None:
        return "–"
    low, high = interval
    return f"{rate.successes}/{rate.trials} {rate.value:.1%} [{low * 100:.0f}–{high * 100:.0f}]"


def _mean(values: Iterable[float]) -> str:
    found = list(values)
    return _number(fmean(found) if found else None, 2)


def _number(value: float | None, digits: int) -> str:
    return "–" if value is None else f"{value:.{digits}f}"


def _table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    lines = [list(head), ["---", *["---:"] * (len(head) - 1)], *(list(map(str, row)) for row in rows)]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)
