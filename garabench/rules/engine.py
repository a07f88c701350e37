"""Decide whether a rule fires on an observation.

The engine is a pure function of the observation, the step, what has fired before and the seed. Each draw
comes from its own sub-seed of (run seed, episode, rule, step), so that adding a rule to a file changes
nothing for the others, and probability 1 always fires.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from garabench.core.condition import Keywords, fold
from garabench.core.rule import Rule
from garabench.core.seeds import generator
from garabench.core.tree import UiTree
from garabench.core.verdict import Facts, Verdict, evaluate, keyword_haystacks
from garabench.rules.match import KeywordIndex

_ROUNDING = 1e-9


@dataclass(frozen=True, slots=True)
class BoundRule:
    """A rule and the app whose screens it watches (``any`` for every app)."""

    rule: Rule
    app: str


@dataclass(frozen=True, slots=True)
class Firing:
    """A rule that fires.

    Attributes:
        rule: The rule.
        why: What on the screen made it fire.
    """

    rule: Rule
    why: str


class RuleEngine:
    """A compiled set of rules."""

    def __init__(self, rules: Sequence[BoundRule], *, seed: int, episode: str) -> None:
        """Compile.

        Args:
            rules: In file order.
            seed: The run's seed.
            episode: What tells this episode from the run's others.
        """
        self._seed = seed
        self._episode = episode
        order = sorted(range(len(rules)), key=lambda place: (-rules[place].rule.priority, place))
        self._by_app: dict[str, list[BoundRule]] = {}
        for place in order:
            self._by_app.setdefault(rules[place].app, []).append(rules[place])
        self._rank = {id(rules[place]): rank for rank, place in enumerate(order)}
        self._index = KeywordIndex(
            fold(word)
            for bound in rules
            for part in (*bound.rule.when.all, *bound.rule.when.any)
            if isinstance(part, Keywords)
            for word in part.keywords.of
        )

    def decide(self, facts: Facts, step: int, fired: frozenset[str] = frozenset()) -> Firing | None:
        """The rule that fires on this screen, or None.

        Args:
            facts: The screen; the app in focus decides which rules are asked.
            step: Number of the step, from 0.
            fired: Ids of the rules that have fired in this episode.
        """
        package = foreground(facts)
        candidates = self._by_app.get("any", []) + (self._by_app.get(package, []) if package != "any" else [])
        candidates.sort(key=lambda bound: self._rank[id(bound)])
        found: frozenset[str] | None = None
        for bound in candidates:
            rule = bound.rule
            if step < rule.when.min_step or (rule.once and rule.id in fired):
                continue
            if found is None:
                found = self._index.found_in(keyword_haystacks(facts.tree))
            why = _holds(rule, facts, found)
            if why is not None and self._drawn(rule, step):
                return Firing(rule, why)
        return None

    def _drawn(self, rule: Rule, step: int) -> bool:
        if rule.probability >= 1:
            return True
        return generator(self._seed, "rule", self._episode, rule.id, step).random() < rule.probability


def foreground(facts: Facts) -> str:
    """The package in focus, or else that of the topmost window that is not the system's."""
    if facts.focus is not None and facts.focus.package:
        return facts.focus.package
    return _topmost(facts.tree)


def _topmost(tree: UiTree) -> str:
    return next((node.package for node in reversed(tree.app_nodes) if node.package), "")


def _holds(rule: Rule, facts: Facts, found: frozenset[str]) -> str | None:
    """Why the rule's conditions hold, or None when they do not (or could not be established)."""
    reasons: list[str] = []
    for part in rule.when.all:
        verdict = _verdict(part, facts, found)
        if not verdict.holds:
            return None
        reasons.append(verdict.why)
    if rule.when.any:
        verdicts = (_verdict(part, facts, found) for part in rule.when.any)
        first = next((verdict for verdict in verdicts if verdict.holds), None)
        if first is None:
            return None
        reasons.append(first.why)
    return "; ".join(reasons)


def _verdict(condition: object, facts: Facts, found: frozenset[str]) -> Verdict:
    if not isinstance(condition, Keywords):
        return evaluate(condition, facts)
    words = condition.keywords.of
    there = [word for word in words if fold(word) in found]
    return Verdict(
        len(there) >= condition.keywords.threshold * len(words) - _ROUNDING,
        f"{len(there)} of {len(words)} keywords: {', '.join(there)}",
    )
