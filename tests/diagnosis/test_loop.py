from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from garabench.diagnosis.attribution import Scoring
from garabench.diagnosis.loop import (
    AttributedTo,
    DiagnosisSettings,
    DiagnosisState,
    ProbeOrder,
    begin,
    begin_round,
    record_result,
)
from garabench.diagnosis.probe import DiagnosticProbe, DiagnosticProbeResult, ProbeOutcome, ProbeType

A, B, C = ProbeType
FAIL = DiagnosticProbeResult(ProbeOutcome.FAIL)
PASS = DiagnosticProbeResult(ProbeOutcome.PASS, witness="the goal holds")
UNKNOWN = DiagnosticProbeResult(ProbeOutcome.INCONCLUSIVE, reason="the restore failed")


def probes(*kinds: ProbeType) -> tuple[DiagnosticProbe, ...]:
    return tuple(
        DiagnosticProbe(f"{kind.lower()}-{number}", kind, (), "") for number, kind in enumerate(kinds)
    )


def perform(state: DiagnosisState, *results: DiagnosticProbeResult) -> DiagnosisState:
    for result in results:
        state = record_result(state, result)
    return state


def test_the_running_example_without_the_stop_rule() -> None:
    settings = DiagnosisSettings(order=ProbeOrder.SUPERVISOR, stop=False)
    state = perform(begin_round(begin(settings), probes(B, C, A)), FAIL, FAIL, FAIL)
    assert [each.after for each in state.performed] == pytest.approx([0.666667, 0.833333, 0.892857], abs=5e-7)
    assert state.attributed_to is AttributedTo.ENVIRONMENT
    assert not state.needs_round


def test_the_running_example_stops_at_the_threshold() -> None:
    state = begin_round(begin(DiagnosisSettings(order=ProbeOrder.SUPERVISOR)), probes(B, C, A))
    state = perform(state, FAIL, FAIL)
    assert state.p == pytest.approx(0.833333, abs=5e-7)
    assert state.next_probe is None
    with pytest.raises(ValueError, match="no probe"):
        record_result(state, FAIL)


def test_a_success_ends_the_diagnosis() -> None:
    state = perform(begin_round(begin(DiagnosisSettings(rounds=2)), probes(A, B, C)), PASS)
    assert (state.attributed_to, state.next_probe, state.needs_round) == (AttributedTo.AGENT, None, False)


def test_probes_are_performed_by_their_gain() -> None:
    state = begin_round(begin(DiagnosisSettings()), probes(A, B, C, C, A))
    assert [each.type for each in state.pending] == [C, B, A], "the supervisor's first three"
    fixed = begin_round(begin(DiagnosisSettings(order=ProbeOrder.FIXED)), probes(C, B, A))
    assert [each.type for each in fixed.pending] == [A, B, C]
    shuffled = [
        begin_round(begin(DiagnosisSettings(order=ProbeOrder.RANDOM)), probes(A, B, C), seed=seed).pending
        for seed in (1, 1, 2, 3, 4)
    ]
    assert shuffled[0] == shuffled[1]
    assert len(set(shuffled)) > 1


def test_invalid_probes_are_not_selected() -> None:
    first, second = probes(A, B)
    state = begin_round(begin(DiagnosisSettings()), (replace(first, valid=False), second))
    assert state.pending == (second,)


def test_rounds_follow_until_one_decides() -> None:
    state = perform(begin_round(begin(DiagnosisSettings(rounds=2)), probes(A)), FAIL)
    assert state.needs_round
    state = perform(begin_round(state, probes(A)), FAIL)
    assert (state.attributed_to, state.round) == (AttributedTo.ENVIRONMENT, 2)
    with pytest.raises(ValueError, match="no further round"):
        begin_round(state, probes(A))


@pytest.mark.parametrize(
    ("scoring", "results", "attributed_to"),
    [
        ("paper", (), AttributedTo.INCONCLUSIVE),
        ("paper", (UNKNOWN, UNKNOWN), AttributedTo.INCONCLUSIVE),
        ("paper", (FAIL,), AttributedTo.INCONCLUSIVE),
        ("paper", (FAIL, FAIL), AttributedTo.ENVIRONMENT),
        ("code", (FAIL,), AttributedTo.INCONCLUSIVE),
        ("code", (FAIL, FAIL), AttributedTo.ENVIRONMENT),
        ("code", (FAIL, FAIL, PASS), AttributedTo.AGENT),
    ],
)
def test_attributions(
    scoring: str, results: tuple[DiagnosticProbeResult, ...], attributed_to: AttributedTo
) -> None:
    settings = DiagnosisSettings(Scoring(scoring))
    state = perform(begin_round(begin(settings), probes(A, A, A)), *results)
    assert state.attributed_to is attributed_to


@given(
    results=st.lists(st.sampled_from([FAIL, UNKNOWN]), max_size=6),
    positions=st.lists(st.integers(min_value=0, max_value=6), max_size=4),
)
def test_inconclusive_probes_change_nothing_wherever_they_are(
    results: list[DiagnosticProbeResult], positions: list[int]
) -> None:
    settings = DiagnosisSettings(candidates=20, select=20, stop=False)
    mixed = list(results)
    for position in positions:
        mixed.insert(min(position, len(mixed)), UNKNOWN)
    one, other = (
        perform(begin_round(begin(settings), probes(*[A] * 20)), *sequence) for sequence in (results, mixed)
    )
    assert (one.p, one.attributed_to) == (other.p, other.attributed_to)


def test_results_and_settings_without_evidence_are_refused() -> None:
    with pytest.raises(ValueError, match="witness"):
        DiagnosticProbeResult(ProbeOutcome.PASS)
    with pytest.raises(ValueError, match="reason"):
        DiagnosticProbeResult(ProbeOutcome.INCONCLUSIVE)
    with pytest.raises(ValueError, match="a diagnosis needs"):
        DiagnosisSettings(candidates=2, select=3)


def test_a_plan_that_only_repeats_the_failed_action_counts_as_a_repetition() -> None:
    again = replace(FAIL, repeated=True)
    state = begin_round(begin(DiagnosisSettings(order=ProbeOrder.SUPERVISOR)), probes(A, B))
    state = record_result(state, again)
    assert state.performed[0].type is C
    assert state.p == pytest.approx(0.714286, abs=5e-7)
