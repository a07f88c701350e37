from __future__ import annotations

import datetime as dt
import gzip
import itertools
import json
import socket
import ssl
import subprocess
import threading
import traceback
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from garabench.agents.chat import faults as ft
from garabench.agents.chat.client import PatientChat
from garabench.agents.chat.gate import Gate
from garabench.agents.chat.messages import Answer, Form, Message, Picture, Request, Role, Stop, Text, Tool
from garabench.agents.chat.openai_line import CompletionsLine
from garabench.agents.chat.retry import Backoff
from garabench.agents.chat.secret import NO_KEY, Secret
from garabench.core.clock import Clock, FakeClock, SystemClock
from garabench.core.geometry import Size
from garabench.core.seeds import generator
from garabench.testing.asked import Called
from garabench.testing.behaviour import Scripted
from garabench.testing.replies import Reply
from garabench.testing.server import FakeModelServer
from tests.agents.chat.loopback import answer, playing, read_request
from tests.testing.pictures import picture
from tests.waits import AMPLE, CLOCK

KEY = "sk-secret-0123456789"
REQUEST = Request("m", (Message(Role.USER, (Text("Go."),)),))
BY_GOOGLE = {"code": 400, "status": "INVALID_ARGUMENT"}
WRONG_KEY = {**BY_GOOGLE, "message": "API key not valid. Please pass a valid API key."}
OLD_KEY = {**BY_GOOGLE, "message": "API key expired.", "details": [{"reason": "API_KEY_INVALID"}]}
HELLO = json.dumps({"choices": [{"message": {"content": "hello"}, "finish_reason": "stop"}]}).encode()


def chat_at(
    url: str,
    *,
    key: str = KEY,
    clock: Clock | None = None,
    seconds: float = AMPLE,
    tries: int = 4,
    stream: bool = False,
    gate: Gate | None = None,
    at_once: int = 4,
    **more: Any,
) -> PatientChat:
    secret = Secret(key) if key else NO_KEY
    clock = clock or FakeClock()
    where = ft.Where(url, "m", "MY_KEY" if key else "")
    line = CompletionsLine(where, secret, clock, seconds=seconds, connections=4, stream=stream)
    return PatientChat(
        line,
        secret,
        gate or Gate(),
        clock,
        generator(0),
        seconds=seconds,
        at_once=at_once,
        backoff=Backoff(tries=tries),
        **more,
    )


def server(*replies: Reply | str, **more: Any) -> FakeModelServer:
    return FakeModelServer(Scripted(replies or ("hello",), again=True), **{"key": KEY, **more})


@pytest.mark.parametrize("stream", [False, True])
def test_a_text_with_a_picture_is_answered(stream: bool) -> None:
    data = picture(20, 30)
    request = Request(
        "m",
        (Message(Role.USER, (Text("Go."), Picture(data, Size(20, 30)))),),
        parameters={"temperature": 0, "top_k": 3, "chat_template_kwargs": {"enable_thinking": False}},
    )
    with server(Reply("hello", reasoning="hm")) as running:
        got = chat_at(running.base_url, stream=stream).ask(request)
        (asked,) = running.asked
    assert (got.text, got.reasoning, got.stop, got.tries) == ("hello", "hm", Stop.DONE, 1)
    assert got.usage.sent > 0
    assert got.usage.received > 0
    assert [seen.size for seen in asked.pictures] == [Size(20, 30)]
    assert asked.stream is stream


@pytest.mark.parametrize("stream", [False, True])
def test_calls_are_answered(stream: bool) -> None:
    request = Request("m", REQUEST.messages, Form.TOOLS, (Tool("tap", "Tap.", {"type": "object"}),))
    with server(Reply("so", calls=(Called("tap", '{"x": 1}'),))) as running:
        got = chat_at(running.base_url, stream=stream).ask(request)
    assert [(call.name, call.arguments) for call in got.calls] == [("tap", '{"x": 1}')]


