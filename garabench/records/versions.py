"""Versions of ``run.json``: older ones are upgraded on reading, newer ones are refused.

The log of an episode has a separate version, see `garabench.core.events`.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from garabench.errors import InputError

RUN_VERSION = 4
"""Of ``run.json``. 2: it lists the run's agents as they were resolved. 3: with their profiles.
4: the device has the versions of the apps, and the hash of the app files."""

# How version 1 named and described agents, of which it recorded only the texts; independent of current rules.
_V1_LABEL = re.compile(r"(?P<label>[^=:?/'\"\s]+)=(?P<body>.+)", re.DOTALL)
_V1_SCHEME = re.compile(r"(?P<scheme>[a-z][a-z0-9-]*):(?P<rest>.*)", re.DOTALL)
_V1_UNSAFE = re.compile(r"[^A-Za-z0-9._+]+")
_V1_MAX_LENGTH = 64
_V1_REFERENCE = frozenset({"accept", "dismiss", "ignore", "random"})


def check_version(path: Path, version: object, newest: int) -> None:
    """Refuse a file of a newer version.

    Args:
        path: The file.
        version: The version in the file.
        newest: The newest version that can be read.

    Raises:
        InputError: The version is newer.
    """
    if isinstance(version, int) and version > newest:
        raise InputError(
            f"{path} has version {version}; this GaraBench reads versions up to {newest}",
            hint="Use a newer GaraBench to read it.",
        )


def upgrade_run(data: Mapping[str, Any]) -> dict[str, Any]:
    """Return the content of a ``run.json`` in the current format; invalid content is unchanged."""
    upgraded = dict(data)
    if upgraded.get("version") == 1:
        plan = upgraded.get("plan")
        texts = plan.get("agents") if isinstance(plan, Mapping) else None
        if isinstance(texts, list) and all(isinstance(text, str) for text in texts):
            upgraded["agents"] = [_v1_agent(text) for text in texts]
            upgraded["version"] = RUN_VERSION
    elif upgraded.get("version") in (2, 3):
        upgraded["version"] = RUN_VERSION
    return upgraded


def _v1_agent(text: str) -> dict[str, str]:
    match = _V1_LABEL.fullmatch(text.strip())
    body = match["body"].strip() if match else text.strip()
    return {"name": match["label"] if match else _v1_name(body), "text": text, "kind": _v1_kind(body)}


def _v1_name(body: str) -> str:
    match = _V1_SCHEME.fullmatch(body)
    source = match["rest"] if match and match["scheme"] in ("process", "owning") else body
    name = _V1_UNSAFE.sub("-", source).strip("-._+")
    if name and len(name) <= _V1_MAX_LENGTH:
        return name
    digest = hashlib.sha256(body.encode()).hexdigest()[:8]
    return f"{name[: _V1_MAX_LENGTH - 9].rstrip('-._+')}-{digest}" if name else f"agent-{digest}"


def _v1_kind(body: str) -> str:
    if body in _V1_REFERENCE:
        return "reference"
    if body == "heuristic":
        return "heuristic"
    if body.startswith("model:"):
        return "model"
    return "external" if ":" in body else "unknown"  # a bare name: a model, or an installed class
