"""uiautomator2's server: every selector key compared with the tree, and the protocol under the client."""

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
from tests.e2e.u2_phone import LIST, TITLE, apps, client, first_page, page

pytestmark = pytest.mark.e2e


@pytest.fixture(scope="module")
def connected() -> Iterator[u2.Device]:
    with client() as device:
        yield device


@pytest.fixture
def d(connected: u2.Device) -> u2.Device:
    return first_page(connected)


# Selectors: the server's result compared with its own dump.

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


def nodes(d: u2.Device) -> list[Mapping[str, str]]:
    """Return the nodes of the active window, the only one whose nodes the server counts."""
    root = etree.fromstring(d.dump_hierarchy(root_in_active=True).encode())
    return [{str(key): str(value) for key, value in node.items()} for node in root.iter("node")]


def every_key() -> set[str]:
    return set(Selector._Selector__fields)


def test_no_key_of_a_selector_is_left_out() -> None:
    forms = {f"{key}{form}" for key in COMPARED for form in ("", "Matches")}
    starts = {f"{key}{form}" for key in ("text", "description") for form in ("Contains", "StartsWith")}
    assert forms | starts | set(FLAGS) | {"index", "instance"} == every_key()


@pytest.mark.parametrize("key", sorted(every_key() - set(FLAGS) - {"index", "instance"}))
def test_a_text_key_counts_what_the_tree_shows(d: u2.Device, key: str) -> None:
    page(d, "DisplaySettings")
    name = re.sub(r"(Contains|StartsWith|Matches)$", "", key)
    form = key.removeprefix(name)
    shown = [node[COMPARED[name]] for node in nodes(d)]
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
def test_a_flag_counts_what_the_tree_shows(d: u2.Device, key: str, value: bool) -> None:
    apps(d).click()
    shown = sum(node[FLAGS[key]] == str(value).lower() for node in nodes(d))
    assert d(**{key: value}).count == shown


def test_index_and_instance(d: u2.Device) -> None:
    titles = [node["text"] for node in nodes(d) if node["resource-id"] == TITLE]
    for place, text in enumerate(titles):
        assert d(resourceId=TITLE, instance=place).get_text() == text
    assert d(resourceId=TITLE, instance=len(titles)).count == 0
    first = d(resourceId=LIST).child(className="android.widget.LinearLayout", index=0)
    assert first.exists


# The protocol under the client.


@pytest.fixture
def stream(d: u2.Device) -> Iterator[socket.socket]:
    with d.adb_device.create_connection(adbutils.Network.TCP, 9008) as made:
        made.settimeout(120)
        yield made


def post(method: str) -> tuple[bytes, bytes]:
    body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": {}}).encode()
    head = f"POST /jsonrpc/0 HTTP/1.1\r\nHost: phone\r\nContent-Length: {len(body)}\r\n\r\n".encode()
    return head, body


def test_a_body_that_is_held_back_is_asked_for(stream: socket.socket) -> None:
    head, body = post("ping")
    stream.sendall(head)
    assert stream.recv(100) == b"HTTP/1.1 100 Continue\r\n\r\n"
    stream.sendall(body)
    assert b'"result":"pong"' in stream.recv(4096)


def test_a_body_that_comes_along_is_answered_at_once(stream: socket.socket) -> None:
    for _ in range(2):  # over the same connection
        stream.sendall(b"".join(post("ping")))
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
def test_pages(stream: socket.socket, request_: bytes, answer: bytes) -> None:
    stream.sendall(request_)
    said = b""
    while chunk := stream.recv(1 << 16):
        said += chunk
    assert answer in said


def test_one_server_at_a_time_and_none_after_its_stream_is_closed(d: u2.Device) -> None:
    start = "CLASSPATH=/data/local/tmp/u2.jar app_process / com.wetest.uia2.Main -p 9008"
    assert "already registered" in d.adb_device.shell(start)
    d.stop_uiautomator()
    with d.adb_device.open_shell(start) as held:
        assert "Starting Server" in held.read_string(51)
        with d.adb_device.create_connection(adbutils.Network.TCP, 9008) as asked:
            asked.sendall(b"GET /ping HTTP/1.1\r\n\r\n")
            assert asked.recv(4096).endswith(b"pong")
    clock = SystemClock()
    limit = clock.monotonic() + 120
    while answers(d):
        assert clock.monotonic() < limit
    assert d(text="电池").exists  # the client restarts it


def answers(d: u2.Device) -> bool:
    try:
        d.adb_device.create_connection(adbutils.Network.TCP, 9008).close()
    except adbutils.AdbError:
        return False
    return True