def test_a_server_of_ones_own_gets_no_key() -> None:
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
        ("filter@1", Stop.FILTERED),
        ("refusal@1", Stop.REFUSED),
        ("empty@1", Stop.EMPTY),
        ("length@1", Stop.CUT_OFF),
    ],
)
def test_endings_are_told_apart(fault: str, stop: Stop) -> None:
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
def test_what_passes_is_tried_again(fault: str) -> None:
    clock = FakeClock()
    with server(faults=[fault]) as running:
        got = chat_at(running.base_url, clock=clock).ask(REQUEST)
    failed = 2 if "-2" in fault else 1
    assert (got.text, got.tries) == ("hello", failed + 1)
    assert got.seconds == pytest.approx(sum(clock.slept), abs=0.01)
    if fault.startswith("429"):
        assert 0.25 <= sum(clock.slept) <= 0.75


def test_a_date_to_wait_for_is_kept_to() -> None:
    clock = FakeClock()
    due = (clock.now() + dt.timedelta(seconds=20)).strftime("%a, %d %b %Y %H:%M:%S GMT")
    replies = iter([answer(b"{}", status="429 Slow", headers=f"Retry-After: {due}\r\n"), answer(HELLO)])

    def play(connection: socket.socket) -> None:
        read_request(connection)
        connection.sendall(next(replies))

    with playing(play) as url:
        assert chat_at(url, clock=clock).ask(REQUEST).tries == 2
    assert 20 <= sum(clock.slept) <= 21


@pytest.mark.parametrize(
    ("status", "body", "kind", "told"),
    [
        (
            "400 No",
            {"error": {"message": "too long"}},
            ft.RequestRefused,
            "refuses the request (400): too long",
        ),
        ("401 No", {"error": {"message": f"wrong {KEY}!"}}, ft.KeyRefused, "Put a valid key into MY_KEY"),
        ("401 No", {"error": {"message": "wrong: sk-sec***6789."}}, ft.KeyRefused, "wrong: [key]. Put a"),
        ("402 Pay", {}, ft.QuotaSpent, "wants to be paid"),
        ("403 No", {"detail": "not yours"}, ft.AccessDenied, "denies access (403): not yours"),
        ("404 No", {"error": {"message": "gone"}}, ft.ModelUnknown, "does not know the model 'm'"),
        ("422 No", {"detail": [{"loc": ["body"]}]}, ft.RequestRefused, "refuses the request (422)"),
        ("400 No", [{"error": WRONG_KEY}], ft.KeyRefused, "refuses the key (400): API key not valid. Please"),
        ("400 No", [{"error": OLD_KEY}], ft.KeyRefused, "API key expired. Put a valid key into MY_KEY"),
        ("400 No", [{"error": {"message": "bad"}}], ft.RequestRefused, "refuses the request (400): bad."),
        ("429 No", {"error": {"code": "insufficient_quota"}}, ft.QuotaSpent, "no quota left"),
        ("302 Off", {}, ft.ReplyUnreadable, "sends elsewhere (302)"),
        ("413 Big", {}, ft.RequestRefused, "too large"),
    ],
)
def test_what_lasts_is_told_at_once(status: str, body: Any, kind: type[ft.EndpointFault], told: str) -> None:
    count = itertools.count(1)
    seen: list[int] = []

    def play(connection: socket.socket) -> None:
        read_request(connection)
        seen.append(next(count))
        headers = "Location: http://127.0.0.1:1/\r\n" if status.startswith("302") else ""
        connection.sendall(answer(json.dumps(body).encode(), status=status, headers=headers))

    with playing(play) as url, pytest.raises(kind) as caught:
        chat_at(url, tries=1 if kind.passing else 4).ask(REQUEST)
    assert told in str(caught.value)
    assert url in str(caught.value)
    assert KEY not in str(caught.value)
    assert seen == [1]
    assert caught.value.exit_status == 3


def test_an_endpoint_that_goes_on_failing_is_given_up() -> None:
    clock = FakeClock()
    with (
        server(faults=["500@all"]) as running,
        pytest.raises(ft.ServerFault, match=r"\(500\).*Tried 4 times"),
    ):
        chat_at(running.base_url, clock=clock).ask(REQUEST)
    assert len(running.asked) == 4
    assert 0 < sum(clock.slept) < 3.5


