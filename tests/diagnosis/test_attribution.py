from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from garabench.diagnosis.attribution import (
    MODELS,
    Scoring,
    after_failure,
    after_success,
    by_information_gain,
    information_gain,
    update,
)
from garabench.diagnosis.probe import DiagnosticProbe, ProbeOutcome, ProbeType
from garabench.diagnosis.routing import FailureCategory, routing_weights

A, B, C = ProbeType
PAPER, CODE, COHERENT = (MODELS[mode] for mode in Scoring)
EXACT = 5e-7
SIGNALS = st.floats(min_value=1e-6, max_value=1 - 1e-6)
OUTCOMES = st.sampled_from([ProbeOutcome.PASS, ProbeOutcome.FAIL])


@pytest.mark.parametrize(
    ("kinds", "path"),
    [
        ((B, C, A), (0.666667, 0.833333, 0.892857)),
        ((A,), (0.625,)),
        ((B,), (0.666667,)),
        ((C,), (0.714286,)),
        ((A, A), (0.625, 0.735294)),
        ((A, B), (0.625, 0.769231)),
        ((B, B), (0.666667, 0.8)),
        ((A, C), (0.625, 0.806452)),
    ],
)
def test_failures_move_the_signal_as_published(kinds: tuple[ProbeType, ...], path: tuple[float, ...]) -> None:
    p, found = 0.5, []
    for kind in kinds:
        p = after_failure(PAPER, p, kind)
        found.append(p)
    assert found == pytest.approx(path, abs=EXACT)


@pytest.mark.parametrize(("p", "after"), [(0.5, 0.25), (0.7, 0.4375), (0.1, 0.035714)])
def test_a_success_moves_the_signal_as_published(p: float, after: float) -> None:
    assert all(after_success(PAPER, p, kind) == pytest.approx(after, abs=EXACT) for kind in ProbeType)


@pytest.mark.parametrize(
    ("model", "p", "gains"),
    [
        (PAPER, 0.1, (0.069401, 0.043539, 0.012151)),
        (PAPER, 0.5, (0.102828, 0.124511, 0.157616)),
        (PAPER, 0.7, (0.067877, 0.107747, 0.156493)),
        (COHERENT, 0.5, (0.082296, 0.124511, 0.176433)),
    ],
)
def test_information_gain_is_as_published(model: object, p: float, gains: tuple[float, ...]) -> None:
    found = [information_gain(model, p, kind) for kind in ProbeType]  # type: ignore[arg-type]
    assert found == pytest.approx(gains, abs=EXACT)


def test_the_papers_gain_can_be_negative() -> None:
    assert information_gain(PAPER, 0.024, C) == pytest.approx(-0.00758, abs=5e-6)


def test_the_coherent_chances_of_success_follow_from_gamma() -> None:
    assert [COHERENT.success_given_agent(kind) for kind in ProbeType] == pytest.approx([0.52, 0.6, 0.68])


def test_the_gain_of_the_code_can_be_negative() -> None:
    weights = routing_weights(FailureCategory.WRONG_TARGET)
    found = [information_gain(CODE, 0.1, kind, weights) for kind in ProbeType]
    assert found == pytest.approx((0.130776, -0.104271, -0.161975), abs=EXACT)


def test_the_code_has_its_own_parameters() -> None:
    assert (CODE.prior, CODE.threshold, CODE.success_agent, CODE.success_env) == (0.1, None, 0.8, 0.1)
    assert after_success(CODE, 0.5, A) == pytest.approx(0.1 / 0.9)
    weights = routing_weights(FailureCategory.INSUFFICIENT_EXPLORATION)
    gains = {kind: information_gain(CODE, 0.1, kind, weights) for kind in ProbeType}
    assert max(gains, key=lambda kind: gains[kind]) is B, "it prefers what the routing prefers"


@given(
    p=SIGNALS,
    steps=st.lists(st.tuples(st.sampled_from(ProbeType), OUTCOMES), max_size=200),
    mode=st.sampled_from(Scoring),
)
def test_the_signal_stays_between_zero_and_one(
    p: float, steps: list[tuple[ProbeType, ProbeOutcome]], mode: Scoring
) -> None:
    for kind, outcome in steps:
        after = update(MODELS[mode], p, kind, outcome)
        assert 0 < after < 1
        assert after >= p if outcome is ProbeOutcome.FAIL else after <= p
        p = after


@given(p=SIGNALS, kind=st.sampled_from(ProbeType), mode=st.sampled_from(Scoring))
def test_an_inconclusive_probe_does_not_move_the_signal(p: float, kind: ProbeType, mode: Scoring) -> None:
    assert update(MODELS[mode], p, kind, ProbeOutcome.INCONCLUSIVE) == p


@given(p=SIGNALS, kind=st.sampled_from(ProbeType))
def test_the_coherent_gain_is_never_negative(p: float, kind: ProbeType) -> None:
    assert information_gain(COHERENT, p, kind) >= -1e-12


def test_equal_gains_leave_the_order() -> None:
    probes = tuple(DiagnosticProbe(f"p{number}", kind, (), "") for number, kind in enumerate((A, C, A, B)))
    assert [each.name for each in by_information_gain(PAPER, 0.5, probes)] == ["p1", "p3", "p0", "p2"]


def test_a_supervisors_estimates_plan_the_order_of_the_paper() -> None:
    sure = DiagnosticProbe("sure", A, (), "", p_success_agent=0.9)
    unsure = DiagnosticProbe("unsure", C, (), "", p_success_agent=0.3)
    assert [each.name for each in by_information_gain(PAPER, 0.5, (unsure, sure))] == ["sure", "unsure"]
    assert [each.name for each in by_information_gain(COHERENT, 0.5, (sure, unsure))] == ["unsure", "sure"]
