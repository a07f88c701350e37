"""Check one file by itself: its form, and, where it is a suite's, that its names are known there."""

from __future__ import annotations

from pathlib import Path

from pydantic import BaseModel

from garabench.campaign.check import check_suite
from garabench.campaign.suite_files import FOLDERS, as_shown, is_root, model_of, read_bytes, read_model
from garabench.errors import InputError, InputErrors


def check_file(path: Path) -> str:
    """Check a file of a suite.

    Args:
        path: A YAML file in a folder ``tasks``, ``goal_schemas`` or ``rules``.

    Returns:
        What was found in order, in one line.

    Raises:
        InputErrors: Every mistake in it.
        InputError: It is no such file.
    """
    shown = as_shown(path.absolute())
    folder = path.absolute().parent
    if folder.name not in FOLDERS or path.suffix != ".yaml":
        raise InputError(
            f"{shown} is no file of a suite",
            hint=f"A suite's files are in folders {', '.join(FOLDERS)}, and end in .yaml.",
        )
    content, _ = read_model(read_bytes(path), shown, model_of(path.absolute()))
    found = f"{shown}: {_counted(content)}"
    if not is_root(folder.parent):
        return f"{found} in order by form; the names used are not checked: {folder.parent} holds no suite."
    try:
        check_suite(folder.parent)
    except InputErrors as all_errors:
        own = tuple(error for error in all_errors.errors if error.place and error.place.file == shown)
        if own:
            raise InputErrors(own) from all_errors
        others = len(all_errors.errors)
        return f"{found} in order; the suite's other files have {others} mistake{'s' if others > 1 else ''}."
    return f"{found} in order."


def _counted(content: BaseModel) -> str:
    """How much of each kind a file holds."""
    plurals = ("tasks", "goals", "rules", "interruptions", "anomalies")
    counts = {kind: len(getattr(content, kind)) for kind in plurals if hasattr(content, kind)}
    ones = {kind: kind[:-1] for kind in plurals} | {"anomalies": "anomaly"}
    words = [f"{count} {kind if count != 1 else ones[kind]}" for kind, count in counts.items() if count]
    return " and ".join(words) or f"0 {next(iter(counts))}"
