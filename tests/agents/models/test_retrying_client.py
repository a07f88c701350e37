from __future__ import annotations

import datetime as dt
import itertools
import json
import socket
import traceback
from typing import Any

import pytest

from garabench.agents.models import endpoint_errors as ft
from garabench.agents.models.messages import (
    ChatMessage,
    ChatRequest,
    ChatRole,
    ImagePart,
    ReplyForm,
    StopReason,
    TextPart,
    Tool,
)
from garabench.core.clock import FakeClock
from garabench.core.geometry import Size
from garabench.testing.replies import FakeReply
from garabench.testing.requests import FunctionCall
from tests.agents.models.chats import HELLO, KEY, REQUEST, chat_at, server
from tests.agents.models.loopback import answer, playing, read_request
from tests.cases import every_case
from tests.testing.images import make_image

BY_GOOGLE = {"code": 400, "status": "INVALID_ARGUMENT"}
WRONG_KEY = {**BY_GOOGLE, "message": "API key not valid. Please pass a valid API key."}
OLD_KEY = {**BY_GOOGLE, "message": "API key expired.", "details": [{"reason": "API_KEY_INVALID"}]}


@pytest.mark.parametrize("stream", [False, True])
def test_text_with_an_image_is_answered(stream: bool) -> None:
    data = make_image(20, 30)
    request = ChatRequest(
        "m",
        (ChatMessage(ChatRole.USER, (TextPart("Go."), ImagePart(data, Size(20, 30)))),),
        parameters={"temperature": 0, "top_k": 3, "chat_template_kwargs": {"enable_thinking": False}},
    )
    with server(FakeReply("hello", reasoning="hm")) as running:
        got = chat_at(running.base_url, stream=stream).ask(request)
        (received,) = running.requests
    assert (got.text, got.reasoning, got.stop, got.tries) == ("hello", "hm", StopReason.DONE, 1)
    assert got.usage.sent > 0
    assert got.usage.received > 0
    assert [image.size for image in received.images] == [Size(20, 30)]
    assert received.stream is stream


@pytest.mark.parametrize("stream", [False, True])
def test_calls_are_answered(stream: bool) -> None:
    request = ChatRequest("m", REQUEST.messages, ReplyForm.TOOLS, (Tool("tap", "Tap.", {"type": "object"}),))
    with server(FakeReply("so", calls=(FunctionCall("tap", '{"x": 1}'),))) as running:
        got = chat_at(running.base_url, stream=stream).ask(request)
    assert [(call.name, call.arguments) for call in got.calls] == [("tap", '{"x": 1}')]


def test_no_key_is_sent_without_authentication() -> None:
    heads: list[bytes] = []

    def play(connection: socket.socket) -> None:
        heads.append(read_request(connection).partition(b"\r\n\r\n")[0].lower())
        connection.sendall(answer(HELLO))

    with playing(play) as url:
        assert chat_at(url, key="").ask(REQUEST).text == "hello"
        assert chat_at(url).ask(REQUEST).text == "hello"
    assert b"authorization" not in heads[0]
    assert f"authorization: bearer {KEY}".encode() in heads[1]
    assert b"accept-encoding: identity" in heads[0]


@pytest.mark.parametrize(
    ("fault", "stop"),
    [
        ("filter@1", StopReason.FILTERED),
        ("refusal@1", StopReason.REFUSED),
        ("empty@1", StopReason.EMPTY),
        ("length@1", StopReason.CUT_OFF),
    ],
)
def test_stop_reasons_are_distinguished(fault: str, stop: StopReason) -> None:
    with server("a long enough reply", faults=[fault]) as running:
        got = chat_at(running.base_url).ask(REQUEST)
    assert (got.stop, got.tries) == (stop, 1)


@pytest.mark.parametrize(
    "fault",
    [
        "429=0.25@1",
        "500@1-2",
        "502@1",
        "503@1",
        "close@1",
        "cut@1",
        "malformed@1",
        "wrong-types@1",
        "no-choice@1",
    ],
)
def test_transient_faults_are_retried(fault: str) -> None:
    clock = FakeClock()
    with server(faults=[fault]) as running:
        got = chat_at(running.base_url, clock=clock).ask(REQUEST)
    failed = 2 if "-2" in fault else 1
    assert (got.text, got.tries) == ("hello", failed + 1)
    assert got.seconds == pytest.approx(sum(clock.slept), abs=0.01)
    if fault.startswith("429"):
        assert 0.25 <= sum(clock.slept) <= 0.75


def test_a_retry_date_is_respected() -> None:
    clock = FakeClock()
    due = (clock.now() + dt.timedelta(seconds=20)).strftime("%a, %d %b %Y %H:%M:%S GMT")
    replies = iter([answer(b"{}", status="429 Slow", headers=f"Retry-After: {due}\r\n"), answer(HELLO)])

    def play(connection: socket.socket) -> None:
        read_request(connection)
        connection.sendall(next(replies))

    with playing(play) as url:
        assert chat_at(url, clock=clock).ask(REQUEST).tries == 2
    assert 20 <= sum(clock.slept) <= 21


