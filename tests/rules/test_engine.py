from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from garabench.core.condition import fold
from garabench.core.evaluate import found_keywords
from garabench.core.observation import Focus
from garabench.core.rule import BoundRule, Rule
from garabench.core.tree import UiNode, UiTree
from garabench.rules.engine import RuleEngine
from garabench.rules.keyword_automaton import KeywordIndex
from tests.cases import every_case

APP = "a.b"


class Screen:
    """Facts of a screen with these texts."""

    answer = None

    def __init__(self, *texts: str, package: str = APP) -> None:
        nodes = tuple(UiNode(text=text, package=package) for text in texts)
        self.tree = UiTree((UiNode(package=package, children=nodes),))
        self.focus = Focus(package, f"{package}.Main")

    def setting(self, namespace: str, key: str) -> str | None:
        return None

    def package_state(self, package: str, state: str) -> bool | None:
        return None

    def content(self, uri: str) -> str | None:
        return None


def rule(name: str = "r", words: Sequence[str] = ("one", "two"), **more: object) -> BoundRule:
    when = {"all": [{"keywords": {"of": list(words), "threshold": more.pop("threshold", 0.5)}}]}
    when["min_step"] = more.pop("min_step", 0)  # type: ignore[assignment]
    data = {"id": name, "description": "a rule", "inject": "x", "when": when, **more}
    return BoundRule(Rule.model_validate(data), APP)


def engine(*rules: BoundRule, seed: int = 0) -> RuleEngine:
    return RuleEngine(rules, seed=seed, episode="e")


def test_the_threshold_is_the_share_of_keywords() -> None:
    assert engine(rule()).decide(Screen("number ONE"), 0)
    assert not engine(rule(threshold=0.6)).decide(Screen("number one"), 0)
    assert not engine(rule()).decide(Screen("nothing"), 0)


def test_min_step_once_and_the_app_are_checked() -> None:
    assert not engine(rule(min_step=2)).decide(Screen("one"), 1)
    assert engine(rule(min_step=2)).decide(Screen("one"), 2)
    assert not engine(rule()).decide(Screen("one"), 0, frozenset({"r"}))
    assert engine(rule(once=False)).decide(Screen("one"), 0, frozenset({"r"}))
    assert not engine(rule()).decide(Screen("one", package="other.app"), 0)


def test_the_highest_priority_wins_then_the_first_in_file_order() -> None:
    firing = engine(rule("first"), rule("second"), rule("urgent", priority=5)).decide(Screen("one"), 0)
    assert firing is not None
    assert firing.rule.id == "urgent"
    firing = engine(rule("first"), rule("second")).decide(Screen("one"), 0)
    assert firing is not None
    assert firing.rule.id == "first"


def lasting(probability: float, seed: int, steps: int = 5) -> list[bool]:
    """Return the steps at which a rule fires on an unchanging screen."""
    one = engine(rule(probability=probability), seed=seed)
    return [one.decide(Screen("one"), step) is not None for step in range(steps)]


def appearances(probability: float, count: int) -> list[bool]:
    """Return the appearances of a screen at which a rule fires."""
    one, drawn = engine(rule(probability=probability)), []
    for number in range(count):
        drawn.append(one.decide(Screen("one"), 2 * number) is not None)
        assert one.decide(Screen("other"), 2 * number + 1) is None
    return drawn


def by_lasting(number: int, probability: float) -> bool:
    return any(lasting(probability, number))


def by_seed(number: int, probability: float) -> bool:
    return engine(rule(probability=probability), seed=number).decide(Screen("one"), 0) is not None


def by_episode(number: int, probability: float) -> bool:
    one = RuleEngine([rule(probability=probability)], seed=0, episode=f"task-{number}/dual/0")
    return one.decide(Screen("one"), 0) is not None


def by_rule(number: int, probability: float) -> bool:
    return engine(rule(f"r{number}", probability=probability)).decide(Screen("one"), 0) is not None


@every_case("draw", [by_lasting, by_seed, by_episode, by_rule])
@every_case("probability", [0.05, 0.25, 0.5, 0.75, 0.95])
def test_rules_fire_with_their_probability(draw: Callable[[int, float], bool], probability: float) -> None:
    n = 1500
    fired = sum(draw(number, probability) for number in range(n))
    # Four standard deviations; a draw of random()*2, as elsewhere, would be 19 away at 0.5.
    assert abs(fired - n * probability) < 4 * math.sqrt(n * probability * (1 - probability))


@pytest.mark.parametrize("draw", [by_lasting, by_seed, by_episode, by_rule])
def test_probability_1_always_fires(draw: Callable[[int, float], bool]) -> None:
    assert all(draw(number, 1.0) for number in range(300))


@pytest.mark.parametrize("probability", [0.05, 0.5, 0.95])
def test_each_appearance_is_drawn_independently(probability: float) -> None:
    fired = appearances(probability, 1500)
    spread = math.sqrt(1500 * probability * (1 - probability))
    assert abs(sum(fired) - 1500 * probability) < 4 * spread
    both = probability**2
    pairs = sum(a and b for a, b in itertools.pairwise(fired))
    assert abs(pairs - 1500 * both) < 6 * math.sqrt(1500 * both * (1 - both))


@given(st.integers(0, 10_000), st.floats(0.01, 1))
def test_a_draw_applies_while_the_conditions_hold(seed: int, probability: float) -> None:
    assert len(set(lasting(probability, seed))) == 1


def test_an_appearance_begins_after_another_app_and_at_min_step() -> None:
    drawn = appearances(0.5, 40)
    one = engine(rule(probability=0.5, min_step=1))
    assert one.decide(Screen("one"), 0) is None
    again = []
    for step in range(1, 41):
        again.append(one.decide(Screen("one"), step) is not None)
        one.decide(Screen("one", package="other.app"), step)
    assert again == drawn
    assert len(set(drawn)) == 2


def test_a_rule_that_lost_to_another_keeps_its_draw() -> None:
    drawn = appearances(0.5, 40)
    one = engine(rule("urgent", priority=5), rule(probability=0.5))
    for number, fires in enumerate(drawn):
        first = one.decide(Screen("one"), 3 * number)
        assert first is not None and first.rule.id == "urgent"
        assert (one.decide(Screen("one"), 3 * number + 1, frozenset({"urgent"})) is not None) == fires
        one.decide(Screen("other"), 3 * number + 2)


def test_another_rule_does_not_affect_a_rules_draws() -> None:
    alone, beside = engine(rule(probability=0.5)), engine(rule(probability=0.5), rule("z", words=["absent"]))
    for step in range(100):
        screen = Screen("one" if step % 2 else "other")
        assert (alone.decide(screen, step) is None) == (beside.decide(screen, step) is None)


_words = st.text(st.sampled_from("ab c中文"), min_size=1, max_size=4).map(fold).filter(bool)


@given(st.lists(_words, max_size=12), st.lists(_words, max_size=8))
def test_the_index_and_a_scan_find_the_same_keywords(words: list[str], texts: list[str]) -> None:
    assert KeywordIndex(words).found_in(texts) == frozenset(found_keywords(words, texts))
