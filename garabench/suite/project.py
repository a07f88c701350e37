"""The settings of a project: the table ``[tool.garabench]`` of its ``pyproject.toml``."""

from __future__ import annotations

import re
import shlex
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from garabench.core.suggestions import did_you_mean
from garabench.errors import InputError
from garabench.suite.files import display_path, read_bytes

PROJECT_FILE = "pyproject.toml"
_KEYS = ("suite",)


@dataclass(frozen=True, slots=True)
class Project:
    """The settings of a project.

    Attributes:
        file: Its ``pyproject.toml``; None if no folder above has one with a table ``[tool.garabench]``.
        suite: Folder of the suite that commands use by default; None for the built-in suite.
    """

    file: Path | None = None
    suite: Path | None = None


def find_project(folder: Path) -> Project:
    """Return the settings of the project that a folder belongs to.

    The nearest ``pyproject.toml`` with a table ``[tool.garabench]`` counts, in the folder or above.

    Raises:
        InputError: The file is damaged, or its table has an unknown key or a wrong value.
    """
    for each in (folder, *folder.parents):
        path = each / PROJECT_FILE
        if path.is_file() and (table := _table(path)) is not None:
            return _project(path, table)
    return Project()


def _table(path: Path) -> Any:
    """Return the table ``[tool.garabench]`` of a file, or None."""
    data = read_bytes(path)
    if b"garabench" not in data:
        return None
    try:
        tool = tomllib.loads(data.decode("utf-8")).get("tool")
    except UnicodeDecodeError as error:
        raise InputError(f"{display_path(path)} is not UTF-8: {error.reason}") from error
    except tomllib.TOMLDecodeError as error:
        reason, _, place = str(error).partition(" (at ")
        text = data.decode("utf-8", errors="replace")
        end = (text.count("\n") + 1, len(text) - text.rfind("\n"))  # "at end of document"
        line, column = re.findall(r"\d+", place)[:2] or end
        raise InputError(f"{display_path(path)}:{line}:{column}: not valid TOML: {reason}") from error
    return tool.get("garabench") if isinstance(tool, dict) else None


def _project(path: Path, table: Any) -> Project:
    if not isinstance(table, dict):
        raise InputError(f"{_where(path, 'garabench')} is not a table")
    for key in table:
        if key not in _KEYS:
            raise InputError(
                f"{_where(path, key)} has the unknown key {key!r}", hint=did_you_mean(key, _KEYS)
            )
    where = _where(path, "suite")
    suite = table.get("suite")
    if suite is None:
        return Project(path)
    if not isinstance(suite, str):
        raise InputError(f"{where}: expected a string as suite")
    folder = path.parent / suite
    if not folder.is_dir():
        hint = "" if folder.exists() else f"Create it: garabench init {shlex.quote(display_path(folder))}"
        raise InputError(f"{where}: the suite {suite!r} is not a folder", hint=hint)
    return Project(path, folder)


def _where(path: Path, key: str) -> str:
    """Return where the table has a key: file, line and column; without them if it is written otherwise."""
    text = read_bytes(path).decode("utf-8")
    table = re.search(r"^\s*\[\s*tool\b", text, re.MULTILINE)
    pattern = re.compile(rf"^[ \t]*([\"']?){re.escape(key)}\1\s*=", re.MULTILINE)
    shown = display_path(path)
    if table is None or (found := pattern.search(text, table.start())) is None:
        return f"{shown}: [tool.garabench]"
    start = found.start(1)
    line, column = text.count("\n", 0, start) + 1, start - text.rfind("\n", 0, start)
    return f"{shown}:{line}:{column}: [tool.garabench]"
