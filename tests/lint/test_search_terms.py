"""The search terms of conditions and steps, with their locations."""

from __future__ import annotations

from typing import Any

from garabench.lint.search_terms import SearchTerm, TermKind, search_terms
from tests.cases import every_case

JD = "com.jingdong.app.mall"


@every_case(
    ("value", "found"),
    [
        ({"exists": {"id": "title"}}, [(("exists", "id"), TermKind.ID, "title", "")]),
        ({"exists": {"id": f"{JD}:id/title"}}, [(("exists", "id"), TermKind.ID, "title", JD)]),
        (
            {"tap": {"text": 2048, "package": JD}},
            [(("tap", "text"), TermKind.WHOLE, "2048", JD)],
        ),
        (
            [{"absent": {"class": "Button", "inside": {"desc": "x"}, "near": "y"}}],
            [
                ((0, "absent", "inside", "desc"), TermKind.WHOLE, "x", ""),
                ((0, "absent", "near"), TermKind.WHOLE, "y", ""),
            ],
        ),
        (
            {"tap": {"id": f"{JD}:id/row", "has": {"text_contains": "z"}}},
            [
                (("tap", "id"), TermKind.ID, "row", JD),
                (("tap", "has", "text_contains"), TermKind.PART, "z", JD),
            ],
        ),
        (
            {"type": {"text": "稻香", "into": {"id": "field"}}},
            [(("type", "into", "id"), TermKind.ID, "field", "")],
        ),
        (
            {"equals": {"select": {"id": "n"}, "value": "3"}},
            [
                (("equals", "select", "id"), TermKind.ID, "n", ""),
                (("equals", "value"), TermKind.WHOLE, "3", ""),
            ],
        ),
        (
            {"matches": {"select": {"id": "n"}, "pattern": "^3"}},
            [
                (("matches", "select", "id"), TermKind.ID, "n", ""),
                (("matches", "pattern"), TermKind.PATTERN, "^3", ""),
            ],
        ),
        (
            {"contains": {"select": {"id": "n"}, "attribute": "cls", "value": "Text"}},
            [(("contains", "select", "id"), TermKind.ID, "n", "")],
        ),
        ({"answer": {"contains": "3"}}, []),
        ({"answer": "3"}, []),
        ({"setting": {"namespace": "global", "key": "wifi_on", "equals": "1"}}, []),
        ({"keywords": {"of": ["a"]}}, []),
        ({"use": "other", "with": {"text": "a", "id": "b"}}, []),
        ({"scroll": {"direction": "down", "until": {"text": "a"}}}, [
            (("scroll", "until", "text"), TermKind.WHOLE, "a", ""),
        ]),
        ({"type": ["x"], "exists": None, "tap": {"id": ["x"], "text": None}}, []),
        ("text", []),
        (None, []),
    ],
)  # fmt: skip
def test_search_terms_are_found_in_conditions_and_steps(value: Any, found: list[tuple[Any, ...]]) -> None:
    assert list(search_terms(value, ())) == [SearchTerm(*each) for each in found]


def test_locations_start_at_the_given_path() -> None:
    (each,) = search_terms([{"tap": {"id": "a"}}], ("tasks", 3, "solution"))
    assert each.path == ("tasks", 3, "solution", 0, "tap", "id")
