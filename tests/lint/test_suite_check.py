"""Every mistake in a suite's files is reported with its location."""

from __future__ import annotations

import pytest

from garabench.lint.suite_check import check_suite
from tests.suite.written_suite import TASKS, Write, assert_reported, errors, first_lines


def test_a_good_suite_passes(write: Write) -> None:
    assert list(check_suite(write()).tasks) == ["open-song", "open-rain"]


def test_an_interruption_that_leads_back_to_itself_is_reported(write: Write) -> None:
    root = write(
        "rules/interruptions.yaml",
        ", follow_up: [{show: page}]",
        "",
    )
    assert_reported(
        root, "rules/interruptions.yaml:10:9: unused interruption 'page': no rule of a task uses it"
    )


@pytest.mark.parametrize(
    ("file", "old", "new", "message"),
    [
        (
            "tasks/bili.yaml",
            "goal: {use: video-open, with: {title: 雨声}}",
            "max_steps: 1\n    goal: {use: video-open}",
            [
                "tasks/bili.yaml:11:16: the solution has 2 steps, more than max_steps 1",
                "tasks/bili.yaml:12:11: the goal 'video-open' is missing the parameter 'title'",
            ],
        ),
        (
            "tasks/bili.yaml",
            "id: open-rain",
            "id: open-song\n    colour: red",
            [
                "tasks/bili.yaml:9:9: duplicate task 'open-song'; first defined at tasks/bili.yaml:3:5",
                "tasks/bili.yaml:10:5: unknown key 'colour'",
            ],
        ),
        (
            "goal_schemas/bili.yaml",
            "    holds:",
            "    guards: [{part: 2, reason: as well}, {part: 7, reason: as well}, {part: 2, reason: again}]\n"
            "    holds:",
            [
                "goal_schemas/bili.yaml:6:49: unknown part 7: the goal's all has 2",
                "goal_schemas/bili.yaml:6:77: duplicate guard: the part is already declared",
            ],
        ),
        (
            "rules/interruptions.yaml",
            "label: {zh: 否, en: No}",
            "label: {zh: 否}",
            ["rules/interruptions.yaml:8:58: dismiss has texts in ['zh'], the title in ['en', 'zh']"],
        ),
        (
            "rules/interruptions.yaml",
            "title: {zh: 更新, en: Update}",
            "title: {zh: 更新}",
            ["rules/interruptions.yaml:5:12: the title has texts in ['zh'], the others in ['en', 'zh']"],
        ),
        (
            "goal_schemas/bili.yaml",
            'text: "{title}"',
            'text: "{titel}"',
            [
                "goal_schemas/bili.yaml:9:37: unknown parameter {titel}. Did you mean 'title'?",
            ],
        ),
        (
            "goal_schemas/bili.yaml",
            "params: {title: {type: text}}",
            "params: {artist: {type: text}, unlike: {type: text}}",
            [
                "goal_schemas/bili.yaml:5:22: unused parameter 'artist'",
                "goal_schemas/bili.yaml:5:44: unused parameter 'unlike'",
                "goal_schemas/bili.yaml:9:37: unknown parameter {title}. Known: artist, unlike",
            ],
        ),
    ],
)
def test_all_mistakes_in_an_entry_are_reported_with_their_locations(
    write: Write, file: str, old: str, new: str, message: list[str]
) -> None:
    assert first_lines(write(file, old, new)) == message


@pytest.mark.parametrize("text", ["", "# nothing\n", "- a list\n"])
@pytest.mark.parametrize("file", ["goal_schemas/bili.yaml", "rules/bili.yaml", "rules/interruptions.yaml"])
def test_an_empty_file_is_reported_without_the_names_it_would_define(
    write: Write, file: str, text: str
) -> None:
    root = write()
    (root / file).write_text(text, encoding="utf-8")
    assert first_lines(root) == [f"{file}:1:1: expected a mapping at the top level"]


def test_all_mistakes_are_reported_in_the_order_of_lines(write: Write) -> None:
    root = write("rules/bili.yaml", "推荐, 热门", "推荐榜单, 热门榜单")
    text = (
        TASKS.replace(", en: Open 雨声", "").replace("max_steps", "x").replace("home-update]", "home-up]", 1)
    )
    (root / "tasks/bili.yaml").write_text(text, encoding="utf-8")
    assert [str(error.place) for error in errors(root)] == [
        "rules/bili.yaml:7:27",
        "rules/bili.yaml:7:33",
        "tasks/bili.yaml:6:13",
        "tasks/bili.yaml:10:18",
    ]


def test_the_bundled_suite_passes() -> None:
    assert check_suite().tasks
