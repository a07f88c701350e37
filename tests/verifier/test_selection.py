"""The choice of frames: the published vector, ties, pruning, equal frames."""

from __future__ import annotations

import dataclasses

from hypothesis import given
from hypothesis import strategies as st

from garabench.verifier.selection import by_frame, distinct_frames, prune_frames, select_frames, top_k
from tests.verifier.judging import trajectory

RELEVANCE = {0: (0, 0), 1: (9, 7), 2: (9, 8), 3: (9, 8)}


def test_the_published_vector() -> None:
    for criterion in (0, 1):
        scores = {frame: float(row[criterion]) for frame, row in RELEVANCE.items()}
        assert top_k(scores, 5) == (3, 2, 1, 0)
        assert prune_frames(top_k(scores, 5), scores) == (3, 2, 1)
    assert select_frames(RELEVANCE, 2, 5) == ((3, 2, 1), (3, 2, 1))


def test_a_low_frame_after_the_relevant_ones_stays() -> None:
    scores = {0: 9.0, 1: 4.0}
    assert prune_frames(top_k(scores), scores) == (0, 1)
    assert prune_frames(top_k({0: 7.0, 1: 4.0}), {0: 7.0, 1: 4.0}) == (0, 1)  # 7 is not above 7


def test_a_frame_of_several_criteria_is_one_call() -> None:
    assert by_frame(((3, 1), (3,), ())) == {1: (0,), 3: (0, 1)}


def test_equal_frames_are_judged_once_as_the_last_of_them() -> None:
    seen = trajectory(4).frames
    frames = (seen[0], seen[1], dataclasses.replace(seen[0], index=2, step=2), seen[3])
    assert [(each.frame.index, each.steps) for each in distinct_frames(frames)] == [
        (1, (1,)),
        (2, (0, 2)),
        (3, (3,)),
    ]
    assert distinct_frames([dataclasses.replace(seen[0], picture_sha256="")]) == ()


@given(
    st.lists(st.integers(0, 10), max_size=30).map(lambda scores: dict(enumerate(map(float, scores)))),
    st.integers(1, 8),
)
def test_the_chosen_are_the_best_and_of_equal_ones_the_latest(scores: dict[int, float], k: int) -> None:
    chosen = top_k(scores, k)
    assert len(chosen) == min(k, len(scores))
    left = set(scores) - set(chosen)
    assert all((scores[one], one) > (scores[other], other) for one in chosen for other in left)
    pruned = prune_frames(chosen, scores)
    assert set(pruned) <= set(chosen)
    assert chosen[:1] == pruned[:1]  # the best frame is never dropped
