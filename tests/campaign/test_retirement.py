from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import fisher_exact

from garabench.campaign.retirement import FaultTally, device_to_retire, fisher_p_value


@st.composite
def tallies(draw: st.DrawFn) -> FaultTally:
    attempts = draw(st.integers(0, 200))
    return FaultTally(attempts, draw(st.integers(0, attempts)))


@given(tallies(), tallies())
def test_p_value_is_that_of_fishers_exact_test(one: FaultTally, others: FaultTally) -> None:
    table = [[one.faults, one.attempts - one.faults], [others.faults, others.attempts - others.faults]]
    assert fisher_p_value(one, others) == pytest.approx(fisher_exact(table, "greater")[1], abs=1e-9)


@pytest.mark.parametrize(
    ("devices", "expected"),
    [
        ({"a": FaultTally(40, 12), "b": FaultTally(40, 0)}, "a"),
        ({"a": FaultTally(40, 10), "b": FaultTally(40, 9)}, None),  # both are bad: the run waits instead
        ({"a": FaultTally(3, 3), "b": FaultTally(200, 0)}, None),  # too few faults to judge
        ({"a": FaultTally(4, 4), "b": FaultTally(200, 0)}, "a"),
        ({"a": FaultTally(40, 40)}, None),  # nothing to compare with, and no other device remains
        ({"a": FaultTally(30, 6), "b": FaultTally(30, 1), "c": FaultTally(30, 0)}, None),
        ({"a": FaultTally(30, 12), "b": FaultTally(30, 1), "c": FaultTally(30, 0)}, "a"),
        ({}, None),
    ],
)
def test_only_a_device_that_faults_clearly_more_often_is_retired(
    devices: dict[str, FaultTally], expected: str | None
) -> None:
    found = device_to_retire(devices)
    assert (found.device if found else None) == expected
    assert found is None or "attempts ended in a fault" in found.reason


def test_tallies_count_attempts() -> None:
    assert FaultTally().after(fault=True).after(fault=False) == FaultTally(2, 1)
    with pytest.raises(ValueError, match="no more faults"):
        FaultTally(1, 2)
