"""The findings of ``garabench check`` on files that cannot be read, and comments in loose files."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner

from garabench.cli.main import main

MESSAGE = "the file is larger than 8000000 bytes"
Findings = list[tuple[str, int, int, str]]


def _json(output: str) -> Findings:
    rows = json.loads(output)["findings"]
    return [(Path(row["file"]).name, row["line"], row["column"], row["message"]) for row in rows]


def _sarif(output: str) -> Findings:
    found = []
    for each in json.loads(output)["runs"][0]["results"]:
        place = each["locations"][0]["physicalLocation"]
        region = place["region"]
        name = place["artifactLocation"]["uri"].rpartition("/")[2]
        found.append((name, region["startLine"], region["startColumn"], each["message"]["text"]))
    return found


def _text(output: str) -> Findings:
    lines = [line.removeprefix("Error: ") for line in output.splitlines() if line.startswith("Error: ")]
    parts = [line.split(":", 3) for line in lines]
    return [(Path(file).name, int(line), int(column), text.strip()) for file, line, column, text in parts]


def _github(output: str) -> Findings:
    found = []
    for each in output.splitlines():
        fields, _, text = each.removeprefix("::error ").partition("::")
        values = dict(part.split("=", 1) for part in fields.split(","))
        message = text.partition("%0A")[0]
        found.append((Path(values["file"]).name, int(values["line"]), int(values["col"]), message))
    return found


@pytest.mark.parametrize(
    ("format_", "findings"), [("text", _text), ("json", _json), ("github", _github), ("sarif", _sarif)]
)
@pytest.mark.parametrize("folder", ["tasks", "drafts"], ids=["suite", "loose"])
@pytest.mark.parametrize("fix", [(), ("--fix",)], ids=["check", "fix"])
def test_a_file_that_is_too_large_does_not_hide_the_mistakes_of_others(
    tmp_path: Path, folder: str, format_: str, findings: Callable[[str], Findings], fix: tuple[str, ...]
) -> None:
    files = tmp_path / folder
    files.mkdir()
    (files / "a.yaml").write_text("tasks: [\n", encoding="utf-8")
    (files / "b.yaml").write_bytes(b"#" * 8_000_001)
    (files / "c.yaml").write_text("tasks:\n  - {\n", encoding="utf-8")
    result = CliRunner().invoke(main, ["check", str(tmp_path), "--format", format_, *fix])
    assert result.exit_code == 2, result.output
    found = findings(result.output)
    assert [name for name, *_ in found] == ["a.yaml", "b.yaml", "c.yaml"]
    assert found[1] == ("b.yaml", 1, 1, MESSAGE)


def test_a_file_that_is_too_large_is_a_finding_of_that_file(tmp_path: Path) -> None:
    large = tmp_path / "large.yaml"
    large.write_bytes(b"tasks: []\n" + b"#" * 2_000_001)
    result = CliRunner().invoke(main, ["check", str(large), "--format", "json"])
    assert (result.exit_code, _json(result.output)) == (
        2,
        [("large.yaml", 1, 1, "the file is larger than 2000000 characters")],
    )


@pytest.mark.parametrize(
    ("format_", "findings"), [("text", _text), ("json", _json), ("github", _github), ("sarif", _sarif)]
)
@pytest.mark.parametrize(
    ("text", "message"),
    [("", "not a suite file"), ("- 1\n", "not a suite file"), (None, "no such file or folder")],
    ids=["empty", "list", "missing"],
)
def test_a_file_without_entries_is_a_finding_at_its_start(
    tmp_path: Path, text: str | None, message: str, format_: str, findings: Callable[[str], Findings]
) -> None:
    path = tmp_path / "a.yaml"
    if text is not None:
        path.write_text(text, encoding="utf-8")
    result = CliRunner().invoke(main, ["check", str(path), "--format", format_])
    assert result.exit_code == 2, result.output
    (found,) = findings(result.output)
    assert (*found[:3], found[3].partition("\n")[0]) == ("a.yaml", 1, 1, message)


GOALS = """\
app: tv.danmaku.bili
goals:
  # garabench: ignore[CODE] its task follows
  - id: video-open
    description: The page of the video is open
    params: {title: {type: text}}
    holds: {exists: {id: title, text: "{title}"}}
"""


@pytest.mark.parametrize(
    ("code", "more", "found"),
    [
        ("unused", "", []),
        ("bare-selector", "", ["unused-ignore"]),
        ("bare-selector", "    x: 1\n", ["invalid-file"]),
    ],
    ids=["not-checked", "checked", "faulty"],
)
def test_a_comment_is_unused_only_if_its_warning_was_checked_for(
    tmp_path: Path, code: str, more: str, found: list[str]
) -> None:
    path = tmp_path / "a.yaml"
    path.write_text(GOALS.replace("CODE", code) + more, encoding="utf-8")
    result = CliRunner().invoke(main, ["check", str(path), "--json"])
    assert [row["code"] for row in json.loads(result.stdout)["findings"]] == found
    CliRunner().invoke(main, ["check", str(path), "--fix"])
    assert ("# garabench:" in path.read_text(encoding="utf-8")) == (found != ["unused-ignore"])
