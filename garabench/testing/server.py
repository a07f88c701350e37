"""A model server that is none: OpenAI-compatible, on loopback, free of charge, and faulty on demand.

It stands on the standard library's threading HTTP server: a thread for each connection serves as many clients
as a benchmark has phones, and the raw socket is at hand, which faults such as a cut stream need and which
web frameworks hide. Nothing has to be installed for it.
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

from garabench.agents.chat.messages import Usage
from garabench.errors import HarnessError
from garabench.testing.asked import Asked
from garabench.testing.behaviour import Behaviour
from garabench.testing.counted import Counter
from garabench.testing.faults import Fault, fault_of
from garabench.testing.handler import Handler
from garabench.testing.protocols.catalog import PROTOCOLS
from garabench.testing.refused import Refused
from garabench.testing.replies import Reply
from garabench.testing.sending import Sending, failing, instead, needs_no_reply, spoilt, whole_or_stream

LOOPBACK = "127.0.0.1"
KEY = "sk-fake"
"""The key that the server takes, unless another one is set."""
NO_USAGE = Usage()
"""Of a request that no model answered."""
_JOIN_S = 5.0


class _Listener(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False
    request_queue_size = 64

    def __init__(self, port: int, handler: type[Handler]) -> None:
        super().__init__((LOOPBACK, port), handler)
        self._open: set[socket.socket] = set()
        self._lock = threading.Lock()

    def get_request(self) -> tuple[socket.socket, Any]:
        made, address = super().get_request()
        made.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        with self._lock:
            self._open.add(made)
        return made, address

    def shutdown_request(self, request: Any) -> None:
        with self._lock:
            self._open.discard(request)
        super().shutdown_request(request)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that breaks off its connection is no mistake of ours."""

    def cut_all(self) -> None:
        with self._lock:
            for each in self._open:
                with contextlib.suppress(OSError):
                    each.shutdown(socket.SHUT_RDWR)


