"""Comments that silence warnings, and the formats of findings."""

from __future__ import annotations

import json

import pytest

from garabench.caret import SourcePlace
from garabench.errors import InputError
from garabench.lint.codes import CODES
from garabench.lint.finding_formats import finding_row, github_commands, sarif
from garabench.lint.silence import read_ignores, silenced

LINES = """\
app: com.example.reader
rules:
  # garabench: ignore[unused, unknown-text] its task follows
  - id: first
    when:
      all:
        - keywords: {of: [a]}

  - id: second  # garabench: ignore[unused] likewise
    when: {}
""".splitlines()


def finding(line: int, code: str = "unused", file: str = "a.yaml") -> InputError:
    return InputError("wrong", place=SourcePlace(file, line, 3, "text"), code=code)


@pytest.mark.parametrize(
    ("line", "code", "is_silenced"),
    [
        (4, "unused", True),
        (7, "unknown-text", True),
        (7, "bare-selector", False),
        (9, "unused", True),
        (10, "unused", False),
        (1, "unused", False),
    ],
)
def test_a_comment_covers_its_line_or_the_entry_below(line: int, code: str, is_silenced: bool) -> None:
    ignores, wrong = read_ignores(LINES, "a.yaml")
    assert not wrong
    rest, count = silenced([finding(line, code)], ignores)
    assert (count == 1, finding_row(rest[0])["code"] == code) == (is_silenced, not is_silenced)


def test_a_comment_at_the_top_covers_the_file_and_only_that_file() -> None:
    ignores, _ = read_ignores(["# garabench: ignore[unused] tasks follow", *LINES], "a.yaml")
    assert silenced([finding(11)], ignores[:1]) == ([], 1)
    rest, count = silenced([finding(11, file="b.yaml")], ignores[:1])
    assert (count, [each.code for each in rest]) == (0, ["unused", "unused-ignore"])


@pytest.mark.parametrize(
    ("comment", "message"),
    [
        ("# garabench: ignore[unused]", "the reason is missing"),
        ("# garabench: ignore because", "which warnings to ignore is missing"),
        ("# garabench: ignore[unusd] because", "unknown warning 'unusd'"),
        ("# garabench: ignore[invalid-file] because", "cannot be ignored"),
    ],
)
def test_a_comment_needs_codes_and_a_reason(comment: str, message: str) -> None:
    ignores, wrong = read_ignores([f"app: x  {comment}"], "a.yaml")
    assert not ignores
    assert message in wrong[0].message
    assert (wrong[0].place.column if wrong[0].place else 0, wrong[0].code) == (9, "invalid-ignore")


def test_a_text_that_is_no_comment_silences_nothing() -> None:
    assert read_ignores(["id: a#garabench: ignore[unused] x"], "a.yaml") == ((), ())


def test_findings_are_written_for_programs() -> None:
    wrong = InputError("50% of\nthem", place=SourcePlace("a,b.yaml", 2, 5), hint="Do: that", code="unused")
    assert github_commands([wrong]) == (
        "::warning file=a%2Cb.yaml,line=2,col=5,title=garabench unused::50%25 of%0Athem%0ADo: that\n"
    )
    spaced = InputError("x", place=SourcePlace("my suite/茶 100%.yaml", 1, 1), code="unused")
    place = json.loads(sarif([spaced]))["runs"][0]["results"][0]["locations"][0]["physicalLocation"]
    assert place["artifactLocation"]["uri"] == "my%20suite/%E8%8C%B6%20100%25.yaml"
    log = json.loads(sarif([wrong, InputError("no place", code="invalid-file")]))
    results = log["runs"][0]["results"]
    assert [each["level"] for each in results] == ["warning", "error"]
    where = results[0]["locations"][0]["physicalLocation"]
    assert (where["artifactLocation"]["uri"], where["region"]) == (
        "a%2Cb.yaml",
        {"startLine": 2, "startColumn": 5},
    )
    assert {rule["id"] for rule in log["runs"][0]["tool"]["driver"]["rules"]} == {"unused", "invalid-file"}
    assert all(code.description.endswith(".") for code in CODES.values())
