from __future__ import annotations

import pytest

from garabench.core.suggestions import did_you_mean, nearest


@pytest.mark.parametrize(
    ("name", "valid", "expected"),
    [
        ("treshold", ["threshold", "of"], "threshold"),
        ("bili-lik", ["bilibili", "bili-like-song", "bili-like-song-live"], "bili-like-song"),
        ("zzz", ["threshold"], None),
        ("tpa", ["tap", "type"], "tap"),
        ("disimss", ["dismiss", "ignore"], "dismiss"),
        ("openai", ["open-app", "ignore"], "open-app"),
        ("weather", ["reference", "heuristic"], None),
        ("", ["threshold"], None),
        ("a", [], None),
    ],
)
def test_the_nearest_name_is_found(name: str, valid: list[str], expected: str | None) -> None:
    assert nearest(name, valid) == expected


def test_a_hint_names_the_nearest_or_the_first_valid_names() -> None:
    assert did_you_mean("treshold", ["of", "threshold"]) == "Did you mean 'threshold'?"
    assert did_you_mean("zzz", "jihgfedcba") == "Known: a, b, c, d, e, f, g, h, …"
    assert did_you_mean("zzz", []) == ""
