from __future__ import annotations

import pytest

from garabench.campaign.cross import other_goals
from garabench.campaign.kept import KeptFacts
from garabench.campaign.proof import Check
from garabench.campaign.suite import Suite
from garabench.core.tree import parse_tree
from tests.campaign.suites import goal, suite, task

TREE = parse_tree('<hierarchy rotation="0"><node text="稻香" bounds="[0,0][9,9]"/></hierarchy>')
END = KeptFacts(TREE, "42", None)
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
        ((), [("again", "its goal holds at the end of this solution: text=稻香 is there")]),
        (("again",), []),
        (("again", "different"), [("different", "is declared to hold, too: there is no text=晴天")]),
    ],
)
def test_no_other_goal_of_the_app_holds_unless_it_is_declared(
    also: tuple[str, ...], bad: list[tuple[str, str]]
) -> None:
    made = with_tasks(*also)
    findings = other_goals(made.tasks["this"], made, END)
    assert [(f.subject, f.why) for f in findings if not f.ok] == bad
    assert all(f.check is Check.OTHER_GOAL for f in findings)
    if not bad:
        assert findings[0].why == "no other goal holds, but for again"


def test_what_cannot_be_established_is_told() -> None:
    made = suite(GOALS, [task("this", "song"), task("front", "front")])
    (finding,) = other_goals(made.tasks["this"], made, END)
    assert (finding.ok, finding.subject) == (False, "front")
    assert finding.why.startswith("could not be established: ")
