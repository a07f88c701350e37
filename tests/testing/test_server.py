"""The server, used by OpenAI's own client."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import openai
import pytest
import requests

from garabench.core.geometry import Size
from garabench.errors import HarnessError
from garabench.testing.behaviour import ComputedReplies, ScriptedReplies
from garabench.testing.replies import FakeReply
from garabench.testing.requests import FunctionCall, ReceivedRequest
from garabench.testing.server import FakeModelServer
from tests.testing.images import make_image, url, user_message
from tests.waits import AMPLE, until


def echo(request: ReceivedRequest) -> str:
    return f"{request.model} received: {request.text}"


@pytest.fixture(scope="module")
def server() -> Iterator[FakeModelServer]:
    with FakeModelServer(ComputedReplies(echo), models=("small", "large")) as running:
        yield running


def client_of(server: FakeModelServer, key: str | None = None, **more: Any) -> openai.OpenAI:
    return openai.OpenAI(
        base_url=server.base_url, api_key=key or server.key or "none", max_retries=0, timeout=AMPLE, **more
    )


@pytest.fixture(scope="module")
def client(server: FakeModelServer) -> Iterator[openai.OpenAI]:
    with client_of(server) as made:
        yield made


def ask(client: openai.OpenAI, messages: list[Any], **more: Any) -> Any:
    return client.chat.completions.create(**{"model": "small", "messages": messages} | more)


def test_it_replies_to_the_messages(client: openai.OpenAI) -> None:
    done = ask(client, [{"role": "system", "content": "Be brief."}, *user_message("你好")])
    assert done.choices[0].message.content == "small received: Be brief.\n你好"
    assert done.choices[0].finish_reason == "stop"
    assert done.model == "small"


def test_it_records_requests_with_the_size_of_images(server: FakeModelServer, client: openai.OpenAI) -> None:
    ask(client, user_message("look", make_image(112, 252)), temperature=0.5, max_tokens=9)
    recorded = server.requests[-1]
    assert [seen.size for seen in recorded.images] == [Size(112, 252)]
    assert recorded.images[0].media_type == "image/png"
    assert recorded.images[0].data == b""
    assert recorded.parameters == {"temperature": 0.5, "max_tokens": 9}
    assert recorded.answered == "small received: look"
    assert server.key is not None and server.key not in repr(recorded)


def test_usage_is_computed_from_the_request(client: openai.OpenAI) -> None:
    bare = ask(client, user_message("look")).usage
    with_picture = ask(client, user_message("look", make_image(56, 84))).usage
    assert with_picture.prompt_tokens - bare.prompt_tokens == 2 * 3
    assert with_picture.prompt_tokens_details.image_tokens == 6
    longer = ask(client, user_message("look" * 100)).usage
    assert longer.prompt_tokens - bare.prompt_tokens == 99
    assert longer.total_tokens == longer.prompt_tokens + longer.completion_tokens


def test_a_repeated_prefix_is_cached(client: openai.OpenAI) -> None:
    head = {"role": "system", "content": "rule " * 1000}
    first = ask(client, [head, *user_message("one")]).usage
    second = ask(client, [head, *user_message("two")]).usage
    assert first.prompt_tokens_details.cached_tokens == 0
    assert second.prompt_tokens_details.cached_tokens == 1250 + 3


def test_it_streams(client: openai.OpenAI) -> None:
    chunks = list(
        ask(client, user_message("a long text " * 5), stream=True, stream_options={"include_usage": True})
    )
    text = "".join(chunk.choices[0].delta.content or "" for chunk in chunks if chunk.choices)
    assert text == "small received: " + "a long text " * 5
    assert len(chunks) > 5
    assert [chunk.choices[0].finish_reason for chunk in chunks if chunk.choices][-1] == "stop"
    assert chunks[-1].usage is not None and chunks[-1].usage.completion_tokens > 10


def test_a_stream_reports_usage_only_on_request(client: openai.OpenAI) -> None:
    assert all(chunk.usage is None for chunk in ask(client, user_message("x"), stream=True))


def test_it_calls_functions_with_and_without_streaming() -> None:
    reply = FakeReply(calls=(FunctionCall("tap", '{"coords": [120, 310]}'),), reasoning="the button is there")
    tools = [{"type": "function", "function": {"name": "tap", "parameters": {"type": "object"}}}]
    with FakeModelServer(ScriptedReplies([reply], repeat=True)) as server, client_of(server) as client:
        choice = ask(client, user_message("go"), tools=tools).choices[0]
        assert choice.finish_reason == "tool_calls"
        assert choice.message.content is None
        assert choice.message.tool_calls[0].function.arguments == '{"coords": [120, 310]}'
        assert choice.message.reasoning_content == "the button is there"
        deltas = [
            call
            for chunk in ask(client, user_message("go"), tools=tools, stream=True)
            for call in chunk.choices[0].delta.tool_calls or ()
        ]
        assert deltas[0].function.name == "tap"
        assert "".join(delta.function.arguments for delta in deltas) == '{"coords": [120, 310]}'
        assert set(server.requests[0].tools) == {"tap"}


def test_json_mode_requires_the_word_json(client: openai.OpenAI) -> None:
    mode = {"type": "json_object"}
    with pytest.raises(openai.BadRequestError, match="must contain the word 'json'"):
        ask(client, user_message("go"), response_format=mode)
    with FakeModelServer(ScriptedReplies(['{"action": "back"}'])) as server, client_of(server) as other:
        done = ask(other, user_message("answer in JSON"), response_format=mode)
        assert done.choices[0].message.content == '{"action": "back"}'
        assert server.requests[0].json_mode


def test_json_mode_requires_a_json_reply(client: openai.OpenAI) -> None:
    with pytest.raises(openai.InternalServerError, match="did not write a JSON object"):
        ask(client, user_message("answer in JSON"), response_format={"type": "json_object"})


def test_a_call_of_a_function_that_was_not_offered_is_an_error() -> None:
    with (
        FakeModelServer(ScriptedReplies([FakeReply(calls=(FunctionCall("tap", "{}"),))])) as server,
        client_of(server) as client,
        pytest.raises(openai.InternalServerError, match="does not offer: 'tap'"),
    ):
        ask(client, user_message("go"))


def test_models_are_listed(client: openai.OpenAI) -> None:
    assert [model.id for model in client.models.list()] == ["small", "large"]
    assert client.models.retrieve("large").id == "large"


def test_a_wrong_key_is_rejected(server: FakeModelServer) -> None:
    before = len(server.requests)
    with client_of(server, "sk-wrong") as other:
        with pytest.raises(openai.AuthenticationError) as caught:
            ask(other, user_message("go"))
        with pytest.raises(openai.AuthenticationError):
            other.models.list()
    assert caught.value.code == "invalid_api_key"
    assert "sk-wrong" not in str(caught.value)
    assert len(server.requests) == before


def test_an_unknown_model_is_not_found(server: FakeModelServer, client: openai.OpenAI) -> None:
    with pytest.raises(openai.NotFoundError) as caught:
        ask(client, user_message("go"), model="huge")
    assert caught.value.code == "model_not_found"
    assert server.requests[-1].model == "huge"


def test_an_unknown_path_is_not_found(client: openai.OpenAI) -> None:
    with pytest.raises(openai.NotFoundError, match="unknown path: POST /v1/embeddings"):
        client.embeddings.create(model="small", input="x")


@pytest.mark.parametrize(
    ("part", "reason"),
    [
        ({"type": "image_url", "image_url": {"url": "http://127.0.0.1/a.png"}}, "other URLs are not fetched"),
        ({"type": "image_url", "image_url": {"url": url(b"black")}}, "cannot be decoded"),
        ({"type": "image_url", "image_url": {"url": url(make_image()[:200])}}, "cannot be decoded"),
        (
            {"type": "image_url", "image_url": {"url": url(make_image(kind="JPEG"))}},
            "declared as data:image/png;base64",
        ),
        ({"type": "image_url", "image_url": {"url": "data:image/png;base64,%%%"}}, "not valid base64"),
        ({"type": "input_audio", "input_audio": {}}, "a text or an image_url"),
    ],
)
def test_invalid_parts_are_rejected(client: openai.OpenAI, part: Any, reason: str) -> None:
    with pytest.raises(openai.BadRequestError, match=reason):
        ask(client, [{"role": "user", "content": [part]}])


@pytest.mark.parametrize(
    ("body", "status"),
    [
        (b"{", 400),
        (b"[]", 400),
        (b"{}", 400),
        (b'{"model": "small"}', 400),
        (b'{"model": "small", "messages": []}', 400),
        (b'{"model": "small", "messages": [{"role": "king", "content": "x"}]}', 400),
        (b'{"model": "small", "messages": [{"role": "user", "content": 5}]}', 400),
        (b'{"model": "small", "messages": [{"role": "user", "content": "x"}], "tools": 5}', 400),
        (b'{"model": "small", "messages": [{"role": "user", "content": "x"}], "tools": [{}]}', 400),
        (b'{"model": "small", "messages": [{"role": "user", "content": "x"}], "response_format": 1}', 400),
        (b"[" * 100_000, 400),
    ],
)
def test_an_invalid_body_is_rejected(server: FakeModelServer, body: bytes, status: int) -> None:
    headers = {"Authorization": f"Bearer {server.key}"}
    done = requests.post(f"{server.base_url}/chat/completions", data=body, headers=headers, timeout=AMPLE)
    assert done.status_code == status
    assert done.json()["error"]["message"]


def test_a_body_without_a_length_is_rejected(server: FakeModelServer) -> None:
    done = requests.post(f"{server.base_url}/chat/completions", data=iter([b"{}"]), timeout=AMPLE)
    assert done.status_code == 411


def test_eight_connections_are_served_concurrently() -> None:
    together = threading.Barrier(8, timeout=AMPLE)

    def wait_for_all(request: ReceivedRequest) -> str:
        together.wait()  # passes only when all eight are being answered
        return request.text

    with FakeModelServer(ComputedReplies(wait_for_all)) as server, ThreadPoolExecutor(8) as pool:

        def one(number: int) -> str:
            with client_of(server) as client:
                return str(ask(client, user_message(f"{number}")).choices[0].message.content)

        assert sorted(pool.map(one, range(8))) == [f"{number}" for number in range(8)]
        assert [request.number for request in server.requests] == list(range(1, 9))


def test_a_connection_is_reused(client: openai.OpenAI) -> None:
    assert [ask(client, user_message(str(n))).choices[0].message.content[-1] for n in range(5)] == list(
        "01234"
    )


def test_an_exception_in_a_behaviour_is_reported_to_the_client() -> None:
    def broken(request: ReceivedRequest) -> str:
        raise ValueError("cannot count")

    with (
        FakeModelServer(ComputedReplies(broken)) as server,
        client_of(server) as client,
        pytest.raises(openai.InternalServerError, match="ValueError: cannot count"),
    ):
        ask(client, user_message("go"))


def test_it_listens_on_loopback_only_and_frees_its_port() -> None:
    server = FakeModelServer(ScriptedReplies(["hello"], repeat=True))
    with server:
        port = server.port
        assert server.base_url == f"http://127.0.0.1:{port}/v1"
        with pytest.raises(HarnessError, match=f"cannot listen on port {port}"):
            FakeModelServer(ScriptedReplies(["x"]), port=port).start()
    with client_of(server) as client, pytest.raises(openai.APIConnectionError):
        client.with_options(base_url=f"http://127.0.0.1:{port}/v1").models.list()
    with FakeModelServer(ScriptedReplies(["x"]), port=port) as again:
        assert again.port == port


def test_stopping_ends_connections_that_hang() -> None:
    server = FakeModelServer(ScriptedReplies(["x"]), faults=["hang@all"]).start()
    with ThreadPoolExecutor(1) as pool, client_of(server) as client:
        waiting = pool.submit(ask, client, user_message("go"))
        until(lambda: server.requests)
        server.stop()
        with pytest.raises(openai.APIConnectionError):
            waiting.result(AMPLE)


def test_only_recent_requests_are_recorded() -> None:
    server = FakeModelServer(ScriptedReplies(["x"], repeat=True), max_requests=3)
    with server, client_of(server) as client:
        for number in range(5):
            ask(client, user_message(f"{number}"))
        assert [request.text for request in server.requests] == ["2", "3", "4"]


def test_replies_can_be_delayed() -> None:
    with (
        FakeModelServer(ScriptedReplies(["x"]), seconds=AMPLE) as server,
        client_of(server) as client,
        pytest.raises(openai.APITimeoutError),
    ):
        ask(client.with_options(timeout=0.2), user_message("go"))
