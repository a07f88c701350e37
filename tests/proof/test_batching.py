from __future__ import annotations

from garabench.core.interruption import Mode
from garabench.proof.batching import batch_trials, exit_trials
from garabench.proof.exits import exit_keys
from garabench.suite.suite import Suite
from tests.bundled import bundled_suite
from tests.suite.suites import goal, interruption, rule, suite, task

GOAL = goal("end", {"exists": {"text": "end"}})
ENDS = {"ends_task": "the account is closed"}


def of_rules(**injects: str) -> Suite:
    windows = [
        interruption("plain"),
        interruption("hard", cancelable=False),
        interruption("last", accept=ENDS),
    ]
    rules = [rule(name, inject) for name, inject in injects.items()]
    return suite([GOAL], [task("t", "end", rules=list(injects))], rules, windows)


def subjects(suite_: Suite) -> list[list[str]]:
    return [[one.subject for one in row] for row in batch_trials(exit_trials(suite_.tasks["t"], suite_))]


def test_an_episode_has_one_exit_per_rule_in_one_mode() -> None:
    assert subjects(of_rules(a="plain", b="hard")) == [
        ["a dual dismiss", "b dual dismiss"],
        ["a dual accept", "b dual accept"],
        ["a forced accept", "b forced accept"],
    ]


def test_an_exit_that_ends_the_task_is_never_batched() -> None:
    assert subjects(of_rules(a="plain", b="last")) == [
        ["a dual dismiss", "b dual dismiss"],
        ["a dual accept", "b dual back"],
    ]


def test_a_task_with_one_rule_has_no_batches() -> None:
    assert subjects(of_rules(a="plain")) == []


def test_a_rule_with_several_interruptions_injects_one_per_episode() -> None:
    suite_ = of_rules(a="plain", b="hard")
    several = rule("a", "plain").model_copy(update={"inject": ("plain", "hard", "plain")})
    suite_ = suite(
        [GOAL],
        [task("t", "end", rules=["a", "b"])],
        [several, rule("b", "hard")],
        list(suite_.interruptions.values()),
    )
    every = exit_trials(suite_.tasks["t"], suite_)
    assert [one.subject for one in every if one.rule == "a"] == [
        "a plain dual dismiss",
        "a plain dual accept",
        "a plain dual back",
        "a plain forced accept",
        "a hard dual dismiss",
        "a hard dual accept",
        "a hard forced accept",
    ]
    assert {one.bound.rule.inject for one in every} == {("plain",), ("hard",)}
    for batch in batch_trials(every):
        assert len({one.rule for one in batch}) == len(batch) == 2


def test_a_system_anomaly_has_its_own_episode_in_each_mode() -> None:
    suite_ = of_rules(a="plain", b="hard", turns="it-turns")
    every = exit_trials(suite_.tasks["t"], suite_)
    assert [one.subject for one in every if one.rule == "turns"] == ["turns dual", "turns forced"]
    assert "turns" not in {one.rule for batch in batch_trials(every) for one in batch}


def test_every_exit_in_the_suite_is_performed_in_each_mode_that_offers_it() -> None:
    suite_ = bundled_suite()
    for item in suite_.every_task.values():
        every = exit_trials(item, suite_)
        names = [one.subject for one in every]
        assert len(set(names)) == len(names)
        shared = [one.subject for batch in batch_trials(every) for one in batch]
        assert len(set(shared)) == len(shared)
        for bound in suite_.rules_of(item):
            performed = {(one.exit.mode, one.exit.keys) for one in every if one.rule == bound.rule.id}
            offered = exit_keys(suite_.interruptions[bound.rule.inject[0]], suite_.interruptions)
            assert set(offered) == set(Mode) and all(offered.values())
            assert performed == {(mode, keys) for mode, keys_of in offered.items() for keys in keys_of}
