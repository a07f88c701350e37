"""Names that an author gives are checked before they become entries or paths."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from garabench.authoring.suite_file_edits import with_entry
from garabench.cli.main import main
from garabench.errors import InputError

AN_ID = "an id consists of lower-case letters"


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["tasks", "new", "Bad Name", "--package", "com.example.x"], AN_ID),
        (["tasks", "new", "../../evil", "--package", "com.example.x"], AN_ID),
        (["tasks", "new", "fine", "--package", "foo"], "a package name has at least two parts"),
    ],
)
def test_a_wrong_name_writes_nothing(tmp_path: Path, words: list[str], message: str) -> None:
    suite = tmp_path / "a" / "suite"
    (suite / "tasks").mkdir(parents=True)
    done = CliRunner().invoke(main, [*words, "--suite", str(suite)])
    assert (done.exit_code, message in done.output) == (2, True)
    assert not [path for path in tmp_path.rglob("*") if path.is_file()]


def test_a_recording_needs_an_id(tmp_path: Path) -> None:
    done = CliRunner().invoke(main, ["tasks", "record", "../esc", "--package", "com.example.x"])
    assert (done.exit_code, AN_ID in done.output) == (2, True)


def test_an_entry_is_not_added_twice(tmp_path: Path) -> None:
    file = tmp_path / "rules.yaml"
    entry = "  - id: on-menu\n    description: x\n"
    file.write_text(with_entry(file, "rules", "com.example.x", entry), encoding="utf-8")
    with pytest.raises(InputError, match="'on-menu' exists already"):
        with_entry(file, "rules", "com.example.x", entry)
