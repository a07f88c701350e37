"""A specification that comes with an intent: Base64 of a JSON object with a version."""

from __future__ import annotations

import base64
import binascii
import json
from typing import Any

VERSION = 1
MAX_ENCODED = 64 * 1024


class EncodedError(ValueError):
    """What came is no specification; the message is a short reason in kebab case, as it is logged."""


def decoded(encoded: object) -> dict[str, Any]:
    """The object of a specification.

    Args:
        encoded: The intent's extra, whatever type it has.

    Raises:
        EncodedError: It is missing, too long, no Base64, no JSON object, or of another version.
    """
    if not isinstance(encoded, str) or not encoded:
        raise EncodedError("missing-spec")
    if len(encoded) > MAX_ENCODED:
        raise EncodedError("spec-too-long")
    try:
        raw = base64.b64decode(encoded, validate=True)
    except (binascii.Error, ValueError) as error:
        raise EncodedError("bad-base64") from error
    try:
        value = json.loads(raw)
    except (ValueError, RecursionError) as error:
        raise EncodedError("bad-json") from error
    if not isinstance(value, dict):
        raise EncodedError("bad-json")
    version = value.get("v")
    if type(version) is not int or version != VERSION:  # True is no version
        raise EncodedError("bad-version")
    return value
