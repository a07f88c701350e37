"""JSON-RPC 2.0 with the errors of uiautomator2's server."""

from __future__ import annotations

import asyncio
import json
from typing import Any

from garabench.virtual.u2.rpc import JavaError, Method, dispatch, invalid_params, not_found
from tests.cases import every_case


async def _add(a: int, b: int = 1) -> int:
    return a + b


async def _missing() -> None:
    raise not_found("UiSelector[TEXT=设置]")


async def _crash() -> None:
    raise JavaError("java.lang.NullPointerException", "text is null")


async def _refuse(value: Any) -> None:
    raise invalid_params()


METHODS: dict[str, Method] = {"add": _add, "missing": _missing, "crash": _crash, "refuse": _refuse}


def call(body: Any) -> Any:
    raw = body if isinstance(body, bytes) else json.dumps(body).encode()
    answer = asyncio.run(dispatch(METHODS, raw))
    return json.loads(answer) if answer else None


def request(method: str, params: Any = None) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}


def test_a_call_answers_with_its_result() -> None:
    assert call(request("add", [2, 3])) == {"jsonrpc": "2.0", "id": 1, "result": 5}


def test_the_client_sends_an_empty_object_for_no_arguments() -> None:
    answer = call(request("missing", {}))
    assert answer["error"] == {
        "code": -32001,
        "message": "androidx.test.uiautomator.UiObjectNotFoundException",
        "data": "UiSelector[TEXT=设置]",
    }


def test_other_java_exceptions_carry_a_trace() -> None:
    error = call(request("crash"))["error"]
    assert (error["code"], error["message"]) == (-32001, "java.lang.NullPointerException")
    assert error["data"].startswith("java.lang.NullPointerException: text is null\n\tat ")


@every_case(
    ("body", "code"),
    [
        (b"{", -32700),
        (b"\xff\xfe\x00", -32700),
        (b"[" * 100_000, -32700),
        ({"id": 1}, -32600),
        (17, -32600),
        ([], -32600),
        ({"id": {}, "method": "add"}, -32600),
        (request("makeToast", ["x", 1]), -32601),
        (request("add", []), -32602),
        (request("add", [1, 2, 3]), -32602),
        (request("add", {"a": 1}), -32602),
        (request("add", "text"), -32602),
        (request("refuse", [1]), -32602),
    ],
)
def test_invalid_calls_have_their_error_code(body: Any, code: int) -> None:
    assert call(body)["error"]["code"] == code


def test_a_batch_is_answered_in_order_without_notifications() -> None:
    answers = call(
        [request("add", [1]), {"jsonrpc": "2.0", "method": "add", "params": [1]}, request("add", [4, 4])]
    )
    assert [answer["result"] for answer in answers] == [2, 8]


def test_a_notification_has_no_answer() -> None:
    assert call({"jsonrpc": "2.0", "method": "missing"}) is None
