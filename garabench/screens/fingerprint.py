"""Fingerprint the sources of an app's texts, to detect that crawled texts may be outdated."""

from __future__ import annotations

import ast
import hashlib
import re
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

from garabench.virtual.kit.framework import App

_PACKAGE = Path(__file__).parents[1]
_APPS = "virtual/apps"
_IMPORT = re.compile(r"garabench\.(virtual)\.(apps|kit)\.(\w+)")


def texts_fingerprint(app: App) -> str:
    """Return a hash of the sources that determine an app's texts.

    It covers the string literals and content files of the app, of the apps that it imports, and of the kit's
    packages that it imports, such as the maps. It ignores code structure and the kit's modules, such as the
    app framework, which change often but rarely change texts. It also ignores the paths of tasks, since
    the suite's check reports a path that names an unknown text.

    Args:
        app: The app.
    """
    digest = hashlib.sha256()
    words = set[str]()
    for name, content in _sources(f"{_APPS}/{_folder(app)}"):
        if name.endswith(".py"):
            words.update(_words(content))
        else:
            digest.update(f"\0{name}\0".encode() + content)
    digest.update("\0".join(sorted(words)).encode("utf-8", "surrogatepass"))
    return digest.hexdigest()[:16]


def _words(source: bytes) -> Iterator[str]:
    """Yield the string literals of a Python module, without docstrings."""
    tree = ast.parse(source)
    docstrings = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docstrings:
            yield node.value


def _folder(app: App) -> str:
    """Return the source folder of an app."""
    return next(iter(app.activities.values())).__module__.split(".")[3]


@lru_cache
def _sources(folder: str) -> tuple[tuple[str, bytes], ...]:
    """Return the files of a folder and of the folders that it imports, with their names."""
    found: dict[str, bytes] = {}
    waiting, folders = [folder], set[str]()
    while waiting:
        here = waiting.pop()
        if here in folders:
            continue
        folders.add(here)
        for name, content in _below(here):
            found[name] = content
            if name.endswith(".py"):
                waiting += map("/".join, _IMPORT.findall(content.decode("utf-8")))
    return tuple(sorted(found.items()))


def _below(folder: str) -> Iterator[tuple[str, bytes]]:
    """Yield the files of a folder; nothing for a plain module."""
    for path in sorted((_PACKAGE / folder).rglob("*")):
        if path.is_file() and "__pycache__" not in path.parts:
            yield path.relative_to(_PACKAGE).as_posix(), path.read_bytes()
