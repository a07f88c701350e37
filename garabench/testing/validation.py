"""Validate requests as strictly as a real endpoint does."""

from __future__ import annotations

import base64
import binascii
import hashlib
import io
import json
import warnings
from collections.abc import Mapping
from typing import Any

from PIL import Image

from garabench.core import png
from garabench.core.geometry import Size
from garabench.testing.http_error import ApiError
from garabench.testing.requests import FunctionCall, ReceivedImage, ReceivedMessage, ReceivedRequest

MAX_PIXELS = 50_000_000
_ROLES = {"system": "system", "developer": "system", "user": "user", "assistant": "assistant", "tool": "tool"}
_OWN = frozenset({"model", "messages", "tools", "response_format", "stream", "stream_options"})
_FORMATS = frozenset({"png", "jpeg", "webp", "gif"})


def read_object(body: bytes) -> dict[str, Any]:
    """The JSON object that a request's body is.

    Raises:
        ApiError: The request is invalid.
    """
    try:
        value = json.loads(body)
    except (ValueError, RecursionError) as error:
        raise ApiError(400, f"the body is not JSON: {error}") from error
    if not isinstance(value, dict):
        raise ApiError(400, "the body is not a JSON object")
    return value


def read_chat(body: Mapping[str, Any], number: int) -> ReceivedRequest:
    """A request for a chat completion.

    Args:
        body: The request's JSON object.
        number: Which request it is.

    Raises:
        ApiError: An endpoint would refuse it.
    """
    model, messages = body.get("model"), body.get("messages")
    if not isinstance(model, str) or not model:
        raise ApiError(400, "you must provide a model", param="model")
    if not isinstance(messages, list) or not messages:
        raise ApiError(400, "messages is a list with at least one message", param="messages")
    said = tuple(_message(message, f"messages[{at}]") for at, message in enumerate(messages))
    json_mode = _json_mode(body.get("response_format"))
    if json_mode == "json_object" and not any("json" in one.text.casefold() for one in said):
        raise ApiError(
            400,
            "'messages' must contain the word 'json' in some form, to use 'response_format' of type "
            "'json_object'.",
            param="messages",
        )
    options = body.get("stream_options")
    return ReceivedRequest(
        number=number,
        model=model,
        said=said,
        json_mode=bool(json_mode),
        tools=_tools(body.get("tools")),
        stream=body.get("stream") is True,
        usage_in_stream=isinstance(options, dict) and options.get("include_usage") is True,
        parameters={name: value for name, value in body.items() if name not in _OWN},
    )


def _json_mode(value: Any) -> str:
    if value is None:
        return ""
    kind = value.get("type") if isinstance(value, dict) else None
    if kind not in ("text", "json_object", "json_schema"):
        raise ApiError(400, "response_format has no type that is known", param="response_format")
    return "" if kind == "text" else str(kind)


def _tools(value: Any) -> dict[str, Mapping[str, Any]]:
    if value is None:
        return {}
    if not isinstance(value, list) or not value:
        raise ApiError(400, "tools is a list with at least one tool", param="tools")
    found: dict[str, Mapping[str, Any]] = {}
    for at, tool in enumerate(value):
        function = tool.get("function") if isinstance(tool, dict) else None
        name = function.get("name") if isinstance(function, dict) else None
        if not isinstance(function, dict) or not isinstance(name, str) or tool.get("type") != "function":
            raise ApiError(400, "a tool is a function with a name", param=f"tools[{at}]")
        parameters = function.get("parameters", {})
        found[name] = parameters if isinstance(parameters, dict) else {}
    return found


def _message(value: Any, where: str) -> ReceivedMessage:
    if not isinstance(value, dict) or value.get("role") not in _ROLES:
        raise ApiError(400, f"a message has one of the roles {', '.join(_ROLES)}", param=where)
    role = _ROLES[value["role"]]
    calls = tuple(_call(call, where) for call in value.get("tool_calls") or ())
    content = value.get("content")
    if content is None and calls and role == "assistant":
        return ReceivedMessage(role, (), calls)
    if isinstance(content, str):
        return ReceivedMessage(role, (content,), calls)
    if not isinstance(content, list) or not content:
        raise ApiError(400, "a message's content is a text or a list of parts", param=f"{where}.content")
    return ReceivedMessage(role, tuple(_part(part, role, f"{where}.content") for part in content), calls)


def _call(value: Any, where: str) -> FunctionCall:
    function = value.get("function") if isinstance(value, dict) else None
    if not isinstance(function, dict):
        raise ApiError(400, "a tool call has a function", param=f"{where}.tool_calls")
    return FunctionCall(str(function.get("name", "")), str(function.get("arguments", "")))


def _part(value: Any, role: str, where: str) -> str | ReceivedImage:
    match value:
        case {"type": "text", "text": str(text)}:
            return text
        case {"type": "image_url", "image_url": {"url": str(url)}}:
            if role in ("system", "assistant"):
                raise ApiError(400, f"a message of the {role} holds no picture", param=where)
            return read_image(url, where)
        case _:
            raise ApiError(400, "a part is a text or an image_url", param=where)


def read_image(url: str, where: str) -> ReceivedImage:
    """A picture from a data URL; others are not fetched.

    Raises:
        ApiError: It is no picture.
    """
    head, comma, data = url.partition(",")
    if not (head.startswith("data:image/") and head.endswith(";base64") and comma):
        raise ApiError(400, "a picture is a data URL in base64; nothing is fetched", param=where)
    try:
        raw = base64.b64decode(data, validate=True)
    except (binascii.Error, ValueError) as error:
        raise ApiError(400, f"the picture is not base64: {error}", param=where) from error
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", Image.DecompressionBombWarning)
            with Image.open(io.BytesIO(raw)) as image:
                kind, size = str(image.format).lower(), Size(image.width, image.height)
                if image.width * image.height > MAX_PIXELS:
                    raise ApiError(400, f"the picture is {size}, which is too large", param=where)
                if not png.is_whole(raw):
                    image.load()  # a cut-off file opens and does not decode
    except (OSError, SyntaxError, ValueError, Image.DecompressionBombError, Warning) as error:
        raise ApiError(
            400, f"the picture does not decode: {error}", code="invalid_image", param=where
        ) from error
    if kind not in _FORMATS or head != f"data:image/{kind};base64":
        raise ApiError(400, f"the picture is {kind}, and {head} was said", code="invalid_image", param=where)
    return ReceivedImage(size, f"image/{kind}", hashlib.sha256(raw).hexdigest(), raw)
