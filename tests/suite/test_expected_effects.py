"""Files of expected effects."""

from __future__ import annotations

import pytest

from garabench.core.expected_effects import ChangeKind, StateChange
from garabench.errors import InputError
from garabench.suite.expected_effects import format_expected_effects, parse_expected_effects
from tests.cases import every_case

LIKE = StateChange(
    package="com.example",
    change=ChangeKind.ADDED,
    kind="like",
    object='v"1',
    fields={"n": 1, "tags": ("a", "b")},
)


def test_round_trip_with_a_line_per_effect() -> None:
    tasks = {"b": ((LIKE, LIKE),), "a": ((), (LIKE,))}
    data = format_expected_effects(tasks)
    assert parse_expected_effects(data, "x.json") == tasks
    assert data.count(b'"package"') == 3 == sum(b'"package"' in line for line in data.splitlines())


@every_case(
    ("text", "message"),
    [
        ("{", "x.json:1:2: not JSON: Expecting property name enclosed in double quotes"),
        ("[]", "x.json: not a file of expected effects"),
        ("{}", "x.json: not a file of expected effects"),
        ('{"tasks": {"a": [[{}]]}}', "x.json: tasks.a.0.0.package: Field required"),
        ("[" * 100_000, "x.json: not a file of expected effects"),
    ],
)
def test_a_broken_file_is_refused(text: str, message: str) -> None:
    with pytest.raises(InputError) as refused:
        parse_expected_effects(text.encode(), "x.json")
    assert str(refused.value).startswith(message) and "--write-effects" in (refused.value.hint or "")
