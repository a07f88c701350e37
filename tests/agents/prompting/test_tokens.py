"""The token estimate is deterministic, grows with the text, and depends on the script."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from garabench.agents.prompting.tokens import estimate_tokens


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("", 0),
        ("word", 1),
        ("screenshot", 2),
        ("1080", 2),
        ("稻香", 2),
        ("👍", 2),
        ("a b", 2),
        ("a\nb", 3),
        ("[5] text", 4),
    ],
)
def test_scripts_are_counted(text: str, tokens: int) -> None:
    assert estimate_tokens(text) == tokens


@given(st.text(max_size=100), st.text(max_size=100))
def test_parts_are_never_less_than_the_whole(first: str, second: str) -> None:
    assert max(estimate_tokens(first), estimate_tokens(second)) <= estimate_tokens(first + second)
    assert estimate_tokens(first + second) <= estimate_tokens(first) + estimate_tokens(second)
