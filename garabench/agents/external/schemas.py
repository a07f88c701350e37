"""Published JSON Schemas of the protocol's messages (draft 2020-12)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic import TypeAdapter

from garabench.agents.external.protocol import FROM_AGENT, MAX_INTEGER, PROTOCOL, TO_AGENT, AutonomousBrief
from garabench.core.schemas import DIALECT

_FORMS: Mapping[str, tuple[str, TypeAdapter[Any]]] = {
    "to-agent": ("Messages to an agent", TO_AGENT),
    "from-agent": ("Messages from an agent", FROM_AGENT),
    "autonomous-brief": ("Brief of an autonomous agent", TypeAdapter(AutonomousBrief)),
}
KINDS = tuple(_FORMS)


def message_schema(kind: str) -> dict[str, Any]:
    """Return the JSON Schema of a kind of message.

    Raises:
        KeyError: There is no such kind.
    """
    title, adapter = _FORMS[kind]
    schema = adapter.json_schema()
    if kind == "from-agent":
        _as_read(schema)
    return {"$schema": DIALECT, **schema, "title": f"{title} (GaraBench agent protocol, version {PROTOCOL})"}


def _as_read(schema: Any) -> None:
    """Add the reader's extra requirements on answers: ``type`` is required, integers are bounded."""
    if isinstance(schema, list):
        for each in schema:
            _as_read(each)
    if not isinstance(schema, dict):
        return
    properties = schema.get("properties", {})
    if "const" in properties.get("type", {}) and "type" not in schema.get("required", ()):
        schema["required"] = ["type", *schema.get("required", ())]
    if schema.get("type") == "integer":
        schema.setdefault("minimum", -MAX_INTEGER)
        schema.setdefault("maximum", MAX_INTEGER)
    for each in schema.values():
        _as_read(each)
