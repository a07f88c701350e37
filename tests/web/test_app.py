from __future__ import annotations

import logging
from pathlib import Path

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route
from starlette.testclient import TestClient

from garabench.errors import InputError
from garabench.web.app import create_app, pages_of
from garabench.web.guard import MAX_BODY, POLICY, TOKEN_HEADER

TOKEN = "secret"


def home(request: Request) -> Response:
    return pages_of(request).render("home.html", text="<script>1</script>")


def broken(_: Request) -> Response:
    raise ZeroDivisionError("a private detail")


def wrong(_: Request) -> Response:
    raise InputError("the record <b>is broken</b>")


async def write(request: Request) -> Response:
    return JSONResponse({"got": await request.json()})


@pytest.fixture
def app(tmp_path: Path) -> Starlette:
    for name in ("templates", "static"):
        (tmp_path / name).mkdir()
    (tmp_path / "templates" / "home.html").write_text(
        '{% extends "layout.html" %}{% block main %}{{ text }} {{ static("own.js") }}{% endblock %}'
    )
    (tmp_path / "static" / "own.js").write_text("export {};" * 1000)
    (tmp_path / "static" / "LICENSE").write_text("not served")
    routes = [
        Route("/", home),
        Route("/broken", broken),
        Route("/wrong", wrong),
        Route("/write", write, methods=["POST"]),
    ]
    return create_app("Test pages", routes, [tmp_path], token=TOKEN, hosts=["testserver"])


@pytest.fixture
def client(app: Starlette) -> TestClient:
    return TestClient(app)


def test_pages_are_escaped_and_guarded(client: TestClient) -> None:
    response = client.get("/")
    assert "&lt;script&gt;1&lt;/script&gt;" in response.text
    assert response.headers["content-security-policy"] == POLICY
    assert response.headers["x-content-type-options"] == "nosniff"
    assert response.headers["cache-control"] == "no-store"
    assert "unsafe" not in POLICY


@pytest.mark.parametrize("path", ["/", "/nothing", "/broken", "/static/x/y.js"])
def test_every_response_has_the_policy(client: TestClient, path: str) -> None:
    assert client.get(path).headers["content-security-policy"] == POLICY


@pytest.mark.parametrize(
    ("host", "status"),
    [
        ("testserver", 200),
        ("127.0.0.1:80", 200),
        ("localhost:80", 200),
        ("127.0.0.1", 421),
        ("127.0.0.1:81", 421),
        ("garabench.example", 421),
        ("garabench.example:80", 421),
        ("localhost:80.garabench.example", 421),
        ("", 421),
    ],
)
def test_foreign_hosts_are_refused(client: TestClient, host: str, status: int) -> None:
    assert client.get("/", headers={"Host": host}).status_code == status


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({}, 403),
        ({TOKEN_HEADER: "wrong"}, 403),
        ({TOKEN_HEADER: TOKEN}, 200),
        ({TOKEN_HEADER: TOKEN, "Origin": "http://testserver"}, 200),
        ({TOKEN_HEADER: TOKEN, "Origin": "http://testserver.example"}, 403),
        ({TOKEN_HEADER: TOKEN, "Origin": "null"}, 403),
        ({TOKEN_HEADER: TOKEN, "Sec-Fetch-Site": "cross-site"}, 403),
        ({TOKEN_HEADER: TOKEN, "Sec-Fetch-Site": "same-origin"}, 200),
        ({TOKEN_HEADER: TOKEN, "Content-Length": str(MAX_BODY + 1)}, 413),
    ],
)
def test_writes_need_the_token(client: TestClient, headers: dict[str, str], status: int) -> None:
    assert client.post("/write", json={"a": 1}, headers=headers).status_code == status


def test_other_sites_cannot_embed_but_may_link(client: TestClient) -> None:
    embedded = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "no-cors", "Sec-Fetch-Dest": "image"}
    link = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document"}
    assert client.get("/", headers=embedded).status_code == 403
    assert client.get("/", headers=link).status_code == 200


def test_error_pages_have_no_traceback(client: TestClient, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.ERROR):
        response = client.get("/broken")
    assert response.status_code == 500
    assert "private" not in response.text
    assert "Traceback" not in response.text
    assert "a private detail" in caplog.text


def test_errors_are_escaped_pages_or_json(client: TestClient) -> None:
    assert "the record &lt;b&gt;is broken" in client.get("/wrong").text
    data = client.get("/wrong", headers={"Accept": "application/json"})
    assert (data.status_code, data.json()) == (500, {"error": "the record <b>is broken</b>"})
    missing = client.get("/nothing")
    assert missing.status_code == 404
    assert "<h1>Not Found</h1>" in missing.text


def test_static_files_have_types_and_are_cached_by_version(app: Starlette, client: TestClient) -> None:
    address = app.state.pages.static.address("own.js")
    response = client.get(address)
    assert response.headers["content-type"] == "text/javascript; charset=utf-8"
    assert "immutable" in response.headers["cache-control"]
    assert response.headers["content-encoding"] == "gzip"
    old = client.get("/static/0/own.js")
    assert (old.status_code, old.headers["cache-control"]) == (200, "no-store")
    for name in ("LICENSE", "../templates/home.html", "..%2ftemplates/home.html", "nothing.js"):
        assert client.get(f"/static/0/{name}").status_code == 404
