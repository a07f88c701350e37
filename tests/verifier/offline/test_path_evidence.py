from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from garabench.verifier.offline.path_evidence import align_milestones

matrices = st.integers(0, 6).flatmap(
    lambda actions: st.lists(st.lists(st.booleans(), min_size=actions, max_size=actions), max_size=5)
)


def test_the_latest_of_equal_alignments_is_chosen() -> None:
    assert align_milestones([[True, True, False], [False, False, True]], 3) == {0: 1, 1: 2}
    assert align_milestones([[True, False], [True, False]], 2) in ({0: 0}, {1: 0})
    assert align_milestones([], 3) == {} and align_milestones([[]], 0) == {}


@given(matrices)
def test_an_alignment_is_in_order_and_matches(matrix: list[list[bool]]) -> None:
    actions = len(matrix[0]) if matrix else 0
    aligned = align_milestones(matrix, actions)
    pairs = sorted(aligned.items())
    assert all(matrix[milestone][action] for milestone, action in pairs)
    assert all(one[1] < other[1] for one, other in pairwise(pairs))
    assert bool(aligned) is any(any(row) for row in matrix)
