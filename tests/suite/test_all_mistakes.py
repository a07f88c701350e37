"""All mistakes in one entry are reported together, each where it must be fixed."""

from __future__ import annotations

from pathlib import Path

import pytest

from garabench.errors import CombinedInputError
from garabench.suite.suite import Suite

GOOD_GOALS = """app: com.example.reader
goals:
  - id: poem-open
    description: The poem's page is open
    params: {title: {type: text}, number: {type: number, default: 1}}
    holds: {all: [{exists: {id: title, text: "{title}"}}, {count: {select: {id: row}, equals: "{number}"}}]}
"""
GOOD_TASKS = """app: com.example.reader
tasks:
  - id: open-poem
    instruction: {en: Open the poem}
    goal: {use: poem-open, with: {title: Night}}
    rules: [reader-update]
    solution:
      - tap: {id: title}
"""
GOOD_RULES = """app: com.example.reader
rules:
  - id: reader-update
    description: An update is offered
    when: {all: [{exists: {id: title}}]}
    inject: update
"""
GOOD_INTERRUPTIONS = """interruptions:
  - id: update
    description: A new version is offered
    category: app-prompt
    title: {zh: 更新, en: Update}
    message: {zh: 有新版本, en: There is a new version}
    buttons:
      - {key: accept, role: accept, label: {zh: 是, en: Yes}}
"""
FILES = {
    "tasks/reader.yaml": GOOD_TASKS,
    "goal_schemas/reader.yaml": GOOD_GOALS,
    "rules/reader.yaml": GOOD_RULES,
    "rules/interruptions.yaml": GOOD_INTERRUPTIONS,
}
BAD_TASK = """
  - id: Open Two
    instruction: {en: Open the second poem}
    goal: {use: poem-open, with: {titel: Night, number: two}}
    goal: {use: poem-open}
    rules: [reader-updates]
    max_steps: 1
    tags: [infeasible]
    solution:
      - tap: {id: title, txt: Day}
      - tap: {id: title}
    near_misses:
      - {name: nothing-done, kind: half-don, steps: [home]}
      - {name: neither}
"""
UNFIT_TASK = """
  - id: open-two
    instruction: {en: Open the second poem}
    goal: {use: poem-open, with: {titel: Night, number: two}}
    rules: [reader-updates]
    max_steps: 1
    tags: [infeasible]
    colour: red
    solution:
      - tap: {id: title}
      - tap: {id: title}
"""
BAD_GOAL = """
  - id: Poem Liked
    description: The poem is liked
    params: {title: {type: text}, author: {type: txt}, spare: {type: text}}
    params: {title: {type: text}}
    holds:
      all:
        - exists: {id: title, txt: "{titel}"}
        - exist: {id: liked}
        - use: poem-opn
        - use: poem-open
          with: {titel: "{title}"}
        - use: poem-open
    guards: [{part: 9, reason: as well}, {part: 2.1, reason: as well}]
  - id: circle
    description: It leads back to itself
    objekt: nothing
    holds: {all: [{use: circle}, {exists: {clas: x}}]}
"""
BAD_RULE = """
  - id: reader-battery
    description: The battery is low
    once: false
    when: {all: [{exist: {id: title}}], at_step: 2}
    inject: updat
    probability: 2
    prio: 3
  - id: reader-network
    description: The network is lost
    once: false
    when: {at_step: 2}
    inject: update
    probability: 2
"""
BAD_INTERRUPTION = """
  - id: offer
    description: An offer
    category: app-promt
    title: {zh: 优惠, en: Offer}
    message: {zh: 优惠券}
    buttons:
      - {key: accept, role: accept, small: true, gap: 0.5, label: {zh: 是, en: Yes}, easy: true}
      - {key: accept, role: dismis, label: {zh: 否}, easy: true}
      - {key: later, role: dismiss, label: {zh: 稍后}, easy: true, follow_up: [{show: updat}]}
"""


def errors(root: Path, file: str, more: str) -> list[str]:
    for name, text in FILES.items():
        (root / name).parent.mkdir(exist_ok=True)
        (root / name).write_text(text + (more.removeprefix("\n") if name == file else ""), "utf-8")
    with pytest.raises(CombinedInputError) as caught:
        Suite.load(root)
    for error in caught.value.errors:
        assert error.place is not None
        assert str(error).rstrip().splitlines()[2].strip() == "^", error
    return [
        f"{error.place.line}:{error.place.column}: {error.message}" + (f" {error.hint}" if error.hint else "")
        for error in sorted(caught.value.errors, key=lambda error: (error.place.line, error.place.column))  # type: ignore[union-attr]
        if error.place is not None
    ]


