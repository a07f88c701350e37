"""Apply the options of an agent name, such as ``gpt-4o?model=gpt-4o-mini&temperature=0``, to a profile."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from typing import Any

from pydantic import ValidationError

from garabench.agents.profile import AgentProfile
from garabench.core.suggestions import did_you_mean
from garabench.core.yamlmodel import real_path
from garabench.errors import InputError

_ALTERNATIVES = ({"key_env", "keyring"}, {"native", "long_side", "smart"})
"""Mutually exclusive keys: a new one replaces the others."""

OPTIONS: Mapping[str, tuple[str, ...]] = {
    "model": ("model",),
    "dialect": ("dialect",),
    "base_url": ("endpoint", "base_url"),
    "key_env": ("endpoint", "key_env"),
    "keyring": ("endpoint", "keyring"),
    "protocol": ("endpoint", "protocol"),
    "stream": ("endpoint", "stream"),
    "input": ("input",),
    "form": ("form",),
    "tokens": ("tree", "tokens"),
    "history": ("history", "form"),
    "last": ("history", "last"),
    "unit": ("coordinates", "unit"),
    "span": ("coordinates", "span"),
    "long_side": ("image", "long_side"),
    "format": ("image", "format"),
    "quality": ("image", "quality"),
    "seconds": ("limits", "seconds"),
    "tries": ("limits", "tries"),
    "repairs": ("limits", "repairs"),
    "at_once": ("limits", "at_once"),
    "temperature": ("parameters", "temperature"),
    "top_p": ("parameters", "top_p"),
    "max_tokens": ("parameters", "max_tokens"),
    "reasoning_effort": ("parameters", "reasoning_effort"),
    "seed": ("parameters", "seed"),
}
"""The path in a profile to which each option applies."""


def set_values(profile: AgentProfile) -> dict[str, Any]:
    """Return the explicitly set values of a profile."""
    return profile.model_dump(exclude_unset=True)


def merge_options(base: Mapping[str, Any], change: Mapping[str, Any]) -> dict[str, Any]:
    """Merge changes into a mapping, nested mappings key by key; a null removes a key."""
    given = {name for name, value in change.items() if value is not None}
    dropped = {name for names in _ALTERNATIVES if names & given for name in names}
    found = {name: value for name, value in base.items() if name not in dropped}
    for name, value in change.items():
        if value is None:
            found.pop(name, None)
        elif isinstance(value, Mapping):
            before = found.get(name)
            found[name] = merge_options(before if isinstance(before, Mapping) else {}, value)
        else:
            found[name] = value
    return found


def with_options(profile: AgentProfile, options: Mapping[str, str]) -> AgentProfile:
    """Apply options to a profile, and add them to its id.

    Args:
        profile: The profile.
        options: Values by a name of `OPTIONS`, or by a path such as ``history.last``.

    Raises:
        InputError: An option is unknown or has an invalid value.
    """
    change: dict[str, Any] = {}
    for name, text in options.items():
        path = OPTIONS.get(name) or tuple(name.split("."))
        if len(path) > 3 or path[0] in ("id", "about", "serve") or path[0] not in AgentProfile.model_fields:
            raise InputError(f"unknown agent option {name!r}", hint=did_you_mean(name, OPTIONS))
        target = change
        for part in path[:-1]:
            target = target.setdefault(part, {})
        target[path[-1]] = _value(text) if path[0] == "parameters" else text
    data = merge_options(set_values(profile), change)
    data["id"] = _id_with(profile.id, options)
    try:
        return AgentProfile.model_validate(data)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        where = ".".join(str(part) for part in real_path(first["loc"], data))
        message = first["msg"].removeprefix("Value error, ")
        subject = f"the option {where}" if where else "the options"
        raise InputError(f"{subject} of {profile.id!r}: {message[:1].lower()}{message[1:]}") from error


def _value(text: str) -> Any:
    """Parse a parameter's value: a number, boolean or null as in JSON, or else a string."""
    try:
        found = json.loads(text)
    except ValueError:
        return text
    return text if isinstance(found, str) else found


_MAX_VALUE_LENGTH = 16


def _id_with(name: str, options: Mapping[str, str]) -> str:
    """Add options to a profile id; a value that is long or has other characters becomes a hash."""
    parts = [name]
    for option, value in sorted(options.items()):
        key = re.sub(r"[^a-z0-9]+", "-", option.lower()).strip("-")
        fits = re.fullmatch(r"[a-z0-9]+([.-][a-z0-9]+)*", value) and len(value) <= _MAX_VALUE_LENGTH
        parts.append(f"{key}-{value if fits else hashlib.sha256(value.encode()).hexdigest()[:6]}")
    made = "+".join(parts)
    if len(made) <= 100:
        return made
    return f"{name[:80]}+{hashlib.sha256(made.encode()).hexdigest()[:12]}"
