"""A checksum at the end of each line of an append-only file of JSON objects.

``{"type":"observed","step":3}`` becomes ``{"type":"observed","step":3,"crc":"8a1c03d2"}``: the CRC-32 of the
line's bytes before ``,"crc"``. It shows damage that is still valid JSON, such as a changed digit or two lines
that were merged by a power failure. Lines of older versions have none and are accepted.
"""

from __future__ import annotations

import json
import re
import zlib
from typing import Any

_SEAL = re.compile(r',"crc":"(?P<crc>[0-9a-f]{8})"\}\s*\Z')
KEY = "crc"


def with_checksum(line: str) -> str:
    """Return a line with its checksum.

    Args:
        line: A JSON object with at least one key, with or without a line break at its end.
    """
    body = line.rstrip("\n")
    if not body.startswith("{") or not body.endswith("}") or body == "{}":
        raise ValueError("not a JSON object with a key")
    end = "\n" if line.endswith("\n") else ""
    return f'{body[:-1]},"{KEY}":"{_crc(body[:-1])}"}}{end}'


def without_checksum(line: str) -> str:
    """Check a line, and return it without its checksum; a line that has none is returned as it is.

    Raises:
        ValueError: The line differs from the one for which the checksum was computed.
    """
    match = _SEAL.search(line)
    if match is None:
        return line
    body = line[: match.start()]
    if _crc(body) != match["crc"]:
        raise ValueError("the line is damaged: its checksum does not match")
    return body + "}" + ("\n" if line.endswith("\n") else "")


def parse_line(line: str) -> Any:
    """Parse a line of JSON, and check and remove its checksum.

    Another program may have formatted the line anew: then nothing is checked.

    Raises:
        json.JSONDecodeError: It is not JSON.
        ValueError: Its checksum does not match.
    """
    data = json.loads(line)
    without_checksum(line)
    if isinstance(data, dict):
        data.pop(KEY, None)
    return data


def _crc(text: str) -> str:
    return f"{zlib.crc32(text.encode('utf-8', errors='surrogatepass')):08x}"
