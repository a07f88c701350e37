from __future__ import annotations

from collections.abc import Mapping

from hypothesis import given
from hypothesis import strategies as st

from garabench.core.rule import AfterAction, BoundRule, Rule, When
from garabench.rules.engine import RuleEngine
from garabench.rules.schedule import Baseline, EpisodeProgress, describe_count, due_by_count, due_by_time
from tests.cases import every_case
from tests.rules.test_engine import APP, Screen, rule


def bound(name: str, when: Mapping[str, object], **more: object) -> BoundRule:
    data = {"id": name, "description": "a rule", "inject": name, "when": when, **more}
    return BoundRule(Rule.model_validate(data), APP)


def progress(seconds: float = 0, **actions: int) -> EpisodeProgress:
    return EpisodeProgress(actions, lambda: seconds)


def fires(engine: RuleEngine, step: int, then: EpisodeProgress, *fired: str, package: str = APP) -> str:
    firing = engine.decide(Screen("one", package=package), step, frozenset(fired), then)
    return "" if firing is None else firing.rule.id


@every_case(
    ("when", "step", "then", "due"),
    [
        ({"at_step": 3}, 2, progress(), False),
        ({"at_step": 3}, 3, progress(), True),
        ({"at_step": 3}, 7, progress(), True),
        ({"after_action": {"kind": "tap", "at_least": 2}}, 9, progress(tap=1, type=5), False),
        ({"after_action": {"kind": "tap", "at_least": 2}}, 2, progress(tap=2), True),
        ({"after_action": {"at_least": 3}}, 3, progress(tap=2, scroll=1), True),
        ({"after_action": {"at_least": 3}}, 3, progress(seen=3), True),
        ({"after_action": {"kind": "tap"}}, 3, progress(seen=3), False),
        ({"after_seconds": 20}, 1, progress(19.9), False),
        ({"after_seconds": 20}, 1, progress(20), True),
        ({"at_step": 1, "after_seconds": 20}, 0, progress(30), False),
        (
            {"at_step": 1, "after_action": {"kind": "back"}, "after_seconds": 20},
            1,
            progress(30, back=1),
            True,
        ),
        ({"at_step": 1, "min_step": 4}, 3, progress(), False),
    ],
)
def test_a_schedule_without_conditions_decides_alone(
    when: dict[str, object], step: int, then: EpisodeProgress, due: bool
) -> None:
    assert fires(RuleEngine([bound("r", when)], seed=0, episode="e"), step, then) == ("r" if due else "")


def test_all_fields_must_hold_with_the_app_in_the_foreground() -> None:
    when = {"all": [{"keywords": {"of": ["two"]}}], "at_step": 0}
    assert fires(RuleEngine([bound("r", when)], seed=0, episode="e"), 5, progress()) == ""
    one = RuleEngine([bound("r", {"at_step": 1})], seed=0, episode="e")
    assert fires(one, 1, progress(), package="other.app") == ""
    assert fires(one, 2, progress()) == "r"


def test_at_step_fires_once_even_if_rules_may_repeat() -> None:
    engine = RuleEngine([bound("r", {"at_step": 1})], seed=0, episode="e")
    assert fires(engine, 1, progress()) == "r"
    assert engine.decide_extended(Screen("one"), 2, progress()) is None


def test_counts_of_actions_and_seconds_restart_after_each_firing() -> None:
    when = {"after_action": {"kind": "tap", "at_least": 2}, "after_seconds": 10}
    engine = RuleEngine([bound("r", when, once=False)], seed=0, episode="e")
    seen = [
        fires(engine, step, progress(seconds, tap=taps), "r")
        for step, (seconds, taps) in enumerate([(5, 2), (12, 3), (15, 4), (21, 4), (22, 5), (40, 7)])
    ]
    assert seen == ["", "r", "", "", "r", "r"]


def test_the_devices_clock_is_read_only_if_all_else_holds() -> None:
    reads: list[int] = []

    def seconds() -> float:
        reads.append(1)
        return 100.0

    when = {"all": [{"keywords": {"of": ["one"]}}], "after_action": {}, "after_seconds": 5}
    engine = RuleEngine([rule("plain", words=["no"]), bound("r", when)], seed=0, episode="e")
    assert engine.decide(Screen("one"), 0, progress=EpisodeProgress({}, seconds)) is None
    assert engine.decide(Screen("two"), 1, progress=EpisodeProgress({"tap": 1}, seconds)) is None
    assert reads == []
    assert engine.decide(Screen("one"), 1, progress=EpisodeProgress({"tap": 1}, seconds)) is not None


