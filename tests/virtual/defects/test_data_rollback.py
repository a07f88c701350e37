"""Undoing changes restores the data, and leaves other changes alone."""

from __future__ import annotations

import copy
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from garabench.virtual.defects.data_rollback import changes, undo

DATA = st.recursive(
    st.one_of(
        st.none(), st.integers(0, 3), st.text("ab", max_size=2), st.lists(st.integers(0, 2), max_size=3)
    ),
    lambda inner: st.dictionaries(st.sampled_from("xyz"), inner, max_size=3),
    max_leaves=8,
).map(lambda value: value if isinstance(value, dict) else {"x": value})


@given(DATA, DATA)
def test_undoing_all_changes_restores_the_data(before: dict[str, Any], after: dict[str, Any]) -> None:
    data = copy.deepcopy(after)
    undo(data, changes(before, after))
    assert data == before


def test_other_changes_stay_and_lists_keep_their_identity() -> None:
    data: dict[str, Any] = {"liked": ["a"], "settings": {"dark": False}}
    before = copy.deepcopy(data)
    liked = data["liked"]
    liked.append("b")
    found = changes(before, data)
    data["settings"]["dark"] = True
    undo(data, found)
    assert data == {"liked": ["a"], "settings": {"dark": True}}
    assert data["liked"] is liked
