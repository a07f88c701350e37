from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from garabench.core import yamldoc
from garabench.core.yamldoc import decode_text, parse_yaml
from garabench.errors import InputError

ROOT = Path(__file__).parents[2]


def test_words_and_times_remain_strings() -> None:
    doc = parse_yaml("[on, off, yes, no, 2024-05-20, 12:30, 010, 1e3, true, 12, 1.5, null]", "x")
    assert doc.data == ["on", "off", "yes", "no", "2024-05-20", "12:30", "010", "1e3", True, 12, 1.5, None]


@given(st.text(max_size=120))
def test_any_text_is_parsed_or_gives_an_input_error(text: str) -> None:
    try:
        parse_yaml(text, "x.yaml")
    except InputError as error:
        assert str(error)


SUITE_FILES = sorted(
    path for folder in ("tasks", "goal_schemas", "rules") for path in (ROOT / folder).glob("*.yaml")
)


@pytest.mark.parametrize(
    "text",
    [
        *(path.read_text(encoding="utf-8")[:20_000].rpartition("\n  - ")[0] for path in SUITE_FILES),
        "a: [1, 1.5, 007, yes, null, ~, true, 2024-01-01]\nb: {}\n",
        'a: "😀 x: \\u00e9"\nb: \'一: "二"\'\nc: |\n  长\n  短\n',
        "",
    ],
)
def test_both_scanners_give_the_same_values_and_locations(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    fast = parse_yaml(text, "f.yaml")
    monkeypatch.setattr(yamldoc, "_FAST", None)
    assert parse_yaml(text, "f.yaml") == fast


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"\xff", "x.yaml:1:1: not UTF-8 text (byte 0)\n  \ufffd\n  ^"),
        (
            "a: b\n稻香: ".encode() + b"\xe9\n",
            "x.yaml:2:5: not UTF-8 text (byte 13)\n  稻香: \ufffd\n        ^",
        ),
        (b"\xef\xbb\xbfab\xff", "x.yaml:1:3: not UTF-8 text (byte 5)\n  ab\ufffd\n    ^"),
    ],
)
def test_invalid_utf_8_is_reported_with_its_location(data: bytes, message: str) -> None:
    with pytest.raises(InputError) as caught:
        decode_text(data, "x.yaml")
    assert (
        str(caught.value) == f"{message}\n  Save the file in UTF-8, the encoding of all of a suite's files."
    )


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a： {b: 1, c: 2}", "Line 1 has the character FULLWIDTH COLON, which has no meaning in YAML."),
        ("a: {b: 1， c: 2}", "Line 1 has the character FULLWIDTH COMMA, which has no meaning in YAML."),
        ("a:\n  b: 1\n \u3000c: 2\nd: 3", "Line 3 has the character IDEOGRAPHIC SPACE"),
        ('a: "x： y"\nb: c: d', "Put a space after each colon"),
        ("a: {b: 1,\nc: [2\nd: 3", "while parsing a flow sequence, which starts on line 2"),
    ],
)
def test_a_hint_names_the_likely_cause(text: str, message: str) -> None:
    with pytest.raises(InputError) as caught:
        parse_yaml(text, "x.yaml")
    assert caught.value.hint.startswith(message), str(caught.value)


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r", "\x85", "\u2028"])
def test_lines_are_counted_as_yaml_counts_them(end: str) -> None:
    doc = parse_yaml(end.join(["a: 1", "b: 'xy'", "c: 3"]), "x.yaml")
    assert str(doc.error(("c",), "here")) == "x.yaml:3:4: here\n  c: 3\n     ^"


def test_a_byte_order_mark_is_removed() -> None:
    assert decode_text(b"\xef\xbb\xbfa: b", "x.yaml") == decode_text(b"a: b", "x.yaml") == "a: b"


@pytest.mark.parametrize("text", ["[" * 5_000, "a: " + "{a: " * 3_000, "- " * 3_000 + "x"])
def test_deep_nesting_is_refused(text: str) -> None:
    with pytest.raises(InputError, match="nested more than 60 levels deep"):
        parse_yaml(text, "x.yaml")
