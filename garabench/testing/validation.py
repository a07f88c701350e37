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
_HANDLED = frozenset({"model", "messages", "tools", "response_format", "stream", "stream_options"})
_FORMATS = frozenset({"png", "jpeg", "webp", "gif"})


def read_object(body: bytes) -> dict[str, Any]:
    """Parse the body of a request as a JSON object.

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
    """Validate a request for a chat completion.

    Args:
        body: The request's JSON object.
        number: Number of the request.

    Raises:
        ApiError: A real endpoint would reject it.
    """
    model, given = body.get("model"), body.get("messages")
    if not isinstance(model, str) or not model:
        raise ApiError(400, "you must provide a model", param="model")
    if not isinstance(given, list) or not given:
        raise ApiError(400, "messages must be a non-empty list", param="messages")
    messages = tuple(_message(message, f"messages[{at}]") for at, message in enumerate(given))
    json_mode = _json_mode(body.get("response_format"))
    if json_mode == "json_object" and not any("json" in one.text.casefold() for one in messages):
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
        messages=messages,
        json_mode=bool(json_mode),
        tools=_tools(body.get("tools")),
        stream=body.get("stream") is True,
        usage_in_stream=isinstance(options, dict) and options.get("include_usage") is True,
        parameters={name: value for name, value in body.items() if name not in _HANDLED},
    )


def _json_mode(value: Any) -> str:
    if value is None:
        return ""
    kind = value.get("type") if isinstance(value, dict) else None
    if kind not in ("text", "json_object", "json_schema"):
        raise ApiError(400, "unknown type of response_format", param="response_format")
    return "" if kind == "text" else str(kind)


def _tools(value: Any) -> dict[str, Mapping[str, Any]]:
    if value is None:
        return {}
    if not isinstance(value, list) or not value:
        raise ApiError(400, "tools must be a non-empty list", param="tools")
    found: dict[str, Mapping[str, Any]] = {}
    for at, tool in enumerate(value):
        function = tool.get("function") if isinstance(tool, dict) else None
        name = function.get("name") if isinstance(function, dict) else None
        if not isinstance(function, dict) or not isinstance(name, str) or tool.get("type") != "function":
            raise ApiError(400, "a tool must be a function with a name", param=f"tools[{at}]")
        parameters = function.get("parameters", {})
        found[name] = parameters if isinstance(parameters, dict) else {}
    return found


def _message(value: Any, where: str) -> ReceivedMessage:
    if not isinstance(value, dict) or value.get("role") not in _ROLES:
        raise ApiError(400, f"the role of a message must be one of {', '.join(_ROLES)}", param=where)
    role = _ROLES[value["role"]]
    calls = tuple(_call(call, where) for call in value.get("tool_calls") or ())
    content = value.get("content")
    if content is None and calls and role == "assistant":
        return ReceivedMessage(role, (), calls)
    if isinstance(content, str):
        return ReceivedMessage(role, (content,), calls)
    if not isinstance(content, list) or not content:
        raise ApiError(400, "content must be a string or a non-empty list of parts", param=f"{where}.content")
    return ReceivedMessage(role, tuple(_part(part, role, f"{where}.content") for part in content), calls)


def _call(value: Any, where: str) -> FunctionCall:
    function = value.get("function") if isinstance(value, dict) else None
    if not isinstance(function, dict):
        raise ApiError(400, "a tool call must have a function", param=f"{where}.tool_calls")
    return FunctionCall(str(function.get("name", "")), str(function.get("arguments", "")))


def _part(value: Any, role: str, where: str) -> str | ReceivedImage:
    match value:
        case {"type": "text", "text": str(text)}:
            return text
        case {"type": "image_url", "image_url": {"url": str(url)}}:
            if role in ("system", "assistant"):
                raise ApiError(400, f"a {role} message cannot contain images", param=where)
            return read_image(url, where)
        case _:
            raise ApiError(400, "a part must be a text or an image_url", param=where)


def read_image(url: str, where: str) -> ReceivedImage:
    """Decode an image from a data URL; other URLs are not fetched.

    Raises:
        ApiError: The URL contains no valid image.
    """
    head, comma, data = url.partition(",")
    if not (head.startswith("data:image/") and head.endswith(";base64") and comma):
        raise ApiError(400, "an image must be a data URL in base64; other URLs are not fetched", param=where)
    try:
        raw = base64.b64decode(data, validate=True)
    except (binascii.Error, ValueError) as error:
        raise ApiError(400, f"the image is not valid base64: {error}", param=where) from error
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", Image.DecompressionBombWarning)
            with Image.open(io.BytesIO(raw)) as image:
                kind, size = str(image.format).lower(), Size(image.width, image.height)
                if image.width * image.height > MAX_PIXELS:
                    raise ApiError(400, f"the image is {size}, which is too large", param=where)
                if not png.is_whole(raw):
                    image.load()  # a truncated file opens, but cannot be decoded
    except (OSError, SyntaxError, ValueError, Image.DecompressionBombError, Warning) as error:
        raise ApiError(
            400, f"the image cannot be decoded: {error}", code="invalid_image", param=where
        ) from error
    if kind not in _FORMATS or head != f"data:image/{kind};base64":
        raise ApiError(400, f"the image is {kind}, but declared as {head}", code="invalid_image", param=where)
    return ReceivedImage(size, f"image/{kind}", hashlib.sha256(raw).hexdigest(), raw)
