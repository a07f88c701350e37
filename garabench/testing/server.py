"""A fake model server: OpenAI-compatible, on loopback, free of charge, with faults on demand.

It is built on the standard library's threading HTTP server: a thread per connection serves as many clients as
a benchmark has phones, and the raw socket is accessible, which faults such as a cut stream need and which web
frameworks hide. It needs no additional dependency.
"""

from __future__ import annotations

import contextlib
import dataclasses
import json
import socket
import threading
from collections.abc import Callable, Iterable, Sequence
from http.server import ThreadingHTTPServer
from types import TracebackType
from typing import Any

from garabench.agents.models.messages import TokenUsage
from garabench.errors import HarnessError
from garabench.testing.behaviour import Behaviour
from garabench.testing.faults import PlannedFault, first_fault
from garabench.testing.handler import FakeModelHandler
from garabench.testing.http_error import ApiError
from garabench.testing.protocols.catalog import PROTOCOLS
from garabench.testing.replies import FakeReply
from garabench.testing.requests import ReceivedRequest
from garabench.testing.server_response import (
    ServerResponse,
    apply_to_reply,
    apply_to_response,
    error_response,
    needs_no_reply,
    reply_response,
)
from garabench.testing.tokens import TokenCounter

LOOPBACK = "127.0.0.1"
KEY = "sk-fake"
"""The default API key."""
NO_USAGE = TokenUsage()
"""The usage of a request without a reply."""
_JOIN_SECONDS = 5.0


