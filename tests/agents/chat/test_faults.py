"""Statuses that mean something else than their number says."""

from __future__ import annotations

import json
import socket
from typing import Any

import pytest

from garabench.agents.chat import faults as ft
from tests.agents.chat.loopback import answer, playing, read_request
from tests.agents.chat.vendors import chat_at, prepared

TOO_LOW = "Your credit balance is too low to access the Anthropic API."
OF_400 = [
    (
        "gemini",
        {"error": {"code": 400, "message": "API key not valid.", "status": "INVALID_ARGUMENT"}},
        ft.KeyRefused,
    ),
    (
        "gemini",
        {"error": {"code": 400, "message": "Renew it.", "details": [{"reason": "API_KEY_INVALID"}]}},
        ft.KeyRefused,
    ),
    ("gemini", {"error": {"code": 400, "message": "too long"}}, ft.RequestRefused),
    ("anthropic", {"error": {"type": "invalid_request_error", "message": TOO_LOW}}, ft.QuotaSpent),
    ("anthropic", {"error": {"type": "invalid_request_error", "message": "too long"}}, ft.RequestRefused),
]


@pytest.mark.parametrize(("protocol", "body", "kind"), OF_400)
def test_a_400_may_be_about_the_key_or_the_account(
    protocol: str, body: dict[str, Any], kind: type[ft.EndpointFault]
) -> None:
    def play(connection: socket.socket) -> None:
        read_request(connection)
        connection.sendall(answer(json.dumps(body).encode(), status="400 No"))

    with playing(play) as url, pytest.raises(kind) as caught:
        chat_at(protocol, url).ask(prepared(protocol).request)
    assert str(body["error"]["message"]) in str(caught.value)
    assert caught.value.lasting is (kind is not ft.RequestRefused)
