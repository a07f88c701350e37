"""Replay rules over recorded runs: where each would have fired, and how close it was elsewhere."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from itertools import combinations
from pathlib import Path
from typing import Any

from garabench.core.condition import Keywords, KeywordSpec, fold
from garabench.core.evaluate import keyword_haystacks
from garabench.core.recorded_facts import RecordedFacts
from garabench.core.rule import BoundRule
from garabench.core.tree import UiTree
from garabench.errors import InputError
from garabench.records.episode import RecordedObservation
from garabench.records.reader import load_run
from garabench.records.recorded_screen import RecordedScreen
from garabench.records.recorded_screens import read_screens
from garabench.records.run_layout import EVENTS, RUN_FILE
from garabench.rules.engine import foreground
from garabench.rules.keyword_automaton import KeywordIndex
from garabench.rules.match import KeywordSets, ScreenReading, Test, compile_condition, keyword_specs
from garabench.rules.schedule import EpisodeProgress, due_by_count


@dataclass(frozen=True, slots=True)
class ReplayedScreen:
    """A recorded screen.

    Attributes:
        episode: The episode, as ``task/agent/condition/seed``; the file's name for a single tree.
        screen: The screen.
    """

    episode: str
    screen: RecordedScreen


@dataclass(frozen=True, slots=True)
class ThresholdCurve:
    """On how many screens a rule's conditions would hold with other thresholds.

    Attributes:
        keywords: The number of keywords.
        threshold: The rule's threshold.
        screens: The number of screens on which at least 1, 2, … of the keywords are found, and the rule's
            other conditions hold.
    """

    keywords: int
    threshold: float
    screens: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class RuleReplay:
    """What a rule would have done in the recorded episodes.

    Attributes:
        rule: Its id.
        app: Its app.
        seen: Number of screens of its app.
        holds: Number of these on which its conditions hold.
        unknown: Number of these on which that is unknown, because the record lacks a fact.
        fires: The first screen in each episode on which it would have fired: episode and step.
        curve: For a rule with keywords that must hold, other thresholds.
        largest_share: The largest share of its keywords on a screen of its app; None without keywords.
    """

    rule: str
    app: str
    seen: int
    holds: int
    unknown: int
    fires: tuple[tuple[str, int | None], ...]
    curve: ThresholdCurve | None = None
    largest_share: float | None = None

    @property
    def never(self) -> bool:
        """Whether its app was seen and its conditions never held."""
        return self.seen > 0 and self.holds == 0 and self.unknown == 0

    @property
    def everywhere(self) -> bool:
        """Whether its conditions hold on every screen of its app."""
        return self.seen > 1 and self.holds == self.seen


@dataclass(frozen=True, slots=True)
class ReplayResult:
    """The result of a replay.

    Attributes:
        screens: Number of screens.
        trees: Number of different trees.
        episodes: Number of episodes.
        rules: Each rule.
        overlaps: Pairs of rules that hold on the same screens, and the number of screens, most first.
        empty: Number of screens that were skipped, because their trees have no elements.
    """

    screens: int
    trees: int
    episodes: int
    rules: tuple[RuleReplay, ...]
    overlaps: tuple[tuple[str, str, int], ...]
    empty: int = 0


def recorded_screens(run: Path | str) -> Iterator[ReplayedScreen]:
    """Iterate over the screens of a run, of an episode or of a tree file; each different tree is parsed once.

    A screen without elements has an empty tree.

    Args:
        run: The folder of a run or of an episode, or a tree.

    Raises:
        InputError: There is no such record, or it is broken.
    """
    run = Path(run)
    cache: dict[Path, UiTree] = {}

    def open_tree(observation: RecordedObservation) -> UiTree:
        path = observation.tree_path
        if path not in cache:
            cache[path] = observation.open_tree(allow_empty=True)
        return cache[path]

    if not (run / RUN_FILE).is_file():
        if run.is_dir() and not (run / EVENTS).is_file():
            raise InputError(
                f"{run} is neither a run nor a recorded episode: it has no {RUN_FILE} and no {EVENTS}",
                hint="Give the folder of a run, such as runs/NAME, or of an episode,"
                " runs/NAME/episodes/TASK/AGENT/CONDITION/SEED.",
            )
        if run.exists() and not run.is_file() and not run.is_dir():
            raise InputError(f"{run} is not a run", hint="Give the folder of a run, such as runs/NAME.")
        screens = read_screens(run, open_tree) if run.is_dir() else read_screens(run)
        for screen in screens:
            yield ReplayedScreen(run.name, screen)
        return
    for episode in load_run(run).episodes:
        for screen in read_screens(episode.folder, open_tree):
            yield ReplayedScreen(str(episode.key), screen)


def replay_rules(rules: Sequence[BoundRule], screens: Iterable[ReplayedScreen]) -> ReplayResult:
    """Match rules with recorded screens.

    Interruptions that were really injected are on the screens, but have another app in the foreground.

    Args:
        rules: The rules.
        screens: The screens, those of an episode in order.
    """
    matcher = _Matcher(rules)
    tallies = {bound.rule.id: _Tally(bound) for bound in rules}
    overlaps: Counter[tuple[str, str]] = Counter()
    episodes: set[str] = set()
    count = empty = 0
    for each in screens:
        if not each.screen.tree.nodes:
            empty += 1
            continue
        count += 1
        episodes.add(each.episode)
        holding = []
        for bound, match in matcher.matches(each.screen):
            tallies[bound.rule.id].add(each, match)
            if match.holds:
                holding.append(bound.rule.id)
        overlaps.update(combinations(holding, 2))
    return ReplayResult(
        count,
        matcher.trees,
        len(episodes),
        tuple(tally.result for tally in tallies.values()),
        tuple((one, other, times) for (one, other), times in overlaps.most_common()),
        empty,
    )


@dataclass(frozen=True, slots=True)
class _Match:
    """How a rule matches a screen.

    Attributes:
        holds: Whether its conditions hold; None if unknown.
        found: Number of its keywords on the screen, if it has keywords that must hold.
        others_hold: Whether its conditions other than these keywords hold.
    """

    holds: bool | None
    found: int | None = None
    others_hold: bool = False


@dataclass
class _Tally:
    """Counts the screens on which a rule holds."""

    bound: BoundRule
    seen: int = 0
    holds: int = 0
    unknown: int = 0
    fires: list[tuple[str, int | None]] = field(default_factory=list)
    counts: Counter[int] = field(default_factory=Counter)
    most: int = 0
    _fired_in: set[str] = field(default_factory=set)

    def add(self, replayed: ReplayedScreen, match: _Match) -> None:
        self.seen += 1
        self.holds += match.holds is True
        self.unknown += match.holds is None
        if match.found is not None:
            self.most = max(self.most, match.found)
            if match.others_hold:
                self.counts[match.found] += 1
        if match.holds and replayed.episode not in self._fired_in and self._is_due(replayed.screen):
            self._fired_in.add(replayed.episode)
            self.fires.append((replayed.episode, replayed.screen.step))

    def _is_due(self, screen: RecordedScreen) -> bool:
        when = self.bound.rule.when
        if screen.step is None or screen.actions is None:
            return True
        return due_by_count(when, screen.step, EpisodeProgress(screen.actions), None)

    @property
    def result(self) -> RuleReplay:
        spec = main_keywords(self.bound)
        rule = self.bound.rule.id
        if spec is None:
            return RuleReplay(rule, self.bound.app, self.seen, self.holds, self.unknown, tuple(self.fires))
        total = len(spec.of)
        reached = tuple(
            sum(n for found, n in self.counts.items() if found >= least) for least in range(1, total + 1)
        )
        curve = ThresholdCurve(total, spec.threshold, reached)
        return RuleReplay(
            rule,
            self.bound.app,
            self.seen,
            self.holds,
            self.unknown,
            tuple(self.fires),
            curve,
            self.most / total,
        )


def main_keywords(bound: BoundRule) -> KeywordSpec | None:
    """Return the first keywords that a rule requires; None if it requires none."""
    return next((each.keywords for each in bound.rule.when.all if isinstance(each, Keywords)), None)


class _Matcher:
    """Matches many rules with many screens; the result of each different tree is computed once.

    Attributes:
        trees: Number of different trees so far.
    """

    def __init__(self, rules: Sequence[BoundRule]) -> None:
        conditions = [part for bound in rules for part in (*bound.rule.when.all, *bound.rule.when.any)]
        specs = keyword_specs(conditions)
        self._sets = KeywordSets(specs)
        self._index = KeywordIndex({fold(word) for spec in specs for word in spec.of})
        self._by_app: dict[str, list[tuple[BoundRule, Callable[[ScreenReading], _Match]]]] = {}
        for bound in rules:
            self._by_app.setdefault(bound.app, []).append((bound, self._compiled(bound)))
        self.trees = 0

    def matches(self, screen: RecordedScreen) -> list[tuple[BoundRule, _Match]]:
        """Return the match of each rule of the foreground app."""
        facts = RecordedFacts(screen.tree, screen.focus)
        known, focus = screen.tree.derived(self._results), str(screen.focus)
        if focus not in known:
            reading = ScreenReading(facts, self._sets)
            tests = self._by_app.get("any", []) + self._by_app.get(foreground(facts), [])
            known[focus] = [(bound, test(reading)) for bound, test in tests]
        return known[focus]

    @cached_property
    def _results(self) -> Callable[[UiTree], dict[str, list[tuple[BoundRule, _Match]]]]:
        """Return the function that begins the results of a tree, by its focused window."""

        def begin(tree: UiTree) -> dict[str, list[tuple[BoundRule, _Match]]]:
            self.trees += 1
            return {}

        return begin

    def _compiled(self, bound: BoundRule) -> Callable[[ScreenReading], _Match]:
        when, spec = bound.rule.when, main_keywords(bound)
        others = [part for part in when.all if not isinstance(part, Keywords) or part.keywords is not spec]
        tests = [compile_condition(part, self._sets) for part in others]
        choice = [compile_condition(part, self._sets) for part in when.any]
        words = None if spec is None else frozenset(map(fold, spec.of))
        needed = 0.0 if spec is None else spec.needed
        return partial(self._match, tests, choice, words, needed)

    def _match(
        self,
        tests: Sequence[Test],
        choice: Sequence[Test],
        words: frozenset[str] | None,
        needed: float,
        reading: ScreenReading,
    ) -> _Match:
        found = 0 if words is None else len(words & reading.tree.derived(self._found))
        if words is not None and not found:
            return _Match(False, 0)  # neither the verdict nor the curve depends on the other conditions
        others: bool | None = _three_valued([test(reading) for test in tests], every=True)
        if choice:
            either = _three_valued([test(reading) for test in choice], every=False)
            others = _three_valued([others, either], every=True)
        if words is None:
            return _Match(others)
        return _Match(others if found >= needed else False, found, others is True)

    @cached_property
    def _found(self) -> Callable[[UiTree], frozenset[str]]:
        return lambda tree: self._index.found_in(tree.derived(keyword_haystacks))


def _three_valued(verdicts: Sequence[bool | None], *, every: bool) -> bool | None:
    if (not every) in verdicts:
        return not every
    return None if None in verdicts else every


def replay_rows(result: ReplayResult) -> list[dict[str, Any]]:
    """Return the rules of a replay as JSON-compatible data."""
    return [
        {
            "rule": each.rule,
            "app": each.app,
            "screens": each.seen,
            "holds": each.holds,
            "unknown": each.unknown,
            "fires": [{"episode": episode, "step": step} for episode, step in each.fires],
            "never": each.never,
            "everywhere": each.everywhere,
            "largest_share": each.largest_share,
            "curve": None
            if each.curve is None
            else {
                "threshold": each.curve.threshold,
                "screens": {
                    f"{number}/{each.curve.keywords}": screens
                    for number, screens in enumerate(each.curve.screens, start=1)
                },
            },
        }
        for each in result.rules
    ]