@every_case(
    ("status", "body", "kind", "expected"),
    [
        (
            "400 No",
            {"error": {"message": "too long"}},
            ft.RequestRejectedError,
            "rejects the request (400): too long",
        ),
        (
            "401 No",
            {"error": {"message": f"wrong {KEY}!"}},
            ft.KeyRejectedError,
            "Put a valid key in MY_KEY",
        ),
        (
            "401 No",
            {"error": {"message": "wrong: sk-sec***6789."}},
            ft.KeyRejectedError,
            "wrong: [key]. Put a",
        ),
        ("402 Pay", {}, ft.QuotaExceededError, "requires payment"),
        ("403 No", {"detail": "not yours"}, ft.AccessDeniedError, "denies access (403): not yours"),
        ("404 No", {"error": {"message": "gone"}}, ft.UnknownModelError, "has no model 'm'"),
        ("422 No", {"detail": [{"loc": ["body"]}]}, ft.RequestRejectedError, "rejects the request (422)"),
        (
            "400 No",
            [{"error": WRONG_KEY}],
            ft.KeyRejectedError,
            "rejects the key (400): API key not valid. Please",
        ),
        ("400 No", [{"error": OLD_KEY}], ft.KeyRejectedError, "API key expired. Put a valid key in MY_KEY"),
        (
            "400 No",
            [{"error": {"message": "bad"}}],
            ft.RequestRejectedError,
            "rejects the request (400): bad.",
        ),
        ("429 No", {"error": {"code": "insufficient_quota"}}, ft.QuotaExceededError, "no quota left"),
        ("302 Off", {}, ft.InvalidReplyError, "redirects (302)"),
        ("413 Big", {}, ft.RequestRejectedError, "too large"),
    ],
)
def test_permanent_errors_are_reported_immediately(
    status: str, body: Any, kind: type[ft.EndpointError], expected: str
) -> None:
    count = itertools.count(1)
    seen: list[int] = []

    def play(connection: socket.socket) -> None:
        read_request(connection)
        seen.append(next(count))
        headers = "Location: http://127.0.0.1:1/\r\n" if status.startswith("302") else ""
        connection.sendall(answer(json.dumps(body).encode(), status=status, headers=headers))

    with playing(play) as url, pytest.raises(kind) as caught:
        chat_at(url, tries=1 if kind.transient else 4).ask(REQUEST)
    assert expected in str(caught.value)
    assert url in str(caught.value)
    assert KEY not in str(caught.value)
    assert seen == [1]
    assert caught.value.exit_status == 3


def test_retries_are_limited() -> None:
    clock = FakeClock()
    with (
        server(faults=["500@all"]) as running,
        pytest.raises(ft.EndpointServerError, match=r"\(500\).*Tried 4 times"),
    ):
        chat_at(running.base_url, clock=clock).ask(REQUEST)
    assert len(running.requests) == 4
    assert 0 < sum(clock.slept) < 3.5


def test_a_too_long_wait_is_not_made() -> None:
    with server(faults=["429=3600@all"]) as running, pytest.raises(ft.RateLimitedError, match="wait 3600 s"):
        chat_at(running.base_url).ask(REQUEST)
    assert len(running.requests) == 1


def test_a_server_that_is_down_is_reported() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    with pytest.raises(ft.EndpointUnreachableError, match="connection refused"):
        chat_at(f"http://127.0.0.1:{port}/v1").ask(REQUEST)


def test_an_unknown_host_is_reported() -> None:
    with pytest.raises(ft.EndpointUnreachableError, match="unknown host"):
        chat_at("http://no-such-host.invalid/v1", tries=1).ask(REQUEST)


def test_the_key_is_redacted_in_replies() -> None:
    message = {"content": f"your key is {KEY}", "reasoning_content": KEY}
    call = {"function": {"name": KEY, "arguments": KEY}}
    body = json.dumps({"choices": [{"message": {**message, "tool_calls": [call]}}], "model": KEY}).encode()

    def play(connection: socket.socket) -> None:
        read_request(connection)
        connection.sendall(answer(body))

    with playing(play) as url:
        got = chat_at(url).ask(REQUEST)
    assert KEY not in repr(got)
    assert got.text == "your key is [key]"


def test_unpaired_surrogates_are_replaced() -> None:
    body = json.dumps({"choices": [{"message": {"content": "a\ud83d 米 \U0001f600"}}]}).encode()

    def play(connection: socket.socket) -> None:
        read_request(connection)
        connection.sendall(answer(body))

    with playing(play) as url:
        assert chat_at(url).ask(REQUEST).text == "a\ufffd 米 \U0001f600"


def test_tracebacks_do_not_contain_the_key() -> None:
    def play(connection: socket.socket) -> None:
        read_request(connection)
        connection.sendall(answer(json.dumps({"error": {"message": f"{KEY}?"}}).encode(), status="401 No"))

    with playing(play) as url, pytest.raises(ft.KeyRejectedError) as caught:
        chat_at(url).ask(REQUEST)
    lines = "".join(traceback.TracebackException.from_exception(caught.value, capture_locals=True).format())
    assert KEY not in lines
    assert "[key]?" in str(caught.value)
