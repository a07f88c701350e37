"""Intents as Android prints them (AOSP ``Intent.toShortString``)."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from garabench.virtual.kit.framework import Intent

NEW_TASK = 0x10000000
INCLUDE_BACKGROUND = 0x1000000
"""``FLAG_RECEIVER_INCLUDE_BACKGROUND``: a broadcast also reaches receivers of apps in the background."""
FLAG_NAMES: Mapping[int, str] = {
    0x8000: "CLEAR_TASK",
    0x20000: "REORDER_TO_FRONT",
    0x4000000: "CLEAR_TOP",
    0x8000000: "MULTIPLE_TASK",
    NEW_TASK: "NEW_TASK",
    0x20000000: "SINGLE_TOP",
    0x40000000: "NO_HISTORY",
}
_PRIVATE = frozenset({"tel", "sip", "sms", "smsto", "mailto", "nfc"})
_SAFE_SDK = 31
"""First API level (Android 12) that prints an intent's URI without personal data."""


def intent_fields(
    sdk: int,
    *,
    action: str = "",
    categories: Sequence[str] = (),
    data: str = "",
    mime_type: str = "",
    flags: int = 0,
    package: str = "",
    component: str = "",
    extras: bool = False,
) -> str:
    """Return an intent's fields, in braces."""
    parts = [f"act={action}"] if action else []
    parts += [f"cat=[{','.join(categories)}]"] if categories else []
    parts += [f"dat={_safe(data) if sdk >= _SAFE_SDK else data}"] if data else []
    parts += [f"typ={mime_type}"] if mime_type else []
    parts += [f"flg={flags:#x}"] if flags else []
    parts += [f"pkg={package}"] if package else []
    parts += [f"cmp={_short(component)}"] if component else []
    parts += ["(has extras)"] if extras else []
    return f"{{ {' '.join(parts)} }}"


def started_intent(intent: Intent, component: str, sdk: int) -> str:
    """Return an intent with the component that it starts, as the log prints it."""
    flags = sum(bit for bit, name in FLAG_NAMES.items() if name in intent.flags)
    text = intent_fields(
        sdk,
        action=intent.action,
        categories=sorted(intent.categories),
        data=intent.data,
        mime_type=intent.mime_type,
        flags=flags,
        component=component,
        extras=bool(intent.extras),
    )
    return "{" + text[2:-2] + "}"


def _safe(uri: str) -> str:
    """``Uri.toSafeString``: scheme and host; numbers and addresses are masked."""
    scheme, colon, rest = uri.partition(":")
    if not colon:
        return ""
    if scheme.lower() in _PRIVATE:
        return f"{scheme}:" + re.sub(r"[^-@.]", "x", rest.partition("#")[0])
    found = re.match(r"//([^/?#]*)", rest)
    if found is None:
        return f"{scheme}:/..." if rest.startswith("/") else f"{scheme}:"
    return f"{scheme}://{found[1].rpartition('@')[2]}/..."


def _short(component: str) -> str:
    package, _, name = component.partition("/")
    return f"{package}/{name.removeprefix(package) if name.startswith(package + '.') else name}"
