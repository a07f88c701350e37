"""A finding becomes a near miss or an alternative; the rest of the file stays as it is."""

from __future__ import annotations

import pytest

from garabench.core.goal import Goal, GoalUse
from garabench.core.selector import Selector
from garabench.core.steps import BackStep, RotateStep, ScrollSpec, ScrollStep, TapStep
from garabench.core.task import TaskFile
from garabench.core.yamlmodel import load_model
from garabench.errors import InputError
from garabench.proof.fuzz.adopt import NOTE, adopt
from garabench.proof.fuzz.walk import (
    ActionKind,
    FuzzFinding,
    FuzzWalk,
    Insertion,
    WalkResult,
    WalkVerdict,
    finding_of,
)
from garabench.suite.suite import SuiteTask
from tests.cases import every_case
from tests.proof.fuzz.pages import APP, added, change

TEXT = """# A comment at the head
app: com.example
tasks:
  - id: first   # with a comment
    instruction: {zh: 一}
    goal: {use: liked}
    rules: []
    solution:
      - tap: {id: open}
      - tap: {id: like}
    near_misses:
      # why this one
      - name: added-like-too
        kind: overdone
        steps: [{tap: {id: other}}]

  # about the second task
  - id: second
    instruction: {zh: 二}
    goal: {use: liked}
    solution:
      - tap: {id: open}

  - id: third
    instruction: {zh: 三}
    goal: {use: liked}
    solution: [{tap: {id: open}}]
    alternatives:
      - name: by-search
        steps:
          - tap: {id: search}
          - back
"""
LIKE = Insertion(
    before=1, kind=ActionKind.LIKE, steps=(TapStep(tap=Selector(text="赞", inside=Selector(id="row"))),)
)
SCROLL = Insertion(before=1, kind=ActionKind.SCROLL, steps=(ScrollStep(scroll=ScrollSpec(amount=0.1)),))
BACK = Insertion(before=1, kind=ActionKind.RETURN, steps=(BackStep(),))
UNASKED = (change(added("like", "v2", "点赞")),)
V = WalkVerdict


def item(name: str, text: str = TEXT) -> SuiteTask:
    made, _ = load_model(text, "tasks/example.yaml", TaskFile)
    task = next(each for each in made.tasks if each.id == name)
    condition = {"exists": {"id": "x"}}
    goal = Goal.model_validate({"id": "liked", "condition": condition})
    assert isinstance(task.goal, GoalUse)
    return SuiteTask(task, APP, "example", goal)


def finding(task: str, verdict: WalkVerdict, *inserted: Insertion, path: str = "") -> FuzzFinding:
    walk = FuzzWalk(task=task, path=path, inserted=inserted)
    unasked = UNASKED if verdict is V.ACCEPTED_SEEN else ()
    return finding_of(WalkResult(number=1, walk=walk, verdict=verdict, unasked=unasked))


@every_case(
    ("task", "verdict", "inserted", "key", "name", "steps"),
    [
        ("first", V.ACCEPTED_SEEN, (LIKE, BACK), "near_misses", "added-like-too-2", 4),
        ("first", V.REFUSED_RIGHT, (SCROLL,), "alternatives", "after-scroll", 3),
        ("second", V.ACCEPTED_SEEN, (LIKE,), "near_misses", "added-like-too", 2),
        ("second", V.REFUSED_RIGHT, (SCROLL,), "alternatives", "after-scroll", 2),
        ("third", V.REFUSED_RIGHT, (SCROLL,), "alternatives", "after-scroll", 2),
        ("third", V.ACCEPTED_SEEN, (LIKE,), "near_misses", "added-like-too", 2),
    ],
)
def test_adopted(
    task: str, verdict: WalkVerdict, inserted: tuple[Insertion, ...], key: str, name: str, steps: int
) -> None:
    made = adopt(TEXT, "tasks/example.yaml", item(task), finding(task, verdict, *inserted))
    assert (made.key, made.name) == (key, name)
    new = [line for line in made.text.split("\n") if line.strip() and line not in TEXT.split("\n")]
    assert any(NOTE in line for line in new)
    before, after = TEXT.split("\n"), made.text.split("\n")
    rest = iter(after)
    assert all(line in rest for line in before)  # nothing is changed, moved or lost
    entry = getattr(item(task, made.text).task, key)[-1]
    assert entry.name == name
    assert len(entry.steps) == steps
    assert inserted[0].steps[0] in entry.steps
    others = {"first", "second", "third"} - {task}
    assert all(item(each, made.text).task == item(each).task for each in others)


def test_a_walk_that_turns_the_phone_is_adopted() -> None:
    turned = finding("first", V.REFUSED_RIGHT, Insertion(before=1, kind=ActionKind.ROTATE))
    made = adopt(TEXT, "tasks/example.yaml", item("first"), turned)
    assert RotateStep() in item("first", made.text).task.alternatives[-1].steps


def test_the_path_of_an_alternative_is_followed() -> None:
    made = adopt(TEXT, "f", item("third"), finding("third", V.REFUSED_RIGHT, SCROLL, path="by-search"))
    added_steps = item("third", made.text).task.alternatives[-1].steps
    assert added_steps[1:] == item("third").task.alternatives[0].steps


@every_case(
    ("task", "verdict", "inserted", "message"),
    [
        ("first", V.HARMLESS_CHANGES, (SCROLL,), "although all its actions are harmless"),
    ],
)
def test_what_cannot_be_adopted(
    task: str, verdict: WalkVerdict, inserted: tuple[Insertion, ...], message: str
) -> None:
    with pytest.raises(InputError, match=message):
        adopt(TEXT, "tasks/example.yaml", item(task), finding(task, verdict, *inserted))


def test_a_file_without_the_task() -> None:
    with pytest.raises(InputError, match="has no task first"):
        adopt("app: com.example\ntasks: []\n", "f", item("first"), finding("first", V.REFUSED_RIGHT, SCROLL))
