"""The published JSON Schema of an app file."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pydantic import BeforeValidator

from garabench.core.schemas import DIALECT
from garabench.virtual.app_files import app_model, app_steps, app_widgets
from garabench.virtual.app_files.app_model import AppSpec
from garabench.virtual.app_files.app_parts import AppPart, ShortForm
from garabench.virtual.app_files.operands import VALUE_SCHEMA

KINDS = ("app",)
_REF = "#/$defs/"
_UNIONS = {"GoTo": "Step", "TextWidget": "Widget", "AllTrue": "Condition", "PlainValue": "Formula"}
"""Names of the unions, by a member of each."""


def app_file_schema(kind: str) -> dict[str, Any]:
    """Return the JSON Schema of an app file.

    Raises:
        KeyError: The kind is unknown.
    """
    if kind not in KINDS:
        raise KeyError(kind)
    schema = AppSpec.model_json_schema(by_alias=True)
    definitions: dict[str, Any] = schema["$defs"]
    unions: dict[str, Any] = {"Value": VALUE_SCHEMA}
    _name_unions(schema, definitions, unions)
    definitions |= unions
    _with_short_forms(definitions)
    return {"$schema": DIALECT, **schema, "title": "GaraBench app of the virtual phone"}


def _name_unions(node: Any, definitions: dict[str, Any], unions: dict[str, Any]) -> None:
    """Replace each union of parts, and each value, by a reference to one definition.

    It also allows parts without a value, such as ``back``, as bare words, and plain values as formulas.
    """
    for each in node.values() if isinstance(node, dict) else node if isinstance(node, list) else ():
        _name_unions(each, definitions, unions)
    if not isinstance(node, dict):
        return
    if node.get("description") == VALUE_SCHEMA["description"]:
        _refer(node, "Value")
    options = node.get("oneOf")
    if not isinstance(options, list):
        return
    names = [str(each.get("$ref", "")).removeprefix(_REF) for each in options]
    union = next((_UNIONS[name] for name in names if name in _UNIONS), None)
    if union is None:
        return
    bare = sorted(key for name in names for key in _optional_keys(definitions[name]))
    more: list[dict[str, Any]] = [{"enum": bare}] if bare else []
    if union == "Formula":
        more.append({"$ref": _REF + "Value"})
    unions[union] = {"anyOf": [*options, *more]}
    _refer(node, union)


def _refer(node: dict[str, Any], name: str) -> None:
    """Make a schema a reference to a definition."""
    kept = {key: value for key, value in node.items() if key in ("title", "default")}
    node.clear()
    node.update({**kept, "$ref": _REF + name})


def _optional_keys(definition: dict[str, Any]) -> Iterator[str]:
    for key, value in definition.get("properties", {}).items():
        if value.get("type") == "null" or {"type": "null"} in value.get("anyOf", ()):
            yield key


def _with_short_forms(definitions: dict[str, Any]) -> None:
    """Allow the short forms of parts."""
    named = {**vars(app_steps), **vars(app_widgets), **vars(app_model)}
    for model in named.values():
        if not isinstance(model, type) or not issubclass(model, AppPart):
            continue
        properties = definitions.get(model.__name__, {}).get("properties", {})
        for name, info in model.model_fields.items():
            for short in (each.func for each in info.metadata if isinstance(each, BeforeValidator)):
                key = info.alias or name
                if isinstance(short, ShortForm) and key in properties:
                    long = properties[key]
                    target = definitions[long["$ref"].removeprefix(_REF)]
                    properties[key] = {"anyOf": [long, target["properties"][short.key]]}
    for definition in definitions.values():  # one distance for all edges
        for key in ("margin", "padding"):
            if key in definition.get("properties", {}):
                long = definition["properties"][key]
                definition["properties"][key] = {"anyOf": [long, {"type": "number", "minimum": 0}]}
    widget = definitions["ProgressWidget"]["properties"]
    widget["progress"] = {"anyOf": [widget["progress"], {"type": "null"}]}  # a spinner
