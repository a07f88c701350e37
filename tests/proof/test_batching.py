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


def subjects(of: Suite) -> list[list[str]]:
    return [[one.subject for one in row] for row in batch_trials(exit_trials(of.tasks["t"], of))]


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
    of = of_rules(a="plain", b="hard")
    several = rule("a", "plain").model_copy(update={"inject": ("plain", "hard", "plain")})
    of = suite(
        [GOAL],
        [task("t", "end", rules=["a", "b"])],
        [several, rule("b", "hard")],
        list(of.interruptions.values()),
    )
    every = exit_trials(of.tasks["t"], of)
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
    for together in batch_trials(every):
        assert len({one.rule for one in together}) == len(together) == 2


def test_a_system_anomaly_has_its_own_episode_in_each_mode() -> None:
    of = of_rules(a="plain", b="hard", turns="it-turns")
    every = exit_trials(of.tasks["t"], of)
    assert [one.subject for one in every if one.rule == "turns"] == ["turns dual", "turns forced"]
    assert "turns" not in {one.rule for together in batch_trials(every) for one in together}


def test_every_exit_in_the_suite_is_performed_in_each_mode_that_offers_it() -> None:
    of = bundled_suite()
    for item in of.every_task.values():
        every = exit_trials(item, of)
        names = [one.subject for one in every]
        assert len(set(names)) == len(names)
        shared = [one.subject for together in batch_trials(every) for one in together]
        assert len(set(shared)) == len(shared)
        for bound in of.rules_of(item):
            performed = {(one.exit.mode, one.exit.keys) for one in every if one.rule == bound.rule.id}
            offered = exit_keys(of.interruptions[bound.rule.inject[0]], of.interruptions)
            assert set(offered) == set(Mode) and all(offered.values())
            assert performed == {(mode, keys) for mode, ways in offered.items() for keys in ways}
