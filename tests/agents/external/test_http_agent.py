"""Agents that are HTTP services, over real HTTP on loopback."""

from __future__ import annotations

import dataclasses
import json
import socket
import ssl
import subprocess
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from garabench.agents.context import AgentContext
from garabench.agents.external.http_agent import TOKEN_VARIABLE, HttpAgent
from garabench.agents.interface import Decision
from garabench.core import action as act
from garabench.errors import AgentError, AgentFault, AgentStartError, ModelError
from tests.agents.external.views import BRIEF, HISTORY, an_observation
from tests.waits import AMPLE, CLOCK

READY = b'{"type": "ready", "protocol": 1, "image": "none"}'
BACK = b'{"type": "decision", "step": 0, "action": {"type": "back"}}'
Handler = Callable[["Service", BaseHTTPRequestHandler, dict[str, Any]], None]


def answer(request: BaseHTTPRequestHandler, body: bytes, status: int = 200) -> None:
    request.send_response(status)
    request.send_header("Content-Length", str(len(body)))
    request.end_headers()
    request.wfile.write(body)


def decides(service: Service, request: BaseHTTPRequestHandler, message: dict[str, Any]) -> None:
    answer(request, BACK)


@dataclass
class Service:
    """A service that answers observations with a function."""

    on_observe: Handler = decides
    on_hello: Handler = lambda service, request, message: answer(request, READY)
    received: list[dict[str, Any]] = field(default_factory=list)
    tokens: set[str | None] = field(default_factory=set)
    over: threading.Event = field(default_factory=threading.Event)
    url: str = ""

    def handle(self, request: BaseHTTPRequestHandler) -> None:
        message = json.loads(request.rfile.read(int(request.headers["Content-Length"])))
        self.received.append(message)
        self.tokens.add(request.headers["Authorization"])
        if message["type"] == "hello":
            self.on_hello(self, request, message)
        elif message["type"] == "observe":
            self.on_observe(self, request, message)
        else:
            answer(request, b"")


