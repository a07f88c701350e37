"""Check a single file: its format and, within a suite, its references."""

from __future__ import annotations

from pathlib import Path

from pydantic import BaseModel

from garabench.errors import CombinedInputError, InputError
from garabench.lint.suite_check import check_suite
from garabench.suite.files import FOLDERS, display_path, is_root, model_of, read_bytes, read_model


def check_file(path: Path) -> str:
    """Check a file of a suite.

    Args:
        path: A YAML file in a folder ``tasks``, ``goal_schemas`` or ``rules``.

    Returns:
        A one-line summary of the valid content.

    Raises:
        CombinedInputError: All mistakes in the file.
        InputError: It is not a file of a suite.
    """
    shown = display_path(path.absolute())
    folder = path.absolute().parent
    if folder.name not in FOLDERS or path.suffix != ".yaml":
        raise InputError(
            f"{shown} is not a suite file",
            hint=f"Suite files end in .yaml and are in a folder {', '.join(FOLDERS)}.",
        )
    content, _ = read_model(read_bytes(path), shown, model_of(path.absolute()))
    found = f"{shown}: {_counted(content)}"
    if not is_root(folder.parent):
        return (
            f"{found} are well-formed; references were not checked, because {folder.parent} is not a suite."
        )
    try:
        check_suite(folder.parent)
    except CombinedInputError as all_errors:
        own = tuple(error for error in all_errors.errors if error.place and error.place.file == shown)
        if own:
            raise CombinedInputError(own) from all_errors
        others = len(all_errors.errors)
        return f"{found} OK; other files of the suite have {others} mistake{'s' if others > 1 else ''}."
    return f"{found} OK"


def _counted(content: BaseModel) -> str:
    """Count the entries of a file by kind, in words."""
    plurals = ("tasks", "goals", "rules", "interruptions", "anomalies")
    counts = {kind: len(getattr(content, kind)) for kind in plurals if hasattr(content, kind)}
    ones = {kind: kind[:-1] for kind in plurals} | {"anomalies": "anomaly"}
    words = [f"{count} {kind if count != 1 else ones[kind]}" for kind, count in counts.items() if count]
    return " and ".join(words) or f"0 {next(iter(counts))}"
