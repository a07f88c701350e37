"""Duplicates under different names are reported with their location."""

from __future__ import annotations

import pytest

from garabench.lint.suite_check import check_suite
from tests.suite.written_suite import Write, assert_reported

_MISS = "      - {{name: {name}, kind: {kind}, steps: [{steps}]}}\n"
_OTHER = "{tap: {text: 雨声}}"


def _misses(*misses: tuple[str, str, str]) -> str:
    lines = "".join(_MISS.format(name=name, kind=kind, steps=steps) for name, kind, steps in misses)
    return f"    near_misses:\n{lines}  - id: open-rain"


@pytest.mark.parametrize(
    ("misses", "message"),
    [
        (
            (("other", "wrong-object", _OTHER), ("half", "half-done", _OTHER)),
            "tasks/bili.yaml:11:9: duplicate near miss 'half': same steps as the near miss 'other'",
        ),
        (
            (("other", "wrong-object", "{tap: {id: title, text: 稻香}}"),),
            "tasks/bili.yaml:10:9: duplicate near miss 'other': same steps as the solution",
        ),
        (
            (("away", "wrong-place", "{wait_for: {id: title}}, home"),),
            "tasks/bili.yaml:10:9: the near miss 'away' does nothing in the app",
        ),
        ((("other", "wrong-object", _OTHER), ("half", "half-done", f"{_OTHER}, back")), ""),
    ],
)
def test_duplicate_and_idle_near_misses_are_reported(
    write: Write, misses: tuple[tuple[str, str, str], ...], message: str
) -> None:
    assert_reported(write("tasks/bili.yaml", "  - id: open-rain", _misses(*misses)), message)


def test_a_duplicate_interruption_of_a_rule_is_reported(write: Write) -> None:
    root = write("rules/bili.yaml", "inject: update", "inject: [update, page, update]")
    assert_reported(root, "rules/bili.yaml:9:28: duplicate interruption 'update'")


def test_a_rule_can_inject_several_interruptions(write: Write) -> None:
    assert check_suite(write("rules/bili.yaml", "inject: update", "inject: [update, page]"))
