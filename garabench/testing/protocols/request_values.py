"""Values of requests that the vendors' protocols share: computer-use tools, calls, checked values."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from garabench.core.geometry import Size
from garabench.testing.http_error import ApiError
from garabench.testing.requests import FunctionCall, ReceivedMessage

COMPUTER = "computer"
"""The name of a computer-use tool and its calls, in every protocol."""


def arguments_of(call: FunctionCall) -> dict[str, Any] | None:
    """Parse a call's arguments; None if they are not a JSON object, as when they were cut off."""
    try:
        value = json.loads(call.arguments or "{}")
    except ValueError:
        return None
    return value if isinstance(value, dict) else None


def as_separate_function(
    call: FunctionCall, verb: str, tools: Mapping[str, Mapping[str, Any]]
) -> FunctionCall:
    """Turn a computer-use call whose action is also a separate function into a call of that function.

    Args:
        call: The call.
        verb: The argument that names the action.
        tools: The functions offered in the request.
    """
    arguments = arguments_of(call)
    if call.name != COMPUTER or arguments is None or arguments.get(verb) not in tools:
        return call
    name = str(arguments.pop(verb))
    return FunctionCall(name, json.dumps(arguments, ensure_ascii=False))


def check_size(messages: Sequence[ReceivedMessage], declared: Size) -> None:
    """Check that the screen size of a computer-use tool is the size of the latest image.

    Raises:
        ApiError: The sizes differ.
    """
    images = [image for message in messages for image in message.images]
    if images and images[-1].size != declared:
        raise ApiError(400, f"the tool declares a screen of {declared}, but the image is {images[-1].size}")


def non_empty_list(value: Any, what: str) -> list[Any]:
    """Return the value if it is a non-empty list.

    Raises:
        ApiError: It is not.
    """
    if not isinstance(value, list) or not value:
        raise ApiError(400, f"{what} must be a non-empty list", param=what)
    return value


def positive_integer(value: Any, what: str) -> int:
    """Return the value if it is a positive integer.

    Raises:
        ApiError: It is not.
    """
    if not isinstance(value, int) or isinstance(value, bool) or value < 1:
        raise ApiError(400, f"{what} must be a positive integer", param=what)
    return value


def non_empty_text(value: Any, what: str) -> str:
    """Return the value if it is a non-empty string.

    Raises:
        ApiError: It is not.
    """
    if not isinstance(value, str) or not value:
        raise ApiError(400, f"{what} must be a non-empty string", param=what)
    return value
