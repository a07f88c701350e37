"""The specifications of the real app's tests have the same results in the twin."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from garabench.virtual.apps.companion.spec import SpecError, parse, parse_heads_up
from garabench.virtual.kit.intent_payload import MAX_ENCODED
from tests.cases import every_case

RESOURCES = Path(__file__).parents[4] / "interruption_apk/app/src/test/resources"
WINDOW_SPECS: dict[str, Any] = json.loads((RESOURCES / "window_specs.json").read_text("utf-8"))
HEADS_UP_SPECS: dict[str, Any] = json.loads((RESOURCES / "heads_up_specs.json").read_text("utf-8"))


def reason(encoded: object, parser: Callable[[object], object] = parse) -> str:
    try:
        parser(encoded)
    except SpecError as error:
        return str(error)
    return ""


@every_case("vector", WINDOW_SPECS["specs"], ids=lambda each: each["name"])
def test_a_window_specification_has_the_result_of_the_real_app(vector: dict[str, Any]) -> None:
    encoded = base64.b64encode(json.dumps(vector["spec"], ensure_ascii=False).encode()).decode()
    assert reason(encoded) == vector["reason"]


@every_case("vector", HEADS_UP_SPECS["specs"], ids=lambda each: each["name"])
def test_a_heads_up_specification_has_the_result_of_the_real_app(vector: dict[str, Any]) -> None:
    encoded = base64.b64encode(json.dumps(vector["spec"], ensure_ascii=False).encode()).decode()
    assert reason(encoded, parse_heads_up) == vector["reason"]


@pytest.mark.parametrize("vector", WINDOW_SPECS["encoded"], ids=lambda each: each["name"])
def test_an_invalid_encoding_is_rejected(vector: dict[str, Any]) -> None:
    assert reason(vector["encoded"]) == vector["reason"]


def test_a_specification_of_the_wrong_type_size_or_depth_is_rejected() -> None:
    assert reason(None) == reason(12) == "missing-spec"
    assert reason("A" * (MAX_ENCODED + 4)) == "spec-too-long"
    assert reason(base64.b64encode(b"[" * 40_000).decode()) == "bad-json"
