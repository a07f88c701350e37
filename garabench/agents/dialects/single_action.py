"""Exactly one action per reply: repeating it is fine, two different ones are an error."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from garabench.agents.dialects.lenient_json import objects
from garabench.agents.dialects.reply import MalformedReplyError, ReplyFlaw

_Found = TypeVar("_Found")
_CALL_BEGINS = re.compile(r"[\s`*]*[A-Za-z_]\w*[(（]")
_DEEPEST = 3


def only_action(found: Sequence[_Found]) -> _Found:
    """The one that there is.

    Raises:
        MalformedReplyError: There is none, or there are several.
    """
    if not found:
        raise MalformedReplyError(ReplyFlaw.NO_ACTION, "the reply holds no action")
    if any(other != found[0] for other in found[1:]):
        raise MalformedReplyError(
            ReplyFlaw.SEVERAL_ACTIONS, f"the reply holds {len(found)} actions; write one"
        )
    return found[0]


def parts(text: str, markers: Sequence[re.Match[str]]) -> list[str]:
    """Return the text after each marker such as ``Action:`` that must be parsed as an action.

    The last part always has; an earlier one may be prose, and counts where it begins with a call.
    """
    ends = [marker.start() for marker in markers[1:]] + [len(text)]
    found = [text[marker.end() : end] for marker, end in zip(markers, ends, strict=True)]
    return [part for part in found[:-1] if _CALL_BEGINS.match(part)] + found[-1:]


def unwrapped(
    value: dict[str, Any], is_action: Callable[[dict[str, Any]], bool], keys: Sequence[str], depth: int = 0
) -> list[dict[str, Any]]:
    """The actions in an object: itself, or those of what it wraps, as ``{"actions": [{…}]}`` does.

    Args:
        value: The object.
        is_action: Whether an object says what to do.
        keys: Where an object can wrap others: an object, a list of them, or one as a text of JSON.
        depth: How many objects there are around it.

    Raises:
        MalformedReplyError: A list of actions holds something else.
    """
    for key in keys if depth < _DEEPEST else ():
        inner = value.get(key)
        if isinstance(inner, str) and "{" in inner:
            found = [part for part, _, _ in objects(inner, is_action)]
        elif isinstance(inner, dict):
            found = unwrapped(inner, is_action, keys, depth + 1)
        elif isinstance(inner, list) and key == "actions":
            if not all(isinstance(part, dict) for part in inner):
                raise MalformedReplyError(ReplyFlaw.BAD_ARGUMENT, "actions are objects")
            found = [action for part in inner for action in unwrapped(part, is_action, keys, depth + 1)]
        else:
            continue
        if found:
            return found
    return [value] if is_action(value) else []


def listed(found: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Objects of actions, with those of a list ``{"actions": [{…}, {…}]}`` in the place of the list.

    Raises:
        MalformedReplyError: A list of actions holds something else.
    """
    actions: list[dict[str, Any]] = []
    for value in found:
        inner = value.get("actions")
        if "action" in value or not isinstance(inner, list):
            actions.append(value)
            continue
        for part in inner:
            if not isinstance(part, dict):
                raise MalformedReplyError(ReplyFlaw.BAD_ARGUMENT, "actions are objects")
            actions.append(part)
    return actions