@pytest.fixture
def service() -> Iterator[Service]:
    made = Service()

    class Request(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            made.handle(self)

        def log_message(self, *args: object) -> None:
            pass

    class Server(ThreadingHTTPServer):
        def handle_error(self, request: object, client_address: object) -> None:
            pass  # who asks goes away in some of the tests

    server = Server(("127.0.0.1", 0), Request)
    made.url = f"http://127.0.0.1:{server.server_port}/agent"
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    yield made
    made.over.set()
    server.shutdown()
    server.server_close()


@pytest.fixture
def make(service: Service, tmp_path: Path) -> Iterator[Callable[..., HttpAgent]]:
    made: list[HttpAgent] = []

    def one(url: str = "", seconds: float = AMPLE) -> HttpAgent:
        made.append(HttpAgent(url or service.url, AgentContext("mine", tmp_path, seconds=seconds)))
        return made[-1]

    yield one
    for agent in made:
        agent.close()


Make = Callable[..., HttpAgent]


def test_the_protocol_works_over_http(make: Make, service: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(TOKEN_VARIABLE, "a-token")
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:9/")  # not for this computer's own services
    agent = make()
    agent.start(BRIEF)
    assert agent.decide(an_observation(), HISTORY) == Decision(act.Back())
    agent.close()
    assert [message["type"] for message in service.received] == ["hello", "start", "observe", "end"]
    assert service.tokens == {"Bearer a-token"}
    look = service.received[2]
    assert look["tree"].startswith("<hierarchy")
    assert look["last"]["detail"] == "no field has the focus"


def test_a_service_can_distinguish_its_episodes(make: Make, service: Service) -> None:
    agents = [make(), make()]
    for agent in agents:
        agent.start(BRIEF)
        agent.decide(an_observation(), ())
    names = [message["task"]["episode"] for message in service.received if message["type"] == "observe"]
    assert len(set(names)) == 2


def test_a_screenshot_can_be_passed_as_a_file(make: Make, service: Service) -> None:
    found: list[bytes] = []

    def read(service: Service, request: BaseHTTPRequestHandler, message: dict[str, Any]) -> None:
        found.append(Path(message["image"]["path"]).read_bytes()[1:4])
        answer(request, BACK)

    service.on_hello = lambda _, request, __: answer(request, READY.replace(b"none", b"file"))
    service.on_observe = read
    agent = make()
    agent.start(BRIEF)
    agent.decide(an_observation(), ())
    agent.close()
    assert found == [b"PNG"]
    assert not Path(service.received[2]["image"]["path"]).exists()


def hangs(service: Service, request: BaseHTTPRequestHandler, message: dict[str, Any]) -> None:
    service.over.wait(AMPLE)


def drips(service: Service, request: BaseHTTPRequestHandler, message: dict[str, Any]) -> None:
    request.send_response(200)
    request.flush_headers()
    while not service.over.wait(0.2):
        request.wfile.write(b"X-Drop: 1\r\n")
        request.wfile.flush()


def breaks_off(service: Service, request: BaseHTTPRequestHandler, message: dict[str, Any]) -> None:
    request.connection.shutdown(socket.SHUT_RDWR)
    request.close_connection = True


def half(service: Service, request: BaseHTTPRequestHandler, message: dict[str, Any]) -> None:
    request.send_response(200)
    request.send_header("Content-Length", "1000")
    request.end_headers()
    request.wfile.write(b'{"type":')
    request.close_connection = True


def floods(service: Service, request: BaseHTTPRequestHandler, message: dict[str, Any]) -> None:
    answer(request, b"x" * 10_000_000)


def says(body: bytes, status: int = 200) -> Handler:
    return lambda service, request, message: answer(request, body, status)


@pytest.mark.parametrize(
    ("on_observe", "kind", "text_shown"),
    [
        (hangs, "TIMEOUT", "did not answer within 0.6 s"),
        (drips, "TIMEOUT", "did not answer within 0.6 s"),
        (breaks_off, "FAILED", "closed the connection before it answered"),
        (half, "FAILED", "closed the connection before it answered"),
        (floods, "UNPARSEABLE", "more than 1048576 bytes"),
        (says(b"<html>"), "UNPARSEABLE", "invalid JSON"),
        (says(b""), "UNPARSEABLE", "invalid JSON"),
        (says(BACK.replace(b"0", b"4")), "UNPARSEABLE", "answered step 4 instead of step 0"),
        (says(b"KeyError: 'tree'", 500), "FAILED", "returned HTTP 500: KeyError: 'tree'"),
        (says(b"no such page", 404), "FAILED", "returned HTTP 404: no such page"),
        (says(b"", 302), "FAILED", "returned HTTP 302"),
    ],
    ids=lambda value: getattr(value, "__name__", str(value))[:40],
)
def test_a_misbehaving_agent_fails(
    make: Make, service: Service, on_observe: Handler, kind: str, text_shown: str
) -> None:
    service.on_observe = on_observe
    agent = make()
    agent.start(BRIEF)
    if kind == "TIMEOUT":
        agent._context = dataclasses.replace(agent._context, seconds=0.6)
    before = CLOCK.monotonic()
    with pytest.raises(AgentError) as caught:
        agent.decide(an_observation(), ())
    assert (caught.value.kind, text_shown in str(caught.value)) == (AgentFault[kind], True), str(caught.value)
    agent.close()
    assert CLOCK.monotonic() - before < AMPLE / 3
    service.on_observe = decides
    following = make()
    following.start(BRIEF)
    assert following.decide(an_observation(), ()) == Decision(act.Back())


@pytest.mark.parametrize("status", [429, 502, 503, 504])
def test_a_gateway_error_is_not_a_failure_of_the_agent(make: Make, service: Service, status: int) -> None:
    service.on_observe = says(b"", status)
    agent = make()
    agent.start(BRIEF)
    with pytest.raises(ModelError, match=f"returned HTTP {status}") as caught:
        agent.decide(an_observation(), ())
    assert not isinstance(caught.value, AgentStartError)


@pytest.mark.parametrize(
    ("on_hello", "text_shown"),
    [
        (says(b"it works"), "mine could not start: mine answered invalid JSON"),
        (says(READY.replace(b"1", b"9")), "mine speaks version 9 of the protocol"),
        (says(b"", 500), "mine could not start: mine: http://127.0.0.1:"),
        (breaks_off, "closed the connection before it answered"),
    ],
)
def test_an_agent_that_is_not_ready_is_a_start_error(
    make: Make, service: Service, on_hello: Handler, text_shown: str
) -> None:
    service.on_hello = on_hello
    with pytest.raises(AgentStartError) as caught:
        make().start(BRIEF)
    assert text_shown in str(caught.value)


@pytest.mark.parametrize(
    ("url", "text_shown"),
    [
        ("http://127.0.0.1:1/", "cannot be reached (Connection refused)"),
        ("http://no-such-host.invalid/", "cannot be reached ("),
    ],
)
def test_an_unreachable_service_is_reported(make: Make, url: str, text_shown: str) -> None:
    with pytest.raises(ModelError) as caught:
        make(url).start(BRIEF)
    assert text_shown in str(caught.value)


def test_an_untrusted_certificate_is_reported(make: Make, tmp_path: Path) -> None:
    words = "req -x509 -newkey rsa:2048 -nodes -days 1 -subj /CN=localhost -keyout key.pem -out cert.pem"
    subprocess.run(["openssl", *words.split()], cwd=tmp_path, check=True, capture_output=True)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(tmp_path / "cert.pem", tmp_path / "key.pem")
    server = ThreadingHTTPServer(("127.0.0.1", 0), BaseHTTPRequestHandler)
    server.socket = context.wrap_socket(server.socket, server_side=True, do_handshake_on_connect=False)
    threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
    try:
        with pytest.raises(ModelError, match=r"its certificate is not trusted .*self.signed.*REQUESTS_CA"):
            make(f"https://localhost:{server.server_port}/").start(BRIEF)
        with pytest.raises(AgentStartError, match="could not start"):  # plain text where TLS is spoken
            make(f"http://localhost:{server.server_port}/", seconds=AMPLE).start(BRIEF)
    finally:
        server.shutdown()
        server.server_close()
