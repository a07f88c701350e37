from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from garabench.core.app_state import StateRecord
from garabench.effects.parse import FORMAT, MAX_RECORDS, parse_state
from garabench.effects.state import AppState, UnknownState
from garabench.virtual.kit import state as kit

LIKE = {"kind": "like", "object": "v1", "text": {"zh": "点赞", "en": "Liked"}}


def rows(*values: Any) -> str:
    return "".join(f"Row: {at} record={json.dumps(value)}\n" for at, value in enumerate(values))


def header(records: int) -> dict[str, int]:
    return {"format": FORMAT, "records": records}


def reason(output: str) -> str:
    state = parse_state(output)
    assert isinstance(state, UnknownState)
    return state.reason


_TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
_SENTENCE = _TEXT.filter(str.strip)
_VALUE = st.one_of(
    st.booleans(),
    st.none(),
    st.integers(),
    st.floats(allow_nan=False, allow_infinity=False),
    _TEXT,
    st.lists(_TEXT, max_size=3).map(tuple),
)
RECORDS = st.lists(
    st.builds(
        StateRecord,
        kind=st.sampled_from(["like", "cart-line", "message"]),
        object=_TEXT.filter(bool),
        fields=st.dictionaries(_TEXT, _VALUE, max_size=3),
        text=st.fixed_dictionaries({"zh": _SENTENCE, "en": _SENTENCE}),
    ),
    max_size=8,
    unique_by=lambda record: record.key,
)


@given(RECORDS)
def test_what_an_app_offers_is_what_is_read(records: list[StateRecord]) -> None:
    output = "".join(f"Row: {at} record={row}\n" for at, row in enumerate(kit.provider_rows(records)))
    assert parse_state(output) == AppState({record.key: record for record in records})


@given(RECORDS.filter(len), st.data())
def test_half_a_state_is_unknown(records: list[StateRecord], data: st.DataObject) -> None:
    output = "".join(f"Row: {at} record={row}\n" for at, row in enumerate(kit.provider_rows(records)))
    cut = data.draw(st.integers(0, len(output) - 2))
    assert isinstance(parse_state(output[:cut]), UnknownState)


@given(st.text())
def test_any_text_has_a_result(output: str) -> None:
    assert isinstance(parse_state(output), UnknownState)


@pytest.mark.parametrize(
    ("output", "expected"),
    [
        ("", "not a row of a state: ''"),
        ("Segmentation fault\n", "not a row of a state: 'Segmentation fault'"),
        ("Row: 0 record=[1]\n", "not a JSON object: '[1]'"),
        ('Row: 0 record={"format": 1, "rec\n', 'not a JSON object: \'{"format": 1, "rec\''),
        ("Row: 0 record=" + "[" * 100_000 + "\n", "not a JSON object: "),
        (rows(LIKE), "the first row is not a header: "),
        (rows({"format": 2, "records": 0}), "its format is 2; this GaraBench reads format 1"),
        (rows({"format": 1, "records": True}), "the header has no number of records: "),
        (rows(header(2), LIKE), "it announced 2 records and sent 1"),
        (rows(header(1), LIKE, LIKE), "it announced 1 records and sent 2"),
        (rows(header(2), LIKE, LIKE), "two records have the kind like and the object 'v1'"),
        (rows(header(1), {"kind": "like"}), "row 1 is invalid: object: Field required"),
        (rows(header(1), {**LIKE, "kind": "A b"}), "row 1 is invalid: kind: "),
        (rows(header(1), {**LIKE, "fields": {"price": float("nan")}}), "row 1 is invalid: fields.price"),
        (rows(header(1), {**LIKE, "more": 1}), "row 1 is invalid: more: "),
        (
            rows(header(1), {"kind": "like", "object": "v1"}),
            "row 1 is invalid: text.zh: a sentence is required",
        ),
        (rows(header(1), {**LIKE, "text": {"en": "Liked"}}), "row 1 is invalid: text.zh: "),
        (rows(header(1), {**LIKE, "text": {"zh": "点赞"}}), "row 1 is invalid: text.en: "),
        (rows(header(1), {**LIKE, "text": {"zh": "点赞", "en": " "}}), "row 1 is invalid: text.en: "),
        (
            rows(header(1)) + 'Row: 1 record={"kind": "like", "object": "a", "object": "b"}\n',
            "row 1 is invalid: duplicate key 'object'",
        ),
        (rows(header(1)) + 'Row: 2 record={"kind": "like", "object": "a"}\n', "row 1 is missing: "),
        (rows(header(100_000)), f"it offers 100000 records, more than {MAX_RECORDS}"),
    ],
)
def test_the_reason_names_what_is_wrong(output: str, expected: str) -> None:
    assert reason(output).startswith(expected)


def test_line_ends_of_old_devices_are_accepted() -> None:
    output = rows(header(1), LIKE).replace("\n", "\r\n")
    assert isinstance(parse_state(output), AppState)
