from __future__ import annotations

import asyncio
import base64
import io
import json
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from PIL import Image
from uiautomator2._selector import Selector as ClientSelector

from garabench.core.geometry import Rect
from garabench.virtual.u2.server import UiautomatorServer
from tests.virtual.u2.phone import FakePhone, Pipe
from tests.virtual.u2.trees import node, scene, window

FIELD = node("EditText", text="手机", bounds=Rect(0, 100, 1080, 200), clickable=True, focused=True)
BUTTON = node(
    "Button", text="搜索", rid="app.one:id/go", bounds=Rect(100, 300, 300, 400), clickable=True, desc="go"
)
SCENE = scene(window(node("FrameLayout", FIELD, BUTTON)))
EMPTY = scene(window(node("FrameLayout")))


def post(method: str, *params: Any, close: bool = True) -> bytes:
    body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": list(params) or {}}).encode()
    connection = "Connection: close\r\n" if close else ""
    head = f"POST /jsonrpc/0 HTTP/1.1\r\n{connection}Content-Length: {len(body)}\r\n\r\n"
    return head.encode() + body


def get(path: str) -> bytes:
    return f"GET {path} HTTP/1.1\r\nConnection: close\r\n\r\n".encode()


def exchange(server: UiautomatorServer, *chunks: bytes, pause: float = 0) -> Pipe:
    """Send chunks on a new connection, wait for its end and return the pipe."""

    async def session() -> Pipe:
        pipe = Pipe()
        serving = asyncio.ensure_future(server.handle(pipe))
        for chunk in chunks:
            pipe.incoming.put_nowait(chunk)
            if pause:
                await asyncio.sleep(pause)
        pipe.incoming.put_nowait(b"")
        await asyncio.wait_for(serving, 120)
        return pipe

    return asyncio.run(session())


def body_of(pipe: Pipe) -> bytes:
    return bytes(pipe.sent).split(b"\r\n\r\n", 1)[1]


async def say(
    line: str, out: Callable[[bytes], Awaitable[None]], err: Callable[[bytes], Awaitable[None]]
) -> int:
    """Act as a shell whose programs print their arguments; some do not end or do not exist."""
    if line == "nope":
        return 127
    await out(f"ran {line}".encode())
    if line.startswith("sleep"):
        await asyncio.sleep(60)
    await err(b"one\ntwo\n")
    return 3


class Client:
    """A server over a fake phone, and its client."""

    def __init__(self) -> None:
        self.phone = FakePhone(SCENE)
        self.server = UiautomatorServer(self.phone, say)  # type: ignore[arg-type]

    def raw(self, method: str, *params: Any) -> dict[str, Any]:
        answer: dict[str, Any] = json.loads(body_of(exchange(self.server, post(method, *params))))
        return answer

    def call(self, method: str, *params: Any) -> Any:
        answer = self.raw(method, *params)
        assert "error" not in answer, answer
        return answer["result"]


def select(**fields: Any) -> dict[str, Any]:
    return dict(ClientSelector(**fields))


@pytest.fixture
def client() -> Client:
    return Client()


@pytest.mark.parametrize(
    ("path", "status", "body"),
    [
        ("/ping", b"200 OK", b"pong"),
        ("/nowhere", b"404 Not Found", b"Not Found!!!"),
        ("/version", b"404 Not Found", b"Not Found!!!"),
        ("/screenshot/0", b"200 OK", b"PNG"),
    ],
)
def test_plain_pages(client: Client, path: str, status: bytes, body: bytes) -> None:
    pipe = exchange(client.server, get(path))
    assert pipe.sent.startswith(b"HTTP/1.1 " + status)
    assert body_of(pipe) == body
    assert pipe.closed


def test_stop_ends_the_server(client: Client) -> None:
    assert body_of(exchange(client.server, get("/stop"))) == b"Server stopped!!!"
    assert client.server.stopped
    assert not exchange(client.server, get("/ping")).sent


