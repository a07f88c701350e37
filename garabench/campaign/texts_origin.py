"""From what the texts of an app's screens were made: when that changes, they may be others."""

from __future__ import annotations

import ast
import hashlib
import re
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

import garabench
from garabench.virtual.apps.framework import App

_PACKAGE = Path(garabench.__file__).parent
_APPS = "virtual/apps"
_IMPORT = re.compile(r"garabench\.virtual\.apps\.(\w+)")


def origin(app: App) -> str:
    """A hash of what decides what the screens of an app show.

    That is: the words in the app's sources, its content, and those of other apps that it imports. How the
    sources are put together, and what all apps stand on, is left out: it changes often, and seldom what they
    show. So are the ways of its tasks: what one names that was not seen is told by the check itself.

    Args:
        app: The app.
    """
    digest = hashlib.sha256()
    words = set[str]()
    for name, content in _sources(_folder(app)):
        if name.endswith(".py"):
            words.update(_words(content))
        else:
            digest.update(f"\0{name}\0".encode() + content)
    digest.update("\0".join(sorted(words)).encode("utf-8", "surrogatepass"))
    return digest.hexdigest()[:16]


def _words(source: bytes) -> Iterator[str]:
    """The texts in a Python module, without those that only tell about it."""
    tree = ast.parse(source)
    told = {
        id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)
    }  # docstrings stand for themselves
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in told:
            yield node.value


def _folder(app: App) -> str:
    """The folder of an app's sources."""
    return next(iter(app.activities.values())).__module__.split(".")[3]


@lru_cache
def _sources(folder: str) -> tuple[tuple[str, bytes], ...]:
    """The files of an app and of those that it imports, with their names."""
    found: dict[str, bytes] = {}
    waiting, folders = [folder], set[str]()
    while waiting:
        here = waiting.pop()
        if here in folders:
            continue
        folders.add(here)
        for name, content in _below(f"{_APPS}/{here}"):
            found[name] = content
            if name.endswith(".py"):
                waiting += _IMPORT.findall(content.decode("utf-8"))
    return tuple(sorted(found.items()))


def _below(folder: str) -> Iterator[tuple[str, bytes]]:
    """The files of a folder; of a module that is no folder, none."""
    for path in sorted((_PACKAGE / folder).rglob("*")):
        if path.is_file() and "__pycache__" not in path.parts:
            yield path.relative_to(_PACKAGE).as_posix(), path.read_bytes()
