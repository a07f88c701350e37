"""One wording for files that cannot be read."""

from __future__ import annotations

from pathlib import Path

import pytest

from garabench.core.file_errors import unreadable


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (None, "no such file: {path}"),
        (b"", "{path} is a folder, not a file"),
        (b"\xff\xfe", "{path} cannot be read: it is not UTF-8 text"),
    ],
)
def test_the_reason_is_stated_without_error_numbers(
    tmp_path: Path, content: bytes | None, expected: str
) -> None:
    path = tmp_path / "labels.csv"
    if content:
        path.write_bytes(content)
    elif content is not None:
        path.mkdir()
    with pytest.raises((OSError, UnicodeError)) as raised:
        path.read_text(encoding="utf-8")
    assert str(unreadable(path, raised.value)) == expected.format(path=path)


def test_other_reasons_are_stated_in_the_words_of_the_system() -> None:
    assert str(unreadable("a.csv", PermissionError(13, "Permission denied"))) == (
        "a.csv cannot be read: Permission denied"
    )
    assert str(unreadable("a.gz", EOFError("it is truncated"))) == "a.gz cannot be read: it is truncated"
