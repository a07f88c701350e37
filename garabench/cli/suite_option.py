"""The option ``--suite`` of all commands that read tasks, rules, goals or interruptions."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

from garabench.cli.local_path import LocalPath
from garabench.errors import InputError
from garabench.suite.project import find_project

BUILTIN = "builtin"
"""The value that selects the built-in suite."""
_F = TypeVar("_F", bound=Callable[..., Any])


class _SuiteFolder(LocalPath):
    """Folder of a suite, or ``builtin``."""

    name = "suite"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the folder, or ``builtin`` as given."""
        return value if value == BUILTIN else super().convert(value, param, ctx)


def _chosen(context: click.Context, _: click.Parameter, value: Path | str | None) -> Path | None:
    """Return the folder of the suite; None for the built-in one."""
    if value is None and not context.resilient_parsing:
        try:
            folder = find_project(Path.cwd()).suite
        except InputError as error:
            raise click.UsageError(str(error), context) from error
        if folder is not None and folder.is_relative_to(Path.cwd()):
            return folder.relative_to(Path.cwd())
        return folder
    return value if isinstance(value, Path) else None


def suite_option(command: _F) -> _F:
    """Add ``--suite`` to a command, which receives it as ``root``: None for the built-in suite."""
    return click.option(
        "--suite",
        "root",
        metavar="DIR",
        type=_SuiteFolder(path_type=Path, exists=True, file_okay=False),
        callback=_chosen,
        help="Use the suite in this folder, or builtin; default: [tool.garabench] of "
        "pyproject.toml, else builtin.",
    )(command)
