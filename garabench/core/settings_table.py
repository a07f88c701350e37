"""Parse a whole table of Android's settings, as ``content query`` prints it.

::

    Row: 0 name=volume_music, value=11
    Row: 1 name=font_scale, value=NULL

A value may hold commas, line breaks and even text that looks like a row. The value is therefore the last
column, and a line starts a row only if it has the next number.
"""

from __future__ import annotations

import re

from garabench.core.device_changes import Argv, Namespace

_ROW = re.compile(r"^Row: (?P<number>\d+) name=(?P<name>[^\n]*?), value=", re.MULTILINE)
NULL = "NULL"
"""How a value that is null is printed; a value with this text looks the same."""


def parse_list(output: str) -> dict[str, str]:
    """Return the settings by name that ``settings list`` printed: ``volume_music=11`` in each line."""
    return {name: value.strip() for name, mark, value in map(_partition, output.splitlines()) if mark}


def _partition(line: str) -> tuple[str, str, str]:
    return line.partition("=")


def table_query(namespace: Namespace) -> Argv:
    """Return the command that prints a table of settings."""
    return ("content", "query", "--uri", f"content://settings/{namespace}", "--projection", "name:value")


def parse_table(output: str) -> dict[str, str] | None:
    """Return the settings by name; None if the output is not a table, such as an error message."""
    rows: list[re.Match[str]] = []
    for match in _ROW.finditer(output):
        if int(match["number"]) == len(rows):
            rows.append(match)
    if not rows or rows[0].start() != 0:
        return None
    ends = [match.start() - 1 for match in rows[1:]] + [len(output.removesuffix("\n"))]
    return {match["name"]: output[match.end() : end] for match, end in zip(rows, ends, strict=True)}
