"""Write values as they are written in the suite's files: on one line, readable, without escapes."""

from __future__ import annotations

from typing import Any

import yaml


def flow(value: Any) -> str:
    """Return a value as YAML on one line: ``{id: like, text: "6"}``."""
    text: str = yaml.safe_dump(
        value, default_flow_style=True, allow_unicode=True, sort_keys=False, width=1_000_000
    )
    return text.removesuffix("\n").removesuffix("...").strip()


def schema_line(kind: str, folder: str = "../schemas") -> str:
    """Return the first line of a file, with which editors complete and check it.

    Args:
        kind: The kind of file: ``tasks``, ``goals``, ``rules`` or ``interruptions``.
        folder: The folder of the published schemas, relative to the file.
    """
    return f"# yaml-language-server: $schema={folder}/{kind}.schema.json"
