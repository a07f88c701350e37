"""Published JSON Schema of the files that configure model agents (draft 2020-12)."""

from __future__ import annotations

from typing import Any

from garabench.agents.dialects.catalog import DIALECTS
from garabench.agents.profiles import ProfileFile
from garabench.core.schemas import DIALECT

KINDS = ("agents",)


def profile_schema(kind: str) -> dict[str, Any]:
    """Return the JSON Schema of a file of model agents.

    Raises:
        KeyError: There is no such kind.
    """
    if kind not in KINDS:
        raise KeyError(kind)
    schema = ProfileFile.model_json_schema(by_alias=True)
    schema["$defs"]["ProfileEntry"]["properties"]["dialect"] = {"enum": sorted(DIALECTS)}
    return {"$schema": DIALECT, **schema, "title": "GaraBench model agents"}
