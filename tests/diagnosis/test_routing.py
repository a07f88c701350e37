from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from garabench.diagnosis.probe import ProbeType
from garabench.diagnosis.routing import FailureCategory, quotas, routing_weights


@pytest.mark.parametrize(
    ("category", "weights", "expected"),
    [
        ("insufficient_exploration", (2 / 11, 8 / 11, 1 / 11), (1, 3, 1)),
        ("wrong_strategy", (4 / 6, 1 / 6, 1 / 6), (3, 1, 1)),
        ("wrong_target", (0.6, 0.2, 0.2), (3, 1, 1)),
        ("env_boundary", (3 / 6, 2 / 6, 1 / 6), (2, 2, 1)),
        ("unknown", (1 / 3, 1 / 3, 1 / 3), (2, 2, 1)),
    ],
)
def test_weights_and_quotas_are_as_published(
    category: str, weights: tuple[float, ...], expected: tuple[int, ...]
) -> None:
    found = routing_weights(FailureCategory(category))
    assert tuple(found.values()) == pytest.approx(weights, abs=5e-7)
    assert tuple(quotas(found, 5).values()) == expected


@given(
    counts=st.tuples(*[st.integers(min_value=1, max_value=50)] * 3),
    candidates=st.integers(min_value=0, max_value=40),
)
def test_quotas_sum_to_the_number_of_candidates(counts: tuple[int, ...], candidates: int) -> None:
    weights = {kind: count / sum(counts) for kind, count in zip(ProbeType, counts, strict=True)}
    found = quotas(weights, candidates)
    assert sum(found.values()) == candidates
    assert min(found.values()) >= (1 if candidates >= 3 else 0)


def test_a_negative_number_of_candidates_is_refused() -> None:
    with pytest.raises(ValueError, match="negative"):
        quotas(routing_weights(FailureCategory.UNKNOWN), -1)
