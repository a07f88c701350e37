"""The pytest fixtures that GaraBench ships, used as in a user's tests."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import openai

from garabench.testing.behaviour import ComputedReplies
from garabench.testing.server import FakeModelServer


def complete(server: FakeModelServer, text: str) -> str | None:
    with openai.OpenAI(base_url=server.base_url, api_key=server.key, timeout=120) as client:
        done = client.chat.completions.create(model="m", messages=[{"role": "user", "content": text}])
    return done.choices[0].message.content


def test_fake_model_server_replies_from_a_script(fake_model_server: Callable[..., FakeModelServer]) -> None:
    server = fake_model_server("one", "two", faults=["429=0.01@1"])
    assert [complete(server, "go"), complete(server, "go")] == ["one", "two"]
    assert [request.fault for request in server.requests] == ["429", "", ""]


def test_fake_model_server_replies_from_a_behaviour(
    fake_model_server: Callable[..., FakeModelServer],
) -> None:
    first = fake_model_server(ComputedReplies(lambda request: request.text.upper()))
    second = fake_model_server(ComputedReplies(lambda request: request.text[::-1]))
    assert (complete(first, "abc"), complete(second, "abc")) == ("ABC", "cba")


_TESTS = """
import socket

ports = []

def test_one(fake_model_server):
    ports.append(fake_model_server("hello").port)
    socket.create_connection(("127.0.0.1", ports[0]), 5).close()

def test_two():
    try:
        socket.create_connection(("127.0.0.1", ports[0]), 5)
    except ConnectionRefusedError:
        return
    raise AssertionError("it still listens")
"""


def test_fake_model_server_stops_after_the_test(tmp_path: Path) -> None:
    (tmp_path / "test_users.py").write_text(_TESTS, encoding="utf-8")
    argv = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "test_users.py"]
    done = subprocess.run(argv, cwd=tmp_path, capture_output=True, text=True, timeout=120, check=False)
    assert "2 passed" in done.stdout, done.stdout
