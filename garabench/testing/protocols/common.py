"""What the vendors' protocols share: tools for computer use, calls, errors."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from garabench.core.geometry import Size
from garabench.testing.asked import Called, Said
from garabench.testing.refused import Refused

COMPUTER = "computer"
"""Under which name a tool for computer use is offered and called, whatever the protocol calls it."""


def arguments_of(call: Called) -> dict[str, Any] | None:
    """A call's arguments as an object; None where they are none, as when they were cut off."""
    try:
        value = json.loads(call.arguments or "{}")
    except ValueError:
        return None
    return value if isinstance(value, dict) else None


def parted(call: Called, verb: str, tools: Mapping[str, Mapping[str, Any]]) -> Called:
    """A call of the tool for computer use whose action is a function beside it, as a call of that function.

    Args:
        call: The call.
        verb: The argument that names the action.
        tools: What was offered.
    """
    arguments = arguments_of(call)
    if call.name != COMPUTER or arguments is None or arguments.get(verb) not in tools:
        return call
    name = str(arguments.pop(verb))
    return Called(name, json.dumps(arguments, ensure_ascii=False))


def check_size(said: Sequence[Said], told: Size) -> None:
    """A tool for computer use is told the size of the screen, which is that of the latest picture.

    Raises:
        Refused: It was told another one.
    """
    pictures = [picture for message in said for picture in message.pictures]
    if pictures and pictures[-1].size != told:
        raise Refused(400, f"the tool is told of a screen of {told}, and the picture is {pictures[-1].size}")


def listed(value: Any, what: str) -> list[Any]:
    """A list with something in it.

    Raises:
        Refused: It is none.
    """
    if not isinstance(value, list) or not value:
        raise Refused(400, f"{what} is a list with something in it", param=what)
    return value


def whole(value: Any, what: str) -> int:
    """A whole number above 0.

    Raises:
        Refused: It is none.
    """
    if not isinstance(value, int) or isinstance(value, bool) or value < 1:
        raise Refused(400, f"{what} is a whole number above 0", param=what)
    return value


def named(value: Any, what: str) -> str:
    """A text with something in it.

    Raises:
        Refused: It is none.
    """
    if not isinstance(value, str) or not value:
        raise Refused(400, f"{what} is a text with something in it", param=what)
    return value
