"""The panel's routes: the page, the screen, touches and keys, faults, stop.

Without the token a client learns nothing, and a page of another site can neither read an answer nor act:
the token is part of the path, the ``Host`` must match, and effects need a header that other sites'
pages cannot send.
"""

from __future__ import annotations

import asyncio
import base64
import hmac
import json
from collections.abc import Awaitable, Callable, Mapping
from functools import partial
from importlib import resources
from typing import Any

from garabench.errors import InputError
from garabench.virtual.android.faults import KNOWN
from garabench.virtual.android.phone import Phone
from garabench.virtual.android.phone_clock import Latency
from garabench.virtual.control import PhoneControl
from garabench.virtual.http import HttpRequest, HttpResponse
from garabench.virtual.ui.scene import Scene

HEADER = "x-garabench"
"""The header that effects need; a browser sends it for another site's page only after a preflight request."""
_KEYS = {"back": 4, "home": 3, "recents": 187, "enter": 66, "delete": 67, "power": 26}
_POLL_S = 0.05
_POLLS = 160
_MAX_TEXT = 2000


class Panel:
    """Answers requests about one phone.

    Attributes:
        token: The secret first segment of every path.
        facts: Facts about the phone that the page shows, such as its serial.
        port: Port that the panel listens on; set by the server.
        ended: Set when the phone is asked to end.
    """

    def __init__(
        self,
        phone: Phone,
        control: PhoneControl,
        token: str,
        facts: Mapping[str, str],
        ended: asyncio.Event | None = None,
    ) -> None:
        """Create the panel.

        Args:
            phone: The phone.
            control: Carries out control commands.
            token: See the attribute.
            facts: See the attribute.
            ended: See the attribute; given where something else may end the phone, too.
        """
        self._phone = phone
        self._control = control
        self.token = token
        self.facts = facts
        self._shown: Scene | None = None
        self._number = 0  # counts the changes of the screen
        self._start = token[:4]
        self.port = 0
        self.ended = ended or asyncio.Event()

    async def respond(self, request: HttpRequest) -> HttpResponse:
        """Answer a request."""
        host = request.headers.get("host", "")
        if host not in (f"127.0.0.1:{self.port}", f"localhost:{self.port}"):
            return _text(404, "not found")
        token, _, name = request.path.strip("/").partition("/")
        if not hmac.compare_digest(token.encode(), self.token.encode()):
            return _text(404, "not found")
        reads: Mapping[str, Callable[[HttpRequest], Awaitable[HttpResponse]]] = {
            "": self._page,
            "screen": self._screen,
            "status": self._status,
        }
        acts: Mapping[str, Callable[[dict[str, Any]], object]] = {
            "touch": self._touch,
            "key": self._key,
            "text": self._text,
            "stop": lambda body: self.ended.set(),
            **{verb: partial(self._control.execute, verb) for verb in self._control.verbs},
        }
        if request.method == "GET" and name in reads:
            return await reads[name](request)
        if request.method == "POST" and name in acts:
            if HEADER not in request.headers:
                return _text(400, f"the header {HEADER} is missing")
            return self._act(acts[name], request.body)
        return _text(404, "not found")

    def _act(self, act: Callable[[dict[str, Any]], object], body: bytes) -> HttpResponse:
        try:
            data = json.loads(body or b"{}")
            if not isinstance(data, dict):
                raise ValueError("not an object")
            act(data)
        except (ValueError, KeyError, TypeError) as error:
            return _text(400, f"bad request: {error}")
        except InputError as error:
            return _text(400, str(error))
        return _json({"ok": True})

    async def _page(self, request: HttpRequest) -> HttpResponse:
        page = resources.files("garabench.virtual.panel") / "page.html"
        return HttpResponse(page.read_bytes(), 200, "text/html; charset=utf-8")

    async def _status(self, request: HttpRequest) -> HttpResponse:
        phone = self._phone
        window = phone.scene().focus
        return _json(
            {
                **self.facts,
                "model": phone.profile.model,
                "android": phone.profile.release,
                "waiting": self._control.waiting,
                "snapshots": self._control.snapshots,
                "lang": phone.lang,
                "dark": self._control.dark,
                "focus": window.title if window else "",
                "faults": {
                    name: {"about": description, "on": phone.faults.active(name) is not None}
                    for name, description in KNOWN.items()
                },
                "defects": {
                    name: {"about": defect.symptom, "on": name in phone.defects.active}
                    for name, defect in phone.defects.known().items()
                },
            }
        )

    async def _screen(self, request: HttpRequest) -> HttpResponse:
        """Return the screenshot, as soon as it differs from the client's."""
        seen = request.query.get("version", "")
        for _ in range(_POLLS):
            scene = self._phone.scene()
            if scene is not self._shown:
                self._shown = scene
                self._number += 1
            version = f"{self._start}.{self._number}"
            if version != seen:
                break
            await asyncio.sleep(_POLL_S)
        frame = self._phone.frame()
        jpeg = base64.b64encode(frame.jpeg(85)).decode("ascii")
        size = {"width": frame.size.width, "height": frame.size.height}
        return _json({"version": version, "jpeg": jpeg, **size})

    # Effects

    def _touch(self, body: dict[str, Any]) -> None:
        touch, devices = self._phone.input, self._phone.input_devices
        x, y = int(body["x"]), int(body["y"])
        end = (int(body.get("x2", x)), int(body.get("y2", y)))
        middle = ((x + end[0]) // 2, (y + end[1]) // 2)
        devices.show_touch([(x, y)] if end == (x, y) else [(x, y), middle, end])  # for `getevent`
        match body.get("kind", "tap"):
            case "tap":
                touch.tap(x, y)
            case "long":
                touch.long_press(x, y, 800)
            case "swipe":
                touch.swipe(x, y, *end, max(50, min(3000, int(body.get("ms", 300)))))
            case kind:
                raise ValueError(f"unknown touch {kind!r}")
        self._advance(300)

    def _key(self, body: dict[str, Any]) -> None:
        name = str(body["key"])
        if name == "rotate":
            settings = self._phone.settings
            turned = settings.get("system", "user_rotation") == "1"
            settings.put("system", "user_rotation", "0" if turned else "1")
            self._phone.changed()
        elif name in _KEYS:
            self._phone.input.key(_KEYS[name])
        else:
            raise ValueError(f"unknown key {name!r}")
        self._advance(300)

    def _text(self, body: dict[str, Any]) -> None:
        self._phone.ime.commit_text(str(body["text"])[:_MAX_TEXT])
        self._advance(50)

    def _advance(self, milliseconds: int) -> None:
        """Advance the clock of a phone with instant latency, so that the screen settles."""
        if self._phone.clock.latency is Latency.INSTANT:
            self._phone.clock.advance(milliseconds)


def _text(status: int, message: str) -> HttpResponse:
    return HttpResponse(message.encode(), status, "text/plain; charset=utf-8")


def _json(value: object) -> HttpResponse:
    return HttpResponse(json.dumps(value, ensure_ascii=False).encode(), 200, "application/json")
