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
_IDLE_S = 120
_GLANCE_S = 0.05


class HandlerBackend(Protocol):
    """What a handler needs of its server."""

    models: tuple[str, ...] | None
    key: str | None
    stopped: threading.Event

    def number(self) -> int:
        """The number of a new request for a reply."""
        ...

    def fault(self, number: int) -> PlannedFault | None:
        """The fault that a request meets."""
        ...

    def reply(self, asked: ReceivedRequest, fault: PlannedFault | None) -> ServerResponse:
        """What a request is answered with."""
        ...

    def keep(self, asked: ReceivedRequest, fault: PlannedFault | None, answered: str) -> None:
        """Keep what was asked, and how it was answered."""
        ...


class FakeModelHandler(BaseHTTPRequestHandler):
    """A connection of a client."""

    protocol_version = "HTTP/1.1"
    server_version = "GaraBench"
    sys_version = ""
    timeout = _IDLE_S
    endpoint: HandlerBackend

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002  # the base class names it so
        """Say nothing: tests read what was asked from the server."""

    def do_GET(self) -> None:  # the base class calls it so
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
            self._refuse(error)

    def do_POST(self) -> None:
        """Answer a request for a reply, in the protocol of its address."""
        protocol = CHAT
        try:
            body = self._body()
            found = protocol_at(self.path)
            if found is None:
                raise ApiError(404, f"unknown path: POST {self.path}", code="unknown_url")
            protocol, path = found
            self._check_key(protocol)
            headers = {name.lower(): value for name, value in self.headers.items()}
            asked = protocol.read(read_object(body), self.endpoint.number(), headers, path)
        except ApiError as error:
            self._refuse(error, protocol)
            return
        try:
            self._check_model(asked.model)
            self._answer(asked)
        except ApiError as error:
            self.endpoint.keep(asked, None, error.message)
            self._refuse(error, protocol)

    def _answer(self, asked: ReceivedRequest) -> None:
        fault = self.endpoint.fault(asked.number)
        if fault is not None and fault.kind in (FaultKind.HANG, FaultKind.CLOSE):
            self.endpoint.keep(asked, fault, "")
            while fault.kind is FaultKind.HANG and not self._is_alone():
                self.endpoint.stopped.wait(_GLANCE_S)
            self._cut()
            return
        self._send(self.endpoint.reply(asked, fault))

    def _is_alone(self) -> bool:
        """Whether the client has gone, or the server is being stopped."""
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
            what = "Incorrect API key provided" if given else "You didn't provide an API key"
            raise ApiError(protocol.wrong_key, f"{what}: API key not valid.", code="invalid_api_key")

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
            raise ApiError(411, "a request tells its length")
        if int(length) > MAX_BODY_BYTES:
            self.close_connection = True
            raise ApiError(413, f"a request has at most {MAX_BODY_BYTES} bytes")
        body = self.rfile.read(int(length))
        if len(body) < int(length):
            self.close_connection = True
            raise ApiError(400, "the body is shorter than was said")
        return body

    def _refuse(self, error: ApiError, protocol: ServerProtocol = CHAT) -> None:
        self._send(ServerResponse((json_bytes(protocol.error(error)),), error.status))

    def _send(self, sending: ServerResponse) -> None:
        try:
            self.send_response(sending.status)
            self.send_header("Content-Type", sending.media_type)
            for name, value in sending.headers.items():
                self.send_header(name, value)
            if sending.chunked:
                self.send_header("Transfer-Encoding", "chunked")
            else:
                self.send_header("Content-Length", str(sending.length))
            self.end_headers()
            self._write(sending)
        except OSError:
            self.close_connection = True  # the client did not wait

    def _write(self, sending: ServerResponse) -> None:
        left = sending.cut_after
        for part in sending.parts:
            if sending.pause and self.endpoint.stopped.wait(sending.pause):
                self._cut()
                return
            if left is not None and left < len(part):
                self._part(part[:left], sending.chunked)
                self._cut()
                return
            self._part(part, sending.chunked)
            left = None if left is None else left - len(part)
        if sending.chunked:
            self.wfile.write(b"0\r\n\r\n")

    def _part(self, part: bytes, chunked: bool) -> None:
        if not part:
            return
        self.wfile.write(b"%x\r\n%b\r\n" % (len(part), part) if chunked else part)
        self.wfile.flush()

    def _cut(self) -> None:
        """Close the connection in the middle."""
        self.close_connection = True
        with contextlib.suppress(OSError):
            self.connection.shutdown(socket.SHUT_RDWR)
