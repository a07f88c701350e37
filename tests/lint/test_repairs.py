"""`check --fix`: mechanical repairs that keep comments and order."""

from __future__ import annotations

import pytest

from garabench.lint.repairs import repair_file

RULES = """\
# first comment
app: com.example.reader   # of the app
rules:
  - id: first  # garabench: ignore[unused] gone since
    when:
      all:
        - keywords: {of: [a, ' b ', A, "c"], threshold: 0.5}  # why
        - keywords:
            of:
              - 简介
              # a comment inside
              - 评论
              - 简介
    inject: [survey, survey]
"""
REPAIRED = """\
# first comment
app: com.example.reader   # of the app
rules:
  - id: first
    when:
      all:
        - keywords: {of: [a, 'b', "c"], threshold: 0.5}  # why
        - keywords:
            of:
              - 简介
              # a comment inside
              - 评论
    inject: [survey]
"""


def test_lists_and_comments_are_repaired_in_place() -> None:
    result = repair_file(RULES.encode(), unused_ignores=[4])
    assert result.data.decode() == REPAIRED
    assert result.repairs == (
        "removed comments that silence nothing (1)",
        "removed spaces around keywords (1)",
        "removed duplicate list items (3)",
    )
    assert repair_file(result.data).repairs == ()


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (b"\xef\xbb\xbfapp: a\n", b"app: a\n"),
        ("app: 京东\n".encode("utf-16"), "app: 京东\n".encode()),
        (b"rules:\n\t- id: a\n\t  when: {}\n", b"rules:\n  - id: a\n    when: {}\n"),
        (b"rules:\n  - id: a\n\twhen: {}\n", b"rules:\n  - id: a\n    when: {}\n"),
        (b"a:\n  of:\n    - b\n\t- c\n  d: 1\n", b"a:\n  of:\n    - b\n    - c\n  d: 1\n"),
        (b"a:\n  b: 1\n\t# c\n\tc:\n\t  d: 1\n", b"a:\n  b: 1\n  # c\n  c:\n    d: 1\n"),
        (b"a:\n  b:\n    c: {d: 1}\n\te: 2\n", b"a:\n  b:\n    c: {d: 1}\n\te: 2\n"),  # which depth?
        ("rules:\n\u3000- id\uff1aa\n".encode(), b"rules:\n  - id: a\n"),
        (b"app: a  \nrules: []", b"app: a\nrules: []\n"),
        (b"app: a  \r\nrules: []", b"app: a\r\nrules: []\r\n"),
        (b"text: |\n  two spaces  \n", b"text: |\n  two spaces  \n"),
        (b"\xff\xfe\x00", b"\xff\xfe\x00"),
        (b"of: [[[[ unfinished\n", b"of: [[[[ unfinished\n"),
        (b"", b""),
    ],
)
def test_encodings_and_indentation_are_repaired(before: bytes, after: bytes) -> None:
    assert repair_file(before).data == after


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (
            b"a:\n  b:\n    c: {d: 1}\n\te: 2\n",
            "could have several depths",
        ),
        (b"a:\n  b: {c: [\n}\n\te: 2\n", "fits at no depth"),
    ],
)
def test_a_tab_that_is_left_has_a_reason(text: bytes, reason: str) -> None:
    result = repair_file(text)
    assert (result.data, result.repairs, result.left) == (
        text,
        (),
        (f"line 4: the tab was left, since the line {reason}; use spaces",),
    )


def test_the_line_for_editors_is_added_once() -> None:
    line = "# yaml-language-server: $schema=../schemas/rules.schema.json"
    once = repair_file(b"app: a\n", line).data
    assert once == f"{line}\napp: a\n".encode()
    assert repair_file(once, line).repairs == ()
