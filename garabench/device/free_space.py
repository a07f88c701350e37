"""Parse the free space that a device reports."""

from __future__ import annotations

import re

_UNITS = {"": 1024, "K": 1024, "M": 1024**2, "G": 1024**3, "T": 1024**4}
_SIZE = re.compile(r"(\d+(?:\.\d+)?)([KMGT]?)")


def parse_free(output: str) -> int | None:
    """Return the free bytes that ``df`` prints, in the form of toybox or of Android 4.4's toolbox.

    Returns:
        None if the output has neither form.
    """
    lines = [line.split() for line in output.splitlines() if line.strip()]
    if len(lines) < 2:
        return None
    header, row = lines[0], lines[-1]
    for name in ("Available", "Avail", "Free"):
        if name in header and len(row) > header.index(name):
            size = _SIZE.fullmatch(row[header.index(name)])
            return round(float(size[1]) * _UNITS[size[2]]) if size else None
    return None
