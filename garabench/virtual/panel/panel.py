"""What the panel answers: the page, the screen, touches and keys, faults, the end; sockets are elsewhere.

Who has not the token learns nothing; a page of another site can neither read an answer nor cause an effect:
the token stands in the path, the ``Host`` has to be this one, and effects need a header that other sites'
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
from garabench.virtual.control import Control
from garabench.virtual.os.clock import Latency
from garabench.virtual.os.faults import KNOWN
from garabench.virtual.os.phone import Phone
from garabench.virtual.u2.http import Request, Response
from garabench.virtual.ui.scene import Scene

HEADER = "x-garabench"
"""The header that effects need; a browser sends it for another site's page only after asking."""
_KEYS = {"back": 4, "home": 3, "recents": 187, "enter": 66, "delete": 67, "power": 26}
_POLL_S = 0.05
_POLLS = 160
_LONGEST_TEXT = 2000


class Panel:
    """Answers requests about one phone.

    Attributes:
        token: The secret that paths begin with.
        facts: What the page tells about the phone besides its screen, such as its serial.
        port: Where the panel listens; set by the server.
        ended: Set when somebody asked the phone to end.
    """

    def __init__(
        self,
        phone: Phone,
        control: Control,
        token: str,
        facts: Mapping[str, str],
        ended: asyncio.Event | None = None,
    ) -> None:
        """Prepare.

        Args:
            phone: The phone.
            control: What switches it.
            token: As the attribute.
            facts: As the attribute.
            ended: As the attribute, when others end the phone, too.
        """
        self._phone = phone
        self._control = control
        self.token = token
        self.facts = facts
        self._shown: Scene | None = None
        self._number = 0  # counts the screens that were different from the one before
        self._start = token[:4]
        self.port = 0
        self.ended = ended or asyncio.Event()

    async def respond(self, request: Request) -> Response:
        """Answer a request."""
        host = request.headers.get("host", "")
        if host not in (f"127.0.0.1:{self.port}", f"localhost:{self.port}"):
            return _text(404, "not found")
        token, _, name = request.path.strip("/").partition("/")
        if not hmac.compare_digest(token.encode(), self.token.encode()):
            return _text(404, "not found")
        reads: Mapping[str, Callable[[Request], Awaitable[Response]]] = {
            "": self._page,
            "screen": self._screen,
            "status": self._status,
        }
        acts: Mapping[str, Callable[[dict[str, Any]], object]] = {
            "touch": self._touch,
            "key": self._key,
            "text": self._text,
            "stop": lambda body: self.ended.set(),
            **{verb: partial(self._control.obey, verb) for verb in self._control.verbs},
        }
        if request.method == "GET" and name in reads:
            return await reads[name](request)
        if request.method == "POST" and name in acts:
            if HEADER not in request.headers:
                return _text(400, f"the header {HEADER} is missing")
            return self._act(acts[name], request.body)
        return _text(404, "not found")

    def _act(self, act: Callable[[dict[str, Any]], object], body: bytes) -> Response:
        try:
            data = json.loads(body or b"{}")
            if not isinstance(data, dict):
                raise ValueError("not an object")
            act(data)
        except (ValueError, KeyError, TypeError) as error:
            return _text(400, f"wrong request: {error}")
        except InputError as error:
            return _text(400, str(error))
        return _json({"ok": True})

    async def _page(self, request: Request) -> Response:
        page = resources.files("garabench.virtual.panel") / "page.html"
        return Response(page.read_bytes(), 200, "text/html; charset=utf-8")

    async def _status(self, request: Request) -> Response:
        phone = self._phone
        window = phone.scene().focus
        return _json(
            {
                **self.facts,
                "model": phone.profile.model,
                "android": phone.profile.release,
                "waiting": self._control.waiting,
                "kept": self._control.kept,
                "lang": phone.lang,
                "dark": self._control.dark,
                "focus": window.title if window else "",
                "faults": {
                    name: {"about": text, "on": phone.faults.active(name) is not None}
                    for name, text in KNOWN.items()
                },
            }
        )

    async def _screen(self, request: Request) -> Response:
        """The picture, as soon as it is another one than the one that the client has."""
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
        picture = base64.b64encode(frame.jpeg(85)).decode("ascii")
        size = {"width": frame.size.width, "height": frame.size.height}
        return _json({"version": version, "jpeg": picture, **size})

    # Effects

    def _touch(self, body: dict[str, Any]) -> None:
        touch = self._phone.input
        x, y = int(body["x"]), int(body["y"])
        match body.get("kind", "tap"):
            case "tap":
                touch.tap(x, y)
            case "long":
                touch.long_press(x, y, 800)
            case "swipe":
                touch.swipe(
                    x, y, int(body["x2"]), int(body["y2"]), max(50, min(3000, int(body.get("ms", 300))))
                )
            case kind:
                raise ValueError(f"no touch is called {kind!r}")
        self._pass(300)

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
            raise ValueError(f"no key is called {name!r}")
        self._pass(300)

    def _text(self, body: dict[str, Any]) -> None:
        self._phone.ime.commit_text(str(body["text"])[:_LONGEST_TEXT])
        self._pass(50)

    def _pass(self, milliseconds: int) -> None:
        """Let a phone whose time stands still unless it is used come to rest."""
        if self._phone.clock.latency is Latency.INSTANT:
            self._phone.clock.advance(milliseconds)


def _text(status: int, said: str) -> Response:
    return Response(said.encode(), status, "text/plain; charset=utf-8")


def _json(value: object) -> Response:
    return Response(json.dumps(value, ensure_ascii=False).encode(), 200, "application/json")
