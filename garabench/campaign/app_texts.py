"""What the stand-ins of the suite's apps can show: the text of their sources and content."""

from __future__ import annotations

import re
from functools import lru_cache
from pathlib import Path

import garabench
from garabench.core.condition import fold
from garabench.core.names import nearest

_APPS = Path(garabench.__file__).parent / "virtual" / "apps"
_PACKAGE = re.compile(r"""^PACKAGE = ["']([\w.]+)["']""", re.MULTILINE)
_IMPORT = re.compile(r"garabench\.virtual\.apps\.(\w+)")
_KINDS = frozenset({".py", ".yaml", ".json", ".txt"})
_DIGITS = re.compile(r"\d+")
_WORD = re.compile(r"[\w·]+")


def shows(package: str, word: str) -> bool:
    """Whether a text, a description or an id of an app may contain a word; True for an app that is not known.

    Numbers are mostly filled in while it runs: of a word with digits the rest is looked for.

    Args:
        package: The app.
        word: The word, compared as keywords are: without regard to case.
    """
    texts = app_texts(package)
    return texts is None or all(part in texts for part in _DIGITS.split(fold(word)))


def nearest_text(package: str, word: str) -> str | None:
    """The text of an app that a word may be a slip of, or None."""
    return nearest(fold(word), sorted(set(_WORD.findall(app_texts(package) or ""))))


@lru_cache
def app_texts(package: str) -> str | None:
    """All that may be shown by an app, folded; None when there is no stand-in of it."""
    folder = _folders().get(package)
    if folder is None:
        return None
    found, waiting = set[str](), {folder}
    while waiting:
        found |= waiting
        imported = {name for each in waiting for name in _IMPORT.findall(_text(each))}
        waiting = {name for name in imported if (_APPS / name).is_dir()} - found
    return fold("\n".join(_text(each) for each in sorted(found)))


@lru_cache
def _folders() -> dict[str, str]:
    """The folder of each app's sources, by its package."""
    names = ((path, _PACKAGE.search(path.read_text(encoding="utf-8"))) for path in _APPS.glob("*/*.py"))
    return {match[1]: path.parent.name for path, match in names if match}


@lru_cache
def _text(folder: str) -> str:
    files = sorted(path for path in (_APPS / folder).rglob("*") if path.suffix in _KINDS)
    return "\n".join(path.read_text(encoding="utf-8") for path in files)
