"""Entries that no task uses."""

from __future__ import annotations

import pytest

from tests.suite.written_suite import GOALS, RULES, Write, assert_reported, edit, errors


@pytest.mark.parametrize(
    ("file", "old", "new", "expected"),
    [
        (
            "rules/interruptions.yaml",
            ", follow_up: [{show: page}]",
            "",
            "rules/interruptions.yaml:10:9: unused interruption 'page': no rule of a task uses it",
        ),
        ("tasks/bili.yaml", "rules: [home-update]", "max_steps: 15", ""),  # the other task still names it
    ],
)
def test_an_interruption_that_no_task_uses_is_reported_with_its_location(
    write: Write, file: str, old: str, new: str, expected: str
) -> None:
    assert_reported(write(file, old, new), expected)


def test_unused_entries_are_reported(write: Write) -> None:
    root = write()
    spare = {
        "rules/spare.yaml": RULES.replace("home-update", "spare-rule"),
        "goal_schemas/spare.yaml": GOALS.replace("video-open", "spare-goal"),
    }
    for name, text in spare.items():
        (root / name).write_text(text, encoding="utf-8")
    assert [error.message for error in errors(root)] == [
        "unused goal 'spare-goal': no task uses it",
        "unused rule 'spare-rule': no task uses it",
    ]


def test_unused_entries_are_reported_next_to_other_mistakes(write: Write) -> None:
    """Entries that a faulty task uses, or misspells, count as used."""
    root = write("tasks/bili.yaml", "id: open-song", "id: open-song\n    colour: red")
    slips = [("[home-update]", "[home-updat]"), ("use: video-open", "use: video-opened")]
    edit(root / "tasks/bili.yaml", *slips)
    spare = RULES.replace("home-update", "spare-rule").replace("inject: update", "inject: [update, pag]")
    (root / "rules/spare.yaml").write_text(spare, encoding="utf-8")
    assert [error.message for error in errors(root)] == [
        "unused rule 'spare-rule': no task uses it",
        "unknown interruption 'pag'",
        "unknown key 'colour'",
        "unknown goal 'video-opened'",
        "unknown rule 'home-updat'",
        "unknown goal 'video-opened'",
        "unknown rule 'home-updat'",
    ]
