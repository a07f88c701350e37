"""Refusals and faults of the native protocols, with the vendors' own clients."""

from __future__ import annotations

import builtins
import json
import socket
import sys
from typing import Any

import pytest

from garabench.agents.models import endpoint_errors as ft
from garabench.agents.models.credentials import NO_KEY
from garabench.agents.models.transports.catalog import make_transport
from garabench.agents.profile import AgentProfile
from garabench.core.clock import FakeClock
from garabench.errors import InputError
from tests.agents.models.loopback import answer, playing, read_request
from tests.agents.models.vendors import AGENTS, KEY, TAPS, chat_at, prepared, profile

REFUSALS = {
    "anthropic": {"type": "error", "error": {"type": "authentication_error", "message": f"bad {KEY}"}},
    "responses": {"error": {"message": f"bad {KEY}", "code": "invalid_api_key"}},
    "gemini": {"error": {"code": 401, "message": f"bad {KEY}", "status": "UNAUTHENTICATED"}},
}


@pytest.mark.parametrize("protocol", AGENTS)
def test_a_rejected_key_is_reported_without_the_key(protocol: str) -> None:
    def play(connection: socket.socket) -> None:
        read_request(connection)
        connection.sendall(answer(json.dumps(REFUSALS[protocol]).encode(), status="401 No"))

    with (
        playing(play) as url,
        pytest.raises(ft.KeyRejectedError, match=r"bad \[key\]\. Put a valid key") as caught,
    ):
        chat_at(protocol, url, tries=3).ask(prepared(protocol).request)
    assert KEY not in str(caught.value)


@pytest.mark.parametrize("protocol", AGENTS)
def test_transient_faults_are_retried(protocol: str) -> None:
    replies = [
        answer(b'{"error": {"message": "busy"}}', status="529 Busy", headers="Retry-After: 3\r\n"),
        answer(b"<html>bad gateway</html>", status="502 Bad"),
        answer(b"{"),
        answer(json.dumps(TAPS[protocol]).encode()),
    ]

    def play(connection: socket.socket) -> None:
        read_request(connection)
        connection.sendall(replies.pop(0))

    with playing(play) as url:
        got = chat_at(protocol, url, tries=4).ask(prepared(protocol).request)
    assert got.tries == 4


@pytest.mark.parametrize("protocol", AGENTS)
def test_network_errors_are_distinguished(protocol: str) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    with pytest.raises(ft.EndpointUnreachableError, match="connection refused"):
        chat_at(protocol, f"http://127.0.0.1:{port}/v1").ask(prepared(protocol).request)

    def play(connection: socket.socket) -> None:
        read_request(connection)
        connection.sendall(answer(b" " * 10_000_001))

    with playing(play) as url, pytest.raises(ft.ReplyTooLargeError):
        chat_at(protocol, url).ask(prepared(protocol).request)


@pytest.mark.parametrize("protocol", AGENTS)
def test_no_key_is_sent_without_a_key(protocol: str) -> None:
    heads: list[str] = []

    def play(connection: socket.socket) -> None:
        heads.append(read_request(connection).partition(b"\r\n\r\n")[0].decode().lower())
        connection.sendall(answer(json.dumps(TAPS[protocol]).encode()))

    with playing(play) as url:
        chat_at(protocol, url, key="").ask(prepared(protocol).request)
    assert not [name for name in ("authorization:", "x-api-key:", "x-goog-api-key:") if name in heads[0]]


@pytest.mark.parametrize(("protocol", "package"), [("anthropic", "anthropic"), ("gemini", "google")])
def test_a_missing_package_is_reported_with_its_extra(
    protocol: str, package: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = builtins.__import__

    def without(name: str, *args: Any, **more: Any) -> Any:
        if name.split(".")[0] == package:
            raise ImportError(f"No module named {name!r}", name=name)
        return real(name, *args, **more)

    monkeypatch.delitem(sys.modules, f"garabench.agents.models.transports.{protocol}", raising=False)
    monkeypatch.setattr(builtins, "__import__", without)
    with pytest.raises(InputError, match="is not installed") as caught:
        chat_at(protocol, "http://127.0.0.1:9/v1")
    assert f"pip install 'garabench[{protocol}]'" in str(caught.value)


@pytest.mark.parametrize("protocol", ["gemini", "chat"])
def test_the_wait_requested_by_google_is_respected(protocol: str) -> None:
    info = {"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": "34s"}
    expected = {"error": {"code": 429, "message": "slow", "status": "RESOURCE_EXHAUSTED", "details": [info]}}

    def play(connection: socket.socket) -> None:
        read_request(connection)
        connection.sendall(answer(json.dumps([expected]).encode(), status="429 Slow"))

    with playing(play) as url, pytest.raises(ft.EndpointError) as caught:
        where, clock = ft.EndpointLabel(url, "m", "MY_KEY"), FakeClock()
        data = profile("gemini", url).model_dump(exclude_unset=True)
        data["endpoint"] = {"base_url": url, "protocol": protocol}
        make_transport(AgentProfile.model_validate(data), where, NO_KEY, clock).send(
            prepared("gemini").request
        )
    assert caught.value.retry_after == 34.0
