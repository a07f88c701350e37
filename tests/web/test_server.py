from __future__ import annotations

import http.client
import os
import signal
import socket
import subprocess
import sys
from urllib.parse import urlsplit

import pytest
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from garabench.errors import InputError
from garabench.web.app import create_app
from garabench.web.server import serving
from tests.waits import AMPLE

PROGRAM = """
from garabench.web.app import create_app
from garabench.web.server import serve
serve(create_app("Test", [], []), on_ready=lambda address: print(address, flush=True))
print("ended", flush=True)
"""


def hello(_: Request) -> Response:
    return PlainTextResponse("hello")


def get(address: str, path: str = "/") -> tuple[int, bytes]:
    connection = http.client.HTTPConnection(urlsplit(address).netloc, timeout=AMPLE)
    try:
        connection.request("GET", path)
        response = connection.getresponse()
        return response.status, response.read()
    finally:
        connection.close()


def test_pages_are_served_on_a_free_port() -> None:
    with serving(create_app("Test", [Route("/", hello)], [])) as address:
        assert address.startswith("http://127.0.0.1:")
        assert get(address) == (200, b"hello")


def test_a_port_in_use_is_reported() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(InputError, match=f"cannot listen on 127.0.0.1:{port}"), serving(None, port=port):
            pass


def test_a_signal_ends_it_in_order() -> None:
    program = subprocess.Popen(
        [sys.executable, "-c", PROGRAM], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert program.stdout is not None
    address = program.stdout.readline().strip()
    assert get(address)[0] == 404
    os.kill(program.pid, signal.SIGINT)
    out, err = program.communicate(timeout=AMPLE)
    assert (program.returncode, out, err) == (0, "ended\n", "")
