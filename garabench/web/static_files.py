"""Static files of the pages: scripts, styles and pictures, read once and served from memory.

Their addresses contain a hash of the whole folder, so that browsers may cache them forever, and so that a
script imports its neighbours by relative addresses of the same version.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from garabench.errors import HarnessError

PREFIX = "/static"
_TYPES: Mapping[str, str] = {
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".woff2": "font/woff2",
}
"""Media types by suffix; other files, such as licences, are not served. Those of the system may be wrong."""
_FOREVER = {"Cache-Control": "public, max-age=31536000, immutable"}


@dataclass(frozen=True, slots=True)
class StaticFile:
    """A file in memory."""

    content: bytes
    media_type: str


class StaticFiles:
    """The static files of an application.

    Attributes:
        version: Hash of all names and contents.
    """

    def __init__(self, folders: Iterable[Path]) -> None:
        """Read the files.

        Args:
            folders: Folders; a file of a later one replaces one of the same name.

        Raises:
            HarnessError: A folder is missing: the installation is broken.
        """
        self._files: dict[str, StaticFile] = {}
        for folder in folders:
            if not folder.is_dir():
                raise HarnessError(f"the installation is incomplete: {folder} is missing")
            for path in sorted(folder.rglob("*")):
                if path.is_file() and path.suffix in _TYPES:
                    name = path.relative_to(folder).as_posix()
                    self._files[name] = StaticFile(path.read_bytes(), _TYPES[path.suffix])
        digest = hashlib.sha256()
        for name, file in sorted(self._files.items()):
            digest.update(f"{name}\0{len(file.content)}\0".encode() + file.content)
        self.version = digest.hexdigest()[:16]

    def address(self, name: str) -> str:
        """Return the address of a file.

        Raises:
            HarnessError: There is no such file.
        """
        if name not in self._files:
            raise HarnessError(f"there is no static file {name}")
        return f"{PREFIX}/{self.version}/{name}"

    @property
    def route(self) -> Route:
        """The route that serves them."""
        return Route(f"{PREFIX}/{{version}}/{{name:path}}", self._serve)

    async def _serve(self, request: Request) -> Response:
        file = self._files.get(request.path_params["name"])
        if file is None:
            raise HTTPException(404)
        current = request.path_params["version"] == self.version
        return Response(file.content, media_type=file.media_type, headers=_FOREVER if current else None)
