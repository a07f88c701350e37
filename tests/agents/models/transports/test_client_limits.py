"""The limits of a client: time and size of a reply, concurrent requests, and cancellation."""

from __future__ import annotations

import gzip
import socket
import threading

import pytest

from garabench.agents.models import endpoint_errors as ft
from garabench.agents.models.limiter import EndpointLimiter
from garabench.agents.models.messages import ModelReply
from garabench.core.clock import FakeClock, SystemClock
from tests.agents.models.chats import HELLO, REQUEST, chat_at, server
from tests.agents.models.loopback import answer, playing, read_request
from tests.waits import AMPLE, CLOCK


@pytest.mark.parametrize("how", ["hang", "trickle", "head"])
def test_a_whole_reply_has_a_time_limit(how: str) -> None:
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
    with (
        playing(play) as url,
        pytest.raises(ft.ReplyTimeoutError, match=r"no complete reply from m within 0.3 s"),
    ):
        chat_at(url, clock=SystemClock(), seconds=0.3, tries=1).ask(REQUEST)
    over.set()
    assert CLOCK.monotonic() - begun < AMPLE / 3


@pytest.mark.parametrize("stream", [False, True])
def test_an_endless_stream_has_a_time_limit(stream: bool) -> None:
    with (
        server("word " * 200, faults=["slow=0.1@all"]) as running,
        pytest.raises(ft.ReplyTimeoutError, match=r"within 0\.4 s"),
    ):
        chat_at(running.base_url, clock=SystemClock(), seconds=0.4, tries=1, stream=stream).ask(REQUEST)


def test_a_reply_of_ten_megabytes_is_rejected() -> None:
    with (
        server(faults=["huge=10@all"]) as running,
        pytest.raises(ft.ReplyTooLargeError, match="more than 10 MB"),
    ):
        chat_at(running.base_url).ask(REQUEST)


def test_an_endless_reply_is_cut_off() -> None:
    sent: list[int] = []

    def play(connection: socket.socket) -> None:
        read_request(connection)
        connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n")
        piece = b" " * 1_000_000
        for number in range(200):
            connection.sendall(piece)
            sent.append(number)

    with playing(play) as url, pytest.raises(ft.ReplyTooLargeError):
        chat_at(url).ask(REQUEST)
    assert len(sent) < 30


def test_a_compressed_reply_is_rejected() -> None:
    packed = gzip.compress(b" " * 50_000_000)

    def play(connection: socket.socket) -> None:
        read_request(connection)
        connection.sendall(answer(packed, headers="Content-Encoding: gzip\r\n"))

    with playing(play) as url, pytest.raises(ft.InvalidReplyError, match="with the encoding gzip"):
        chat_at(url, tries=1).ask(REQUEST)


def test_concurrent_requests_are_limited() -> None:
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

    limiter, answers = EndpointLimiter(), list[ModelReply]()
    with playing(play) as url:
        chats = [chat_at(url, limiter=limiter, at_once=3, clock=SystemClock()) for _ in range(9)]
        threads = [
            threading.Thread(target=lambda chat=chat: answers.append(chat.ask(REQUEST))) for chat in chats
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert most == [3]
    assert len(answers) == 9


def test_waiting_for_a_slot_is_counted_separately() -> None:
    limiter, answers, clock = EndpointLimiter(), list[ModelReply](), FakeClock()
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
        chat = chat_at(url, limiter=limiter, at_once=1, clock=Watched())
        thread = threading.Thread(target=lambda: answers.append(chat.ask(REQUEST)))
        with limiter.slot(1, clock):
            thread.start()
            assert came.wait(AMPLE)
            clock.advance(7)
        thread.join()
    assert [(got.queued, got.seconds) for got in answers] == [(7, 2)]


def test_a_stopping_run_cancels_requests() -> None:
    stop = threading.Event()
    with server(faults=["hang@all"]) as running:
        threading.Timer(0.3, stop.set).start()
        begun = CLOCK.monotonic()
        with pytest.raises(ft.RequestCancelledError):
            chat_at(running.base_url, stop=stop.is_set, clock=SystemClock()).ask(REQUEST)
    assert CLOCK.monotonic() - begun < AMPLE / 3


def test_a_stopping_run_cancels_pauses() -> None:
    with server(faults=["503=100@all"]) as running, pytest.raises(ft.RequestCancelledError):
        chat_at(running.base_url, stop=lambda: True).ask(REQUEST)
