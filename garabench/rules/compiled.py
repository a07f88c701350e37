"""Rules' conditions compiled for many rules at once: whether they hold, without the words for why.

What can be looked up is looked up: keyword sets are counted together from one reading of the screen, and
elements are found by the tree's indexes. The outcome is the same as `garabench.core.verdict.evaluate` gives.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cached_property, partial
from typing import Any

from garabench.core.condition import Absent, AllOf, AnyOf, Exists, Keywords, KeywordSpec, Not, fold
from garabench.core.rule import When
from garabench.core.selector import Selector, find
from garabench.core.verdict import Facts, evaluate, keyword_haystacks
from garabench.rules.match import KeywordIndex

_ROUNDING = 1e-9


class KeywordSets:
    """The keyword sets of many rules; equal ones are one."""

    def __init__(self, specs: Iterable[KeywordSpec]) -> None:
        """Compile.

        Args:
            specs: Every set that will be asked for.
        """
        self._numbers: dict[tuple[frozenset[str], float], int] = {}
        self._needed: list[float] = []
        self._users: dict[str, list[int]] = {}
        for spec in specs:
            words = frozenset(map(fold, spec.of))
            number = self._numbers.setdefault((words, spec.threshold), len(self._needed))
            if number == len(self._needed):
                self._needed.append(spec.threshold * len(words) - _ROUNDING)
                for word in words:
                    self._users.setdefault(word, []).append(number)
        self._index = KeywordIndex(self._users)

    def number(self, spec: KeywordSpec) -> int:
        """The number of a set."""
        return self._numbers[frozenset(map(fold, spec.of)), spec.threshold]

    def met(self, texts: Sequence[str]) -> frozenset[int]:
        """The sets of which enough words are in the (folded) texts; only words that are there are counted."""
        counts: dict[int, int] = {}
        for word in self._index.found_in(texts):
            for number in self._users[word]:
                counts[number] = counts.get(number, 0) + 1
        return frozenset(number for number, count in counts.items() if count >= self._needed[number])


class Reading:
    """One screen, as compiled conditions read it."""

    def __init__(self, facts: Facts, sets: KeywordSets) -> None:
        """A screen.

        Args:
            facts: The screen.
            sets: The keyword sets of the conditions that will be asked.
        """
        self.facts = facts
        self.tree = facts.tree
        self._sets = sets

    @cached_property
    def met(self) -> frozenset[int]:
        """The keyword sets that the screen meets."""
        return self._sets.met(self.tree.derived(keyword_haystacks))


Test = Callable[[Reading], bool | None]


def keyword_specs(conditions: Iterable[Any]) -> list[KeywordSpec]:
    """The keyword sets of conditions, nested ones too."""
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
    """Whether a rule's conditions hold; None when that could not be established."""
    tests = [compile_condition(each, sets) for each in when.all]
    if when.any:
        tests.append(partial(_any, [compile_condition(each, sets) for each in when.any]))
    return tests[0] if len(tests) == 1 else partial(_all, tests)


def compile_condition(condition: Any, sets: KeywordSets) -> Test:
    """Whether a condition holds; None when that could not be established.

    Args:
        condition: One of the models of `garabench.core.condition`.
        sets: Holds the condition's keyword sets.
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


def _met(number: int, reading: Reading) -> bool:
    return number in reading.met


def _exists(selector: Selector, reading: Reading) -> bool:
    return bool(find(reading.tree, selector))


def _absent(selector: Selector, reading: Reading) -> bool:
    return not find(reading.tree, selector)


def _evaluated(condition: Any, reading: Reading) -> bool | None:
    return evaluate(condition, reading.facts).holds


def _all(tests: Sequence[Test], reading: Reading) -> bool | None:
    unknown = False
    for test in tests:
        holds = test(reading)
        if holds is False:
            return False
        unknown = unknown or holds is None
    return None if unknown else True


def _any(tests: Sequence[Test], reading: Reading) -> bool | None:
    unknown = False
    for test in tests:
        holds = test(reading)
        if holds:
            return True
        unknown = unknown or holds is None
    return None if unknown else False


def _not(test: Test, reading: Reading) -> bool | None:
    holds = test(reading)
    return None if holds is None else not holds