def test_an_hour_is_not_waited_for() -> None:
    with server(faults=["429=3600@all"]) as running, pytest.raises(ft.RateLimited, match="wait 3600 s"):
        chat_at(running.base_url).ask(REQUEST)
    assert len(running.asked) == 1


def test_a_server_that_is_down_is_told() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    with pytest.raises(ft.EndpointUnreachable, match="nobody listens there"):
        chat_at(f"http://127.0.0.1:{port}/v1").ask(REQUEST)


def test_a_name_that_nobody_knows_is_told() -> None:
    with pytest.raises(ft.EndpointUnreachable, match="its name is not known"):
        chat_at("http://no-such-host.invalid/v1", tries=1).ask(REQUEST)


@pytest.mark.parametrize("how", ["hang", "trickle", "head"])
def test_a_whole_reply_has_a_limit_of_time(how: str) -> None:
    over = threading.Event()

    def play(connection: socket.socket) -> None:
        read_request(connection)
        data = answer(HELLO * 1)
        if how == "hang":
            over.wait(AMPLE)
            return
        start = data.index(b"\r\n\r\n") + 4 if how == "trickle" else 10
        connection.sendall(data[:start])
        for place in range(start, len(data)):
            if over.wait(0.15):
                return
            connection.sendall(data[place : place + 1])
        over.wait(AMPLE)

    begun = CLOCK.monotonic()
    with playing(play) as url, pytest.raises(ft.ReplyTimeout, match=r"no whole reply of m within 0.3 s"):
        chat_at(url, clock=SystemClock(), seconds=0.3, tries=1).ask(REQUEST)
    over.set()
    assert CLOCK.monotonic() - begun < AMPLE / 3


@pytest.mark.parametrize("stream", [False, True])
def test_a_stream_that_never_ends_has_a_limit_too(stream: bool) -> None:
    with (
        server("word " * 200, faults=["slow=0.1@all"]) as running,
        pytest.raises(ft.ReplyTimeout, match=r"within 0\.4 s"),
    ):
        chat_at(running.base_url, clock=SystemClock(), seconds=0.4, tries=1, stream=stream).ask(REQUEST)


def test_ten_megabytes_are_no_reply() -> None:
    with server(faults=["huge=10@all"]) as running, pytest.raises(ft.ReplyTooLarge, match="more than 10 MB"):
        chat_at(running.base_url).ask(REQUEST)


def test_a_reply_without_an_end_is_not_taken_in() -> None:
    sent: list[int] = []

    def play(connection: socket.socket) -> None:
        read_request(connection)
        connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n")
        piece = b" " * 1_000_000
        for number in range(200):
            connection.sendall(piece)
            sent.append(number)

    with playing(play) as url, pytest.raises(ft.ReplyTooLarge):
        chat_at(url).ask(REQUEST)
    assert len(sent) < 30


def test_a_packed_reply_is_not_unpacked() -> None:
    packed = gzip.compress(b" " * 50_000_000)

    def play(connection: socket.socket) -> None:
        read_request(connection)
        connection.sendall(answer(packed, headers="Content-Encoding: gzip\r\n"))

    with playing(play) as url, pytest.raises(ft.ReplyUnreadable, match="packed by gzip"):
        chat_at(url, tries=1).ask(REQUEST)


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("tls") / "own.pem"
    command = [
        "openssl",
        "req",
        "-x509",
        "-newkey",
        "ec",
        "-pkeyopt",
        "ec_paramgen_curve:prime256v1",
        "-nodes",
    ]
    command += ["-days", "2", "-subj", "/CN=localhost", "-addext", "subjectAltName=IP:127.0.0.1"]
    subprocess.run(
        [*command, "-keyout", str(path), "-out", str(path) + ".crt"], check=True, capture_output=True
    )
    path.write_bytes(path.read_bytes() + Path(str(path) + ".crt").read_bytes())
    return path


@pytest.fixture
def secure(certificate: Path) -> Iterator[str]:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate)

    def play(connection: socket.socket) -> None:
        with context.wrap_socket(connection, server_side=True) as wrapped:
            read_request(wrapped)
            wrapped.sendall(answer(HELLO))

    with playing(play) as url:
        yield url.replace("http:", "https:")


