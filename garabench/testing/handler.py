"""The HTTP handler of the fake model server: paths, key, reading and writing."""

from __future__ import annotations

import contextlib
import hmac
import select
import socket
import threading
from http.server import BaseHTTPRequestHandler
from typing import Any, Protocol

from garabench.testing.faults import FaultKind, PlannedFault
from garabench.testing.http_error import ApiError
from garabench.testing.protocols.catalog import CHAT, ServerProtocol, protocol_at
from garabench.testing.replies import CREATED
from garabench.testing.requests import ReceivedRequest
from garabench.testing.server_response import ServerResponse, json_bytes
from garabench.testing.validation import read_object

MAX_BODY_BYTES = 64 * 1024 * 1024
_IDLE_SECONDS = 120
_POLL_SECONDS = 0.05


class HandlerBackend(Protocol):
    """The part of the server that a handler uses."""

    models: tuple[str, ...] | None
    key: str | None
    stopped: threading.Event

    def number(self) -> int:
        """Assign the next request number."""
        ...

    def fault(self, number: int) -> PlannedFault | None:
        """Return the planned fault of a request, if any."""
        ...

    def reply(self, request: ReceivedRequest, fault: PlannedFault | None) -> ServerResponse:
        """Return the response to a request."""
        ...

    def record(self, request: ReceivedRequest, fault: PlannedFault | None, answered: str) -> None:
        """Record a request and its answer."""
        ...


class FakeModelHandler(BaseHTTPRequestHandler):
    """Serves a client's connection."""

    protocol_version = "HTTP/1.1"
    server_version = "GaraBench"
    sys_version = ""
    timeout = _IDLE_SECONDS
    endpoint: HandlerBackend

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002  # the name in the base class
        """Log nothing: tests read the requests from the server."""

    def do_GET(self) -> None:  # called by the base class
        """Answer ``/v1/models`` and ``/v1/models/NAME``."""
        try:
            self._check_key()
            names = self.endpoint.models or ("any",)
            rows = [{"id": n, "object": "model", "created": CREATED, "owned_by": "garabench"} for n in names]
            if self.path == "/v1/models":
                self._send(ServerResponse((json_bytes({"object": "list", "data": rows}),)))
                return
            found = [row for row in rows if self.path == f"/v1/models/{row['id']}"]
            if not found:
                raise ApiError(404, f"unknown path: GET {self.path}", code="unknown_url")
            self._send(ServerResponse((json_bytes(found[0]),)))
        except ApiError as error:
            self._send_error(error)

    def do_POST(self) -> None:
        """Answer a request to a model, in the protocol of its address."""
        protocol = CHAT
        try:
            body = self._body()
            found = protocol_at(self.path)
            if found is None:
                raise ApiError(404, f"unknown path: POST {self.path}", code="unknown_url")
            protocol, path = found
            self._check_key(protocol)
            headers = {name.lower(): value for name, value in self.headers.items()}
            request = protocol.read(read_object(body), self.endpoint.number(), headers, path)
        except ApiError as error:
            self._send_error(error, protocol)
            return
        try:
            self._check_model(request.model)
            self._respond(request)
        except ApiError as error:
            self.endpoint.record(request, None, error.message)
            self._send_error(error, protocol)

    def _respond(self, request: ReceivedRequest) -> None:
        fault = self.endpoint.fault(request.number)
        if fault is not None and fault.kind in (FaultKind.HANG, FaultKind.CLOSE):
            self.endpoint.record(request, fault, "")
            while fault.kind is FaultKind.HANG and not self._is_over():
                self.endpoint.stopped.wait(_POLL_SECONDS)
            self._disconnect()
            return
        self._send(self.endpoint.reply(request, fault))

    def _is_over(self) -> bool:
        """Return whether the client has disconnected or the server is stopping."""
        if self.endpoint.stopped.is_set():
            return True
        with contextlib.suppress(OSError):
            ready, _, _ = select.select([self.connection], [], [], 0)
            return bool(ready) and self.connection.recv(1, socket.MSG_PEEK) == b""
        return True

    def _check_key(self, protocol: ServerProtocol = CHAT) -> None:
        key = self.endpoint.key
        if key is None:
            return
        given = self.headers.get("Authorization", "").removeprefix("Bearer ")
        if protocol.key_header:
            given = self.headers.get(protocol.key_header, given)
        if not hmac.compare_digest(given.encode(), key.encode()):
            problem = "Incorrect API key provided" if given else "You didn't provide an API key"
            raise ApiError(protocol.wrong_key, f"{problem}: API key not valid.", code="invalid_api_key")

    def _check_model(self, model: str) -> None:
        known = self.endpoint.models
        if known is not None and model not in known:
            raise ApiError(
                404,
                f"The model `{model}` does not exist or you do not have access to it.",
                code="model_not_found",
                param="model",
            )

    def _body(self) -> bytes:
        length = self.headers.get("Content-Length", "")
        if not (length.isascii() and length.isdigit() and len(length) < 12):
            self.close_connection = True
            raise ApiError(411, "a request needs a Content-Length")
        if int(length) > MAX_BODY_BYTES:
            self.close_connection = True
            raise ApiError(413, f"the body has more than {MAX_BODY_BYTES} bytes")
        body = self.rfile.read(int(length))
        if len(body) < int(length):
            self.close_connection = True
            raise ApiError(400, "the body is shorter than its Content-Length")
        return body

    def _send_error(self, error: ApiError, protocol: ServerProtocol = CHAT) -> None:
        self._send(ServerResponse((json_bytes(protocol.error(error)),), error.status))

    def _send(self, response: ServerResponse) -> None:
        try:
            self.send_response(response.status)
            self.send_header("Content-Type", response.media_type)
            for name, value in response.headers.items():
                self.send_header(name, value)
            if response.chunked:
                self.send_header("Transfer-Encoding", "chunked")
            else:
                self.send_header("Content-Length", str(response.length))
            self.end_headers()
            self._write(response)
        except OSError:
            self.close_connection = True  # the client has disconnected

    def _write(self, response: ServerResponse) -> None:
        remaining = response.cut_after
        for part in response.parts:
            if response.pause and self.endpoint.stopped.wait(response.pause):
                self._disconnect()
                return
            if remaining is not None and remaining < len(part):
                self._write_part(part[:remaining], response.chunked)
                self._disconnect()
                return
            self._write_part(part, response.chunked)
            remaining = None if remaining is None else remaining - len(part)
        if response.chunked:
            self.wfile.write(b"0\r\n\r\n")

    def _write_part(self, part: bytes, chunked: bool) -> None:
        if not part:
            return
        self.wfile.write(b"%x\r\n%b\r\n" % (len(part), part) if chunked else part)
        self.wfile.flush()

    def _disconnect(self) -> None:
        """Close the connection in the middle of a response."""
        self.close_connection = True
        with contextlib.suppress(OSError):
            self.connection.shutdown(socket.SHUT_RDWR)