def test_a_connection_serves_several_requests(client: Client) -> None:
    pipe = exchange(client.server, post("ping", close=False) + post("ping", close=False))
    assert pipe.sent.count(b'"result":"pong"') == 2


def test_a_delayed_body_gets_100_continue(client: Client) -> None:
    request = post("ping")
    cut = request.index(b"\r\n\r\n") + 4
    pipe = exchange(client.server, request[:cut], request[cut:], pause=0.02)
    assert pipe.sent.startswith(b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK")


def test_a_prompt_body_gets_no_100_continue(client: Client) -> None:
    assert b"100 Continue" not in exchange(client.server, post("ping")).sent


def test_garbage_is_answered_with_400_and_closed(client: Client) -> None:
    pipe = exchange(client.server, b"\x16\x03\x01garbage\r\n\r\n")
    assert pipe.sent.startswith(b"HTTP/1.1 400 ")
    assert pipe.closed


def test_a_client_may_disconnect_early(client: Client) -> None:
    assert not exchange(client.server, post("ping")[:30]).sent


def test_the_faults_of_the_server(client: Client) -> None:
    client.phone.faults.on["u2-dead"] = {}
    assert not exchange(client.server, get("/ping")).sent
    client.phone.faults.on = {"u2-hang": {}}
    assert not exchange(client.server, get("/ping")).sent


def test_dump_is_xml_and_empty_with_the_fault_null_root(client: Client) -> None:
    xml = client.call("dumpWindowHierarchy", False, 50)
    assert xml.startswith("<?xml") and 'text="搜索"' in xml
    client.phone.faults.on["null-root"] = {}
    assert '<hierarchy rotation="0" />' in client.call("dumpWindowHierarchy", False, 50)


def test_a_slow_dump_takes_longer(client: Client) -> None:
    client.phone.faults.on["slow-dump"] = {"ms": 4000}
    client.call("dumpWindowHierarchy", False, 50)
    assert client.phone.ms == 4120


def test_device_info(client: Client) -> None:
    info = client.call("deviceInfo")
    assert info == {
        "currentPackageName": "app.one",
        "displayHeight": 2400,
        "displayRotation": 0,
        "displaySizeDpX": 411,
        "displaySizeDpY": 914,
        "displayWidth": 1080,
        "naturalOrientation": True,
        "productName": "shiba",
        "screenOn": True,
        "sdkInt": 34,
    }


def test_a_screenshot_is_a_base64_jpeg(client: Client) -> None:
    assert base64.b64decode(client.call("takeScreenshot", 1, 80)) == b"JPEG" * 80


def test_a_smaller_screenshot_and_one_in_a_file(client: Client) -> None:
    image = Image.open(io.BytesIO(base64.b64decode(client.call("takeScreenshot", 0.5, 80))))
    assert (image.format, image.size) == ("JPEG", (20, 40))
    path = client.call("takeScreenshot", "shot.png", 1.0, 80)
    assert client.phone.calls == [("write", path, b"PNG")]
    small = body_of(exchange(client.server, get("/screenshot/0?scale=0.25")))
    assert Image.open(io.BytesIO(small)).size == (10, 20)


@pytest.mark.parametrize(
    ("command", "result"),
    [
        ("ls  /sdcard | wc", {"returnCode": 3, "stderr": "one\ntwo\n", "stdout": "ran ls /sdcard '|' wc\n"}),
        ("sleep 9", {"returnCode": -1, "stderr": "", "stdout": "ran sleep 9\n"}),
        (
            "nope",
            {
                "returnCode": -1,
                "stderr": 'Exception occurred: Cannot run program "nope": error=2, No such file or directory',
                "stdout": "",
            },
        ),
        (" ", {"returnCode": -1, "stderr": "Exception occurred: Empty command", "stdout": ""}),
    ],
)
def test_programs_run_without_a_shell(client: Client, command: str, result: dict[str, object]) -> None:
    answer = client.call("executeShellCommand", command, 100)
    assert {key: str(value).strip() for key, value in answer.items()} == {
        key: str(value).strip() for key, value in result.items()
    }


@pytest.mark.parametrize(
    ("method", "params", "calls"),
    [
        ("click", [10.7, 20], [("tap", 10, 20)]),
        ("click", [10, 20, 500], [("long_press", 10, 20, 500)]),
        ("swipe", [1, 2, 3, 4, 55], [("swipe", 1, 2, 3, 4, 275)]),
        ("drag", [1, 2, 3, 4, 100], [("drag", 1, 2, 3, 4, 500)]),
        ("injectInputEvent", [0, 5.5, 6, 0], [("motion", 0, 5, 6)]),
        (
            "swipePoints",
            [[0, 0, 10, 0], 2],
            [("motion", 0, 0, 0), ("motion", 2, 10, 0), ("motion", 1, 10, 0)],
        ),
        ("pressKey", ["back"], [("key", 4, 0)]),
        ("pressKey", ["RECENT"], [("key", 187, 0)]),
        ("pressKeyCode", [29, 1], [("key", 29, 1)]),
        ("click", [select(text="搜索")], [("tap", 200, 350)]),
        ("click", [select(text="搜索"), "tl"], [("tap", 105, 305)]),
        ("longClick", [select(text="搜索")], [("long_press", 200, 350, 750)]),
        ("dragTo", [select(text="搜索"), 7, 8, 40], [("drag", 200, 350, 7, 8, 200)]),
        ("dragTo", [select(text="搜索"), select(text="手机"), 40], [("drag", 200, 350, 540, 150, 200)]),
        ("swipe", [select(text="搜索"), "left", 10], [("swipe", 295, 350, 105, 350, 50)]),
        ("swipe", [select(text="搜索"), "up", 0.5, 10], [("swipe", 200, 370, 200, 330, 50)]),
        ("setText", [select(text="手机"), "电脑"], [("tap", 540, 150), ("clear",), ("commit_text", "电脑")]),
        ("clearTextField", [select(text="手机")], [("clear",)]),
        ("clearInputText", [], [("clear",)]),
        ("openNotification", [], [("open_shade",)]),
    ],
)
def test_each_call_acts_on_the_phone(
    client: Client, method: str, params: list[Any], calls: list[tuple[Any, ...]]
) -> None:
    client.call(method, *params)
    assert client.phone.calls == calls


def test_unknown_keys_and_negative_coordinates_return_false(client: Client) -> None:
    assert client.call("pressKey", "fly") is False
    assert client.call("click", -1, 5) is False
    assert client.phone.calls == []


def test_orientation_freezes_the_rotation(client: Client) -> None:
    client.call("setOrientation", "left")
    assert client.phone.calls == [
        ("put", "system", "accelerometer_rotation", "0"),
        ("put", "system", "user_rotation", "1"),
    ]


def test_the_clipboard_is_the_phones(client: Client) -> None:
    assert client.call("getClipboard") is None
    client.call("setClipboard", None, "你好")
    assert client.call("getClipboard") == "你好"
    client.call("pasteClipboard")
    assert client.phone.calls == [("commit_text", "你好")]


def test_a_toast_is_reported_until_it_is_cleared(client: Client) -> None:
    assert client.call("getLastToast") is None
    client.phone.windows.last_toast = ("已收藏", "app.one")
    assert client.call("getLastToast") == "已收藏"
    client.call("clearLastToast")
    assert client.call("getLastToast") is None


def test_objects_are_found_counted_and_described(client: Client) -> None:
    assert client.call("exist", select(text="搜索")) is True
    assert client.call("exist", select(text="没有")) is False
    assert client.call("count", select(clickable=True)) == 2
    assert client.call("getText", select(className="android.widget.EditText")) == "手机"
    info = client.call("objInfo", select(resourceId="app.one:id/go"))
    assert info["text"] == "搜索" and info["contentDescription"] == "go" and info["clickable"] is True
    assert info["visibleBounds"] == {"bottom": 400, "left": 100, "right": 300, "top": 300}
    assert info["resourceName"] == "app.one:id/go"
    everything = client.call("objInfoOfAllInstances", select(clickable=True))
    assert [each["text"] for each in everything] == ["手机", "搜索"]


@pytest.mark.parametrize("method", ["objInfo", "getText", "click", "longClick", "clearTextField"])
def test_a_missing_object_is_reported_with_its_selector(client: Client, method: str) -> None:
    error = client.raw(method, select(text="没有"))["error"]
    assert error == {
        "code": -32001,
        "message": "androidx.test.uiautomator.UiObjectNotFoundException",
        "data": "UiSelector[TEXT=没有]",
    }


def test_waiting_advances_the_phones_clock(client: Client) -> None:
    client.phone.shown = EMPTY
    client.phone.later = [(2000, SCENE)]
    assert client.call("waitForExists", select(text="搜索"), 5000) is True
    assert 2000 <= client.phone.ms < 2200
    assert client.call("waitUntilGone", select(text="搜索"), 1000) is False
    client.phone.later = [(client.phone.ms + 300, EMPTY)]
    assert client.call("waitUntilGone", select(text="搜索"), 1000) is True


def test_waiting_ends_at_its_timeout(client: Client) -> None:
    assert client.call("waitForExists", select(text="没有"), 3000) is False
    assert 3000 <= client.phone.ms < 3100


def test_stored_objects_have_ids(client: Client) -> None:
    identity = client.call(
        "childByText", select(className="android.widget.FrameLayout"), select(clickable=True), "搜索"
    )
    assert client.call("getUiObjects") == [identity]
    assert client.call("getText", identity) == "搜索"
    client.call("click", identity)
    assert client.phone.calls == [("tap", 200, 350)]
    client.call("removeUiObject", identity)
    assert client.raw("getText", identity)["error"]["data"] == "UiObject not found!"


def test_watchers_act_when_their_conditions_hold(client: Client) -> None:
    client.call("registerClickUiObjectWatcher", "w", [select(text="手机")], select(text="搜索"))
    client.call("registerPressKeyskWatcher", "never", [select(text="没有")], ["back"])
    client.call("runWatchers")
    assert client.phone.calls == [("tap", 200, 350)]
    assert client.call("hasWatcherTriggered", "w") is True
    assert client.call("hasWatcherTriggered", "never") is False
    client.call("resetWatcherTriggers")
    assert client.call("hasAnyWatcherTriggered") is False
    client.call("removeWatcher", "w")
    assert client.call("getWatchers") == ["never"]


def test_the_configurator_sets_known_fields(client: Client) -> None:
    changed = client.call("setConfigurator", {"waitForIdleTimeout": 7, "other": 1})
    assert changed == client.call("getConfigurator")
    assert changed["waitForIdleTimeout"] == 7 and "other" not in changed


@pytest.mark.parametrize(
    ("method", "params"),
    [
        ("click", [1, "y"]),
        ("click", [1, None, 2]),
        ("click", []),
        ("swipe", [1, 2, 3]),
        ("swipe", [1, 2, 3, 4, float("nan")]),
        ("objInfo", [5]),
        ("waitForExists", [select(text="a"), "soon"]),
        ("swipePoints", ["abc", 1]),
        ("pressKey", [4]),
        ("gesture", [select(text="搜索"), 1, 2, 3, 4, 5]),
        ("registerPressKeyskWatcher", ["n", "x", []]),
    ],
)
def test_wrong_arguments_are_invalid_params(client: Client, method: str, params: list[Any]) -> None:
    assert client.raw(method, *params)["error"]["code"] == -32602
