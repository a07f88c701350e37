"""The checks that every request passes, and the headers that every response carries.

The pages are served on loopback, where any web site that the user visits can send requests to them:

- The ``Host`` must be a loopback name with the port of the connection, so that a foreign name that is bound
  to 127.0.0.1 (DNS rebinding) reads nothing.
- Requests of other sites' pages are refused (``Sec-Fetch-Site``, ``Origin``), and so are their attempts to
  embed a response.
- A request that may write needs the token of this process, which only the application's own pages know.
"""

from __future__ import annotations

import hmac
from collections.abc import Iterable
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

TOKEN_HEADER = "x-garabench-token"  # noqa: S105  # the name of a header
MAX_BODY = 1 << 20
"""Largest accepted request body in bytes."""
_NAMES = ("127.0.0.1", "localhost", "[::1]")
_SAFE = frozenset({"GET", "HEAD", "OPTIONS"})
POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self'",
        "font-src 'self'",
        "connect-src 'self'",
        "form-action 'self'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
        "require-trusted-types-for 'script'",
        "trusted-types 'none'",
    )
)
"""Only the application's own files; no inline script or style, and no text that becomes markup."""
_HEADERS = (
    ("Content-Security-Policy", POLICY),
    ("X-Content-Type-Options", "nosniff"),
    ("X-Frame-Options", "DENY"),
    ("Referrer-Policy", "no-referrer"),
    ("Cross-Origin-Opener-Policy", "same-origin"),
    ("Cross-Origin-Resource-Policy", "same-origin"),
    ("Permissions-Policy", "camera=(), geolocation=(), microphone=(), payment=(), usb=()"),
)


class RequestGuard:
    """Middleware that refuses foreign requests and adds the security headers to every response."""

    def __init__(self, app: ASGIApp, *, token: str, hosts: Iterable[str] = ()) -> None:
        """Create the middleware.

        Args:
            app: The application below.
            token: The token of requests that may write.
            hosts: Further accepted values of ``Host``, with the port.
        """
        self._app = app
        self._token = token
        self._hosts = frozenset(hosts)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        if scope["type"] != "http":
            if scope["type"] == "lifespan":
                await self._app(scope, receive, send)
            return

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in _HEADERS:
                    headers[name] = value
                headers.setdefault("Cache-Control", "no-store")
            await send(message)

        refusal = self._refusal(scope)
        await (refusal or self._app)(scope, receive, send_with_headers)

    def _refusal(self, scope: Scope) -> Response | None:
        headers = Headers(scope=scope)
        host = headers.get("host", "")
        if host not in self._hosts and host not in _own_hosts(scope):
            return PlainTextResponse("This address serves loopback only.\n", 421)
        origin = headers.get("origin")
        if headers.get("sec-fetch-site", "none") not in ("none", "same-origin") and not _is_visit(headers):
            return _refuse(scope, 403, "requests of other sites are not accepted")
        if scope["method"] in _SAFE:
            return None
        if origin is not None and urlsplit(origin).netloc != host:
            return _refuse(scope, 403, "requests of other sites are not accepted")
        if not hmac.compare_digest(headers.get(TOKEN_HEADER, "").encode(), self._token.encode()):
            return _refuse(scope, 403, "the token is missing or wrong; reload the page")
        length = headers.get("content-length", "0")
        if not length.isdecimal() or int(length) > MAX_BODY or "transfer-encoding" in headers:
            return _refuse(scope, 413, f"the body is larger than {MAX_BODY} bytes, or its length is unknown")
        return None


def _own_hosts(scope: Scope) -> frozenset[str]:
    server = scope.get("server")
    if not server:
        return frozenset()
    return frozenset(f"{name}:{server[1]}" for name in _NAMES)


def _is_visit(headers: Headers) -> bool:
    """Return whether the user follows a link from elsewhere: that only opens a page."""
    return headers.get("sec-fetch-mode") == "navigate" and headers.get("sec-fetch-dest") == "document"


def wants_json(request: Request) -> bool:
    """Return whether the client is a script of the page rather than a person."""
    return "application/json" in request.headers.get("accept", "") or request.method not in _SAFE


def _refuse(scope: Scope, status: int, reason: str) -> Response:
    if wants_json(Request(scope)):
        return JSONResponse({"error": reason}, status)
    return PlainTextResponse(f"{status}: {reason}\n", status)
