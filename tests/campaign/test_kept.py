from __future__ import annotations

import json
from dataclasses import dataclass, field

import pytest
from pydantic import TypeAdapter

from garabench.campaign.kept import KeptFacts, keep, questions, read_kept
from garabench.core.condition import Condition
from garabench.core.observation import Focus
from garabench.core.tree import UiTree, parse_tree
from garabench.core.verdict import evaluate

TREE = parse_tree('<hierarchy rotation="0"><node text="稻香" bounds="[0,0][9,9]"/></hierarchy>')
SAVER = {"setting": {"namespace": "global", "key": "low_power", "equals": "1"}}
INSTALLED = {"package_state": {"package": "com.example.app", "is": "installed"}}
RUNNING = {"package_state": {"package": "com.example.app", "is": "running"}}
ROWS = {"content": {"uri": "content://sms/inbox", "contains": "42"}}
FRONT = Focus("com.example.app", ".Main")


@dataclass
class Live:
    """Facts that note what was asked of them."""

    asked: list[str] = field(default_factory=list)
    tree: UiTree = TREE
    answer: str | None = "42"
    focus: Focus | None = FRONT

    def setting(self, namespace: str, key: str) -> str | None:
        self.asked.append(f"{namespace}/{key}")
        return "1"

    def package_state(self, package: str, state: str) -> bool | None:
        self.asked.append(state)
        return state == "installed"

    def content(self, uri: str) -> str | None:
        self.asked.append(uri)
        return None


def condition(data: object) -> Condition:
    read: Condition = TypeAdapter(Condition).validate_python(data)
    return read


def test_only_what_goals_ask_is_read() -> None:
    asked = questions([condition({"all": [SAVER, {"any": [INSTALLED, {"not": ROWS}]}]}), condition(SAVER)])
    live = Live()
    kept = keep(live, asked)
    assert sorted(live.asked) == ["content://sms/inbox", "global/low_power", "installed"]
    assert keep(Live(), questions([condition({"exists": {"text": "x"}})])).told == ()
    assert (kept.answer, kept.focus) == ("42", FRONT)


@pytest.mark.parametrize(
    ("goal", "holds"),
    [
        ({"exists": {"text": "稻香"}}, True),
        ({"answer": {"equals": "42"}}, True),
        ({"package": "com.example.app"}, True),
        (SAVER, True),
        (INSTALLED, True),
        (ROWS, None),  # it could not be read
        (RUNNING, None),  # nobody asked then
        ({"setting": {"namespace": "system", "key": "low_power", "equals": "1"}}, None),
    ],
)
def test_kept_facts_answer_as_the_device_did_also_when_read_back(goal: object, holds: bool | None) -> None:
    kept = keep(Live(), questions([condition({"all": [SAVER, INSTALLED, ROWS]})]))
    for facts in (kept, read_kept(json.loads(json.dumps(kept.to_json())))):
        assert evaluate(condition(goal), facts).holds is holds


def test_a_focus_may_be_missing() -> None:
    kept = KeptFacts(TREE, None, None)
    assert read_kept(kept.to_json()) == kept


@pytest.mark.parametrize("tree", ["?", "AAAA", "eJwDAAAAAAE="])
def test_a_tree_that_is_none_is_refused(tree: str) -> None:
    with pytest.raises(ValueError, match="the kept tree cannot be read"):
        read_kept({"tree": tree, "answer": None, "focus": None, "told": []})
