from __future__ import annotations

from dataclasses import replace

from garabench.diagnosis.evaluation import KnownCase, RetryOutcome
from garabench.diagnosis.loop import AttributedTo
from garabench.known_causes.experiment_targets import TargetResult, target_results
from tests.diagnosis.test_evaluation import case

RECOVERED = replace(case("A+ B? C?"), name="recovered", task="one", retries=(RetryOutcome(False, 5),) * 3)
MISSED = replace(case("A- B- C-"), name="missed", task="two", retries=(RetryOutcome(True, 5),))
BROKEN = replace(case("A- B- C-", truth=AttributedTo.ENVIRONMENT), name="broken", task="three")
CONTESTED = replace(case("A+ B-", truth=AttributedTo.ENVIRONMENT), name="contested", task="four")


def results(*held: KnownCase, duration: float | None = None) -> dict[str, TargetResult]:
    return {each.figure: each for each in target_results(held, {}, duration=duration)}


def test_a_figure_is_compared_with_its_target() -> None:
    found = results(RECOVERED, BROKEN)
    assert found["FN recovery, one round"].measured.startswith("1/1 100.0% [")
    for name in ("FN recovery, one round", "FN recovery, two rounds", "TN kept", "AUC of p"):
        assert found[name].reached is True
    found = results(RECOVERED, MISSED, BROKEN, CONTESTED)
    assert found["FN recovery, one round"].measured.startswith("1/2 50.0% [")
    assert found["TN kept"].measured.startswith("1/2 50.0% [")
    for name in ("FN recovery, one round", "FN recovery, two rounds", "TN kept", "AUC of p"):
        assert found[name].reached is False


def test_retries_are_compared_at_equal_steps() -> None:
    name = "FN recovery against retry ×1, at equal steps"
    assert results(RECOVERED)[name].reached is True
    behind = results(MISSED)[name]
    assert behind.reached is False
    assert behind.measured.startswith("0/1 0.0%")
    assert "against 1/1 100.0%" in behind.measured
    assert results(replace(RECOVERED, retries=()))[name].reached is None, "nothing was tried again"


def test_the_order_is_measured_where_the_probes_differ_as_well() -> None:
    name = "the first probe by gain recovers"
    late = replace(case("A+ C-"), name="late")
    found = results(replace(case("A+ B+"), name="early"), late)
    assert found[name].measured.startswith("1/2")
    assert found[f"{name}, where the probes differ"].measured.startswith("0/1")
    assert found[f"{name}, where the probes differ"].reached is False


def test_the_longest_diagnosis_and_the_experiment_are_timed() -> None:
    (probed,) = case("A+").rounds
    slow = replace(probed.candidates[0], seconds=12.5)
    long = replace(case("A+"), name="long", rounds=(replace(probed, candidates=(slow,)),))
    found = results(RECOVERED, long, duration=1501.0)
    assert found["a diagnosis, with the confirmation"].measured == "median 7.8 s, longest 12.5 s"
    assert found["a diagnosis, with the confirmation"].reached is False
    assert found["the experiment"].reached is False
    assert results(RECOVERED, duration=1500.0)["the experiment"].reached is True
    assert "the experiment" not in results(RECOVERED)


def test_without_a_failure_nothing_is_reached_or_missed() -> None:
    assert {each.reached for each in results().values()} == {None}
