"""Require exactly one action per reply; repetitions of the same action are accepted."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from garabench.agents.dialects.lenient_json import objects
from garabench.agents.dialects.reply import MalformedReplyError, ReplyFlaw

_Found = TypeVar("_Found")
_CALL_BEGINS = re.compile(r"[\s`*]*[A-Za-z_]\w*[(（]")
_MAX_DEPTH = 3


def only_action(found: Sequence[_Found]) -> _Found:
    """Return the only action among those found, which may be repeated.

    Raises:
        MalformedReplyError: There is no action, or there are different ones.
    """
    if not found:
        raise MalformedReplyError(ReplyFlaw.NO_ACTION, "the reply contains no action")
    if any(other != found[0] for other in found[1:]):
        raise MalformedReplyError(
            ReplyFlaw.SEVERAL_ACTIONS, f"the reply contains {len(found)} actions; write only one"
        )
    return found[0]


def parts(text: str, markers: Sequence[re.Match[str]]) -> list[str]:
    """Return the text after each marker such as ``Action:`` that must be parsed as an action.

    The last part always must; an earlier one may be prose, and counts only if it begins with a call.
    """
    ends = [marker.start() for marker in markers[1:]] + [len(text)]
    found = [text[marker.end() : end] for marker, end in zip(markers, ends, strict=True)]
    return [part for part in found[:-1] if _CALL_BEGINS.match(part)] + found[-1:]


def unwrapped(
    value: dict[str, Any], is_action: Callable[[dict[str, Any]], bool], keys: Sequence[str], depth: int = 0
) -> list[dict[str, Any]]:
    """Return the actions in an object: itself, or those nested in it, as in ``{"actions": [{…}]}``.

    Args:
        value: The object.
        is_action: Returns whether an object is an action.
        keys: Keys that may hold a nested object, a list of objects, or an object as JSON text.
        depth: Depth of nesting so far.

    Raises:
        MalformedReplyError: A list of actions contains something else.
    """
    for key in keys if depth < _MAX_DEPTH else ():
        inner = value.get(key)
        if isinstance(inner, str) and "{" in inner:
            found = [part for part, _, _ in objects(inner, is_action)]
        elif isinstance(inner, dict):
            found = unwrapped(inner, is_action, keys, depth + 1)
        elif isinstance(inner, list) and key == "actions":
            if not all(isinstance(part, dict) for part in inner):
                raise MalformedReplyError(ReplyFlaw.BAD_ARGUMENT, "actions must be a list of objects")
            found = [action for part in inner for action in unwrapped(part, is_action, keys, depth + 1)]
        else:
            continue
        if found:
            return found
    return [value] if is_action(value) else []


def listed(found: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return objects of actions, with each list ``{"actions": [{…}, {…}]}`` expanded.

    Raises:
        MalformedReplyError: A list of actions contains something else.
    """
    actions: list[dict[str, Any]] = []
    for value in found:
        inner = value.get("actions")
        if "action" in value or not isinstance(inner, list):
            actions.append(value)
            continue
        for part in inner:
            if not isinstance(part, dict):
                raise MalformedReplyError(ReplyFlaw.BAD_ARGUMENT, "actions must be a list of objects")
            actions.append(part)
    return actions
