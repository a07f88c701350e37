"""HTTP/1.1 as the on-device server speaks it, without I/O: bytes to requests, responses to bytes.

The interface follows h11: `RequestParser.receive` takes any bytes, `RequestParser.next_request`
returns the next complete request or None, and `encode_response` turns an `HttpResponse` into bytes. The real
server is NanoHTTPD: it knows bodies with a Content-Length only, accepts requests without a Host header, which
h11 refuses, and answers a request that it cannot read with ``400`` and closes.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from urllib.parse import parse_qsl, urlsplit

MAX_HEAD = 16 * 1024
"""Largest accepted size of request line and headers, in bytes."""
MAX_BODY = 16 * 1024 * 1024
"""Largest accepted body, in bytes."""
CONTINUE = b"HTTP/1.1 100 Continue\r\n\r\n"
"""The interim response that makes a client send a body it is holding back."""

_METHOD = re.compile(r"[A-Z]{1,20}")
_VERSION = re.compile(r"HTTP/1\.[01]")
_HEADER_NAME = re.compile(r"[!#$%&'*+\-.^_`|~0-9A-Za-z]+")
_REASONS: Mapping[int, str] = {
    200: "OK",
    400: "Bad Request",
    404: "Not Found",
    413: "Payload Too Large",
    431: "Request Header Fields Too Large",
    500: "Internal Server Error",
    501: "Not Implemented",
}


class HttpError(Exception):
    """A malformed request, after which the connection cannot be used.

    Attributes:
        status: Status of the response.
    """

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status


@dataclass(frozen=True, slots=True)
class HttpRequest:
    """A complete request.

    Attributes:
        method: Method in upper case.
        path: Path of the target, without the query.
        query: Decoded query; the last of equal names wins.
        headers: Headers, with names in lower case.
        keep_alive: Whether the client wants the connection to stay open.
    """

    method: str
    path: str
    query: Mapping[str, str] = field(default_factory=dict)
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes = b""
    keep_alive: bool = True


@dataclass(frozen=True, slots=True)
class HttpResponse:
    """A response; `content_type` defaults to NanoHTTPD's."""

    body: bytes = b""
    status: int = 200
    content_type: str = "text/html"

    def __post_init__(self) -> None:
        if self.status not in _REASONS:
            raise ValueError(f"no reason phrase for status {self.status}")
        if "\r" in self.content_type or "\n" in self.content_type:
            raise ValueError("a header value cannot hold a line break")


def encode_response(response: HttpResponse, *, keep_alive: bool) -> bytes:
    """Encode a response with its length, to be sent in one write."""
    head = (
        f"HTTP/1.1 {response.status} {_REASONS[response.status]}\r\n"
        f"Content-Type: {response.content_type}\r\n"
        f"Connection: {'keep-alive' if keep_alive else 'close'}\r\n"
        f"Content-Length: {len(response.body)}\r\n\r\n"
    )
    return head.encode("latin-1") + response.body


@dataclass(frozen=True, slots=True)
class _Head:
    method: str
    path: str
    query: Mapping[str, str]
    headers: Mapping[str, str]
    length: int
    keep_alive: bool


class RequestParser:
    """Parses a stream of bytes into requests, which may be pipelined."""

    def __init__(self) -> None:
        self._buffer = bytearray()
        self._head: _Head | None = None

    @property
    def awaits_body(self) -> bool:
        """Whether the headers of a request have arrived, but not its body."""
        return self._head is not None

    @property
    def empty(self) -> bool:
        """Whether no part of another request has arrived."""
        return self._head is None and not self._buffer

    def receive(self, data: bytes) -> None:
        """Receive bytes from the peer."""
        self._buffer += data

    def next_request(self) -> HttpRequest | None:
        """Return the next complete request, or None while more bytes are needed.

        Raises:
            HttpError: The bytes are not a request, or it is too large.
        """
        if self._head is None:
            self._head = self._take_head()
        head = self._head
        if head is None or len(self._buffer) < head.length:
            return None
        body = bytes(self._buffer[: head.length])
        del self._buffer[: head.length]
        self._head = None
        return HttpRequest(head.method, head.path, head.query, head.headers, body, head.keep_alive)

    def _take_head(self) -> _Head | None:
        while self._buffer[:2] == b"\r\n":  # RFC 9112 2.2: empty lines before a request are skipped
            del self._buffer[:2]
        end = self._buffer.find(b"\r\n\r\n", 0, MAX_HEAD + 4)
        if end < 0:
            if len(self._buffer) > MAX_HEAD:
                raise HttpError(431, "the headers are too long")
            return None
        lines = self._buffer[:end].decode("latin-1").split("\r\n")
        del self._buffer[: end + 4]
        return _parse_head(lines)


def _parse_head(lines: list[str]) -> _Head:
    parts = lines[0].split(" ")
    if len(parts) != 3:
        raise HttpError(400, "BAD REQUEST: Syntax error. Usage: GET /example/file.html")
    method, target, version = parts
    if not _METHOD.fullmatch(method) or not _VERSION.fullmatch(version):
        raise HttpError(400, "BAD REQUEST: Syntax error.")
    if any(ord(char) <= 0x20 or ord(char) == 0x7F for char in target):
        raise HttpError(400, "BAD REQUEST: Syntax error.")
    headers: dict[str, str] = {}
    for line in lines[1:]:
        name, colon, value = line.partition(":")
        if not colon or not _HEADER_NAME.fullmatch(name):
            raise HttpError(400, "BAD REQUEST: Syntax error in a header.")
        name, value = name.lower(), value.strip(" \t")
        if name == "content-length" and headers.get(name, value) != value:
            raise HttpError(400, "BAD REQUEST: conflicting Content-Length headers.")
        headers[name] = value
    if "transfer-encoding" in headers:
        raise HttpError(501, "only bodies with a Content-Length are supported")
    try:
        parsed = urlsplit(target)
    except ValueError as error:
        raise HttpError(400, "BAD REQUEST: Syntax error.") from error
    query = dict(parse_qsl(parsed.query, keep_blank_values=True))
    return _Head(method, parsed.path, query, headers, _length(headers), _keeps_alive(version, headers))


def _length(headers: Mapping[str, str]) -> int:
    text = headers.get("content-length", "0")
    if not (text.isascii() and text.isdigit() and len(text) <= 12):
        raise HttpError(400, "BAD REQUEST: Content-Length is not a number.")
    if int(text) > MAX_BODY:
        raise HttpError(413, "the body is too large")
    return int(text)


def _keeps_alive(version: str, headers: Mapping[str, str]) -> bool:
    options = {option.strip().lower() for option in headers.get("connection", "").split(",")}
    if "close" in options:
        return False
    return version == "HTTP/1.1" or "keep-alive" in options