@pytest.mark.parametrize(
    ("file", "more", "expected"),
    [
        (
            "tasks/reader.yaml",
            BAD_TASK,
            [
                "9:9: an id consists of lower-case letters and digits with single hyphens, such as lik",
                "11:11: the goal 'poem-open' is missing the parameter 'title'",
                "11:35: the goal 'poem-open' has no parameter 'titel' Did you mean 'title'?",
                "11:49: the parameter 'number' of 'poem-open' must be a number, not 'two'",
                "12:5: duplicate key 'goal'",
                "13:13: unknown rule 'reader-updates' Did you mean 'reader-update'?",
                "17:26: unknown key 'txt' Did you mean 'text'?",
                "20:36: must be 'wrong-object', 'wrong-value', 'wrong-gesture', 'wrong-place', 'undone",
                "21:9: give either steps or an answer",
            ],
        ),
        (
            "tasks/reader.yaml",
            UNFIT_TASK,
            [
                "11:11: the goal 'poem-open' is missing the parameter 'title'",
                "11:35: the goal 'poem-open' has no parameter 'titel' Did you mean 'title'?",
                "11:49: the parameter 'number' of 'poem-open' must be a number, not 'two'",
                "12:13: unknown rule 'reader-updates' Did you mean 'reader-update'?",
                "13:16: the solution has 2 steps, more than max_steps 1",
                "14:11: the tag 'infeasible' is only for tasks with infeasible:",
                "15:5: unknown key 'colour' Known: also_meets, alternatives, earlier, goal, id, infeas",
            ],
        ),
        (
            "goal_schemas/reader.yaml",
            BAD_GOAL,
            [
                "7:9: an id consists of lower-case letters and digits with single hyphens, such as lik",
                "9:50: must be 'text', 'number' or 'pattern' (found 'txt') Did you mean 'text'?",
                "10:5: duplicate key 'params'",
                "13:31: unknown key 'txt' Did you mean 'text'?",
                "14:11: unknown condition 'exist' Did you mean 'exists'?",
                "15:16: unknown goal 'poem-opn' Did you mean 'poem-open'?",
                "17:17: the goal 'poem-open' has no parameter 'titel' Did you mean 'title'?",
                "18:11: the goal 'poem-open' is missing the parameter 'title'",
                '19:49: quote the number of a nested part: "2.1" (found 2.1)',
                "22:5: unknown key 'objekt' Did you mean 'object'?",
                "23:12: a goal must name its object with a parameter, or give the reason in object:",
                "23:25: the goal uses itself: circle → circle",
                "23:44: unknown key 'clas' Did you mean 'class'?",
            ],
        ),
        (
            "rules/reader.yaml",
            BAD_RULE,
            [
                "10:18: unknown condition 'exist' Did you mean 'exists'?",
                "11:13: unknown interruption 'updat' Did you mean 'update'?",
                "12:18: must be less than or equal to 1 (found 2)",
                "13:5: unknown key 'prio' Did you mean 'priority'?",
                "17:21: at_step fires once: use min_step to fire from a step on, or remove once: false",
                "19:18: must be less than or equal to 1 (found 2)",
            ],
        ),
        (
            "rules/interruptions.yaml",
            BAD_INTERRUPTION,
            [
                "11:15: must be 'network', 'resource', 'permission', 'app-fault', 'app-prompt' or 'sys",
                "13:14: message has texts in ['zh'], the title in ['en', 'zh']",
                "15:44: only a button of form cross can be small or appear later",
                "15:55: gap is required for a slider and not allowed for any other form",
                "16:29: must be 'accept', 'dismiss' or 'exit' (found 'dismis') Did you mean 'dismiss'?",
                "17:85: unknown interruption 'updat' Did you mean 'update'?",
            ],
        ),
    ],
    ids=["task", "task-that-does-not-fit", "goal", "rule", "interruption"],
)
def test_all_mistakes_in_an_entry_are_reported_together(
    file: str, more: str, expected: list[str], tmp_path: Path
) -> None:
    assert [each[:85] for each in errors(tmp_path, file, more)] == expected


def test_a_duplicate_key_hides_no_other_mistake(tmp_path: Path) -> None:
    text = GOOD_GOALS.replace("    params:", "    id: again\n    params:")
    for name, content in {**FILES, "goal_schemas/reader.yaml": text}.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(content, "utf-8")
    with pytest.raises(CombinedInputError) as caught:
        Suite.load(tmp_path)
    (error,) = caught.value.errors  # the task that uses the goal by its first id has no mistake
    assert error.message == "duplicate key 'id'" and error.place and error.place.line == 5
