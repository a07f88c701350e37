"""What the vendors' own protocols share: reading JSON that may be anything, and a task's ends as functions.

The vendors' tools for using a computer know no end of a task and no app of a phone. These stand beside them
as functions, and their calls are told as the dialect's one function would be called.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from garabench.agents.chat.messages import Picture, Request, ToolCall
from garabench.core.geometry import Size

COMPUTER = "computer"
"""Name of the one function of the dialects for computer use."""
ENDS: Mapping[str, tuple[str, str]] = {
    "done": ("answer", "Say that the task is done, with the answer where it asks for one."),
    "give_up": ("reason", "Say that the task cannot be done."),
    "open_app": ("app_name", "Open an app by its name."),
}
"""Functions beside a vendor's tool: the argument, and what each does."""


def schema(argument: str) -> dict[str, Any]:
    """JSON Schema of a function with one text."""
    return {"type": "object", "properties": {argument: {"type": "string"}}}


def as_dialect(name: str, arguments: Mapping[str, Any], verb: str) -> ToolCall:
    """A call beside a vendor's tool, as a call of the dialect's one function.

    Args:
        name: Of the function.
        arguments: Of the call.
        verb: The dialect's argument that names the action.
    """
    if name in ENDS:
        return ToolCall(COMPUTER, to_text({**arguments, verb: name}))
    return ToolCall(name, to_text(arguments))


def to_text(value: object) -> str:
    """JSON on one line."""
    return json.dumps(value, ensure_ascii=False)


def shown_size(request: Request) -> Size:
    """The size of the latest picture, which a vendor's tool is told as the screen's."""
    pictures = [part for message in request.messages for part in message.parts if isinstance(part, Picture)]
    return pictures[-1].size if pictures else Size(1080, 2400)


def wants(request: Request, name: str) -> bool:
    """Whether a function of that name is offered."""
    return any(tool.name == name for tool in request.tools)


def text(value: object) -> str:
    """A text, or nothing."""
    return value if isinstance(value, str) else ""


def mapping(value: object) -> Mapping[str, Any]:
    """An object, or an empty one."""
    return value if isinstance(value, dict) else {}


def rows(value: object) -> list[Mapping[str, Any]]:
    """The objects of a list, or none."""
    return [row for row in value if isinstance(row, dict)] if isinstance(value, list) else []
