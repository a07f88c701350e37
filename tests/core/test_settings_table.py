from __future__ import annotations

import pytest

from garabench.core.settings_table import parse_table, table_query


def test_query_names_the_table_and_ends_with_the_value() -> None:
    uri = ("--uri", "content://settings/secure")
    assert table_query("secure") == ("content", "query", *uri, "--projection", "name:value")


@pytest.mark.parametrize(
    ("output", "settings"),
    [
        ("Row: 0 name=a, value=1\nRow: 1 name=b, value=2\n", {"a": "1", "b": "2"}),
        ("Row: 0 name=a, value=1, 2, value=3\nRow: 1 name=b, value=\n", {"a": "1, 2, value=3", "b": ""}),
        ("Row: 0 name=a, value=one\n\ntwo\nRow: 1 name=b, value=2\n", {"a": "one\n\ntwo", "b": "2"}),
        ("Row: 0 name=a, value=x\nRow: 7 name=c, value=3\nRow: 1 name=b, value=2", {
            "a": "x\nRow: 7 name=c, value=3", "b": "2",
        }),
        ("Row: 0 name=a, value=NULL\n", {"a": "NULL"}),
        ("Row: 0 name=a, value=ends\n\nRow: 1 name=b, value=Row: 2\n", {"a": "ends\n", "b": "Row: 2"}),
    ],
)  # fmt: skip
def test_values_may_hold_commas_line_breaks_and_text_like_a_row(
    output: str, settings: dict[str, str]
) -> None:
    assert parse_table(output) == settings


@pytest.mark.parametrize(
    "output",
    [
        "",
        "No result found.\n",
        "Error while accessing provider:settings\njava.lang.SecurityException: no\n",
        "Row: 1 name=a, value=1\n",
        "Row: 0 _id=1, name=a, value=1\n",
        "WARNING: linker\nRow: 0 name=a, value=1\n",
    ],
)
def test_output_that_is_not_a_table_is_refused(output: str) -> None:
    assert parse_table(output) is None