class FakeModelServer:
    """A model server for tests; a context manager that starts and stops it.

    ::

        with FakeModelServer(Scripted(["Action: finished(content='')"])) as server:
            client = openai.OpenAI(base_url=server.base_url, api_key=server.key)

    Attributes:
        models: The models that there are; None: any name is one.
        key: The key that clients have to give; None: none is looked at.
        stopped: Set when the server is being stopped.
    """

    def __init__(
        self,
        behaviour: Behaviour,
        *,
        models: Sequence[str] | None = None,
        key: str | None = KEY,
        faults: Iterable[Fault | str] = (),
        seconds: float = 0,
        port: int = 0,
        kept: int = 10_000,
        tell: Callable[[Asked], None] = lambda asked: None,
    ) -> None:
        """Prepare; nothing is opened.

        Args:
            behaviour: What the model does.
            models: As the attribute.
            key: As the attribute.
            faults: Which requests fail, and how; a text is read by `Fault.parse`.
            seconds: How long the model thinks about each reply.
            port: On which port; 0: a free one.
            kept: How many requests are kept, the latest ones.
            tell: Called for each request that was answered, from several threads.

        Raises:
            InputError: A fault is none.
        """
        self.models = None if models is None else tuple(models)
        self.key = key
        self.stopped = threading.Event()
        self._behaviour = behaviour
        self._faults = _read(faults)
        self._seconds = seconds
        self._port = port
        self._most = kept
        self._tell = tell
        self._kept: list[Asked] = []
        self._numbered = 0
        self._counter = Counter()
        self._lock = threading.Lock()
        self._listener: _Listener | None = None
        self._thread: threading.Thread | None = None

    @property
    def port(self) -> int:
        """Where it listens; 0 before it has started, if any port would do."""
        return self._listener.server_port if self._listener else self._port

    @property
    def base_url(self) -> str:
        """What clients take as their base URL."""
        return f"http://{LOOPBACK}:{self.port}/v1"

    @property
    def asked(self) -> tuple[Asked, ...]:
        """The requests for replies so far, the earliest first; the pictures are known by size and hash."""
        with self._lock:
            return tuple(sorted(self._kept, key=lambda asked: asked.number))

    def start(self) -> FakeModelServer:
        """Listen.

        Raises:
            HarnessError: The port is taken.
        """
        if self._listener is not None:
            raise RuntimeError("the server is running")
        handler = type("ServedHandler", (Handler,), {"endpoint": self})
        try:
            self._listener = _Listener(self._port, handler)
        except OSError as error:
            raise HarnessError(f"port {self._port} cannot be listened on: {error.strerror}") from error
        self.stopped.clear()
        self._thread = threading.Thread(
            target=self._listener.serve_forever, args=(0.05,), name="fake-model-server", daemon=True
        )
        self._thread.start()
        return self

    def stop(self) -> None:
        """Close all connections and listen no more."""
        self.stopped.set()
        if self._listener is not None:
            self._listener.shutdown()
            self._listener.cut_all()
            self._listener.server_close()
            self._listener = None
        if self._thread is not None:
            self._thread.join(_JOIN_S)
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

    def plan(self, *faults: Fault | str) -> None:
        """Set which requests fail from now on; numbers count on from the server's start.

        Raises:
            InputError: A fault is none.
        """
        self._faults = _read(faults)

    # What the handler asks for --------------------------------------------------------------------------

    def number(self) -> int:
        """The number of a new request for a reply."""
        with self._lock:
            self._numbered += 1
            return self._numbered

    def fault(self, number: int) -> Fault | None:
        """The fault that a request meets."""
        return fault_of(self._faults, number)

    def keep(self, asked: Asked, fault: Fault | None, answered: str, usage: Usage = NO_USAGE) -> None:
        """Keep what was asked, and how it was answered."""
        kept = dataclasses.replace(
            asked.without_data(), fault=fault.kind.value if fault else "", answered=answered, usage=usage
        )
        with self._lock:
            self._kept.append(kept)
            del self._kept[: -self._most]
        self._tell(kept)

    def reply(self, asked: Asked, fault: Fault | None) -> Sending:
        """What a request is answered with.

        Raises:
            Refused: It is answered with an error.
        """
        if self._seconds:
            self.stopped.wait(self._seconds)
        if fault is not None and needs_no_reply(fault):
            self.keep(asked, fault, "")
            return failing(fault, PROTOCOLS[asked.protocol])
        asked = dataclasses.replace(asked, fault=fault.kind.value if fault else "")
        try:
            reply = self._behaviour.answer(asked)
        except Refused:
            raise
        except Exception as error:  # whoever wrote the behaviour reads of it in the client's error
            raise Refused(500, f"the played model failed: {type(error).__name__}: {error}") from error
        _check(asked, reply)
        reply = instead(fault, reply)
        with self._lock:
            usage = self._counter.count(asked, reply)
        self.keep(asked, fault, reply.written, usage)
        return spoilt(fault, whole_or_stream(asked, reply, usage))


def _check(asked: Asked, reply: Reply) -> None:
    """A reply in a form that was not asked for is a mistake of the behaviour."""
    if asked.json_mode and not reply.calls and not _is_object(reply.text):
        raise Refused(500, f"the played model wrote no JSON object: {reply.text[:80]!r}")
    names = [call.name for call in reply.calls]
    if unknown := [name for name in names if name not in asked.tools]:
        raise Refused(
            500, f"the played model made a call that it could not make: {unknown[0]!r} was not offered"
        )


def _is_object(text: str) -> bool:
    try:
        return isinstance(json.loads(text), dict)
    except ValueError:
        return False


def _read(faults: Iterable[Fault | str]) -> tuple[Fault, ...]:
    return tuple(Fault.parse(fault) if isinstance(fault, str) else fault for fault in faults)
