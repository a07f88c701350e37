"""Instructions that lack a language or duplicate another one."""

from __future__ import annotations

import pytest

from tests.suite.written_suite import TASKS, Write, assert_reported, edit, errors, first_lines


@pytest.mark.parametrize(
    ("file", "old", "new", "expected"),
    [
        (
            "tasks/bili.yaml",
            ", en: Open 雨声",
            "",
            "tasks/bili.yaml:10:18: the instruction is missing in 'en'",
        ),
        (
            "rules/interruptions.yaml",
            "title: {zh: 详情, en: Details}\n    message: {zh: 详情, en: Details}",
            "title: {zh: 详情}\n    message: {zh: 详情}",
            "the title in ['zh']",
        ),
        (
            "tasks/bili.yaml",
            "en: Open 雨声",
            "en: 请打开雨声",
            "tasks/bili.yaml:10:33: the instruction is in Chinese, under the key 'en'",
        ),
        ("tasks/bili.yaml", "en: Open 雨声", "en: Open 《雨声的故事》", ""),
        (
            "tasks/bili.yaml",
            "en: Open 雨声",
            "en: open 稻香",
            "duplicate instruction: the task 'open-song' has it at tasks/bili.yaml:3:5",
        ),
        (
            "tasks/bili.yaml",
            "en: Open 雨声",
            "en: ' '",
            "tasks/bili.yaml:10:33: the instruction is empty in 'en'",
        ),
        (
            "tasks/bili.yaml",
            "en: Open 雨声",
            "en: 'open  稻香 。 '",
            "tasks/bili.yaml:10:33: duplicate instruction: the task 'open-song' has it at",
        ),
        (
            "rules/interruptions.yaml",
            "message: {zh: 详情, en: Details}",
            "message: {zh: 详情, en: ''}",
            "rules/interruptions.yaml:14:27: the interruption's message is empty in 'en'",
        ),
        (
            "rules/interruptions.yaml",
            "label: {zh: 否, en: No}",
            "label: {zh: 否, en: ' '}",
            "rules/interruptions.yaml:8:70: the button's label is empty in 'en'",
        ),
        (
            "rules/interruptions.yaml",
            "label: {zh: 否, en: No}",
            "label: {zh: 否, en: 否}",
            "rules/interruptions.yaml:8:70: the button's label is the same in 'zh' and 'en'",
        ),
        ("rules/interruptions.yaml", "label: {zh: 否, en: No}", "label: {zh: OK, en: OK}", ""),
        (
            "tasks/bili.yaml",
            "en: Open 雨声",
            "en: 打开雨声",
            "tasks/bili.yaml:10:33: the instruction is the same in 'zh' and 'en'",
        ),
    ],
)
def test_missing_blank_and_untranslated_texts_are_reported_with_their_location(
    write: Write, file: str, old: str, new: str, expected: str
) -> None:
    assert_reported(write(file, old, new), expected)


def test_instructions_that_differ_in_punctuation_width_are_duplicates(write: Write) -> None:
    root = write("tasks/bili.yaml", "zh: 打开稻香", "zh: 打开稻香，再点赞")
    edit(root / "tasks/bili.yaml", ("zh: 打开雨声", 'zh: "打开稻香, 再点赞。"'))
    assert first_lines(root) == [
        "tasks/bili.yaml:10:23: duplicate instruction: the task 'open-song' has it at tasks/bili.yaml:3:5"
    ]


def test_other_mistakes_in_a_task_do_not_hide_those_in_its_instruction(write: Write) -> None:
    root = write("tasks/bili.yaml", "en: Open 雨声", "en: Open 稻香")
    slips = [
        ("with: {title: 雨声}", "with: {titel: 雨声}"),
        ("[home-update]", "[home-updat]\n    color: red"),
    ]
    edit(root / "tasks/bili.yaml", *slips)
    messages = [error.message for error in errors(root)]
    assert "duplicate instruction: the task 'open-song' has it at tasks/bili.yaml:3:5" in messages
    assert messages.count("unknown rule 'home-updat'") == 2


def test_a_language_of_one_task_is_reported_once(write: Write) -> None:
    root = write("tasks/bili.yaml", ", en: Open 雨声", ", en: Open 雨声, fr: Ouvre 雨声")
    third = TASKS[TASKS.index("  - id: open-rain") :].replace("雨声", "热门").replace("-rain", "-hot")
    file = root / "tasks/bili.yaml"
    file.write_text(file.read_text(encoding="utf-8") + third, encoding="utf-8")
    (error,) = errors(root)
    assert str(error.place) == "tasks/bili.yaml:10:42"
    assert error.message == "'fr' is not a language of the suite: only 1 of 3 tasks use it"
