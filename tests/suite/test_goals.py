"""Goals that use other goals, unknown ones, or themselves."""

from __future__ import annotations

import pytest

from garabench.core.condition import AllOf, Earlier
from garabench.lint.suite_check import check_suite
from tests.suite.written_suite import GOALS, Write, assert_reported, errors

USED = """
  - id: page-open
    description: The page is open
    params: {title: {type: text}}
    holds: {exists: {id: title, text: "{title}"}}
"""
USE = '- use: page-open\n          with: {title: "{title}"}'


def test_a_goal_used_by_another_goal_counts_as_used(write: Write) -> None:
    root = write("goal_schemas/bili.yaml", '- exists: {id: title, text: "{title}"}', USE)
    file = root / "goal_schemas/bili.yaml"
    file.write_text(file.read_text(encoding="utf-8").rstrip("\n") + USED, encoding="utf-8")
    assert check_suite(root).goals.keys() == {"video-open", "page-open"}


@pytest.mark.parametrize(
    ("use", "expected"),
    [
        (USE, "goal_schemas/bili.yaml:9:16: unknown goal 'page-open'"),
        (USE.replace("page-", "video-"), "9:16: the goal uses itself: video-open → video-open"),
    ],
)
def test_an_unknown_or_circular_use_is_reported_once(write: Write, use: str, expected: str) -> None:
    root = write("goal_schemas/bili.yaml", '- exists: {id: title, text: "{title}"}', use)
    assert_reported(root, expected)  # not again for each task


def test_a_cycle_of_faulty_goals_is_reported_with_their_other_mistakes(write: Write) -> None:
    root = write()
    goals = """
  - {id: ring-one, description: "1", params: {t: {type: text}}, holds: {use: ring-two, with: {t: "{t}"}}}
  - {id: ring-two, description: "2", params: {t: {type: text}}, holds: {use: ring-one, with: {t: "{t}"}}}
"""
    (root / "goal_schemas/bili.yaml").write_text(GOALS.rstrip("\n") + goals, encoding="utf-8")
    messages = [error.message for error in errors(root)]
    assert "the goal uses itself: ring-one → ring-two → ring-one" in messages
    assert "the goal uses itself: ring-two → ring-one → ring-two" in messages
    assert sum("at least 5 characters" in each for each in messages) == 2


def test_a_typed_answer_of_a_faulty_goal_is_checked_with_a_value_of_its_type(write: Write) -> None:
    root = write()
    goals = """
  - id: asked
    description: "1"
    params: {minutes: {type: text}, phone: {type: text}, local: {type: text}}
    holds:
      all:
        - answer: {type: number, value: "{minutes}", unit: minute}
        - answer: {type: phone, value: "{phone}", accept: ["{local}"]}
        - answer: {type: time, value: noon}
"""
    (root / "goal_schemas/bili.yaml").write_text(GOALS.rstrip("\n") + goals, encoding="utf-8")
    messages = [error.message for error in errors(root)]
    assert [each for each in messages if "single value" in each] == [
        "'noon' is not a single value of type time"
    ]


STEP = "    goal: {use: video-open, with: {title: 雨声}}\n"


def test_a_goal_for_an_earlier_screen_is_part_of_the_tasks_goal(write: Write) -> None:
    root = write(
        "tasks/bili.yaml", STEP, f"{STEP}    earlier: [{{use: video-open, with: {{title: 稻香}}}}]\n"
    )
    item = check_suite(root).tasks["open-rain"]
    assert item.uses == ("video-open",)
    assert isinstance(item.goal.condition, AllOf)
    assert item.goal.condition.all[-1] == Earlier(earlier=item.earlier[0].condition)


@pytest.mark.parametrize(
    ("earlier", "expected"),
    [
        ("{use: video-opn, with: {title: 稻香}}", "tasks/bili.yaml:12:21: unknown goal 'video-opn'"),
        (
            "{use: video-open, with: {title: 稻香, titl: x}}",
            "12:51: the goal 'video-open' has no parameter 'titl'",
        ),
        (
            "{use: answered, with: {number: '5'}}",
            "12:21: the goal 'answered' asks for an answer, which no earlier screen has",
        ),
    ],
)
def test_a_mistake_in_a_goal_for_an_earlier_screen_is_reported(
    write: Write, earlier: str, expected: str
) -> None:
    root = write("tasks/bili.yaml", STEP, f"{STEP}    earlier: [{earlier}]\n")
    if "answered" in earlier:
        file = root / "goal_schemas/bili.yaml"
        goal = USED.replace("page-open", "answered").replace("title: {type", "number: {type")
        holds = 'answer: {type: number, value: "{number}"}'
        goal = goal.replace('exists: {id: title, text: "{title}"}', holds)
        file.write_text(file.read_text(encoding="utf-8").rstrip("\n") + goal, encoding="utf-8")
    assert_reported(root, expected)
