"""Decide whether a rule fires on an observation.

A rule is drawn once each time its conditions become true; the result applies until they become false. Each
draw has its own sub-seed of (run seed, episode, rule, number of the appearance), so that adding a rule to a
file does not affect the others. Probability 1 always fires.

If a run requests a number of interruptions, rules may fire again, and so may other rules of the app: the
least injected interruption takes precedence, and the seed decides ties.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from garabench.core.evaluate import Facts, evaluate
from garabench.core.rule import BoundRule, Rule
from garabench.core.seeds import generator
from garabench.core.window_order import top_app_window
from garabench.rules.match import KeywordSets, ScreenReading, compile_when, keyword_specs
from garabench.rules.schedule import (
    EPISODE_START,
    Baseline,
    EpisodeProgress,
    baseline,
    due_by_count,
    due_by_time,
    due_reasons,
)


@dataclass(frozen=True, slots=True)
class Firing:
    """A rule that fires.

    Attributes:
        rule: The rule.
        reason: The reason, in words.
    """

    rule: Rule
    reason: str


class RuleEngine:
    """A compiled set of rules."""

    def __init__(
        self, rules: Sequence[BoundRule], *, seed: int, episode: str, additional: Sequence[BoundRule] = ()
    ) -> None:
        """Compile the rules.

        Args:
            rules: The rules, in file order.
            seed: The run's seed.
            episode: The key of the episode within the run.
            additional: Additional rules that only `decide_extended` considers.
        """
        self._seed = seed
        self._episode = episode
        order = sorted(range(len(rules)), key=lambda place: (-rules[place].rule.priority, place))
        self._by_app: dict[str, list[BoundRule]] = {}
        for place in order:
            self._by_app.setdefault(rules[place].app, []).append(rules[place])
        self._rank = {id(rules[place]): rank for rank, place in enumerate(order)}
        known = {bound.rule.id for bound in rules}
        self._every = (*rules, *(bound for bound in additional if bound.rule.id not in known))
        self._sets = KeywordSets(
            keyword_specs(
                part for bound in self._every for part in (*bound.rule.when.all, *bound.rule.when.any)
            )
        )
        self._tests = {id(bound): compile_when(bound.rule.when, self._sets) for bound in self._every}
        self._scheduled = {id(bound) for bound in self._every if bound.rule.when.scheduled}
        # For rules with a probability: how often they became true, and which were true last time.
        self._appearances: dict[str, int] = {}
        self._holding: frozenset[str] = frozenset()
        self._marks: dict[str, Baseline] = {}
        self._injected: Counter[str] = Counter()

    def decide(
        self,
        facts: Facts,
        step: int,
        fired: frozenset[str] = frozenset(),
        progress: EpisodeProgress = EPISODE_START,
    ) -> Firing | None:
        """Return the rule that fires on a screen, or None; call it for an episode's screens in order.

        Args:
            facts: The screen; only rules of the foreground app are evaluated.
            step: Number of the step, from 0.
            fired: Ids of the rules that have fired in this episode.
            progress: The progress of the episode.
        """
        package = foreground(facts)
        candidates = self._by_app.get("any", []) + (self._by_app.get(package, []) if package != "any" else [])
        candidates.sort(key=lambda bound: self._rank[id(bound)])
        reading = ScreenReading(facts, self._sets)
        holding: set[str] = set()
        first: Rule | None = None
        for bound in candidates:
            rule = bound.rule
            if rule.once and rule.id in fired:
                continue
            certain = rule.probability >= 1
            # Rules with a probability are evaluated even after another has won: they may have become true.
            if (certain and first is not None) or not self._holds(bound, reading, step, progress):
                continue
            if not certain:
                holding.add(rule.id)
                if rule.id not in self._holding:
                    self._appearances[rule.id] = self._appearances.get(rule.id, 0) + 1
            if first is None and (certain or self._drawn(rule)):
                first = rule
        self._holding = frozenset(holding)
        return None if first is None else self._fires(first, facts, step, progress)

    def decide_extended(
        self, facts: Facts, step: int, progress: EpisodeProgress = EPISODE_START
    ) -> Firing | None:
        """Return a rule that holds on a screen, regardless of earlier firings and probability, or None.

        Of several rules, those whose interruption was injected least often are eligible, and one is drawn.

        Args:
            facts: The screen.
            step: Number of the step, from 0.
            progress: The progress of the episode.
        """
        package = foreground(facts)
        reading = ScreenReading(facts, self._sets)
        found = [
            bound.rule
            for bound in self._every
            if bound.app in ("any", package) and self._holds(bound, reading, step, progress)
        ]
        if not found:
            return None
        times = {rule.id: max(self._injected[name] for name in rule.inject) for rule in found}
        least = [rule for rule in found if times[rule.id] == min(times.values())]
        number = self._injected.total()
        drawn = generator(self._seed, "again", self._episode, number).choice(least)
        return self._fires(drawn, facts, step, progress)

    def _holds(self, bound: BoundRule, reading: ScreenReading, step: int, progress: EpisodeProgress) -> bool:
        """Return whether a rule is due and its conditions hold; the device's clock is read last."""
        when, test = bound.rule.when, self._tests[id(bound)]
        if id(bound) not in self._scheduled:
            return step >= when.min_step and bool(test(reading))
        last = self._marks.get(bound.rule.id)
        if not due_by_count(when, step, progress, last) or not test(reading):
            return False
        return due_by_time(when, progress, last)

    def _fires(self, rule: Rule, facts: Facts, step: int, progress: EpisodeProgress) -> Firing:
        if rule.when.scheduled:
            self._marks[rule.id] = baseline(rule.when, progress)
        self._injected.update(rule.inject)
        return Firing(rule, "; ".join([*due_reasons(rule.when, step, progress), *_why(rule, facts)]))

    def _drawn(self, rule: Rule) -> bool:
        number = self._appearances[rule.id]
        return generator(self._seed, "rule", self._episode, rule.id, number).random() < rule.probability


def foreground(facts: Facts) -> str:
    """Return the focused package, or else that of the topmost window that is not the system's."""
    if facts.focus is not None and facts.focus.package:
        return facts.focus.package
    window = top_app_window(facts.tree)
    return "" if window is None else next((node.package for node in window.walk() if node.package), "")


def _why(rule: Rule, facts: Facts) -> list[str]:
    """Return the reasons why a rule's conditions hold."""
    reasons = [evaluate(part, facts).reason for part in rule.when.all]
    verdicts = (evaluate(part, facts) for part in rule.when.any)
    reasons += [verdict.reason for verdict in verdicts if verdict.holds][:1]
    return reasons
