"""The companion app's package, receivers, commands and specification.

Tests verify that the APK's manifest and the app on the virtual phone use these names.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Mapping

PACKAGE = "org.garabench.interruptions"
LOG_TAG = "GaraBench"
SHOW = f"{PACKAGE}/{PACKAGE}.Show"
PROGRESS = f"{PACKAGE}/{PACKAGE}.Progress"
COMMANDS = f"{PACKAGE}/{PACKAGE}.Commands"
CLOSE_ACTION = f"{PACKAGE}.CLOSE"
CLOSE = ("am", "broadcast", "-a", CLOSE_ACTION, "-n", COMMANDS)
"""Closes the companion app's window; names the receiver, as Android 8 and newer require."""
STATE = ("am", "broadcast", "-a", f"{PACKAGE}.STATE", "-n", COMMANDS)
"""Queries what is on screen."""
NOTIFY = ("am", "broadcast", "--include-stopped-packages", "-a", f"{PACKAGE}.NOTIFY")
"""Shows the window by a notification; without the receiver and the extras."""
HEADS_UP = ("am", "broadcast", "--include-stopped-packages", "-a", f"{PACKAGE}.HEADS_UP")
"""Posts a heads-up notification; without the receiver and the extras."""
HEADS_UP_SDK = 21
"""First API level with heads-up notifications (Android 5)."""
PERMISSION, PERMISSION_SDK = "android.permission.POST_NOTIFICATIONS", 33
"""The permission that a notification requires, and the first API level that has it (Android 13)."""
FULL_SCREEN_OP, FULL_SCREEN_SDK = "USE_FULL_SCREEN_INTENT", 34
"""The app-op that a full-screen intent requires, and the first API level that has it (Android 14)."""
SPEC_VERSION = 1


def encode_spec(spec: Mapping[str, object]) -> str:
    """Encode a specification as Base64 of UTF-8 JSON, which needs no quoting in a shell."""
    return base64.b64encode(json.dumps(spec, ensure_ascii=False, sort_keys=True).encode()).decode("ascii")


def decode_spec(text: str) -> dict[str, object]:
    """Decode the result of `encode_spec`.

    Raises:
        ValueError: The text is not an encoded specification.
    """
    data = json.loads(base64.b64decode(text, validate=True))
    if not isinstance(data, dict):
        raise ValueError("the specification is not an object")
    return data
