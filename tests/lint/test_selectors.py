"""Conditions that match any element of a class."""

from __future__ import annotations

import pytest

from tests.suite.written_suite import APP, Write, assert_reported


@pytest.mark.parametrize(
    ("file", "old", "new", "message"),
    [
        (
            "goal_schemas/bili.yaml",
            f"- package: {APP}",
            "- any: [not: {exists: {class: EditText, enabled: true}}]",
            "goal_schemas/bili.yaml:8:31: this selector of the goal 'video-open' matches any element",
        ),
        (
            "rules/bili.yaml",
            f"- package: {APP}",
            "- count: {select: {class: EditText, inside: {class: ListView}}, at_least: 1}",
            "rules/bili.yaml:8:27: this selector of the rule 'home-update' matches any element",
        ),
        ("rules/bili.yaml", f"- package: {APP}", "- exists: {class: EditText, inside: {id: title}}", ""),
        ("rules/bili.yaml", f"- package: {APP}", "- contains: {select: {class: TextView}, value: 热}", ""),
        (
            "goal_schemas/bili.yaml",
            f"- package: {APP}",
            '- exists: {xpath: "//android.widget.TextView"}',
            "goal_schemas/bili.yaml:8:19: this selector of the goal 'video-open' matches any element",
        ),
        (
            "goal_schemas/bili.yaml",
            f"- package: {APP}",
            """- exists: {xpath: "//node[@class='android.widget.Switch'][2]"}""",
            "goal_schemas/bili.yaml:8:19: this selector of the goal 'video-open' matches any element",
        ),
        (
            "goal_schemas/bili.yaml",
            f"- package: {APP}",
            '- exists: {class: android.widget.Switch, text_matches: ".*"}',
            "goal_schemas/bili.yaml:8:19: this selector of the goal 'video-open' matches any element",
        ),
        (
            "goal_schemas/bili.yaml",
            f"- package: {APP}",
            '- exists: {class: Switch, desc_matches: ".+", text_contains: ""}',
            "goal_schemas/bili.yaml:8:19: this selector of the goal 'video-open' matches any element",
        ),
        (
            "goal_schemas/bili.yaml",
            f"- package: {APP}",
            "- exists: {class: Switch, inside: {enabled: true}}",
            "goal_schemas/bili.yaml:8:19: this selector of the goal 'video-open' matches any element",
        ),
        (
            "goal_schemas/bili.yaml",
            f"- package: {APP}",
            "- matches: {select: {class: Switch}, pattern: 'a?'}",
            "goal_schemas/bili.yaml:8:29: this selector of the goal 'video-open' matches any element",
        ),
        (
            "goal_schemas/bili.yaml",
            f"- package: {APP}",
            """- exists: {xpath: "//android.widget.Switch[contains(@text, 'on [1]')][1]"}""",
            "",
        ),
        ("goal_schemas/bili.yaml", f"- package: {APP}", "- exists: {class: Switch, text_matches: '^开'}", ""),
        (
            "goal_schemas/bili.yaml",
            f"- package: {APP}",
            "- exists: {class: Switch, text_matches: '('}",
            "not a",
        ),
    ],
)
def test_a_bare_class_is_reported_with_its_location(
    write: Write, file: str, old: str, new: str, message: str
) -> None:
    assert_reported(write(file, old, new), message)
