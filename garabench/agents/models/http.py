"""The HTTP client of all protocols: limits of time and size, no redirects."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import httpx2

from garabench.agents.models.endpoint_errors import EndpointLabel, InvalidReplyError, ReplyTooLargeError

CONNECT_SECONDS = 15.0
_KEY_HEADERS = ("authorization", "x-api-key", "x-goog-api-key")
MAX_REPLY_BYTES = 10_000_000
"""Of a reply: a model's longest is a few hundred thousand; anything larger is no reply of a model."""


class _Bounded(httpx2.SyncByteStream):
    """A reply's body, read up to a number of bytes."""

    def __init__(self, stream: httpx2.SyncByteStream, where: EndpointLabel) -> None:
        self._stream = stream
        self._where = where

    def __iter__(self) -> Iterator[bytes]:
        taken = 0
        for piece in self._stream:
            taken += len(piece)
            if taken > MAX_REPLY_BYTES:
                raise too_large(self._where)
            yield piece

    def close(self) -> None:
        self._stream.close()


def too_large(where: EndpointLabel) -> ReplyTooLargeError:
    """The fault of a reply that is larger than any reply of a model."""
    return ReplyTooLargeError(
        f"{where.url} sent a reply of more than {MAX_REPLY_BYTES // 1_000_000} MB, too large for a model's. "
        "Check the address."
    )


def time_limits(seconds: float) -> httpx2.Timeout:
    """The limits of time: of making a connection, and between two pieces of a reply."""
    return httpx2.Timeout(seconds, connect=min(seconds, CONNECT_SECONDS))


def http_client(where: EndpointLabel, seconds: float, connections: int, *, with_key: bool) -> httpx2.Client:
    """A client for one endpoint, to be shared between threads.

    Args:
        where: For the errors.
        seconds: Longest wait between two pieces of a reply.
        connections: Most connections open at once.
        with_key: Whether a key is sent. The vendors' packages insist on one; a self-hosted server without
            authentication may reject an unknown key.
    """
    return httpx2.Client(
        timeout=time_limits(seconds),
        limits=httpx2.Limits(max_connections=None, max_keepalive_connections=connections),
        # A packed reply can be a thousand times larger than what arrives.
        headers={"Accept-Encoding": "identity"},
        follow_redirects=False,
        event_hooks={"request": [] if with_key else [_drop_key], "response": [_bound(where)]},
    )


def _drop_key(request: httpx2.Request) -> None:
    for name in _KEY_HEADERS:
        request.headers.pop(name, None)


def _bound(where: EndpointLabel) -> Callable[[httpx2.Response], None]:
    def bound(response: httpx2.Response) -> None:
        packed = response.headers.get("content-encoding", "identity").strip().lower()
        if packed not in ("", "identity"):
            raise InvalidReplyError(
                f"{where.url} sent a reply with the encoding {packed[:20]}, which was not requested."
            )
        length = response.headers.get("content-length", "")
        if length.isascii() and length.isdecimal() and int(length[:20]) > MAX_REPLY_BYTES:
            raise too_large(where)
        if isinstance(response.stream, httpx2.SyncByteStream):
            response.stream = _Bounded(response.stream, where)

    return bound
