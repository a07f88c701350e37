from __future__ import annotations

import pytest

from garabench.core.recorded_facts import RecordedFacts
from garabench.core.tree import parse_tree
from garabench.proof.cross_tasks import cross_task_findings
from garabench.proof.findings import ProofCheck
from garabench.suite.suite import Suite
from tests.suite.suites import goal, suite, task

TREE = parse_tree('<hierarchy rotation="0"><node text="稻香" bounds="[0,0][9,9]"/></hierarchy>')
END = RecordedFacts(TREE, answer="42")
GOALS = [
    goal("song", {"exists": {"text": "稻香"}}),
    goal("other", {"exists": {"text": "晴天"}}),
    goal("answered", {"answer": {"equals": "42"}}),
    goal("front", {"package": "com.example.reader"}),
]


def with_tasks(*also: str) -> Suite:
    return suite(
        GOALS,
        [
            task("this", "song", also_meets=also),
            task("again", "song"),
            task("different", "other"),
            task("elsewhere", "answered", app="com.example.other"),
        ],
    )


@pytest.mark.parametrize(
    ("also", "bad"),
    [
        ((), [("again", "holds at the end of this solution: text=稻香 is on the screen")]),
        (("again",), []),
        (
            ("again", "different"),
            [("different", "declared in also_meets, but does not hold: text=晴天 is not on the screen")],
        ),
    ],
)
def test_no_other_goal_of_the_app_holds_unless_it_is_declared(
    also: tuple[str, ...], bad: list[tuple[str, str]]
) -> None:
    made = with_tasks(*also)
    findings = cross_task_findings(made.tasks["this"], made, END)
    assert [(f.subject, f.reason) for f in findings if not f.ok] == bad
    assert all(f.check is ProofCheck.CROSS_TASK for f in findings)
    if not bad:
        assert findings[0].reason == "no other goal holds, except again"


def test_an_unknown_goal_is_reported() -> None:
    made = suite(GOALS, [task("this", "song"), task("front", "front")])
    (finding,) = cross_task_findings(made.tasks["this"], made, END)
    assert (finding.ok, finding.subject) == (False, "front")
    assert finding.reason.startswith("unknown at the end of this solution: ")
