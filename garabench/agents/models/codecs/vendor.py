"""Shared code of the vendors' protocols: reading untrusted JSON, and additional functions.

The vendors' computer-use tools can neither end a task nor open an app of a phone. These functions are
declared in addition, and their calls are converted to calls of the dialect's single function.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from garabench.agents.models.messages import ChatRequest, ImagePart, ToolCall
from garabench.core.geometry import Size

COMPUTER = "computer"
"""Name of the single function of the computer-use dialects."""
EXTRA_FUNCTIONS: Mapping[str, tuple[str, str]] = {
    "done": ("answer", "Report that the task is done, with the answer if it asks for one."),
    "give_up": ("reason", "Report that the task cannot be done."),
    "open_app": ("app_name", "Open an app by its name."),
}
"""Functions declared in addition to a vendor's tool: name, argument and description."""


def schema(argument: str) -> dict[str, Any]:
    """Return the JSON Schema of a function with one string argument."""
    return {"type": "object", "properties": {argument: {"type": "string"}}}


def as_dialect(name: str, arguments: Mapping[str, Any], verb: str) -> ToolCall:
    """Convert a call of an additional function to a call of the dialect's single function.

    Args:
        name: Name of the function.
        arguments: Arguments of the call.
        verb: The dialect's argument that names the action.
    """
    if name in EXTRA_FUNCTIONS:
        return ToolCall(COMPUTER, to_text({**arguments, verb: name}))
    return ToolCall(name, to_text(arguments))


def to_text(value: object) -> str:
    """Encode a value as JSON on one line."""
    return json.dumps(value, ensure_ascii=False)


def latest_image_size(request: ChatRequest) -> Size:
    """Return the size of the latest image, which is declared to a vendor's tool as the screen size."""
    images = [part for message in request.messages for part in message.parts if isinstance(part, ImagePart)]
    return images[-1].size if images else Size(1080, 2400)


def offers(request: ChatRequest, name: str) -> bool:
    """Return whether a request offers a function."""
    return any(tool.name == name for tool in request.tools)


def text_or_empty(value: object) -> str:
    """Return a string; empty for any other value."""
    return value if isinstance(value, str) else ""


def mapping(value: object) -> Mapping[str, Any]:
    """Return an object; empty for any other value."""
    return value if isinstance(value, dict) else {}


def objects_in(value: object) -> list[Mapping[str, Any]]:
    """Return the objects in a list; none for any other value."""
    return [row for row in value if isinstance(row, dict)] if isinstance(value, list) else []