def test_a_certificate_that_signed_itself_is_told(secure: str) -> None:
    with pytest.raises(ft.EndpointUntrusted, match=r"a certificate that it signed itself.*SSL_CERT_FILE"):
        chat_at(secure).ask(REQUEST)


def test_a_certificate_can_be_trusted(
    secure: str, certificate: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
    assert chat_at(secure).ask(REQUEST).text == "hello"


def test_an_endpoint_without_tls_is_told() -> None:
    with server() as running, pytest.raises(ft.EndpointUntrusted, match="http:// instead of https://"):
        chat_at(running.base_url.replace("http:", "https:")).ask(REQUEST)


def test_the_key_is_hidden_in_what_the_endpoint_says() -> None:
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


def test_half_of_a_letter_is_not_taken_over() -> None:
    body = json.dumps({"choices": [{"message": {"content": "a\ud83d 米 \U0001f600"}}]}).encode()

    def play(connection: socket.socket) -> None:
        read_request(connection)
        connection.sendall(answer(body))

    with playing(play) as url:
        assert chat_at(url).ask(REQUEST).text == "a\ufffd 米 \U0001f600"


def test_the_key_is_in_no_traceback() -> None:
    def play(connection: socket.socket) -> None:
        read_request(connection)
        connection.sendall(answer(json.dumps({"error": {"message": f"{KEY}?"}}).encode(), status="401 No"))

    with playing(play) as url, pytest.raises(ft.KeyRefused) as caught:
        chat_at(url).ask(REQUEST)
    lines = "".join(traceback.TracebackException.from_exception(caught.value, capture_locals=True).format())
    assert KEY not in lines
    assert "[key]?" in str(caught.value)


def test_no_more_than_the_limit_are_at_an_endpoint() -> None:
    inside, most, lock, full = [0], [0], threading.Lock(), threading.Event()

    def play(connection: socket.socket) -> None:
        read_request(connection)
        with lock:
            inside[0] += 1
            most[0] = max(most[0], inside[0])
            if inside[0] == 3:
                full.set()
        full.wait(AMPLE)
        CLOCK.sleep(0.05)  # a fourth one could come
        with lock:
            inside[0] -= 1
        connection.sendall(answer(HELLO))

    gate, answers = Gate(), list[Answer]()
    with playing(play) as url:
        chats = [chat_at(url, gate=gate, at_once=3, clock=SystemClock()) for _ in range(9)]
        threads = [
            threading.Thread(target=lambda chat=chat: answers.append(chat.ask(REQUEST))) for chat in chats
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert most == [3]
    assert len(answers) == 9


def test_waiting_for_a_place_is_not_waiting_for_the_model() -> None:
    gate, answers, clock = Gate(), list[Answer](), FakeClock()
    came = threading.Event()

    class Watched(FakeClock):
        def monotonic(self) -> float:
            came.set()
            return clock.monotonic()

    def play(connection: socket.socket) -> None:
        read_request(connection)
        clock.advance(2)
        connection.sendall(answer(HELLO))

    with playing(play) as url:
        chat = chat_at(url, gate=gate, at_once=1, clock=Watched())
        thread = threading.Thread(target=lambda: answers.append(chat.ask(REQUEST)))
        with gate.entered(1, clock):
            thread.start()
            assert came.wait(AMPLE)
            clock.advance(7)
        thread.join()
    assert [(got.queued, got.seconds) for got in answers] == [(7, 2)]


def test_a_run_that_stops_waits_for_nobody() -> None:
    stop = threading.Event()
    with server(faults=["hang@all"]) as running:
        threading.Timer(0.3, stop.set).start()
        begun = CLOCK.monotonic()
        with pytest.raises(ft.Interrupted):
            chat_at(running.base_url, stop=stop.is_set, clock=SystemClock()).ask(REQUEST)
    assert CLOCK.monotonic() - begun < AMPLE / 3


def test_a_run_that_stops_does_not_pause() -> None:
    with server(faults=["503=100@all"]) as running, pytest.raises(ft.Interrupted):
        chat_at(running.base_url, stop=lambda: True).ask(REQUEST)
