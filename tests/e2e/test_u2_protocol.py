"""uiautomator2's server: selector keys compared with the hierarchy, and the HTTP protocol."""

from __future__ import annotations

import json
import re
import socket
from collections.abc import Iterator, Mapping

import adbutils
import pytest
import uiautomator2 as u2
from lxml import etree
from uiautomator2._selector import Selector

from garabench.core.clock import SystemClock
from tests.e2e.u2_phone import LIST, TITLE, connect_client, open_app_search, open_first_page, open_page

pytestmark = pytest.mark.e2e


@pytest.fixture(scope="module")
def connected() -> Iterator[u2.Device]:
    with connect_client() as device:
        yield device


@pytest.fixture
def d(connected: u2.Device) -> u2.Device:
    return open_first_page(connected)


# Selectors: compare the server's counts with its hierarchy.

COMPARED = {
    "text": "text",
    "className": "class",
    "description": "content-desc",
    "packageName": "package",
    "resourceId": "resource-id",
}
FLAGS = {
    "checkable": "checkable",
    "checked": "checked",
    "clickable": "clickable",
    "longClickable": "long-clickable",
    "scrollable": "scrollable",
    "enabled": "enabled",
    "focusable": "focusable",
    "focused": "focused",
    "selected": "selected",
}


def active_nodes(d: u2.Device) -> list[Mapping[str, str]]:
    """Return the nodes of the active window, the only one whose nodes the server counts."""
    root = etree.fromstring(d.dump_hierarchy(root_in_active=True).encode())
    return [{str(key): str(value) for key, value in node.items()} for node in root.iter("node")]


def selector_keys() -> set[str]:
    return set(Selector._Selector__fields)


def test_every_selector_key_is_tested() -> None:
    forms = {f"{key}{form}" for key in COMPARED for form in ("", "Matches")}
    starts = {f"{key}{form}" for key in ("text", "description") for form in ("Contains", "StartsWith")}
    assert forms | starts | set(FLAGS) | {"index", "instance"} == selector_keys()


@pytest.mark.parametrize("key", sorted(selector_keys() - set(FLAGS) - {"index", "instance"}))
def test_text_key_matches_the_hierarchy(d: u2.Device, key: str) -> None:
    open_page(d, "DisplaySettings")
    name = re.sub(r"(Contains|StartsWith|Matches)$", "", key)
    form = key.removeprefix(name)
    shown = [node[COMPARED[name]] for node in active_nodes(d)]
    for value in sorted(set(filter(None, shown))):
        part = value[: max(1, len(value) // 2)]
        wanted, holds = {
            "": (value, lambda text, value=value: text == value),
            "Contains": (part[-2:], lambda text, part=part: part[-2:] in text),
            "StartsWith": (part, lambda text, part=part: text.startswith(part)),
            "Matches": (re.escape(part) + ".*", lambda text, part=part: text.startswith(part)),
        }[form]
        assert d(**{key: wanted}).count == sum(map(holds, shown)), wanted


@pytest.mark.parametrize("key", FLAGS)
@pytest.mark.parametrize("value", [True, False])
def test_flag_matches_the_hierarchy(d: u2.Device, key: str, value: bool) -> None:
    open_app_search(d).click()
    shown = sum(node[FLAGS[key]] == str(value).lower() for node in active_nodes(d))
    assert d(**{key: value}).count == shown


def test_index_and_instance_select_by_position(d: u2.Device) -> None:
    titles = [node["text"] for node in active_nodes(d) if node["resource-id"] == TITLE]
    for place, text in enumerate(titles):
        assert d(resourceId=TITLE, instance=place).get_text() == text
    assert d(resourceId=TITLE, instance=len(titles)).count == 0
    first = d(resourceId=LIST).child(className="android.widget.LinearLayout", index=0)
    assert first.exists


# The HTTP protocol.


@pytest.fixture
def stream(d: u2.Device) -> Iterator[socket.socket]:
    with d.adb_device.create_connection(adbutils.Network.TCP, 9008) as connection:
        connection.settimeout(120)
        yield connection


def make_request(method: str) -> tuple[bytes, bytes]:
    body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": {}}).encode()
    head = f"POST /jsonrpc/0 HTTP/1.1\r\nHost: phone\r\nContent-Length: {len(body)}\r\n\r\n".encode()
    return head, body


def test_delayed_body_gets_100_continue(stream: socket.socket) -> None:
    head, body = make_request("ping")
    stream.sendall(head)
    assert stream.recv(100) == b"HTTP/1.1 100 Continue\r\n\r\n"
    stream.sendall(body)
    assert b'"result":"pong"' in stream.recv(4096)


def test_immediate_body_is_answered_directly(stream: socket.socket) -> None:
    for _ in range(2):  # over the same connection
        stream.sendall(b"".join(make_request("ping")))
        assert stream.recv(4096).startswith(b"HTTP/1.1 200 OK\r\n")


@pytest.mark.parametrize(
    ("request_", "answer"),
    [
        (b"GET /ping HTTP/1.1\r\nConnection: close\r\n\r\n", b"\r\n\r\npong"),
        (b"GET /screenshot/0 HTTP/1.1\r\nConnection: close\r\n\r\n", b"\x89PNG"),
        (b"GET /else HTTP/1.1\r\nConnection: close\r\n\r\n", b"404 Not Found"),
        (b"POST /jsonrpc/0 HTTP/1.1\r\nConnection: close\r\n\r\n", b"Invalid http post data!"),
        (b"garbage\r\n\r\n", b"400 Bad Request"),
    ],
)
def test_http_responses(stream: socket.socket, request_: bytes, answer: bytes) -> None:
    stream.sendall(request_)
    response = b""
    while chunk := stream.recv(1 << 16):
        response += chunk
    assert answer in response


def test_only_one_server_runs_and_it_ends_with_its_stream(d: u2.Device) -> None:
    start = "CLASSPATH=/data/local/tmp/u2.jar app_process / com.wetest.uia2.Main -p 9008"
    assert "already registered" in d.adb_device.shell(start)
    d.stop_uiautomator()
    with d.adb_device.open_shell(start) as server_stream:
        assert "Starting Server" in server_stream.read_string(51)
        with d.adb_device.create_connection(adbutils.Network.TCP, 9008) as request:
            request.sendall(b"GET /ping HTTP/1.1\r\n\r\n")
            assert request.recv(4096).endswith(b"pong")
    wait_until_gone(d)
    assert d(text="电池").exists  # the client restarts it


def test_the_server_is_a_process_that_can_be_killed(d: u2.Device) -> None:
    """``ps`` lists it as ``app_process``; killed, it is gone until the client starts it again."""
    assert d(text="电池").exists
    found = d.adb_device.shell("ps -A -o PID,ARGS | grep com.wetest.uia2.Main | grep -v grep").split()
    assert found[1:4] == ["app_process", "/", "com.wetest.uia2.Main"]
    assert d.adb_device.shell("pidof app_process") == found[0]
    d.adb_device.shell(f"kill -9 {found[0]}")
    wait_until_gone(d)
    assert d.adb_device.shell("pgrep -f com.wetest.uia2.Main") == ""
    assert d(text="电池").exists  # the client restarts it


def wait_until_gone(d: u2.Device) -> None:
    clock = SystemClock()
    limit = clock.monotonic() + 120
    while accepts_connections(d):
        assert clock.monotonic() < limit


def accepts_connections(d: u2.Device) -> bool:
    try:
        d.adb_device.create_connection(adbutils.Network.TCP, 9008).close()
    except adbutils.AdbError:
        return False
    return True
