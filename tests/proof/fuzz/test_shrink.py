"""Shrinking keeps the property, leaves nothing out that is needed, and is deterministic."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from garabench.proof.fuzz.shrink import shrink

NEEDED = st.integers(1, 12).flatmap(
    lambda length: st.tuples(st.just(length), st.frozensets(st.integers(0, length - 1), min_size=1))
)


@settings(max_examples=60)
@given(NEEDED)
def test_a_conjunction_is_shrunk_to_its_parts(case: tuple[int, frozenset[int]]) -> None:
    length, needed = case
    assert shrink(range(length), lambda part: needed <= set(part)) == tuple(sorted(needed))


@settings(max_examples=60)
@given(st.lists(st.integers(0, 9), min_size=1, max_size=10), st.integers(1, 12))
def test_no_single_item_of_the_result_can_be_left_out(items: list[int], least: int) -> None:
    def holds(part: tuple[int, ...]) -> bool:
        return sum(part) >= min(least, sum(items))

    found = shrink(items, holds)
    assert holds(found)
    if len(found) > 1:
        assert not any(holds(found[:place] + found[place + 1 :]) for place in range(len(found)))
    assert shrink(items, holds) == found


def test_the_order_stays() -> None:
    assert shrink("abcdef", lambda part: {"e", "b"} <= set(part)) == ("b", "e")
