"""Read app files: a file, a folder of them, or a suite's folder; and the apps of installed packages.

An app file is untrusted: it is parsed as data, its size is limited, and nothing in it is executed. Python
comes only from installed packages, which offer apps by the entry point group ``garabench.apps``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib import metadata
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

from garabench.caret import SourcePlace
from garabench.core.file_errors import missing_path
from garabench.core.yamldoc import decode_text
from garabench.errors import CombinedInputError, InputError
from garabench.virtual.apps.catalog import installed_apps
from garabench.virtual.kit.framework import App

if TYPE_CHECKING:
    from garabench.virtual.app_files.app_variables import Handlers

ENTRY_POINTS = "garabench.apps"
"""The entry point group of installed packages; each entry is an `App`, or a function that returns one."""
APP_FILE = "app.yaml"
FOLDER = "apps"
"""The folder of app files in a suite."""
_MAX_BYTES = 2_000_000
_MAX_REASON = 300


def app_files(path: Path) -> tuple[Path, ...]:
    """Return the app files at a path.

    Args:
        path: A file; or a folder with ``app.yaml``, with the folder ``apps/``, or with app files.

    Raises:
        InputError: There are none.
    """
    if not path.is_dir():
        if not path.exists():
            raise missing_path(path, hint="Give an app file, or a folder with app.yaml.")
        return (path,)
    if (path / APP_FILE).is_file():
        return (path / APP_FILE,)
    found = suite_app_files(path) or tuple(sorted(path.glob("*.yaml")))
    if not found:
        raise InputError(
            f"{path} contains no app file",
            hint=f"Expected {APP_FILE}, or files in {FOLDER}/, ending in .yaml.",
        )
    return found


def suite_app_files(root: Path) -> tuple[Path, ...]:
    """Return the app files of a suite: those in its folder ``apps/``."""
    return tuple(sorted((root / FOLDER).glob("*.yaml")))


def read_app(path: Path | str, handlers: Handlers = MappingProxyType({})) -> App:
    """Read and check an app file.

    Args:
        path: The file.
        handlers: Python functions by name, for the step `call`.

    Raises:
        InputError: It cannot be read.
        CombinedInputError: All mistakes in it, each with its location.
    """
    return parse_app(_read(Path(path)), str(path), handlers)


def parse_app(text: str, file: str, handlers: Handlers = MappingProxyType({})) -> App:
    """Check the text of an app file.

    Args:
        text: The text.
        file: The file's path, for error messages.
        handlers: Python functions by name, for the step `call`.

    Raises:
        CombinedInputError: All mistakes in it, each with its location.
    """
    # A quarter of the time that a phone takes to start; most phones have no app files.
    from garabench.core.yamlmodel import load_model
    from garabench.virtual.app_files.app_model import AppSpec
    from garabench.virtual.app_files.declared_activity import declared_app
    from garabench.virtual.app_files.name_check import check_names

    spec, doc = load_model(text, file, AppSpec)
    if mistakes := check_names(spec, doc, tuple(handlers)):
        raise CombinedInputError(tuple(mistakes))
    return declared_app(spec, handlers)


def _read(path: Path) -> str:
    try:
        if not path.is_file():
            raise InputError(f"{path} is not a file")
        with path.open("rb") as file:
            data = file.read(_MAX_BYTES + 1)
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror or error}") from error
    if len(data) > _MAX_BYTES:
        raise InputError(f"the file is larger than {_MAX_BYTES} bytes", place=SourcePlace(str(path), 1, 1))
    return decode_text(data, str(path))


def read_apps(paths: Sequence[Path], taken: Mapping[str, str] = MappingProxyType({})) -> tuple[App, ...]:
    """Read the app files at some paths.

    Args:
        paths: Files and folders; see `app_files`.
        taken: Packages that are in use already, each with what uses it.

    Raises:
        InputError: A path has no app file, or a package is in use.
        CombinedInputError: All mistakes in all files.
    """
    mistakes: list[InputError] = []
    found: list[App] = []
    owners = dict(taken)
    for file in dict.fromkeys(file for path in paths for file in app_files(path)):
        try:
            app = read_app(file)
        except CombinedInputError as error:
            mistakes += error.errors
            continue
        if app.package in owners:
            message = f"{file}: the package {app.package!r} is already in use by {owners[app.package]}"
            mistakes.append(InputError(message, hint="Give the app another package name."))
        owners[app.package] = str(file)
        found.append(app)
    if mistakes:
        raise CombinedInputError(tuple(mistakes))
    return tuple(found)


def phone_apps(paths: Sequence[Path] = ()) -> tuple[App, ...]:
    """Return the apps of a new phone: the built-in ones, those of installed packages, and app files.

    Args:
        paths: App files and their folders.

    Raises:
        InputError: An app file is wrong, or a package is in use twice.
    """
    built_in = installed_apps()
    taken = {app.package: "the virtual phone" for app in built_in}
    plugins = installed_plugins()
    for name, app in plugins.items():
        if app.package in taken:
            raise InputError(
                f"{name}: the package {app.package!r} is already in use by {taken[app.package]}",
                hint="Uninstall one of the two, or give its app another package name.",
            )
        taken[app.package] = name
    return (*built_in, *plugins.values(), *read_apps(paths, taken))


def installed_plugins() -> dict[str, App]:
    """Return the apps that installed packages offer, by what they are called in messages.

    Raises:
        InputError: An entry point fails, or is not an app.
    """
    found: dict[str, App] = {}
    for entry in sorted(metadata.entry_points(group=ENTRY_POINTS), key=lambda each: each.name):
        where = f"the app {entry.name!r} ({entry.value})"
        try:
            loaded = entry.load()
            app = loaded() if callable(loaded) and not isinstance(loaded, App) else loaded
        except (InputError, KeyboardInterrupt):
            raise
        except BaseException as error:  # a package's own code may raise anything, and exit
            reason = " ".join(f"{type(error).__name__}: {error}".split())[:_MAX_REASON]
            raise InputError(
                f"{where} failed: {reason}", hint="Fix or uninstall the package that offers it."
            ) from error
        if not isinstance(app, App):
            raise InputError(f"{where} is not an App but {type(app).__name__}", hint="See docs/own-app.md.")
        found[where] = app
    return found
