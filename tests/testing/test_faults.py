"""Every fault, from the side of OpenAI's own client."""

from __future__ import annotations

from typing import Any

import openai
import pytest
from hypothesis import given
from hypothesis import strategies as st

from garabench.errors import InputError
from garabench.testing.behaviour import ScriptedReplies
from garabench.testing.faults import ABOUT, DEFAULT_VALUES, FaultKind, PlannedFault, first_fault
from garabench.testing.replies import FakeReply
from garabench.testing.requests import FunctionCall
from garabench.testing.server import FakeModelServer
from tests.testing.images import user_message
from tests.testing.test_server import ask, client_of
from tests.waits import AMPLE, CLOCK

TEXT = "Thought: there it is\nAction: click(start_box='(197,525)')"


def result_of(
    fault: str, *, timeout: float = AMPLE, stream: bool = False, reply: FakeReply | str = TEXT
) -> Any:
    """What a client without retries receives."""
    with (
        FakeModelServer(ScriptedReplies([reply], repeat=True), faults=[fault]) as server,
        client_of(server) as client,
    ):
        answer = ask(client.with_options(timeout=timeout), user_message("go"), stream=stream)
        return list(answer) if stream else answer


@pytest.mark.parametrize(
    ("spec", "fault"),
    [
        ("429@2", PlannedFault(FaultKind.RATE_LIMIT, 2, 2)),
        ("429=0.5@2", PlannedFault(FaultKind.RATE_LIMIT, 2, 2, 0.5)),
        ("hang@5+", PlannedFault(FaultKind.HANG, 5, None)),
        ("500@1-3", PlannedFault(FaultKind.ERROR, 1, 3)),
        ("empty@all", PlannedFault(FaultKind.EMPTY, 1, None)),
        ("wrong-types@1", PlannedFault(FaultKind.WRONG_TYPES, 1, 1)),
    ],
)
def test_a_fault_is_read(spec: str, fault: PlannedFault) -> None:
    assert PlannedFault.parse(spec) == fault


@pytest.mark.parametrize(
    ("spec", "reason"),
    [
        ("429", "invalid fault"),
        ("429@0", "invalid fault"),
        ("429@3-2", "3-2 is not a range"),
        ("hang=3@1", "hang does not accept the value 3"),
        ("429=1.2.3@1", "invalid fault"),
        ("hng@1", "Did you mean 'hang'"),
        ("@1", "invalid fault"),
        ("", "invalid fault"),
    ],
)
def test_an_invalid_fault_is_rejected(spec: str, reason: str) -> None:
    with pytest.raises(InputError, match=reason):
        PlannedFault.parse(spec)


@given(st.text(max_size=30))
def test_any_text_is_a_fault_or_an_input_error(text: str) -> None:
    try:
        fault = PlannedFault.parse(text)
    except InputError:
        return
    assert fault.affects(fault.first)


def test_the_first_fault_of_a_request_counts() -> None:
    faults = (PlannedFault(FaultKind.ERROR, 2, 3), PlannedFault(FaultKind.HANG, 3, None))
    assert [getattr(first_fault(faults, n), "kind", None) for n in (1, 2, 3, 4)] == [
        None,
        FaultKind.ERROR,
        FaultKind.ERROR,
        FaultKind.HANG,
    ]


def test_every_fault_is_described() -> None:
    assert set(ABOUT) == set(FaultKind)
    assert {kind for kind, about in ABOUT.items() if "VALUE" in about} == set(DEFAULT_VALUES)


def test_only_the_planned_request_fails() -> None:
    server = FakeModelServer(ScriptedReplies([TEXT], repeat=True), faults=["500@2"])
    with server, client_of(server) as client:
        ask(client, user_message("1"))
        with pytest.raises(openai.InternalServerError):
            ask(client, user_message("2"))
        ask(client, user_message("3"))
        assert [request.fault for request in server.requests] == ["", "500", ""]
        server.plan("503@4")
        with pytest.raises(openai.InternalServerError):
            ask(client, user_message("4"))


@pytest.mark.parametrize(("spec", "after"), [("429@1", "1"), ("429=0.25@1", "0.25"), ("503=7@1", "7")])
def test_retry_after_is_sent(spec: str, after: str) -> None:
    with pytest.raises(openai.APIStatusError) as caught:
        result_of(spec)
    assert caught.value.status_code == int(spec[:3])
    assert caught.value.response.headers["Retry-After"] == after


