"""The browser: it opens the links of other apps and says when a page is unavailable."""

from __future__ import annotations

import http.server
import threading
from collections.abc import Iterator

import pytest

from garabench.virtual.apps.browser.fetch import PageNotLoadedError, full_address, load_page
from tests.virtual.apps.system_robot import SystemRobot

VIEW = "android.intent.action.VIEW"
BROWSER = "com.android.browser/com.android.browser.BrowserActivity"


class _Server(http.server.BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        large = self.path == "/large"
        moved = {"/moved": "/tea", "/away": "http://example.com/", "/loop": "/loop"}.get(self.path)
        self.send_response(302 if moved else 200)
        if moved:
            self.send_header("Location", moved)
        self.send_header("Content-Type", "image/png" if self.path == "/image" else "text/html; charset=utf-8")
        self.end_headers()
        if not moved:
            self.wfile.write(
                b"x" * (1 << 21) if large else f"<h1>{self.path}</h1><a href=/next>on</a>".encode()
            )

    def log_message(self, *_: object) -> None:
        return


@pytest.fixture(scope="module")
def site() -> Iterator[str]:
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), _Server)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"localhost:{server.server_port}"
    server.shutdown()
    server.server_close()
    thread.join()


def code_of(address: str) -> str:
    with pytest.raises(PageNotLoadedError) as caught:
        load_page(address)
    return caught.value.code


def test_only_this_machine_is_reached_and_each_failure_has_a_code(site: str) -> None:
    codes = {
        "http://example.com/": "ERR_NAME_NOT_RESOLVED",
        "http://127.0.0.1:1/": "ERR_CONNECTION_REFUSED",
        "https://localhost/": "ERR_SSL_PROTOCOL_ERROR",
        "ftp://localhost/": "ERR_UNKNOWN_URL_SCHEME",
        "http://localhost:x/": "ERR_INVALID_URL",
        "http:///": "ERR_UNKNOWN_URL_SCHEME",
        f"http://{site}/large": "ERR_RESPONSE_TOO_LARGE",
        f"http://{site}/away": "ERR_NAME_NOT_RESOLVED",
        f"http://{site}/loop": "ERR_TOO_MANY_REDIRECTS",
    }
    assert {address: code_of(address) for address in codes} == codes
    assert load_page(f"http://{site}/moved").address == f"http://{site}/tea"
    assert load_page(f"http://{site}/tea".replace("localhost", "10.0.2.2")).content.startswith(b"<h1>/tea")


def test_addresses_may_be_typed_without_a_scheme() -> None:
    typed = {
        " localhost/x ": "http://localhost/x",
        "about:blank": "about:blank",
        "https://a": "https://a",
        "": "",
    }
    assert {text: full_address(text) for text in typed} == typed


def test_links_open_pages_and_back_returns(site: str) -> None:
    robot = SystemRobot()
    assert robot.start(action=VIEW, data=f"http://{site}/tea") == BROWSER
    assert robot.nodes("/tea")
    robot.tap("on")
    assert robot.nodes("/next")
    robot.phone.press_back()
    assert robot.nodes("/tea")
    robot.start(action=VIEW, data="http://nowhere.test/")
    assert robot.texts("error_title") == ["Web page not available"]
    assert robot.texts("error_code") == ["ERR_NAME_NOT_RESOLVED"]
    robot.start(action=VIEW, data=f"http://{site}/image")
    assert robot.texts("error_code") == ["ERR_UNSUPPORTED_CONTENT"]
    assert ("visited-page", "http://nowhere.test/") in robot.state("com.android.browser")


@pytest.mark.parametrize("profile", ["android-30:720x1280", "android-34:720x1280"])
def test_an_app_that_has_verified_a_host_opens_its_links(profile: str) -> None:
    """https://developer.android.com/training/app-links"""
    robot = SystemRobot(profile)
    shown = robot.start(action=VIEW, data="https://play.google.com/store/apps/details?id=tv.danmaku.bili")
    assert shown.startswith("com.android.vending/")


def test_the_address_field_opens_what_is_typed(site: str) -> None:
    robot = SystemRobot(lang="zh")
    robot.start(package="com.android.browser", activity="com.android.browser.BrowserActivity")
    assert robot.nodes("手机可以打开本机服务器的网页。")
    robot.tap("url")
    robot.phone.ime.commit_text(f"{site}/typed")
    robot.phone.input.key(66)
    robot.phone.clock.advance(500)
    assert robot.nodes("/typed")
