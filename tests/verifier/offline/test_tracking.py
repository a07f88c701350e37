from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from pydantic import TypeAdapter

from garabench.core.condition import Condition
from garabench.verifier.offline.expectations import ExpectationStatus, GoalExpectations, expectations_of
from garabench.verifier.offline.tracking import follow

CONDITION: TypeAdapter[Any] = TypeAdapter(Condition)
S, C, U = ExpectationStatus.SHOWN, ExpectationStatus.CONTRADICTED, ExpectationStatus.UNSEEN


def _expectations(*names: str) -> GoalExpectations:
    """Return the expectations of a title, a state and a guard."""
    parts: list[Any] = [{"exists": {"id": "title", "text": "Song"}}, {"exists": {"id": "like"}}]
    return expectations_of(CONDITION.validate_python({"all": [*parts, {"absent": {"id": "coin"}}]}), names)


def test_the_last_screen_decides() -> None:
    (track,) = follow(_expectations("Song"), [(S, C, U), (S, S, U), (U, U, U)], 0)
    assert track.complete and track.reached == 1 and track.last_frame == 1
    (track,) = follow(_expectations("Song"), [(S, S, U), (S, C, U)], 0)
    assert not track.complete and (track.reached, track.undone) == (0, 1)
    (track,) = follow(_expectations("Song"), [(S, S, U), (S, S, C), (S, S, U)], 0)
    assert track.complete and (track.reached, track.undone) == (2, None)


def test_what_was_there_before_the_first_action_does_not_count() -> None:
    (track,) = follow(_expectations("Song"), [(S, S, U), (U, U, U)], 1)
    assert track.reached is None


def test_another_object_or_a_nameless_screen_is_no_evidence() -> None:
    (track,) = follow(_expectations("Song"), [(C, S, U), (S, U, U)], 0)
    assert track.reached is None
    (track,) = follow(_expectations("Song"), [(U, S, U), (S, U, U)], 0)
    assert track.reached is None
    (track,) = follow(_expectations(), [(U, S, U), (S, U, U)], 0)
    assert track.complete  # a goal without names cannot say whose state it is


@given(st.lists(st.none() | st.tuples(*[st.sampled_from(ExpectationStatus)] * 3), max_size=6))
def test_a_screen_with_the_whole_result_at_the_end_is_a_success(path: list[Any]) -> None:
    (track,) = follow(_expectations("Song"), [*path, (S, S, U)], 0)
    assert track.complete
    (track,) = follow(_expectations("Song"), [*path, (S, S, U), (S, C, U)], 0)
    assert not track.complete
