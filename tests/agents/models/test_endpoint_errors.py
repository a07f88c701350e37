"""Status codes that endpoints use for unrelated errors."""

from __future__ import annotations

import json
import socket
from collections.abc import Callable
from typing import Any

import pytest

from garabench.agents.models import endpoint_errors as ft
from garabench.agents.models.cost import PriceTable
from garabench.agents.models.messages import StopReason, TokenUsage
from tests.agents.models import chats
from tests.agents.models.loopback import answer, playing, read_request
from tests.agents.models.vendors import chat_at, prepared
from tests.cases import every_case

TOO_LOW = "Your credit balance is too low to access the Anthropic API."
OF_400 = [
    (
        "gemini",
        {"error": {"code": 400, "message": "API key not valid.", "status": "INVALID_ARGUMENT"}},
        ft.KeyRejectedError,
    ),
    (
        "gemini",
        {"error": {"code": 400, "message": "Renew it.", "details": [{"reason": "API_KEY_INVALID"}]}},
        ft.KeyRejectedError,
    ),
    ("gemini", {"error": {"code": 400, "message": "too long"}}, ft.RequestRejectedError),
    ("anthropic", {"error": {"type": "invalid_request_error", "message": TOO_LOW}}, ft.QuotaExceededError),
    (
        "anthropic",
        {"error": {"type": "invalid_request_error", "message": "too long"}},
        ft.RequestRejectedError,
    ),
]


@pytest.mark.parametrize(("protocol", "body", "kind"), OF_400)
def test_a_400_may_be_about_the_key_or_the_account(
    protocol: str, body: dict[str, Any], kind: type[ft.EndpointError]
) -> None:
    def play(connection: socket.socket) -> None:
        read_request(connection)
        connection.sendall(answer(json.dumps(body).encode(), status="400 No"))

    with playing(play) as url, pytest.raises(kind) as caught:
        chat_at(protocol, url).ask(prepared(protocol).request)
    assert str(body["error"]["message"]) in str(caught.value)
    assert caught.value.fatal is (kind is not ft.RequestRejectedError)


AZURE = {
    "error": {
        "message": "The response was filtered due to the prompt triggering the content management policy.",
        "param": "prompt",
        "code": "content_filter",
        "innererror": {"code": "ResponsibleAIPolicyViolation"},
    }
}
HELD_BACK = [
    AZURE,
    {"error": {"message": "held back", "code": "", "innererror": {"code": "ResponsibleAIPolicyViolation"}}},
    {"error": {"message": "held back", "code": "data_inspection_failed", "type": "data_inspection_failed"}},
    {"error": {"message": "held back", "type": "DataInspectionFailed"}},
    {"error": {"message": "held back", "code": "content_policy_violation"}},
    {"error": {"message": "held back", "code": "1301"}},
]


def refuse_with(body: dict[str, Any], status: str) -> Callable[[socket.socket], None]:
    def play(connection: socket.socket) -> None:
        read_request(connection)
        connection.sendall(answer(json.dumps(body).encode(), status=status))

    return play


@every_case("body", HELD_BACK)
@every_case("protocol", ["chat", "responses"])
def test_a_filtered_prompt_is_not_an_endpoint_error(protocol: str, body: dict[str, Any]) -> None:
    with playing(refuse_with(body, "400 No")) as url:
        if protocol == "chat":
            got = chats.chat_at(url).ask(chats.REQUEST)
        else:
            got = chat_at(protocol, url).ask(prepared(protocol).request)
    assert (got.stop, got.calls, got.usage) == (StopReason.FILTERED, (), TokenUsage())
    assert got.text == body["error"]["message"]
    assert PriceTable().cost(got, "m", url) == 0, "no model was asked"


@pytest.mark.parametrize(
    ("body", "status"),
    [
        (AZURE, "403 No"),
        ({"error": {"message": "content_filter is not a parameter", "code": "unknown_parameter"}}, "400 No"),
    ],
)
def test_an_error_that_only_mentions_a_filter_is_an_endpoint_error(body: dict[str, Any], status: str) -> None:
    with playing(refuse_with(body, status)) as url, pytest.raises(ft.EndpointError):
        chats.chat_at(url, tries=1).ask(chats.REQUEST)
