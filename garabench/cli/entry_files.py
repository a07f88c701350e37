"""Write proposed entries of a suite, and the schemas that its files name."""

from __future__ import annotations

from pathlib import Path

from garabench.authoring.new_names import suite_around
from garabench.authoring.suite_file_edits import with_entry
from garabench.authoring.suite_template import schema_files
from garabench.authoring.unknown_texts import silence_unknown_texts
from garabench.cli.output_files import write_file
from garabench.cli.schemas import file_name, published_text


def write_entry(path: Path, key: str, app: str, entry: str, *, read_from: str) -> None:
    """Add a proposed entry to a file, so that `garabench check` knows its texts and editors its schema.

    The schema of a new file is written as well: in the suite's folder ``schemas/``, or, for a file outside of
    a suite, in one next to it.

    Args:
        path: The file; it need not exist.
        key: The key of its list: ``rules`` or ``goals``.
        app: The app of the entry.
        entry: The entry's text.
        read_from: Name of the screen from which its texts were read.

    Raises:
        InputError: The entry cannot be added, or the path is not writable.
        RecordError: The disk is full.
    """
    suite = suite_around(path)
    schemas = "schemas" if suite is None else "../schemas"
    data = with_entry(path, key, app, entry, schemas).encode()
    before = path.read_bytes().decode("utf-8-sig") if path.exists() else ""
    name = f"schemas/{key}.schema.json"
    schema = (suite or path.parent) / name
    if not path.exists() and not schema.exists():
        write_file(schema, schema_files()[name].encode())
    write_file(path, data)
    write_file(path, silence_unknown_texts(path, before, read_from).encode())


def write_app_schema(suite: Path) -> None:
    """Write the schema that the files of a suite's own apps name, if it is missing.

    Raises:
        InputError: The path is not writable.
        RecordError: The disk is full.
    """
    path = suite / "schemas" / file_name("app")
    if not path.exists():
        write_file(path, published_text("app").encode())
