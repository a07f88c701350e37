"""The HTTP client of all protocols: it limits time and size, and follows no redirects."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import httpx2

from garabench.agents.models.endpoint_errors import EndpointLabel, InvalidReplyError, ReplyTooLargeError

CONNECT_SECONDS = 15.0
_KEY_HEADERS = ("authorization", "x-api-key", "x-goog-api-key")
MAX_REPLY_BYTES = 10_000_000
"""Limit of a reply's size; the longest replies of models have a few hundred thousand bytes."""


class _Bounded(httpx2.SyncByteStream):
    """A response body with a size limit."""

    def __init__(self, stream: httpx2.SyncByteStream, where: EndpointLabel) -> None:
        self._stream = stream
        self._where = where

    def __iter__(self) -> Iterator[bytes]:
        received = 0
        for chunk in self._stream:
            received += len(chunk)
            if received > MAX_REPLY_BYTES:
                raise too_large(self._where)
            yield chunk

    def close(self) -> None:
        self._stream.close()


def too_large(where: EndpointLabel) -> ReplyTooLargeError:
    """Return the error for a reply that is too large."""
    return ReplyTooLargeError(
        f"{where.url} sent a reply of more than {MAX_REPLY_BYTES // 1_000_000} MB, too large for a model. "
        "Check the URL."
    )


def time_limits(seconds: float) -> httpx2.Timeout:
    """Return the time limits for connecting and between two chunks of a reply."""
    return httpx2.Timeout(seconds, connect=min(seconds, CONNECT_SECONDS))


def http_client(where: EndpointLabel, seconds: float, connections: int, *, with_key: bool) -> httpx2.Client:
    """Return a client for one endpoint; threads may share it.

    Args:
        where: The endpoint, for error messages.
        seconds: Longest wait between two chunks of a reply.
        connections: Maximum number of idle connections to keep open.
        with_key: Whether to send a key. The vendors' packages require one; a self-hosted server without
            authentication may reject it.
    """
    return httpx2.Client(
        timeout=time_limits(seconds),
        limits=httpx2.Limits(max_connections=None, max_keepalive_connections=connections),
        # A compressed reply can expand a thousandfold.
        headers={"Accept-Encoding": "identity"},
        follow_redirects=False,
        event_hooks={"request": [] if with_key else [_drop_key], "response": [_bound(where)]},
    )


def _drop_key(request: httpx2.Request) -> None:
    for name in _KEY_HEADERS:
        request.headers.pop(name, None)


def _bound(where: EndpointLabel) -> Callable[[httpx2.Response], None]:
    def bound(response: httpx2.Response) -> None:
        encoding = response.headers.get("content-encoding", "identity").strip().lower()
        if encoding not in ("", "identity"):
            raise InvalidReplyError(
                f"{where.url} sent a reply with the encoding {encoding[:20]}, which was not requested."
            )
        length = response.headers.get("content-length", "")
        if length.isascii() and length.isdecimal() and int(length[:20]) > MAX_REPLY_BYTES:
            raise too_large(where)
        if isinstance(response.stream, httpx2.SyncByteStream):
            response.stream = _Bounded(response.stream, where)

    return bound
