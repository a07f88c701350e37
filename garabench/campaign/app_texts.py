"""What the stand-ins of the suite's apps can show: the texts in their sources, and their content."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

import garabench
from garabench.core.condition import fold
from garabench.core.names import nearest

_APPS = Path(garabench.__file__).parent / "virtual" / "apps"
_PACKAGE = re.compile(r"""^PACKAGE = ["']([\w.]+)["']""", re.MULTILINE)
_IMPORT = re.compile(r"garabench\.virtual\.apps\.(\w+)")
_CONTENT = frozenset({".yaml", ".json", ".txt"})
_REMARK = re.compile(r"^[ \t]*# .*$", re.MULTILINE)
_LITERAL = re.compile(
    r"#[^\n]*"
    r"|(?P<prefix>\b[rRbBfFuU]{1,2})?"
    r'(?P<quoted>"""(?:[^\\]|\\.)*?"""|"(?:[^"\\\n]|\\.)*"'
    r"|'''(?:[^\\]|\\.)*?'''|'(?:[^'\\\n]|\\.)*')",
    re.DOTALL,
)
_ARGUMENT = ("(", "[", "{", ",", "=", "+")
_HOLE = re.compile(r"\{\{|\}\}|\{[^{}]*\}")
_DIGITS = re.compile(r"\d+")
_LETTER = re.compile(r"[^\W\d_]")
_WORD = re.compile(r"[\w·]+")


def shows(package: str, word: str) -> bool:
    """Whether a text, a description or an id of an app may contain a word; True for an app that is not known.

    Numbers are mostly filled in while it runs: of a word with digits the rest is looked for, and a word
    without any letter as it is.

    Args:
        package: The app.
        word: The word, compared as keywords are: without regard to case.
    """
    texts = app_texts(package)
    if texts is None:
        return True
    folded = fold(word)
    if not _LETTER.search(folded):
        return re.search(rf"(?<!\d){re.escape(folded)}(?!\d)", texts) is not None
    return all(part in texts for part in _DIGITS.split(folded))


def stand_ins() -> frozenset[str]:
    """The packages of the apps of which there are stand-ins."""
    return frozenset(_folders())


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
        imported = {name for each in waiting for name in _parts(each)[1]}
        waiting = {name for name in imported if (_APPS / name).is_dir()} - found
    return fold("\n".join(_parts(each)[0] for each in sorted(found)))


def string_constants(source: str) -> Iterator[str]:
    """The texts in a module's source, but for its docstrings; of an f-string what surrounds its values.

    It reads literals as they are spelled, which takes a tenth of the time of a syntax tree.

    Args:
        source: The module's source, in the form that ``ruff format`` gives it.
    """
    for match in _LITERAL.finditer(source):
        quoted = match["quoted"]
        if quoted is None or (quoted.startswith('"""') and _is_docstring(source, match.start())):
            continue
        prefix = (match["prefix"] or "").lower()
        text = quoted[3:-3] if quoted.startswith(('"""', "'''")) else quoted[1:-1]
        if "\\" in text and "r" not in prefix and "f" not in prefix:
            text = str(ast.literal_eval(prefix + quoted))
        if "f" in prefix:
            for hole in _HOLE.findall(text):
                yield from string_constants(hole[1:-1])
            text = _HOLE.sub("\n", text)
        yield text


def _is_docstring(source: str, start: int) -> bool:
    """Whether a text at a place is a statement by itself."""
    before = source[max(0, start - 200) : start]
    return not before.rstrip(" ") or (
        before.rstrip(" ").endswith("\n") and not before.rstrip().endswith(_ARGUMENT)
    )


@lru_cache
def _folders() -> dict[str, str]:
    """The folder of each app's sources, by its package."""
    names = ((path, _PACKAGE.search(path.read_text(encoding="utf-8"))) for path in _APPS.glob("*/*.py"))
    return {match[1]: path.parent.name for path, match in names if match}


@lru_cache
def _parts(folder: str) -> tuple[str, frozenset[str]]:
    """The texts of a folder of sources, and the folders from which it imports."""
    texts: list[str] = []
    imported: set[str] = set()
    for path in sorted((_APPS / folder).rglob("*")):
        if path.suffix == ".py":
            source = path.read_text(encoding="utf-8")
            imported.update(_IMPORT.findall(source))
            texts.extend(string_constants(source))
        elif path.suffix in _CONTENT:
            texts.append(_REMARK.sub("", path.read_text(encoding="utf-8")))
    return "\n".join(texts), frozenset(imported)
