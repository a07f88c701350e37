from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Mapping

import pytest

from garabench.core.tree import UiNode, parse_tree
from garabench.virtual.adb.auth import AdbKey, KeyStore
from garabench.virtual.android.device_profile import Profile
from garabench.virtual.android.phone import Phone
from garabench.virtual.apps.catalog import installed_apps
from garabench.virtual.apps.jd import names
from garabench.virtual.control import PhoneControl
from garabench.virtual.http import HttpRequest, HttpResponse
from garabench.virtual.kit.framework import Intent
from garabench.virtual.panel.routes import Panel
from garabench.virtual.ui.dump import u2_xml

TOKEN = "t" * 32
PORT = 4711


@pytest.fixture
def keys() -> KeyStore:
    return KeyStore()


@pytest.fixture
def panel(keys: KeyStore) -> Panel:
    phone = Phone(Profile.parse("android-30:720x1280"), apps=installed_apps(), strict=True)
    panel = Panel(phone, PhoneControl(phone, keys), TOKEN, {"name": "demo", "serial": "here"})
    panel.port = PORT
    return panel


def ask(
    panel: Panel,
    name: str,
    body: object = None,
    *,
    token: str = TOKEN,
    host: str = f"127.0.0.1:{PORT}",
    headers: Mapping[str, str] | None = None,
    query: Mapping[str, str] | None = None,
) -> HttpResponse:
    headers_sent = {"x-garabench": "1"} if headers is None else headers
    data = b"" if body is None else json.dumps(body).encode()
    request = HttpRequest(
        "GET" if body is None else "POST",
        f"/{token}/{name}",
        query or {},
        {"host": host, **headers_sent},
        data,
    )
    return asyncio.run(panel.respond(request))


def focus(panel: Panel) -> str:
    return str(json.loads(ask(panel, "status").body)["focus"])


def test_the_page_loads_nothing_from_other_sites(panel: Panel) -> None:
    page = ask(panel, "").body.decode()
    assert "default-src 'none'" in page
    assert "http://" not in page
    assert "https://" not in page


def test_touches_and_keys_reach_the_phone(panel: Panel) -> None:
    screen = json.loads(ask(panel, "screen").body)
    assert (screen["width"], screen["height"]) == (720, 1280)
    nodes = {n.text: n for n in _nodes(panel)}
    at = nodes["京东"].bounds.center
    assert ask(panel, "touch", {"kind": "tap", "x": at.x, "y": at.y - 60}).status == 200
    assert "com.jingdong.app.mall" in focus(panel)
    after = json.loads(ask(panel, "screen", query={"version": screen["version"]}).body)
    assert after["version"] != screen["version"]
    assert ask(panel, "key", {"key": "home"}).status == 200
    assert "launcher" in focus(panel)
    before = screen["width"]
    ask(panel, "key", {"key": "rotate"})
    assert json.loads(ask(panel, "screen").body)["height"] == before


def _nodes(panel: Panel) -> tuple[UiNode, ...]:
    tree = parse_tree(u2_xml(panel._phone.scene(), compressed=False, max_depth=50))
    return tree.nodes


def test_text_goes_to_the_focused_field(panel: Panel) -> None:
    phone = panel._phone
    phone.activities.start(Intent(package=names.PACKAGE, activity=names.SEARCH))
    phone.clock.advance(500)
    ask(panel, "text", {"text": "机械键盘"})
    assert any(node.text == "机械键盘" for node in _nodes(panel))


def test_defects_are_switched(panel: Panel) -> None:
    ask(panel, "defect", {"name": "bili-like-dead", "on": True})
    row = json.loads(ask(panel, "status").body)["defects"]["bili-like-dead"]
    assert row == {"about": "The like button on a video's page does not react.", "on": True}
    ask(panel, "defect", {"name": "bili-like-dead", "on": False})
    assert json.loads(ask(panel, "status").body)["defects"]["bili-like-dead"]["on"] is False


def test_faults_are_switched(panel: Panel) -> None:
    assert ask(panel, "fault", {"name": "slow-dump", "on": True, "params": {"ms": 5}}).status == 200
    assert json.loads(ask(panel, "status").body)["faults"]["slow-dump"]["on"] is True
    ask(panel, "fault", {"name": "slow-dump", "on": False})
    assert json.loads(ask(panel, "status").body)["faults"]["slow-dump"]["on"] is False
    response = ask(panel, "fault", {"name": "slow-dum", "on": True})
    assert response.status == 400
    assert b"slow-dum" in response.body


@pytest.mark.parametrize(
    ("name", "body"),
    [
        ("touch", {"kind": "tap"}),
        ("touch", {"kind": "poke", "x": 1, "y": 1}),
        ("key", {"key": "nope"}),
        ("touch", [1]),
        ("text", {}),
        ("fault", {"on": True}),
        ("fault", {"name": "hang", "on": True, "params": [1]}),
        ("language", {"lang": "fr"}),
        ("save", {"name": "../x"}),
        ("restore", {"name": "nothing"}),
    ],
)
def test_invalid_requests_are_rejected_without_effect(panel: Panel, name: str, body: object) -> None:
    assert ask(panel, name, body).status == 400


def test_requests_without_the_token_learn_and_change_nothing(panel: Panel) -> None:
    assert ask(panel, "status", token="x" * 32).status == 404
    assert ask(panel, "status", host="evil.example").status == 404
    assert ask(panel, "key", {"key": "home"}, headers={}).status == 400
    assert ask(panel, "nope").status == 404
    assert not panel.ended.is_set()
    assert ask(panel, "stop", {}).status == 200
    assert panel.ended.is_set()


def test_the_allow_button_accepts_a_waiting_adb_server(panel: Panel, keys: KeyStore) -> None:
    page = ask(panel, "").body.decode()
    assert 'id="waiting" hidden><span></span> <button>Allow</button>' in page
    assert """querySelector("#waiting button").addEventListener("click", () => send("allow")""" in page
    key = AdbKey((1 << 2047) + 1, 65537, "me@desk")
    keys.waiting.add(key)
    assert json.loads(ask(panel, "status").body)["waiting"] == ["me@desk"]
    assert not keys.accepts(key)
    assert ask(panel, "allow", {}).status == 200
    assert keys.accepts(key)
    assert json.loads(ask(panel, "status").body)["waiting"] == []


def test_every_button_of_the_page_has_an_action(panel: Panel) -> None:
    page = ask(panel, "").body.decode()
    sent = set(re.findall(r'send\("([a-z]+)"', page))
    assert {"touch", "key", "text", "fault", "defect", "allow", "language", "dark", "reset"} <= sent
    for verb in sent:
        assert ask(panel, verb, {}).status != 404, verb
    for key in re.findall(r'data-key="([a-z]+)"', page):
        assert ask(panel, "key", {"key": key}).status == 200


def test_language_theme_and_snapshots_are_switched(panel: Panel) -> None:
    def shown() -> dict[str, object]:
        status = json.loads(ask(panel, "status").body)
        return {name: status[name] for name in ("lang", "dark", "snapshots")}

    assert shown() == {"lang": "zh", "dark": False, "snapshots": []}
    assert ask(panel, "save", {"name": "first"}).status == 200
    ask(panel, "language", {"lang": "en"})
    ask(panel, "dark", {"on": True})
    assert shown() == {"lang": "en", "dark": True, "snapshots": ["first"]}
    assert ask(panel, "restore", {"name": "first"}).status == 200
    assert shown() == {"lang": "zh", "dark": False, "snapshots": ["first"]}
