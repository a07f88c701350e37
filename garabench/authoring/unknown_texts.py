"""Silence the warning that no recorded screen shows a text, where the text was just read from a screen."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from garabench.errors import InputError
from garabench.lint.path_check import check_paths

_CODE = "unknown-text"


def silence_unknown_texts(path: Path, text: str, screen: str) -> str:
    """Return the text of a file with a comment after each new text that the recorded screen texts lack.

    An app on a real phone shows texts that the app of the same package on the virtual phone does not.

    Args:
        path: The file, as written.
        text: What it contained before; empty for a new file.
        screen: Name of the screen from which the new texts were read.

    Raises:
        InputError: The file cannot be read.
    """
    written = path.read_text(encoding="utf-8")
    lines = written.splitlines(keepends=True)
    first = len(text.rstrip().splitlines())
    for number in sorted({each for each in _lines(check_paths([path])[0].findings) if each > first}):
        line = lines[number - 1]
        content = line.rstrip("\n")
        comment = f"# garabench: ignore[{_CODE}] read from {' '.join(screen.split())}"
        lines[number - 1] = f"{content}  {comment}{line[len(content) :]}"
    return "".join(lines)


def _lines(findings: Sequence[InputError]) -> list[int]:
    return [each.place.line for each in findings if each.code == _CODE and each.place is not None]
