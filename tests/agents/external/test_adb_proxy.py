"""Autonomous agents can use the adb server through the proxy, but cannot stop it."""

from __future__ import annotations

import socket
import subprocess
import threading
from collections.abc import Iterator

import adbutils
import pytest

from garabench.agents.external.adb_proxy import STATE_REFUSAL, AdbProxy, local_response
from garabench.effects.app_state_reader import addresses
from tests.waits import AMPLE, until


class Server:
    """A server that records what it receives, and echoes it after `OKAY`."""

    def __init__(self) -> None:
        self.received: list[bytes] = []
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.address = ("127.0.0.1", int(self._listener.getsockname()[1]))
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def close(self) -> None:
        self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        self._thread.join(AMPLE)

    def _run(self) -> None:
        while True:
            try:
                client, _ = self._listener.accept()
            except OSError:
                return
            with client:
                while data := client.recv(1 << 16):
                    self.received.append(data)
                    client.sendall(b"OKAY" + data)


@pytest.fixture
def server() -> Iterator[Server]:
    made = Server()
    yield made
    made.close()


@pytest.fixture
def proxy(server: Server) -> Iterator[AdbProxy]:
    with AdbProxy(server.address) as made:
        yield made


def ask(proxy: AdbProxy, *message: bytes) -> bytes:
    """Send messages to the proxy, and return all that it answers."""
    with socket.create_connection((proxy.host, proxy.port), AMPLE) as client:
        for each in message:
            client.sendall(each)
        client.shutdown(socket.SHUT_WR)
        answer = b""
        while more := client.recv(1 << 16):
            answer += more
        return answer


def request(service: bytes) -> bytes:
    return b"%04x%s" % (len(service), service)


@pytest.mark.parametrize(
    ("service", "starts"),
    [
        (b"host:kill", b"OKAY"),
        (b"host:disconnect:127.0.0.1:5555", b"OKAY"),
        (b"host:disconnect:", b"OKAY"),
        (b"host:killer", None),
        (b"host:version", None),
        (b"host:connect:127.0.0.1:5555", None),
        (b"host:transport:host:kill", None),
        (b"shell:host:kill", None),
        (b"", None),
    ],
)
def test_kill_and_disconnect_are_not_forwarded(
    proxy: AdbProxy, server: Server, service: bytes, starts: bytes | None
) -> None:
    assert (local_response(service) or b"").startswith(starts or b"")
    assert (local_response(service) is None) == (starts is None)
    answer = ask(proxy, request(service))
    assert answer.startswith(b"OKAY")
    assert b"".join(server.received) == (b"" if starts else request(service))


def test_data_is_forwarded_in_chunks_of_any_size(proxy: AdbProxy, server: Server) -> None:
    first, rest = request(b"host:transport-any"), bytes(range(256)) * 2000
    answer = ask(proxy, *(first[place : place + 1] for place in range(len(first))), rest, b"host:kill")
    assert answer.replace(b"OKAY", b"") == first + rest + b"host:kill"


@pytest.mark.parametrize("message", [b"", b"00", b"zzzz", b"00ffhost"])
def test_a_malformed_request_is_forwarded(proxy: AdbProxy, server: Server, message: bytes) -> None:
    ask(proxy, message)
    assert b"".join(server.received) == message


QUERIES = tuple(f"content query --uri {address}".encode() for address in addresses("com.example"))


@pytest.mark.parametrize("query", QUERIES)
@pytest.mark.parametrize("service", [b"shell:", b"shell,v2,raw:", b"exec:"])
def test_the_state_of_an_app_is_refused(
    proxy: AdbProxy, server: Server, service: bytes, query: bytes
) -> None:
    transport = request(b"host:transport:x")
    answer = ask(proxy, transport, request(service + query))
    assert answer.endswith(STATE_REFUSAL)
    assert b"garabench" not in b"".join(server.received)


@pytest.mark.parametrize("query", QUERIES)
def test_the_state_of_an_app_is_refused_in_an_open_shell(
    proxy: AdbProxy, server: Server, query: bytes
) -> None:
    typed = (query[at : at + 1] for at in range(len(query)))
    answer = ask(proxy, request(b"host:transport:x"), request(b"shell:"), *typed, b"\n")
    assert answer.endswith(STATE_REFUSAL)
    assert b"org.garabench.state" not in b"".join(server.received)


def test_a_query_of_another_provider_is_forwarded(proxy: AdbProxy, server: Server) -> None:
    query = request(b"shell:content query --uri content://org.garabench.interruptions.events/x")
    ask(proxy, request(b"host:transport:x"), query)
    assert query in b"".join(server.received)


def test_without_a_server_the_connection_is_closed() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = int(taken.getsockname()[1])
    with AdbProxy(("127.0.0.1", port)) as proxy:
        assert ask(proxy, request(b"host:version")) == b""


def test_close_ends_every_connection_and_thread(server: Server) -> None:
    proxy = AdbProxy(server.address)
    with socket.create_connection((proxy.host, proxy.port), AMPLE) as client:
        client.sendall(request(b"host:track-devices"))
        assert client.recv(4) == b"OKAY"
        proxy.close()
        client.settimeout(AMPLE)
        while client.recv(1 << 16):
            pass
    proxy.close()
    until(lambda: not [each for each in threading.enumerate() if each.name == "adb-proxy"])
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection((proxy.host, proxy.port), AMPLE)


def test_adb_kill_server_has_no_effect_through_the_proxy(adb_server_port: int) -> None:
    adb = adbutils.adb_path()
    with AdbProxy(("127.0.0.1", adb_server_port)) as proxy:
        for words in (
            ["kill-server"],
            ["disconnect"],
            ["disconnect", "127.0.0.1:1"],
            ["start-server"],
            ["devices"],
        ):
            done = subprocess.run(
                [adb, "-P", str(proxy.port), *words],
                capture_output=True,
                text=True,
                timeout=AMPLE,
                check=False,
            )
            assert (done.returncode, "daemon not running" in done.stdout + done.stderr) == (0, False), words
        assert done.stdout.startswith("List of devices attached")
        client = adbutils.AdbClient(host=proxy.host, port=proxy.port)
        client.server_kill()
        assert client.server_version() == adbutils.AdbClient(port=adb_server_port).server_version()
