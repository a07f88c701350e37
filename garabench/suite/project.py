"""The settings of a project: the table ``[tool.garabench]`` of its ``pyproject.toml``."""

from __future__ import annotations

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
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise InputError(f"{display_path(path)} is not valid TOML: {error}") from error
    return tool.get("garabench") if isinstance(tool, dict) else None


def _project(path: Path, table: Any) -> Project:
    where = f"{display_path(path)}: [tool.garabench]"
    if not isinstance(table, dict):
        raise InputError(f"{where} is not a table")
    for key in table:
        if key not in _KEYS:
            raise InputError(f"{where} has the unknown key {key!r}", hint=did_you_mean(key, _KEYS))
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
