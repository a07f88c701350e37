"""The published JSON Schemas of the suite's files and of an episode's events (draft 2020-12)."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from pydantic import BaseModel, TypeAdapter

from garabench.core.condition import Condition
from garabench.core.events import Event
from garabench.core.goal import GoalFile, GoalUse
from garabench.core.interruption import InterruptionFile
from garabench.core.rule import RuleFile
from garabench.core.task import TaskFile

DIALECT = "https://json-schema.org/draft/2020-12/schema"
_TITLES = {
    "tasks": "GaraBench tasks of one app",
    "goals": "GaraBench goals of one app",
    "rules": "GaraBench rules of one app",
    "interruptions": "GaraBench's library of interruptions",
    "event": "One line of an episode's events.jsonl",
}
_FILES: Mapping[str, type[BaseModel]] = {
    "tasks": TaskFile,
    "goals": GoalFile,
    "rules": RuleFile,
    "interruptions": InterruptionFile,
}
KINDS = tuple(_TITLES)
_PLACEHOLDER = r"^\{\w+\}$"


def suite_schema(kind: str) -> dict[str, Any]:
    """Return the JSON Schema of a kind of file, or of an event.

    Raises:
        KeyError: The kind is unknown.
    """
    title = _TITLES[kind]
    if kind == "event":
        schema = TypeAdapter(Event).json_schema(by_alias=True)
    else:
        schema = _FILES[kind].model_json_schema(by_alias=True)
    definitions: dict[str, Any] = schema.setdefault("$defs", {})
    if kind == "goals":
        _with_conditions(definitions)
    _with_bare_steps(schema, definitions)
    return {"$schema": DIALECT, **schema, "title": title}


def _with_conditions(definitions: dict[str, Any]) -> None:
    """Allow placeholders and uses of other goals in a goal's condition."""
    condition = TypeAdapter(Condition).json_schema(by_alias=True, ref_template="#/$defs/{model}")
    named = condition.pop("$defs", {})
    for each in (condition, named):
        _with_placeholders(each)
        _with_uses(each)
    named["GoalUse"] = GoalUse.model_json_schema(by_alias=True)
    definitions.update(named)
    definitions["Condition"] = condition
    definitions["GoalSchema"]["properties"]["holds"] = {"$ref": "#/$defs/Condition"}


def _with_uses(node: Any) -> None:
    """Allow a use of another goal wherever a condition is allowed."""
    for value in node.values() if isinstance(node, dict) else node if isinstance(node, list) else ():
        _with_uses(value)
    options = node.get("oneOf") if isinstance(node, dict) else None
    if isinstance(options, list) and {"$ref": "#/$defs/AllOf"} in options:
        options.append({"$ref": "#/$defs/GoalUse"})


def _with_placeholders(node: Any) -> None:
    """Allow a placeholder such as ``{count}`` instead of a number or a boolean."""
    if isinstance(node, list):
        for each in node:
            _with_placeholders(each)
    if not isinstance(node, dict):
        return
    for value in node.values():
        _with_placeholders(value)
    if node.get("type") in ("integer", "number", "boolean") and "const" not in node:
        plain = dict(node)
        node.clear()
        node["anyOf"] = [plain, {"type": "string", "pattern": _PLACEHOLDER}]


def _with_bare_steps(node: Any, definitions: Mapping[str, Any]) -> None:
    """Allow steps without arguments, such as ``back``, as a bare word."""
    if isinstance(node, list):
        for each in node:
            _with_bare_steps(each, definitions)
    if not isinstance(node, dict):
        return
    for value in node.values():
        _with_bare_steps(value, definitions)
    options = node.get("oneOf")
    if isinstance(options, list):
        names = [str(each.get("$ref", "")).rpartition("/")[2] for each in options]
        bare = [
            key for name in names if name.endswith("Step") for key in _bare_key(definitions.get(name, {}))
        ]
        if bare:
            options.append({"enum": sorted(bare)})


def _bare_key(definition: Mapping[str, Any]) -> list[str]:
    properties: Mapping[str, Any] = definition.get("properties", {})
    null = {"type": "null"}
    return [
        key
        for key, value in properties.items()
        if value.get("type") == "null" or null in value.get("anyOf", ())
    ]


def schema_text(schema: Mapping[str, Any]) -> str:
    """Return a JSON Schema as the text of its published file."""
    return json.dumps(schema, ensure_ascii=False, indent=2, sort_keys=True) + "\n"
