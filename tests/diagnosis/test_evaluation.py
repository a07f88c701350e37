from __future__ import annotations

from dataclasses import replace

import pytest

from garabench.diagnosis.evaluation import (
    CandidateOutcome,
    KnownCase,
    KnownRound,
    RetryOutcome,
    brier,
    calibration,
    first_recovers,
    fitted_estimates,
    order_matters,
    retried,
    roc_auc,
    simulate,
    with_estimates,
    without_type,
)
from garabench.diagnosis.loop import AttributedTo, DiagnosisSettings, ProbeOrder
from garabench.diagnosis.probe import ProbeOutcome, ProbeType
from garabench.diagnosis.procedure import CaseOutline
from garabench.diagnosis.routing import FailureCategory

A, B, C = ProbeType


def case(*rounds: str, truth: AttributedTo = AttributedTo.AGENT, fork: int = 0) -> KnownCase:
    """Each round is written as types and outcomes: ``A- B+ C?``."""
    outcomes = {"+": ProbeOutcome.PASS, "-": ProbeOutcome.FAIL, "?": ProbeOutcome.INCONCLUSIVE}
    known = tuple(
        KnownRound(
            FailureCategory.UNKNOWN,
            fork,
            tuple(
                CandidateOutcome(f"{place}", ProbeType(word[0]), outcomes[word[1]], 5, 1.0, "because")
                for place, word in enumerate(text.split())
            ),
        )
        for text in rounds
    )
    return KnownCase("case", "task", truth, "cause", "clean", True, 5, CaseOutline((0, 1, 2)), known)


def test_variants_are_computed_from_the_same_outcomes() -> None:
    known = case("A- B+ C-")
    settings = DiagnosisSettings()
    assert simulate(known, settings).attributed_to is AttributedTo.ENVIRONMENT, "C comes first, and stops"
    assert simulate(known, replace(settings, stop=False)).right
    assert simulate(known, replace(settings, order=ProbeOrder.SUPERVISOR)).probes == 2
    assert not simulate(known, replace(settings, stop=False), without_type(B)).passed
    assert simulate(known, replace(settings, stop=False)).steps == 10


def test_a_second_round_is_used_where_it_is_needed() -> None:
    known = case("A? B?", "A+")
    assert not simulate(known, DiagnosisSettings()).passed
    assert simulate(known, DiagnosisSettings(rounds=2)).passed


def from_start(outcome: ProbeOutcome) -> CandidateOutcome:
    return CandidateOutcome("a-from-start", A, outcome, 7, 1.0, "because")


def test_a_variant_confirms_a_broken_environment_from_the_start() -> None:
    known = case("A- B- C-", fork=2)
    agent = simulate(replace(known, from_start=from_start(ProbeOutcome.PASS)), DiagnosisSettings())
    assert (agent.attributed_to, agent.passed) == (AttributedTo.AGENT, True)
    broken = simulate(replace(known, from_start=from_start(ProbeOutcome.FAIL)), DiagnosisSettings())
    assert broken.attributed_to is AttributedTo.ENVIRONMENT
    assert broken.steps == simulate(known, DiagnosisSettings(confirm=False)).steps + 7
    with pytest.raises(ValueError, match="the confirmation from the start was not performed"):
        simulate(known, DiagnosisSettings())


def test_another_result_of_the_same_action_is_possibly_flaky_in_every_variant() -> None:
    known = case("A+")
    other = replace(known.rounds[0].candidates[0], other_result="the screen changed")
    flaky = simulate(
        replace(known, rounds=(replace(known.rounds[0], candidates=(other,)),)), DiagnosisSettings()
    )
    assert (flaky.attributed_to, flaky.passed, flaky.right) == (AttributedTo.INCONCLUSIVE, True, False)


def test_the_first_probe_that_recovers() -> None:
    known, settings = case("A- B+ C-"), DiagnosisSettings()
    assert first_recovers(known, settings) == (False, 2)
    assert first_recovers(case("A- B- C+"), settings) == (True, 1)
    assert first_recovers(case("A-"), settings) is None


def test_retries_within_a_budget_of_steps() -> None:
    known = replace(case("A-"), retries=(RetryOutcome(False, 10), RetryOutcome(True, 10)))
    assert [retried(known, attempts) for attempts in (0, 1, 2)] == [False, False, True]
    assert not retried(known, 2, budget=15)


def test_scores() -> None:
    assert roc_auc([0.9, 0.8], [0.1, 0.8]) == pytest.approx(0.875)
    assert roc_auc([], [0.1]) is None
    assert brier([(0.9, True), (0.2, False)]) == pytest.approx(0.025)
    assert brier([]) is None
    assert calibration([(0.1, False), (0.15, True), (1.0, True)]) == (
        (pytest.approx(0.125), 0.5, 2),
        (1.0, 1.0, 1),
    )


def test_estimates_are_counted_in_failures_of_the_agent() -> None:
    one, other = case("A+ B- C?"), case("A+ B+ C-")
    broken = case("A- B- C-", truth=AttributedTo.ENVIRONMENT)
    found = fitted_estimates([one, other, broken])
    names = [each.name for each in one.rounds[0].candidates]
    assert [found[name] for name in names] == [3 / 4, 2 / 4, 1 / 3]
    assert [each.p_success_agent for each in with_estimates(one, found).rounds[0].candidates] == [
        3 / 4,
        2 / 4,
        1 / 3,
    ]


@pytest.mark.parametrize(
    ("probes", "matters"),
    [("A+ B- C?", True), ("A+ B?", True), ("A+ B+ C+", False), ("A- B? C-", False), ("A+ B+ C+ A-", False)],
)
def test_the_order_matters_if_some_of_the_selected_probes_recover_a_case(probes: str, matters: bool) -> None:
    assert order_matters(case(probes)) is matters


def test_the_order_matters_in_no_case_without_a_round() -> None:
    assert not order_matters(case())
