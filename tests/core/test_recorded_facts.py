from __future__ import annotations

import json
from dataclasses import dataclass, field

import pytest
from pydantic import TypeAdapter

from garabench.core.condition import Condition
from garabench.core.evaluate import evaluate
from garabench.core.observation import Focus
from garabench.core.recorded_facts import RecordedFacts, fact_queries, record_facts, recorded_facts_from_json
from garabench.core.tree import UiTree, parse_tree

TREE = parse_tree('<hierarchy rotation="0"><node text="稻香" bounds="[0,0][9,9]"/></hierarchy>')
SAVER = {"setting": {"namespace": "global", "key": "low_power", "equals": "1"}}
INSTALLED = {"package_state": {"package": "com.example.app", "is": "installed"}}
RUNNING = {"package_state": {"package": "com.example.app", "is": "running"}}
ROWS = {"content": {"uri": "content://sms/inbox", "contains": "42"}}
FRONT = Focus("com.example.app", ".Main")


@dataclass
class RecordingFacts:
    """Facts that record the queries."""

    queries: list[str] = field(default_factory=list)
    tree: UiTree = TREE
    answer: str | None = "42"
    focus: Focus | None = FRONT

    def setting(self, namespace: str, key: str) -> str | None:
        self.queries.append(f"{namespace}/{key}")
        return "1"

    def package_state(self, package: str, state: str) -> bool | None:
        self.queries.append(state)
        return state == "installed"

    def content(self, uri: str) -> str | None:
        self.queries.append(uri)
        return None


def condition(data: object) -> Condition:
    read: Condition = TypeAdapter(Condition).validate_python(data)
    return read


def test_only_the_facts_that_goals_need_are_read() -> None:
    queries = fact_queries(
        [condition({"all": [SAVER, {"any": [INSTALLED, {"not": ROWS}]}]}), condition(SAVER)]
    )
    live = RecordingFacts()
    recorded = record_facts(live, queries)
    assert sorted(live.queries) == ["content://sms/inbox", "global/low_power", "installed"]
    assert record_facts(RecordingFacts(), fact_queries([condition({"exists": {"text": "x"}})])).values == ()
    assert (recorded.answer, recorded.focus) == ("42", FRONT)


@pytest.mark.parametrize(
    ("goal", "holds"),
    [
        ({"exists": {"text": "稻香"}}, True),
        ({"answer": {"equals": "42"}}, True),
        ({"package": "com.example.app"}, True),
        (SAVER, True),
        (INSTALLED, True),
        (ROWS, None),  # it could not be read
        (RUNNING, None),  # it was not recorded
        ({"setting": {"namespace": "system", "key": "low_power", "equals": "1"}}, None),
    ],
)
def test_recorded_facts_round_trip(goal: object, holds: bool | None) -> None:
    recorded = record_facts(RecordingFacts(), fact_queries([condition({"all": [SAVER, INSTALLED, ROWS]})]))
    for facts in (recorded, recorded_facts_from_json(json.loads(json.dumps(recorded.to_json())))):
        assert evaluate(condition(goal), facts).holds is holds


def test_a_focus_may_be_missing() -> None:
    recorded = RecordedFacts(TREE)
    assert recorded_facts_from_json(recorded.to_json()) == recorded


@pytest.mark.parametrize("tree", ["?", "AAAA", "eJwDAAAAAAE="])
def test_an_invalid_tree_is_refused(tree: str) -> None:
    with pytest.raises(ValueError, match="cannot read the recorded tree"):
        recorded_facts_from_json({"tree": tree, "answer": None, "focus": None, "values": []})