def test_the_reason_names_the_schedule_and_the_screen() -> None:
    when = {
        "all": [{"package": APP}],
        "at_step": 1,
        "after_action": {"kind": "tap", "at_least": 2},
        "after_seconds": 5,
    }
    engine = RuleEngine([bound("r", when)], seed=0, episode="e")
    firing = engine.decide(Screen("one"), 4, progress=progress(7.25, tap=3))
    assert firing is not None
    assert firing.reason.split("; ")[:3] == [
        "step 4, due at step 1",
        "3 actions 'tap', due after 2",
        "7.2 s of the device's time, due after 5 s",
    ]
    assert APP in firing.reason.split("; ")[3]
    assert (
        describe_count(AfterAction(at_least=1), progress(tap=1, back=1))
        == "2 actions of any kind, due after 1"
    )


def test_a_schedule_with_a_probability_is_drawn_when_it_is_due() -> None:
    fired = [
        fires(
            RuleEngine([bound("r", {"at_step": 1}, probability=0.5)], seed=seed, episode="e"), 1, progress()
        )
        for seed in range(200)
    ]
    assert 70 < fired.count("r") < 130
    lasting = RuleEngine([bound("r", {"at_step": 1}, probability=0.001)], seed=0, episode="e")
    assert [fires(lasting, step, progress()) for step in range(1, 6)] == [""] * 5


def test_again_prefers_the_least_injected_and_draws_between_ties() -> None:
    own = rule("own")
    others = [rule("own"), rule("b"), rule("c"), rule("elsewhere", words=["three"])]
    others = [BoundRule(b.rule.model_copy(update={"inject": (b.rule.id,)}), APP) for b in others]
    own = others[0]

    def order(seed: int) -> list[str]:
        engine = RuleEngine([own], seed=seed, episode="e", additional=others)
        assert fires(engine, 0, progress()) == "own"
        assert fires(engine, 1, progress(), "own") == ""  # without a requested number it fires once
        found = [engine.decide_extended(Screen("one"), step, progress()) for step in range(2, 8)]
        return [firing.rule.id for firing in found if firing is not None]

    orders = [order(seed) for seed in range(20)]
    assert orders == [order(seed) for seed in range(20)]
    assert {tuple(sorted(names[:2])) for names in orders} == {("b", "c")}
    assert {tuple(sorted(names[2:5])) for names in orders} == {("b", "c", "own")}
    assert {names[0] for names in orders} == {"b", "c"}


def test_again_considers_only_the_foreground_app() -> None:
    engine = RuleEngine([rule("own")], seed=0, episode="e", additional=[rule("own")])
    assert engine.decide_extended(Screen("one", package="other.app"), 0) is None
    everywhere = BoundRule(rule("own").rule, "any")
    engine = RuleEngine([rule("own")], seed=0, episode="e", additional=[rule("own"), everywhere])
    assert engine.decide_extended(Screen("one"), 0) is not None


@given(
    st.fixed_dictionaries(
        {},
        optional={
            "at_step": st.integers(0, 8),
            "after_action": st.fixed_dictionaries(
                {"kind": st.sampled_from(["any", "tap"]), "at_least": st.integers(1, 4)}
            ),
            "after_seconds": st.integers(1, 30),
            "min_step": st.integers(0, 8),
        },
    ),
    st.integers(0, 10),
    st.integers(0, 6),
    st.integers(0, 60),
)
def test_a_due_rule_stays_due_until_it_fires(
    given_: dict[str, object], step: int, taps: int, seconds: int
) -> None:
    when = When.model_validate({**given_, "all": [{"package": APP}]})

    def due(step: int, taps: int, seconds: int, last: Baseline | None = None) -> bool:
        then = progress(seconds, tap=taps)
        return due_by_count(when, step, then, last) and due_by_time(when, then, last)

    if due(step, taps, seconds):
        assert due(step + 1, taps + 1, seconds + 1)
        if when.scheduled:
            assert not due(step, taps, seconds, Baseline(taps, seconds))
