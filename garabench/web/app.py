"""Create the application of a set of pages."""

from __future__ import annotations

import logging
import secrets
from collections.abc import Iterable, Mapping, Sequence
from http import HTTPStatus
from pathlib import Path
from typing import Any

import jinja2
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import BaseRoute

from garabench.errors import GaraError
from garabench.web.guard import RequestGuard, wants_json
from garabench.web.static_files import StaticFiles
from garabench.web.templating import escaping_environment

_LOG = logging.getLogger(__name__)
_OWN = Path(__file__).parent
_COMPRESS_FROM = 2048
_HINTS: Mapping[int, str] = {
    404: "The address is wrong, or what it showed does not exist any more.",
    405: "This address does not accept such requests.",
    500: "This is a bug in GaraBench. Its traceback is in the log of the command that serves this page.",
}


class Pages:
    """The templates of an application.

    Every template escapes what it is given. It extends ``layout.html`` and finds `static`, the address of a
    static file, and `token`, the token of requests that write.

    Attributes:
        token: The token.
        static: The static files.
    """

    def __init__(self, title: str, folders: Sequence[Path], token: str) -> None:
        """Read the static files and prepare the templates.

        Args:
            title: Title of the application, at the top of each page.
            folders: Folders with ``templates`` and ``static``, besides the shared ones.
            token: See the attribute.
        """
        self.token = token
        self.static = StaticFiles([_OWN / "static", *(folder / "static" for folder in folders)])
        roots = [*reversed(folders), _OWN]
        loader = jinja2.FileSystemLoader([root / "templates" for root in roots])
        self.environment = escaping_environment(loader)
        self.environment.globals.update(app_title=title, static=self.static.address, token=token)

    def render(self, template: str, *, status: int = 200, **values: Any) -> HTMLResponse:
        """Render a template.

        Args:
            template: File name of the template.
            status: Status of the response.
            values: The variables of the template.
        """
        return HTMLResponse(self.environment.get_template(template).render(values), status)


def pages_of(request: Request) -> Pages:
    """Return the templates of the application that handles a request."""
    pages = request.app.state.pages
    assert isinstance(pages, Pages)  # noqa: S101  # `create_app` sets it
    return pages


def create_app(
    title: str,
    routes: Iterable[BaseRoute],
    folders: Sequence[Path],
    *,
    token: str | None = None,
    hosts: Iterable[str] = (),
) -> Starlette:
    """Create an application.

    Its handlers find the templates with `pages_of`. Plain functions as handlers run in threads. A
    `GaraError` that a handler raises becomes an error page with its message, any other exception one without
    details.

    Args:
        title: Title of the application, at the top of each page.
        routes: Its routes; those of the static files are added.
        folders: Folders with ``templates`` and ``static`` of this application.
        token: The token of requests that write; by default a random one.
        hosts: Further accepted values of ``Host``, with the port; loopback names are always accepted.
    """
    token = token or secrets.token_urlsafe(24)
    pages = Pages(title, folders, token)
    app = Starlette(
        routes=[*routes, pages.static.route],
        middleware=[
            Middleware(RequestGuard, token=token, hosts=tuple(hosts)),
            Middleware(_CatchFaults, pages=pages),
            Middleware(GZipMiddleware, minimum_size=_COMPRESS_FROM, compresslevel=4),
        ],
        exception_handlers={HTTPException: _http_error, GaraError: _gara_error},
    )
    app.state.pages = pages
    return app


class _CatchFaults:
    """Turns an unexpected exception into an error page; Starlette's own handler would raise it again."""

    def __init__(self, app: Any, *, pages: Pages) -> None:
        self._app = app
        self._pages = pages

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        begun = False

        async def note(message: Any) -> None:
            nonlocal begun
            begun = begun or message["type"] == "http.response.start"
            await send(message)

        try:
            await self._app(scope, receive, note)
        except Exception:  # noqa: BLE001  # a bug must not end the server
            _LOG.exception("bug in the page %s", scope.get("path", ""))
            if not begun:
                response = _error_response(Request(scope), self._pages, 500, _HINTS[500])
                await response(scope, receive, send)


def _error_response(request: Request, pages: Pages, status: int, text: str) -> Response:
    if wants_json(request):
        return JSONResponse({"error": text}, status)
    return pages.render("error.html", status=status, heading=HTTPStatus(status).phrase, text=text)


async def _http_error(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)  # noqa: S101  # registered for this class
    phrase = HTTPStatus(error.status_code).phrase
    text = error.detail if error.detail != phrase else _HINTS.get(error.status_code, phrase)
    return _error_response(request, pages_of(request), error.status_code, text)


async def _gara_error(request: Request, error: Exception) -> Response:
    return _error_response(request, pages_of(request), 500, str(error))
