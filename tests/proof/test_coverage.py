from __future__ import annotations

from garabench.proof.coverage import NO_PARTS, NeededParts, coverage_findings
from garabench.suite.suite import SuiteTask
from tests.suite.suites import goal, suite, task

TITLE, AUTHOR, LIKED = ({"exists": {"id": name}} for name in ("title", "author", "liked"))
GUARD = {"part": 2, "reason": "titles are copied by others"}
EITHER = {"any": [TITLE, {"all": [AUTHOR, LIKED]}]}
SUITE = suite(
    [goal("liked", {"all": [TITLE, AUTHOR, LIKED]}, guards=[GUARD]), goal("open", TITLE)],
    [task("one", "liked"), task("two", "liked"), task("three", "open"), task("four", "liked")],
)


def found(own: NeededParts, **others: NeededParts) -> tuple[list[tuple[bool, str]], list[str]]:
    queried: list[str] = []

    def needed_by(item: SuiteTask) -> NeededParts:
        queried.append(item.task.id)
        return others.get(item.task.id, NO_PARTS)

    findings = coverage_findings(SUITE.tasks["one"], SUITE, own, needed_by)
    return [(finding.ok, finding.reason) for finding in findings], queried


def test_a_part_is_needed_by_a_near_miss_of_any_task_or_is_a_guard() -> None:
    findings, queried = found({"1": "other-title"}, four={"3": "not-liked", "1": "x"})
    assert findings == [
        (True, "without it other-title would pass"),
        (True, "a guard: titles are copied by others"),
        (True, "without it not-liked of four would pass"),
    ]
    assert queried == ["two", "four"]  # only tasks with the same goal, and only for the part in question


def test_a_guard_that_a_near_miss_needs_is_allowed() -> None:
    findings, queried = found({"1": "a", "2": "b", "3": "c"})
    assert [ok for ok, _ in findings] == [True] * 3
    assert queried == []


def test_an_unneeded_part_is_idle() -> None:
    findings, _ = found({"1": "other-title"})
    ok, reason = findings[2]
    assert not ok
    assert reason.startswith("idle: no near miss of a task with the goal liked would pass without it")


def test_without_a_goal_of_one_part_every_near_miss_would_pass() -> None:
    def expected(own: NeededParts) -> list[tuple[str, bool, str]]:
        findings = coverage_findings(SUITE.tasks["three"], SUITE, own, lambda item: NO_PARTS)
        return [(finding.subject, finding.ok, finding.reason) for finding in findings]

    assert expected({"whole": "home"}) == [
        ("whole goal", True, "every near miss would pass without it: home")
    ]
    ((_, ok, reason),) = expected(NO_PARTS)
    assert not ok and reason.startswith("idle: no near miss")


def test_an_alternative_is_needed_by_a_correct_path() -> None:
    suite_ = suite(
        [goal("either", EITHER, guards=[{"part": "2.1", "reason": "both have it"}])],
        [task("one", "either"), task("two", "either")],
    )
    own = {"whole": "home", "1": "the solution on android-34 zh seed 0", "2.2": "not-liked"}
    findings = coverage_findings(suite_.tasks["one"], suite_, own, lambda item: {"2": "on-the-list"})
    assert [(finding.subject, finding.ok, finding.reason) for finding in findings] == [
        ("whole goal", True, "every near miss would pass without it: home"),
        ("part 1", True, "without it the solution on android-34 zh seed 0 would be refused"),
        ("part 2", True, "without it on-the-list of two would be refused"),
        ("part 2.1", True, "a guard: both have it"),
        ("part 2.2", True, "without it not-liked would pass"),
    ]
    findings = coverage_findings(suite_.tasks["one"], suite_, NO_PARTS, lambda item: NO_PARTS)
    whys = {finding.subject: finding.reason for finding in findings if not finding.ok}
    assert whys.keys() == {"whole goal", "part 1", "part 2", "part 2.2"}
    assert whys["part 1"].startswith("idle: no correct path of a task with the goal either would be refused")


def test_each_step_that_is_demanded_is_needed_and_so_is_each_of_its_parts() -> None:
    words = {"id": "field", "text": "{words}"}
    suite_ = suite(
        [
            goal("liked", {"all": [TITLE, LIKED]}),
            goal("searched", {"all": [{"exists": words}, AUTHOR]}, params={"words": {}}),
        ],
        [
            task("one", "liked", earlier=[{"use": "searched", "with": {"words": "soup"}}]),
            task("two", "liked", earlier=[{"use": "searched", "with": {"words": "rain"}}]),
            task("three", "liked"),
        ],
    )
    asked: list[str] = []

    def others(item: SuiteTask) -> NeededParts:
        asked.append(item.task.id)
        return {"searched 1 text": "other-words"}

    own = {"1": "other-title", "2": "not-liked", "searched": "directly", "searched 2": "elsewhere"}
    findings = coverage_findings(suite_.tasks["one"], suite_, own, others)
    assert [(finding.subject, finding.ok) for finding in findings] == [
        ("part 1", True),
        ("part 2", True),
        ("earlier searched", True),
        ("earlier searched 1", False),
        ("earlier searched 2", True),
        ("earlier searched 1 text", True),
    ]
    assert set(asked) == {"two"}  # only tasks with the same step
    assert "no near miss of a task with the goal searched would pass" in findings[3].reason
