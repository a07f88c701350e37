"""The files of a suite: where they are, what each holds, and how one is read."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TypeVar

from pydantic import BaseModel

from garabench.core.yamldoc import YamlDoc, load_model
from garabench.errors import InputError, InputErrors

FOLDERS = ("tasks", "goal_schemas", "rules")
_Model = TypeVar("_Model", bound=BaseModel)


def default_root() -> Path:
    """The suite that comes with GaraBench: of the source tree, or inside of the installed package.

    Raises:
        InputError: Neither is there.
    """
    package = Path(__file__).resolve().parent.parent
    for candidate in (package.parent, package / "suite"):
        if is_root(candidate):
            return candidate
    raise InputError("the suite's files are missing from this installation", hint="Install GaraBench anew.")


def is_root(folder: Path) -> bool:
    """Whether a folder holds a suite."""
    return all((folder / name).is_dir() for name in FOLDERS)


def holds_interruptions(path: Path) -> bool:
    """Whether a file of ``rules/`` holds interruptions: ``interruptions.yaml``, ``jd_interruptions.yaml``."""
    return path.stem == "interruptions" or path.stem.endswith("_interruptions")


def as_shown(path: Path) -> str:
    """A path as a person would write it here."""
    return str(path.relative_to(Path.cwd())) if path.is_relative_to(Path.cwd()) else str(path)


def read_model(data: bytes, shown: str, model: type[_Model]) -> tuple[_Model, YamlDoc]:
    """Read a file's bytes into a model.

    Raises:
        InputErrors: Every mistake in it.
    """
    try:
        return load_model(data.decode("utf-8-sig"), shown, model)
    except UnicodeDecodeError as error:
        raise InputErrors((InputError(f"{shown}: not UTF-8 text (byte {error.start})"),)) from error


def ids_in(data: object) -> Iterator[str]:
    """The ids of the entries of a file's lists, whatever else is wrong with them."""
    lists = data.values() if isinstance(data, dict) else ()
    for entry in (entry for entries in lists if isinstance(entries, list) for entry in entries):
        if isinstance(entry, dict) and isinstance(entry.get("id"), str):
            yield entry["id"]
