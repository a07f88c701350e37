from __future__ import annotations

import base64
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from garabench.virtual.apps.companion.spec import CompanionStyle, Spec, SpecError, Template, parse
from tests.cases import every_case

GOOD: dict[str, Any] = {
    "v": 1,
    "template": "bottom-sheet",
    "style": "battery",
    "title": "电量不足",
    "message": "电池电量严重不足。",
    "buttons": [
        {"key": "accept", "label": "前往设置", "role": "accept"},
        {"key": "later", "label": "忽略", "role": "dismiss"},
    ],
    "progress": None,
    "cancelable": True,
}


def encode(value: Any) -> str:
    return base64.b64encode(json.dumps(value).encode()).decode()


def test_a_valid_specification_is_parsed() -> None:
    spec = parse(encode(GOOD))
    assert spec.template is Template.BOTTOM_SHEET
    assert spec.style is CompanionStyle.BATTERY
    assert spec.title == "电量不足"
    assert [button.key for button in spec.buttons] == ["accept", "later"]
    assert spec.cancelable


def test_optional_fields_have_defaults() -> None:
    short = {key: value for key, value in GOOD.items() if key not in ("message", "progress", "cancelable")}
    spec = parse(encode(short))
    assert (spec.message, spec.progress, spec.cancelable) == ("", None, False)


@every_case(
    ("change", "reason"),
    [
        ({"v": 2}, "bad-version"),
        ({"v": None}, "bad-version"),
        ({"template": "popup"}, "bad-template"),
        ({"template": 5}, "bad-template"),
        ({"style": "pink"}, "bad-style"),
        ({"title": ""}, "bad-title"),
        ({"title": "x" * 300}, "bad-title"),
        ({"title": ["a"]}, "bad-title"),
        ({"message": 4}, "bad-message"),
        ({"buttons": []}, "bad-buttons"),
        ({"buttons": {}}, "bad-buttons"),
        ({"buttons": [{"key": "A B", "label": "x"}]}, "bad-buttons"),
        ({"buttons": [{"key": "a", "label": ""}]}, "bad-buttons"),
        ({"buttons": [{"key": "a", "label": "x", "role": 3}]}, "bad-buttons"),
        ({"buttons": [{"key": "a", "label": "x", "href": "y"}]}, "bad-buttons"),
        ({"buttons": [{"key": "a", "label": "x"}] * 2}, "bad-buttons"),
        ({"buttons": [{"key": f"k{n}", "label": "x"} for n in range(9)]}, "bad-buttons"),
        ({"progress": 3}, "bad-progress"),
        ({"progress": "half"}, "bad-progress"),
        ({"progress": True}, "bad-progress"),
        ({"cancelable": "yes"}, "bad-cancelable"),
        ({"script": "x"}, "unknown-field"),
    ],
)
def test_each_mistake_has_its_reason(change: dict[str, Any], reason: str) -> None:
    with pytest.raises(SpecError, match=f"^{reason}$"):
        parse(encode(GOOD | change))


@pytest.mark.parametrize(
    ("encoded", "reason"),
    [
        (None, "missing-spec"),
        ("", "missing-spec"),
        (7, "missing-spec"),
        ("%%%", "bad-base64"),
        ("电池", "bad-base64"),
        (base64.b64encode(b"{").decode(), "bad-json"),
        (base64.b64encode(b"\xff\xfe").decode(), "bad-json"),
        (encode([1]), "bad-json"),
        (base64.b64encode(b"[" * 30_000).decode(), "bad-json"),
        ("A" * 100_000, "spec-too-long"),
    ],
)
def test_an_invalid_encoding_is_rejected(encoded: Any, reason: str) -> None:
    with pytest.raises(SpecError, match=f"^{reason}$"):
        parse(encoded)


@given(st.text(max_size=200) | st.binary(max_size=200).map(lambda raw: base64.b64encode(raw).decode()))
def test_no_input_crashes_the_parser(encoded: str) -> None:
    try:
        assert isinstance(parse(encoded), Spec)
    except SpecError as error:
        assert str(error)
