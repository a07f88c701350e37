"""The specifications that the real app's own test reads: the twin has to say the same of each."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from garabench.virtual.apps.companion.spec import SpecError, parse, parse_alert
from garabench.virtual.kit.intent_payload import MAX_ENCODED
from tests.cases import every_case

RESOURCES = Path(__file__).parents[4] / "interruption_apk/app/src/test/resources"
VECTORS: dict[str, Any] = json.loads((RESOURCES / "specs.json").read_text("utf-8"))
ALERTS: dict[str, Any] = json.loads((RESOURCES / "alerts.json").read_text("utf-8"))


def reason(encoded: object, read: Callable[[object], object] = parse) -> str:
    try:
        read(encoded)
    except SpecError as error:
        return str(error)
    return ""


@every_case("vector", VECTORS["specs"], ids=lambda each: each["name"])
def test_a_specification_is_taken_or_refused_as_by_the_real_app(vector: dict[str, Any]) -> None:
    encoded = base64.b64encode(json.dumps(vector["spec"], ensure_ascii=False).encode()).decode()
    assert reason(encoded) == vector["reason"]


@every_case("vector", ALERTS["specs"], ids=lambda each: each["name"])
def test_a_notification_is_taken_or_refused_as_by_the_real_app(vector: dict[str, Any]) -> None:
    encoded = base64.b64encode(json.dumps(vector["spec"], ensure_ascii=False).encode()).decode()
    assert reason(encoded, parse_alert) == vector["reason"]


@pytest.mark.parametrize("vector", VECTORS["encoded"], ids=lambda each: each["name"])
def test_what_is_no_specification_at_all(vector: dict[str, Any]) -> None:
    assert reason(vector["encoded"]) == vector["reason"]


def test_a_specification_of_the_wrong_type_or_without_end() -> None:
    assert reason(None) == reason(12) == "missing-spec"
    assert reason("A" * (MAX_ENCODED + 4)) == "spec-too-long"
    assert reason(base64.b64encode(b"[" * 40_000).decode()) == "bad-json"
