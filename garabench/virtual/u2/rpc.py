"""JSON-RPC 2.0 as uiautomator2's on-device server answers it.

The real server is jsonrpc4j with a resolver that maps every exception to code -32001 with the Java
class name as the message, which the client evaluates.
"""

from __future__ import annotations

import inspect
import json
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any

Method = Callable[..., Awaitable[Any]]

PARSE_ERROR = -32700
INVALID_REQUEST = -32600
METHOD_NOT_FOUND = -32601
INVALID_PARAMS = -32602
JAVA_EXCEPTION = -32001

UI_OBJECT_NOT_FOUND = "androidx.test.uiautomator.UiObjectNotFoundException"


class RpcError(Exception):
    """A failed call, answered by an error object.

    Attributes:
        code: JSON-RPC error code.
        message: Message; for Java exceptions the class name.
        data: Details; a stack trace on the real server.
    """

    def __init__(self, code: int, message: str, data: str | None = None) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.data = data


class JavaError(RpcError):
    """A Java exception of the server."""

    def __init__(self, java_class: str, detail: str) -> None:
        not_found = java_class == UI_OBJECT_NOT_FOUND
        data = (
            detail if not_found else f"{java_class}: {detail}\n\tat com.wetest.uia2.stub.AutomatorServiceImpl"
        )
        super().__init__(JAVA_EXCEPTION, java_class, data)


def not_found(selector: str) -> JavaError:
    """Return the error for a missing object; `selector` as `UiSelector.toString` writes it."""
    return JavaError(UI_OBJECT_NOT_FOUND, selector)


def invalid_params() -> RpcError:
    """Return the error for arguments that fit no overload of the method."""
    return RpcError(INVALID_PARAMS, "method parameters invalid")


async def dispatch(methods: Mapping[str, Method], body: bytes) -> bytes:
    """Answer one call, or a batch of calls.

    Args:
        methods: Methods by name; each takes the call's positional arguments.
        body: The request, JSON.

    Returns:
        The response, JSON; empty for notifications.
    """
    try:
        request = json.loads(body)
    except (ValueError, RecursionError):
        return _encode(_failure(None, RpcError(PARSE_ERROR, "JSON parse error")))
    if not isinstance(request, list):
        answer = await _answer(methods, request)
        return b"" if answer is None else _encode(answer)
    if not request:
        return _encode(_failure(None, RpcError(INVALID_REQUEST, "Invalid Request")))
    answers = [await _answer(methods, call) for call in request]
    responses = [answer for answer in answers if answer is not None]
    return _encode(responses) if responses else b""


async def _answer(methods: Mapping[str, Method], call: Any) -> dict[str, Any] | None:
    if not isinstance(call, dict) or not isinstance(call.get("method"), str):
        return _failure(None, RpcError(INVALID_REQUEST, "Invalid Request"))
    identity = call.get("id")
    if identity is not None and not isinstance(identity, str | int | float):
        return _failure(None, RpcError(INVALID_REQUEST, "Invalid Request"))
    try:
        result = await _call(methods, call["method"], call.get("params"))
    except RpcError as error:
        return None if "id" not in call else _failure(identity, error)
    return None if "id" not in call else {"jsonrpc": "2.0", "id": identity, "result": result}


async def _call(methods: Mapping[str, Method], name: str, params: Any) -> Any:
    method = methods.get(name)
    if method is None:
        raise RpcError(METHOD_NOT_FOUND, "method not found")
    arguments = _positional(params)
    try:
        inspect.signature(method).bind(*arguments)
    except TypeError as error:
        raise invalid_params() from error
    return await method(*arguments)


def _positional(params: Any) -> Sequence[Any]:
    if params is None or params == {}:  # the client sends {} for no arguments
        return ()
    if isinstance(params, list):
        return params
    raise invalid_params()


def _failure(identity: Any, error: RpcError) -> dict[str, Any]:
    shown: dict[str, Any] = {"code": error.code, "message": error.message}
    if error.data is not None:
        shown["data"] = error.data
    return {"jsonrpc": "2.0", "id": identity, "error": shown}


def _encode(value: Any) -> bytes:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "surrogatepass")
