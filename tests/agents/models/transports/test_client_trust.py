"""Whether a client trusts an endpoint's certificate, and what it reports if it does not."""

from __future__ import annotations

import socket
import ssl
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from garabench.agents.models import endpoint_errors as ft
from tests.agents.models.chats import HELLO, REQUEST, chat_at, server
from tests.agents.models.loopback import answer, playing, read_request


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("tls") / "own.pem"
    command = [
        "openssl",
        "req",
        "-x509",
        "-newkey",
        "ec",
        "-pkeyopt",
        "ec_paramgen_curve:prime256v1",
        "-nodes",
    ]
    command += ["-days", "2", "-subj", "/CN=localhost", "-addext", "subjectAltName=IP:127.0.0.1"]
    subprocess.run(
        [*command, "-keyout", str(path), "-out", str(path) + ".crt"], check=True, capture_output=True
    )
    path.write_bytes(path.read_bytes() + Path(str(path) + ".crt").read_bytes())
    return path


@pytest.fixture
def secure(certificate: Path) -> Iterator[str]:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate)

    def play(connection: socket.socket) -> None:
        with context.wrap_socket(connection, server_side=True) as wrapped:
            read_request(wrapped)
            wrapped.sendall(answer(HELLO))

    with playing(play) as url:
        yield url.replace("http:", "https:")


def test_a_self_signed_certificate_is_reported(secure: str) -> None:
    with pytest.raises(ft.EndpointUntrustedError, match=r"is self-signed.*SSL_CERT_FILE"):
        chat_at(secure).ask(REQUEST)


def test_a_certificate_can_be_trusted(
    secure: str, certificate: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
    assert chat_at(secure).ask(REQUEST).text == "hello"


def test_an_endpoint_without_tls_is_reported() -> None:
    with server() as running, pytest.raises(ft.EndpointUntrustedError, match="http:// instead of https://"):
        chat_at(running.base_url.replace("http:", "https:")).ask(REQUEST)
