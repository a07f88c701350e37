from __future__ import annotations

from typing import Any

import pytest

from garabench.core.selector import Selector
from garabench.verifier.offline.selector_words import selector_words


@pytest.mark.parametrize(
    ("selector", "words"),
    [
        ({"id": "title", "text": "Song"}, "“Song” (title)"),
        ({"id": "a.b:id/title"}, "(title)"),
        ({"desc_contains": "Like", "near": "Ann"}, "“…Like…” near “Ann”"),
        ({"text_matches": "^a/b$", "class": "android.widget.Button"}, "/^a/b$/ (android.widget.Button)"),
        ({"id": "row", "index": 1, "has": {"text": "Ann"}}, "the second (row) with “Ann”"),
        ({"id": "row", "index": -1, "inside": {"id": "list"}}, "the last (row) in (list)"),
        ({"id": "row", "index": 4, "sibling": {"id": "x"}}, "number 5 of (row) beside (x)"),
        ({"id": "switch", "checked": False, "selected": True}, "(switch) not checked selected"),
        ({"package": "a.b"}, "package=a.b"),
    ],
)
def test_a_selector_in_words(selector: Any, words: str) -> None:
    assert selector_words(Selector.model_validate(selector)) == words
