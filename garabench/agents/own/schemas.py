"""Published JSON Schemas of the protocol's messages (draft 2020-12)."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from pydantic import TypeAdapter

from garabench.agents.own.messages import FROM_AGENT, MOST_WHOLE, PROTOCOL, TO_AGENT, OwningBrief
from garabench.core.schemas import DIALECT

_FORMS: Mapping[str, tuple[str, TypeAdapter[Any]]] = {
    "to-agent": ("What an agent's process or service is told", TO_AGENT),
    "from-agent": ("What an agent's process or service answers", FROM_AGENT),
    "owning-brief": ("What an agent that drives the device itself is told", TypeAdapter(OwningBrief)),
}
KINDS = tuple(_FORMS)


def schema_of(kind: str) -> dict[str, Any]:
    """The JSON Schema of one side's messages.

    Raises:
        KeyError: There is no such kind.
    """
    title, adapter = _FORMS[kind]
    schema = adapter.json_schema()
    if kind == "from-agent":
        _as_read(schema)
    return {"$schema": DIALECT, **schema, "title": f"{title}, version {PROTOCOL} of the protocol"}


def _as_read(schema: Any) -> None:
    """Say of answers what their reader asks for beyond the models: kinds are named, whole numbers bounded."""
    if isinstance(schema, list):
        for each in schema:
            _as_read(each)
    if not isinstance(schema, dict):
        return
    properties = schema.get("properties", {})
    if "const" in properties.get("type", {}) and "type" not in schema.get("required", ()):
        schema["required"] = ["type", *schema.get("required", ())]
    if schema.get("type") == "integer":
        schema.setdefault("minimum", -MOST_WHOLE)
        schema.setdefault("maximum", MOST_WHOLE)
    for each in schema.values():
        _as_read(each)


def text_of(kind: str) -> str:
    """The schema as it is published."""
    return json.dumps(schema_of(kind), ensure_ascii=False, indent=2, sort_keys=True) + "\n"
