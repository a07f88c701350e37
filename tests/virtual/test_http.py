from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from garabench.virtual.http import (
    MAX_BODY,
    MAX_HEAD,
    HttpError,
    HttpRequest,
    HttpResponse,
    RequestParser,
    encode_response,
)
from tests.cases import every_case

POST = (
    b"POST /jsonrpc/0 HTTP/1.1\r\nHost: localhost:9008\r\nAccept-Encoding: \r\n"
    b"User-Agent: uiautomator2\r\nContent-Type: application/json\r\nContent-Length: 5\r\n\r\nhello"
)


def parse(data: bytes) -> HttpRequest | None:
    parser = RequestParser()
    parser.receive(data)
    return parser.next_request()


def test_parses_a_get_request() -> None:
    request = parse(b"GET /ping HTTP/1.1\r\nHost: localhost\r\n\r\n")
    assert request == HttpRequest("GET", "/ping", {}, {"host": "localhost"}, b"", True)


def test_query_and_headers_are_decoded() -> None:
    request = parse(b"GET /screenshot/0?scale=0.5&quality=%38%30 HTTP/1.1\r\nX-A:  b \r\n\r\n")
    assert request is not None
    assert request.path == "/screenshot/0"
    assert request.query == {"scale": "0.5", "quality": "80"}
    assert request.headers["x-a"] == "b"


@given(st.lists(st.integers(min_value=0, max_value=2 * len(POST)), max_size=12))
def test_chunking_does_not_change_the_requests(cuts: list[int]) -> None:
    stream, parser, requests = POST + POST, RequestParser(), []
    places = [0, *sorted(cuts), len(stream)]
    for start, end in itertools.pairwise(places):
        parser.receive(stream[start:end])
        while (request := parser.next_request()) is not None:
            requests.append(request)
    assert [request.body for request in requests] == [b"hello", b"hello"]
    assert parser.empty


def test_awaits_body_once_the_headers_are_complete() -> None:
    parser = RequestParser()
    parser.receive(POST[:-5])
    assert parser.next_request() is None
    assert parser.awaits_body
    parser.receive(b"hello")
    request = parser.next_request()
    assert request is not None and request.body == b"hello"
    assert not parser.awaits_body


@pytest.mark.parametrize(
    ("version", "connection", "keep_alive"),
    [
        ("HTTP/1.1", "", True),
        ("HTTP/1.1", "Connection: close\r\n", False),
        ("HTTP/1.1", "Connection: Keep-Alive\r\n", True),
        ("HTTP/1.0", "", False),
        ("HTTP/1.0", "Connection: keep-alive\r\n", True),
    ],
)
def test_keep_alive_follows_version_and_header(version: str, connection: str, keep_alive: bool) -> None:
    request = parse(f"GET / {version}\r\n{connection}\r\n".encode())
    assert request is not None
    assert request.keep_alive is keep_alive


@every_case(
    ("data", "status"),
    [
        (b"garbage\r\n\r\n", 400),
        (b"GET  / HTTP/1.1\r\n\r\n", 400),
        (b"GET / HTTP/9.9\r\n\r\n", 400),
        (b"get / HTTP/1.1\r\n\r\n", 400),
        (b"GET /\x01 HTTP/1.1\r\n\r\n", 400),
        (b"GET / HTTP/1.1\r\nno colon\r\n\r\n", 400),
        (b"GET / HTTP/1.1\r\nbad name: x\r\n\r\n", 400),
        (b"POST / HTTP/1.1\r\nContent-Length: -1\r\n\r\n", 400),
        (b"POST / HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n", 400),
        (f"POST / HTTP/1.1\r\nContent-Length: {MAX_BODY + 1}\r\n\r\n".encode(), 413),
        (b"POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n", 501),
        (b"GET / HTTP/1.1\r\nX: " + b"y" * (MAX_HEAD + 10), 431),
        (b"\x00\xff" * 20 + b"\r\n\r\n", 400),
    ],
)
def test_malformed_requests_have_a_status(data: bytes, status: int) -> None:
    with pytest.raises(HttpError) as caught:
        parse(data)
    assert caught.value.status == status


@given(st.binary(max_size=300))
def test_any_bytes_are_parsed_or_rejected(data: bytes) -> None:
    try:
        request = parse(data + b"\r\n\r\n")
    except HttpError as error:
        assert 400 <= error.status < 600
    else:
        assert request is None or request.method.isupper()


def test_a_response_has_its_length() -> None:
    assert encode_response(HttpResponse(b"pong"), keep_alive=False) == (
        b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nConnection: close\r\nContent-Length: 4\r\n\r\npong"
    )


def test_a_response_with_an_invalid_status_or_header_is_rejected() -> None:
    with pytest.raises(ValueError, match="299"):
        HttpResponse(status=299)
    with pytest.raises(ValueError, match="line break"):
        HttpResponse(content_type="a\r\nX: y")