class _Listener(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False
    request_queue_size = 64

    def __init__(self, port: int, handler: type[FakeModelHandler]) -> None:
        super().__init__((LOOPBACK, port), handler)
        self._open: set[socket.socket] = set()
        self._lock = threading.Lock()

    def get_request(self) -> tuple[socket.socket, Any]:
        connection, address = super().get_request()
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        with self._lock:
            self._open.add(connection)
        return connection, address

    def shutdown_request(self, request: Any) -> None:
        with self._lock:
            self._open.discard(request)
        super().shutdown_request(request)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Ignore the error: a client may disconnect at any time."""

    def disconnect_all(self) -> None:
        with self._lock:
            for connection in self._open:
                with contextlib.suppress(OSError):
                    connection.shutdown(socket.SHUT_RDWR)


class FakeModelServer:
    """A model server for tests; a context manager that starts and stops it.

    ::

        with FakeModelServer(ScriptedReplies(["Action: finished(content='')"])) as server:
            client = openai.OpenAI(base_url=server.base_url, api_key=server.key)

    Attributes:
        models: The models it offers; None accepts any name.
        key: The API key that clients must send; None accepts any.
        stopped: Set when the server is being stopped.
    """

    def __init__(
        self,
        behaviour: Behaviour,
        *,
        models: Sequence[str] | None = None,
        key: str | None = KEY,
        faults: Iterable[PlannedFault | str] = (),
        seconds: float = 0,
        port: int = 0,
        max_requests: int = 10_000,
        on_request: Callable[[ReceivedRequest], None] = lambda request: None,
    ) -> None:
        """Prepare; nothing is opened.

        Args:
            behaviour: Decides on the replies.
            models: The models it offers; None accepts any name.
            key: The API key to require; None requires none.
            faults: Which requests fail, and how; strings are parsed by `PlannedFault.parse`.
            seconds: Delay before each reply, in seconds.
            port: TCP port; 0 picks a free one.
            max_requests: Number of recent requests to record.
            on_request: Called with each request that was answered, from several threads.

        Raises:
            InputError: A fault cannot be parsed.
        """
        self.models = None if models is None else tuple(models)
        self.key = key
        self.stopped = threading.Event()
        self._behaviour = behaviour
        self._faults = _read(faults)
        self._seconds = seconds
        self._port = port
        self._max_requests = max_requests
        self._on_request = on_request
        self._requests: list[ReceivedRequest] = []
        self._last_number = 0
        self._counter = TokenCounter()
        self._lock = threading.Lock()
        self._listener: _Listener | None = None
        self._thread: threading.Thread | None = None

    @property
    def port(self) -> int:
        """The TCP port it listens on; 0 before the start if it is to pick a free one."""
        return self._listener.server_port if self._listener else self._port

    @property
    def base_url(self) -> str:
        """The base URL for clients."""
        return f"http://{LOOPBACK}:{self.port}/v1"

    @property
    def requests(self) -> tuple[ReceivedRequest, ...]:
        """The recorded requests, earliest first, with the size and hash of each image."""
        with self._lock:
            return tuple(sorted(self._requests, key=lambda request: request.number))

    def start(self) -> FakeModelServer:
        """Start listening.

        Raises:
            HarnessError: The port is in use.
        """
        if self._listener is not None:
            raise RuntimeError("the server is already running")
        handler = type("ServedHandler", (FakeModelHandler,), {"endpoint": self})
        try:
            self._listener = _Listener(self._port, handler)
        except OSError as error:
            raise HarnessError(f"cannot listen on port {self._port}: {error.strerror}") from error
        self.stopped.clear()
        self._thread = threading.Thread(
            target=self._listener.serve_forever, args=(0.05,), name="fake-model-server", daemon=True
        )
        self._thread.start()
        return self

    def stop(self) -> None:
        """Close all connections and stop listening."""
        self.stopped.set()
        if self._listener is not None:
            self._listener.shutdown()
            self._listener.disconnect_all()
            self._listener.server_close()
            self._listener = None
        if self._thread is not None:
            self._thread.join(_JOIN_SECONDS)
            self._thread = None

    def __enter__(self) -> FakeModelServer:
        return self.start()

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.stop()

    def plan(self, *faults: PlannedFault | str) -> None:
        """Replace the planned faults; request numbers count from the server's start.

        Raises:
            InputError: A fault cannot be parsed.
        """
        self._faults = _read(faults)

    # Called by the handler --------------------------------------------------------------------------

    def number(self) -> int:
        """Assign the next request number."""
        with self._lock:
            self._last_number += 1
            return self._last_number

    def fault(self, number: int) -> PlannedFault | None:
        """Return the planned fault of a request, if any."""
        return first_fault(self._faults, number)

    def record(
        self,
        request: ReceivedRequest,
        fault: PlannedFault | None,
        answered: str,
        usage: TokenUsage = NO_USAGE,
    ) -> None:
        """Record a request and its answer."""
        recorded = dataclasses.replace(
            request.without_data(), fault=fault.kind.value if fault else "", answered=answered, usage=usage
        )
        with self._lock:
            self._requests.append(recorded)
            del self._requests[: -self._max_requests]
        self._on_request(recorded)

    def reply(self, request: ReceivedRequest, fault: PlannedFault | None) -> ServerResponse:
        """Compute the response to a request.

        Raises:
            ApiError: The response is an error.
        """
        if self._seconds:
            self.stopped.wait(self._seconds)
        if fault is not None and needs_no_reply(fault):
            self.record(request, fault, "")
            return error_response(fault, PROTOCOLS[request.protocol])
        request = dataclasses.replace(request, fault=fault.kind.value if fault else "")
        try:
            reply = self._behaviour.answer(request)
        except ApiError:
            raise
        except Exception as error:  # reported to the author of the behaviour in the client's error
            raise ApiError(500, f"the fake model failed: {type(error).__name__}: {error}") from error
        _check(request, reply)
        reply = apply_to_reply(fault, reply)
        with self._lock:
            usage = self._counter.count(request, reply)
        self.record(request, fault, reply.written, usage)
        return apply_to_response(fault, reply_response(request, reply, usage))


def _check(request: ReceivedRequest, reply: FakeReply) -> None:
    """Check that a reply has the requested form."""
    if request.json_mode and not reply.calls and not _is_object(reply.text):
        raise ApiError(500, f"the fake model did not write a JSON object: {reply.text[:80]!r}")
    names = [call.name for call in reply.calls]
    if unknown := [name for name in names if name not in request.tools]:
        raise ApiError(500, f"the fake model called a tool that the request does not offer: {unknown[0]!r}")


def _is_object(text: str) -> bool:
    try:
        return isinstance(json.loads(text), dict)
    except ValueError:
        return False


def _read(faults: Iterable[PlannedFault | str]) -> tuple[PlannedFault, ...]:
    return tuple(PlannedFault.parse(fault) if isinstance(fault, str) else fault for fault in faults)
