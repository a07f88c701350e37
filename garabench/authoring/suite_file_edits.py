"""Add entries to files of a suite without touching what they contain."""

from __future__ import annotations

from pathlib import Path

from garabench.core.file_errors import missing_path
from garabench.core.yaml_text import schema_line
from garabench.core.yamldoc import decode_text, parse_yaml
from garabench.errors import InputError
from garabench.suite.files import display_path, is_suite, read_bytes


def require_folder(path: Path, name: str) -> None:
    """Check that a file's folder exists, or is the missing one of a suite, which will be created.

    Args:
        path: The file.
        name: Name of the suite's folder for such files: ``rules`` or ``goal_schemas``.

    Raises:
        InputError: The folder does not exist; its path may be misspelt.
    """
    folder = path.absolute().parent
    if folder.is_dir() or (folder.name == name and is_suite(folder.parent)):
        return
    raise missing_path(
        display_path(folder),
        "folder",
        hint=f"Create it, or write into the folder {name} of a suite (`garabench init DIR` makes one).",
    )


def with_entry(path: Path, key: str, app: str, entry: str, schemas: str = "../schemas") -> str:
    """Return the text of a file with an entry appended to its list.

    Args:
        path: The file; it need not exist.
        key: The key of the list: ``rules`` or ``goals``.
        app: The app of the entry.
        entry: The entry's text, indented as an item of the list.
        schemas: The folder of the published schemas, relative to the file; a new file names its schema.

    Raises:
        InputError: The file is for another app, has an entry of this id, or nothing can be appended to its
            list.
    """
    if not path.exists():
        return f"{schema_line(key, schemas)}\napp: {app}\n{key}:\n{entry}"
    shown = display_path(path.absolute())
    text = decode_text(read_bytes(path), shown)
    doc = parse_yaml(text, shown)
    owner = doc.value(("app",))
    if owner != app:
        raise doc.error(
            ("app",), f"this file is for {owner}, the entry for {app}", hint="Choose another file."
        )
    listed = doc.value((key,))
    last = max(doc.key_marks, key=lambda at: doc.key_marks[at] if len(at) == 1 else (-1, -1), default=())
    start = doc.marks.get((key,))
    line = "" if start is None else doc.lines[start[0]].strip()
    if not isinstance(listed, list) or last != (key,) or line.endswith("]"):
        hint = f"Make {key}: the last key of the file, with one item per block."
        raise InputError(f"{shown}: an entry cannot be appended to its list {key}", hint=hint)
    new_id = next(row for row in entry.splitlines() if row.startswith("  - id:")).partition(":")[2].strip()
    for number, item in enumerate(listed):
        if isinstance(item, dict) and item.get("id") == new_id:
            raise doc.error((key, number, "id"), f"{new_id!r} exists already", hint="Choose another --id.")
    column = doc.marks[key, 0][1] - 2 if listed else 2
    shifted = "".join(
        f"{' ' * column}{row[2:]}" if row.strip() else row for row in entry.splitlines(keepends=True)
    )
    return f"{text.rstrip()}\n\n{shifted}"
