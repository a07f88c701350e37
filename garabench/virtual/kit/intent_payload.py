"""The payload of an intent: a versioned JSON object, encoded as Base64."""

from __future__ import annotations

import base64
import binascii
import json
from typing import Any

VERSION = 1
MAX_ENCODED = 64 * 1024


class IntentPayloadError(ValueError):
    """An invalid payload; the message is a short reason in kebab case, which is logged."""


def decode_payload(encoded: object) -> dict[str, Any]:
    """Decode the JSON object of a payload.

    Args:
        encoded: The intent's extra, of any type.

    Raises:
        IntentPayloadError: It is missing, too long, not Base64, not a JSON object, or of another version.
    """
    if not isinstance(encoded, str) or not encoded:
        raise IntentPayloadError("missing-spec")
    if len(encoded) > MAX_ENCODED:
        raise IntentPayloadError("spec-too-long")
    try:
        raw = base64.b64decode(encoded, validate=True)
    except (binascii.Error, ValueError) as error:
        raise IntentPayloadError("bad-base64") from error
    try:
        value = json.loads(raw)
    except (ValueError, RecursionError) as error:
        raise IntentPayloadError("bad-json") from error
    if not isinstance(value, dict):
        raise IntentPayloadError("bad-json")
    version = value.get("v")
    if type(version) is not int or version != VERSION:  # True is not a version
        raise IntentPayloadError("bad-version")
    return value
