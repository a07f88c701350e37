"""Compile the conditions of many rules to tests that return only whether they hold, without reasons.

All keyword sets are counted in one scan of the screen, and elements are found through the tree's index. The
result is the same as that of `garabench.core.evaluate.evaluate`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cached_property, partial
from typing import Any

from garabench.core.condition import Absent, AllOf, AnyOf, Exists, Keywords, KeywordSpec, Not, fold
from garabench.core.evaluate import Facts, evaluate, keyword_haystacks
from garabench.core.rule import When
from garabench.core.selector import Selector, find
from garabench.rules.keyword_automaton import KeywordIndex


class KeywordSets:
    """The distinct keyword sets of many rules."""

    def __init__(self, specs: Iterable[KeywordSpec]) -> None:
        """Compile the sets.

        Args:
            specs: Every set that will be looked up.
        """
        self._numbers: dict[tuple[frozenset[str], float], int] = {}
        self._needed: list[float] = []
        self._users: dict[str, list[int]] = {}
        for spec in specs:
            words = frozenset(map(fold, spec.of))
            number = self._numbers.setdefault((words, spec.threshold), len(self._needed))
            if number == len(self._needed):
                self._needed.append(spec.needed)
                for word in words:
                    self._users.setdefault(word, []).append(number)
        self._index = KeywordIndex(self._users)

    def number(self, spec: KeywordSpec) -> int:
        """Return the number of a set."""
        return self._numbers[frozenset(map(fold, spec.of)), spec.threshold]

    def met(self, texts: Sequence[str]) -> frozenset[int]:
        """Return the sets whose thresholds the (folded) texts reach."""
        counts: dict[int, int] = {}
        for word in self._index.found_in(texts):
            for number in self._users[word]:
                counts[number] = counts.get(number, 0) + 1
        return frozenset(number for number, count in counts.items() if count >= self._needed[number])


class ScreenReading:
    """A screen as the compiled conditions read it."""

    def __init__(self, facts: Facts, sets: KeywordSets) -> None:
        """Create a reading.

        Args:
            facts: The screen.
            sets: The keyword sets of the compiled conditions.
        """
        self.facts = facts
        self.tree = facts.tree
        self._sets = sets

    @cached_property
    def met(self) -> frozenset[int]:
        """The keyword sets that the screen meets."""
        return self._sets.met(self.tree.derived(keyword_haystacks))


Test = Callable[[ScreenReading], bool | None]


def keyword_specs(conditions: Iterable[Any]) -> list[KeywordSpec]:
    """Return the keyword sets of conditions, including nested ones."""
    found: list[KeywordSpec] = []
    for condition in conditions:
        match condition:
            case Keywords():
                found.append(condition.keywords)
            case AllOf():
                found += keyword_specs(condition.all)
            case AnyOf():
                found += keyword_specs(condition.any)
            case Not():
                found += keyword_specs([condition.not_])
    return found


def compile_when(when: When, sets: KeywordSets) -> Test:
    """Compile a rule's conditions to a test, which returns None if the result is unknown."""
    tests = [compile_condition(each, sets) for each in when.all]
    if when.any:
        tests.append(partial(_any, [compile_condition(each, sets) for each in when.any]))
    return tests[0] if len(tests) == 1 else partial(_all, tests)


def compile_condition(condition: Any, sets: KeywordSets) -> Test:
    """Compile a condition to a test, which returns None if the result is unknown.

    Args:
        condition: One of the models of `garabench.core.condition`.
        sets: Contains the condition's keyword sets.
    """
    match condition:
        case Keywords():
            return partial(_met, sets.number(condition.keywords))
        case Exists():
            return partial(_exists, condition.exists)
        case Absent():
            return partial(_absent, condition.absent)
        case AllOf():
            return partial(_all, [compile_condition(each, sets) for each in condition.all])
        case AnyOf():
            return partial(_any, [compile_condition(each, sets) for each in condition.any])
        case Not():
            return partial(_not, compile_condition(condition.not_, sets))
        case _:
            return partial(_evaluated, condition)


def _met(number: int, reading: ScreenReading) -> bool:
    return number in reading.met


def _exists(selector: Selector, reading: ScreenReading) -> bool:
    return bool(find(reading.tree, selector))


def _absent(selector: Selector, reading: ScreenReading) -> bool:
    return not find(reading.tree, selector)


def _evaluated(condition: Any, reading: ScreenReading) -> bool | None:
    return evaluate(condition, reading.facts).holds


def _all(tests: Sequence[Test], reading: ScreenReading) -> bool | None:
    unknown = False
    for test in tests:
        holds = test(reading)
        if holds is False:
            return False
        unknown = unknown or holds is None
    return None if unknown else True


def _any(tests: Sequence[Test], reading: ScreenReading) -> bool | None:
    unknown = False
    for test in tests:
        holds = test(reading)
        if holds:
            return True
        unknown = unknown or holds is None
    return None if unknown else False


def _not(test: Test, reading: ScreenReading) -> bool | None:
    holds = test(reading)
    return None if holds is None else not holds