@pytest.mark.parametrize(
    ("spec", "error"),
    [
        ("500@1", openai.InternalServerError),
        ("502@1", openai.InternalServerError),
        ("close@1", openai.APIConnectionError),
        ("cut@1", openai.APIConnectionError),
    ],
)
def test_a_client_sees_the_fault(spec: str, error: type[Exception]) -> None:
    with pytest.raises(error) as caught:
        result_of(spec)
    assert not isinstance(caught.value, openai.APITimeoutError)


def test_a_hang_lasts_until_the_clients_limit() -> None:
    before = CLOCK.monotonic()
    with pytest.raises(openai.APITimeoutError):
        result_of("hang@1", timeout=0.3)
    assert 0.25 < CLOCK.monotonic() - before < AMPLE / 3


def test_a_malformed_body_is_an_error() -> None:
    with pytest.raises(ValueError, match=r"."):
        result_of("malformed@1")


def test_a_truncated_stream_is_an_error() -> None:
    with pytest.raises(openai.APIConnectionError):
        result_of("cut@1", stream=True)


def test_a_slow_response_arrives_complete() -> None:
    before = CLOCK.monotonic()
    assert result_of("slow=0.005@1").choices[0].message.content == TEXT
    assert CLOCK.monotonic() - before > 0.2


def test_a_slow_stream_arrives_complete() -> None:
    chunks = result_of("slow=0.002@1", stream=True)
    assert "".join(chunk.choices[0].delta.content or "" for chunk in chunks) == TEXT


def test_a_huge_reply_has_ten_megabytes() -> None:
    assert len(result_of("huge@1").choices[0].message.content) == 10_000_000


def test_a_response_may_have_no_choices() -> None:
    assert result_of("no-choice@1").choices == []


def test_wrong_types_reach_the_client() -> None:
    assert result_of("wrong-types@1").choices == "one"


@pytest.mark.parametrize(
    ("spec", "finish", "content", "refusal"),
    [
        ("empty@1", "stop", "", None),
        ("filter@1", "content_filter", "", None),
        ("refusal@1", "stop", None, "I'm sorry, but I can't help with that."),
        ("length@1", "length", TEXT[: len(TEXT) // 2], None),
        ("nonsense@1", "stop", "What a lovely screen this is.", None),
    ],
)
@pytest.mark.parametrize("stream", [False, True])
def test_a_fault_replaces_the_reply(
    spec: str, finish: str, content: str | None, refusal: str | None, stream: bool
) -> None:
    got = result_of(spec, stream=stream)
    if not stream:
        choice = got.choices[0]
        assert (choice.finish_reason, choice.message.content, choice.message.refusal) == (
            finish,
            content,
            refusal,
        )
        return
    deltas = [chunk.choices[0] for chunk in got]
    assert deltas[-1].finish_reason == finish
    assert "".join(one.delta.content or "" for one in deltas) == (content or "")
    assert "".join(one.delta.refusal or "" for one in deltas) == (refusal or "")


def test_the_arguments_of_a_call_are_truncated_too() -> None:
    tools = [{"type": "function", "function": {"name": "tap", "parameters": {}}}]
    reply = FakeReply(calls=(FunctionCall("tap", '{"coords":[120,310]}'),))
    with (
        FakeModelServer(ScriptedReplies([reply]), faults=["length@1"]) as server,
        client_of(server) as client,
    ):
        choice = ask(client, user_message("go"), tools=tools).choices[0]
    assert choice.finish_reason == "length"
    assert choice.message.tool_calls[0].function.arguments == '{"coords":'


def test_openais_client_survives_transient_faults() -> None:
    faults = ["429=0.05@1", "500@2", "close@3", "503=0.05@4"]
    with FakeModelServer(ScriptedReplies([TEXT], repeat=True), faults=faults) as server:
        with client_of(server) as client:
            done = ask(client.with_options(max_retries=6), user_message("go"))
        assert done.choices[0].message.content == TEXT
        assert [request.fault for request in server.requests] == ["429", "500", "close", "503", ""]
