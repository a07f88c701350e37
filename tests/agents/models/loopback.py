"""A raw socket server on loopback, for replies that no HTTP library would send."""

from __future__ import annotations

import contextlib
import socket
import threading
from collections.abc import Callable, Iterator

Play = Callable[[socket.socket], None]


def read_request(connection: socket.socket) -> bytes:
    """Read one request, headers and body."""
    data = b""
    while b"\r\n\r\n" not in data:
        piece = connection.recv(65536)
        if not piece:
            return data
        data += piece
    head, _, body = data.partition(b"\r\n\r\n")
    length = next(
        (
            int(line.split(b":")[1])
            for line in head.split(b"\r\n")
            if line.lower().startswith(b"content-length:")
        ),
        0,
    )
    while len(body) < length:
        body += connection.recv(65536)
    return head + b"\r\n\r\n" + body


def answer(body: bytes, *, status: str = "200 OK", headers: str = "") -> bytes:
    """Return a complete HTTP reply."""
    head = f"HTTP/1.1 {status}\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n{headers}"
    return head.encode() + b"Connection: close\r\n\r\n" + body


@contextlib.contextmanager
def playing(play: Play) -> Iterator[str]:
    """Handle each connection in a thread, and yield the base URL."""
    listener = socket.create_server(("127.0.0.1", 0))

    def one(connection: socket.socket) -> None:
        with contextlib.suppress(OSError), connection:
            play(connection)

    def accept() -> None:
        while True:
            try:
                connection, _ = listener.accept()
            except OSError:
                return
            threading.Thread(target=one, args=(connection,), daemon=True).start()

    threading.Thread(target=accept, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{listener.getsockname()[1]}/v1"
    finally:
        listener.shutdown(socket.SHUT_RDWR)  # wakes the thread that waits for the next connection
        listener.close()
