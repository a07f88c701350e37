"""Expectations: what a typed goal says must be seen, and whether one screen shows it.

An expectation is one part of the goal. A screen *shows* it, *contradicts* it (the thing is there in another
state: the title of another video, an unchecked switch), or does not show the thing at all. Only the last is
not evidence. How expectations add up along the path is decided in `garabench.verifier.offline.tracking`.
"""

from __future__ import annotations

import enum
import itertools
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import Any

from garabench.core.condition import (
    Absent,
    ActivityIs,
    AllOf,
    AnswerIs,
    AnyOf,
    Contains,
    Count,
    CountSpec,
    Earlier,
    Equals,
    Exists,
    IsChecked,
    IsSelected,
    Keywords,
    Matches,
    Not,
    PackageIs,
    fold,
)
from garabench.core.patterns import occurs
from garabench.core.selector import Selector, find, normalize
from garabench.core.tree import UiNode, UiTree
from garabench.verifier.offline.selector_words import selector_words

MAX_BRANCHES = 64
"""Most alternatives of a goal that are followed; a goal with more is judged by its first ones."""
_VALUES = ("text", "text_contains", "text_matches", "desc", "desc_contains", "desc_matches")
_STATES = ("checked", "selected", "enabled")


class ExpectationStatus(enum.Enum):
    """What a screen says about an expectation."""

    SHOWN = "shown"
    CONTRADICTED = "contradicted"
    UNSEEN = "unseen"


class ExpectationKind(enum.Enum):
    """Where the evidence for an expectation is found."""

    SCREEN = "screen"
    """On a screen: an element in a state."""
    GUARD = "guard"
    """On a screen: an element that must not be there."""
    EARLIER = "earlier"
    """On an earlier screen of the path: what the instruction asks for on the way."""
    ANSWER = "answer"
    """In the agent's answer."""
    DEVICE = "device"
    """On no screen of the app: a setting of the system, which the solution's steps change elsewhere."""


@dataclass(frozen=True, slots=True)
class GoalExpectation:
    """One thing that must be seen.

    Attributes:
        kind: Where its evidence is found.
        part: The part of the goal.
        negated: Whether the part must not hold.
        text: What must be seen, in words.
        nested: For an earlier screen, what it must show; otherwise None.
    """

    kind: ExpectationKind
    part: Any
    negated: bool
    text: str
    nested: GoalExpectations | None = None


@dataclass(frozen=True, slots=True)
class GoalExpectations:
    """The expectations of a goal.

    Attributes:
        items: Each expectation once.
        branches: The alternatives; each lists the expectations that have to be seen together.
        naming: The expectations that name an object of the task, such as a title.
    """

    items: tuple[GoalExpectation, ...]
    branches: tuple[tuple[int, ...], ...]
    naming: frozenset[int] = frozenset()

    @property
    def common(self) -> frozenset[int]:
        """The expectations that every alternative needs."""
        return frozenset.intersection(*map(frozenset, self.branches)) if self.branches else frozenset()


def expectations_of(condition: Any, names: Collection[str] = ()) -> GoalExpectations:
    """Return what a condition says must be seen.

    Args:
        condition: One of the models of `garabench.core.condition`.
        names: The names of the task's objects.
    """
    items: list[GoalExpectation] = []
    branches = []
    for branch in itertools.islice(_branches(condition, negated=False), MAX_BRANCHES):
        numbers = []
        for expectation in branch:
            if expectation not in items:
                items.append(expectation)
            numbers.append(items.index(expectation))
        branches.append(tuple(dict.fromkeys(numbers)))
    naming = (at for at, expectation in enumerate(items) if any(name in expectation.text for name in names))
    return GoalExpectations(tuple(items), tuple(branches), frozenset(naming))


def _branches(condition: Any, *, negated: bool) -> Iterator[tuple[GoalExpectation, ...]]:
    """Yield the alternatives of a condition, each as the expectations that it needs."""
    match condition:
        case Not():
            yield from _branches(condition.not_, negated=not negated)
        case AllOf() | AnyOf():
            parts = condition.all if isinstance(condition, AllOf) else condition.any
            if isinstance(condition, AllOf) is not negated:
                choices = [tuple(_branches(part, negated=negated)) for part in parts]
                for chosen in itertools.product(*choices):
                    yield tuple(expectation for branch in chosen for expectation in branch)
            else:
                for part in parts:
                    yield from _branches(part, negated=negated)
        case _:
            yield (_expectation(condition, negated=negated),)


def _expectation(part: Any, *, negated: bool) -> GoalExpectation:
    if isinstance(part, Absent) and negated:
        part, negated = Exists(exists=part.absent), False
    text = f"not: {_words(part)}" if negated else _words(part)
    if isinstance(part, Earlier):
        return GoalExpectation(ExpectationKind.EARLIER, part, negated, text, expectations_of(part.earlier))
    if isinstance(part, AnswerIs):
        return GoalExpectation(ExpectationKind.ANSWER, part, negated, text)
    if isinstance(part, Absent) is not negated and isinstance(part, Absent | Exists | IsSelected | IsChecked):
        return GoalExpectation(ExpectationKind.GUARD, part, negated, text)
    if isinstance(part, Count) and not negated and _admits_none(part.count):
        return GoalExpectation(ExpectationKind.GUARD, part, negated, text)
    if isinstance(
        part,
        Exists
        | Count
        | Equals
        | Contains
        | Matches
        | IsSelected
        | IsChecked
        | Keywords
        | ActivityIs
        | PackageIs,
    ):
        return GoalExpectation(ExpectationKind.SCREEN, part, negated, text)
    return GoalExpectation(ExpectationKind.DEVICE, part, negated, text)


def _admits_none(spec: CountSpec) -> bool:
    """Return whether a number of elements may be zero, so that a screen without any is not evidence."""
    return not spec.equals and not spec.at_least


def _words(part: Any) -> str:
    """Return what must be seen, in words."""
    match part:
        case Earlier():
            nested = expectations_of(part.earlier)
            return "on an earlier screen: " + "; ".join(expectation.text for expectation in nested.items)
        case Exists():
            return f"{selector_words(part.exists)} is shown"
        case Absent():
            return f"{selector_words(part.absent)} is not shown"
        case IsSelected():
            return f"{selector_words(part.selected)} is selected"
        case IsChecked():
            return f"{selector_words(part.checked)} is checked"
        case Count():
            spec = part.count
            names = (("exactly", spec.equals), ("at least", spec.at_least), ("at most", spec.at_most))
            bounds = " and ".join(f"{name} {value}" for name, value in names if value is not None)
            return f"{bounds} × {selector_words(spec.select)}"
        case Equals() | Contains():
            spec_ = part.equals if isinstance(part, Equals) else part.contains
            return f"{selector_words(spec_.select)} has {spec_.attribute} {spec_.value!r}"
        case Matches():
            like = part.matches
            return f"{selector_words(like.select)} has {like.attribute} like {like.pattern!r}"
        case AnswerIs():
            answer = part.answer
            value = answer.value or answer.equals or answer.contains or answer.matches or ""
            return f"the answer is {value!r}"
        case _:
            return " ".join(f"{key} {value}" for key, value in part.model_dump(exclude_none=True).items())


def read_expectation(
    expectation: GoalExpectation, tree: UiTree, package: str, activity: str
) -> ExpectationStatus:
    """Return what a screen says about an expectation.

    Args:
        expectation: The expectation; one of the answer or of the device is on no screen.
        tree: The screen's tree.
        package: Package of the focused window.
        activity: Its activity.
    """
    if expectation.kind in (ExpectationKind.ANSWER, ExpectationKind.DEVICE):
        return ExpectationStatus.UNSEEN
    if expectation.nested is not None:
        return _read_together(expectation.nested, tree, package, activity)
    if expectation.kind is ExpectationKind.GUARD:
        return _read_guard(expectation.part, tree)
    seen = _read_screen(expectation.part, tree, package, activity)
    if not expectation.negated or seen is ExpectationStatus.UNSEEN:
        return seen
    return ExpectationStatus.CONTRADICTED if seen is ExpectationStatus.SHOWN else ExpectationStatus.SHOWN


def _read_together(
    expectations: GoalExpectations, tree: UiTree, package: str, activity: str
) -> ExpectationStatus:
    """Return whether one screen shows all expectations of an alternative."""
    seen = [read_expectation(expectation, tree, package, activity) for expectation in expectations.items]
    for branch in expectations.branches:
        screens = [
            seen[expectation]
            for expectation in branch
            if expectations.items[expectation].kind is ExpectationKind.SCREEN
        ]
        against = any(seen[expectation] is ExpectationStatus.CONTRADICTED for expectation in branch)
        if screens and not against and all(each is ExpectationStatus.SHOWN for each in screens):
            return ExpectationStatus.SHOWN
    return ExpectationStatus.UNSEEN


def _read_guard(part: Any, tree: UiTree) -> ExpectationStatus:
    """Return whether what must not be there is there; a screen that lacks it proves nothing."""
    match part:
        case Absent():
            there = bool(find(tree, part.absent))
        case Exists():
            there = bool(find(tree, part.exists))
        case Count():
            there = _read_count(part.count, tree) is ExpectationStatus.CONTRADICTED
        case IsSelected():
            there = any(node.selected for node in find(tree, part.selected))
        case _:
            there = any(node.checked for node in find(tree, part.checked))
    return ExpectationStatus.CONTRADICTED if there else ExpectationStatus.UNSEEN


def _read_screen(part: Any, tree: UiTree, package: str, activity: str) -> ExpectationStatus:
    match part:
        case Exists():
            if find(tree, part.exists):
                return ExpectationStatus.SHOWN
            return _elsewise(tree, part.exists)
        case Count():
            return _read_count(part.count, tree)
        case IsSelected():
            return _read_nodes(find(tree, part.selected), "selected", True)
        case IsChecked():
            return _read_nodes(find(tree, part.checked), "checked", True)
        case Equals():
            nodes = find(tree, part.equals.select)
            return _of([normalize(part.equals.value) == text for text in _attributes(nodes, part.equals)])
        case Contains():
            nodes = find(tree, part.contains.select)
            return _of([normalize(part.contains.value) in text for text in _attributes(nodes, part.contains)])
        case Matches():
            nodes = find(tree, part.matches.select)
            return _of([occurs(part.matches.pattern, text) for text in _attributes(nodes, part.matches)])
        case Keywords():
            texts = [fold(value) for node in tree.app_nodes for value in (node.text, node.desc, node.entry)]
            joined = "\n".join(texts)
            found = sum(fold(word) in joined for word in part.keywords.of)
            return ExpectationStatus.SHOWN if found >= part.keywords.needed else ExpectationStatus.UNSEEN
        case ActivityIs():
            return _read_activity(part.activity, package, activity)
        case _:
            return ExpectationStatus.SHOWN if package == part.package else ExpectationStatus.UNSEEN


def _attributes(nodes: tuple[UiNode, ...], spec: Any) -> list[str]:
    return [normalize(getattr(node, spec.attribute)) for node in nodes]


def _of(found: list[bool]) -> ExpectationStatus:
    if any(found):
        return ExpectationStatus.SHOWN
    return ExpectationStatus.CONTRADICTED if found else ExpectationStatus.UNSEEN


def _read_nodes(nodes: tuple[UiNode, ...], state: str, wanted: bool) -> ExpectationStatus:
    return _of([getattr(node, state) is wanted for node in nodes])


def _elsewise(tree: UiTree, selector: Selector) -> ExpectationStatus:
    """Return whether the same thing is there in another state or with another text."""
    loose = without_values(selector)
    return (
        ExpectationStatus.CONTRADICTED
        if loose is not None and find(tree, loose)
        else ExpectationStatus.UNSEEN
    )


def without_values(selector: Selector) -> Selector | None:
    """Return a selector of the same thing in any state; None if only its texts and states name it.

    Args:
        selector: The selector.
    """
    fields = {
        name: getattr(selector, name)
        for name in selector.model_fields_set
        if name not in _VALUES and name not in _STATES and getattr(selector, name) is not None
    }
    if not fields.keys() - {"index", "near", "package"}:
        return None
    return Selector(**{("class" if name == "cls" else name): value for name, value in fields.items()})


def _read_count(spec: CountSpec, tree: UiTree) -> ExpectationStatus:
    number = len(find(tree, spec.select))
    fits = (
        (spec.equals is None or number == spec.equals)
        and (spec.at_least is None or number >= spec.at_least)
        and (spec.at_most is None or number <= spec.at_most)
    )
    if fits:
        return ExpectationStatus.SHOWN
    return ExpectationStatus.CONTRADICTED if number else ExpectationStatus.UNSEEN


def _read_activity(pattern: str, package: str, activity: str) -> ExpectationStatus:
    if not activity:
        return ExpectationStatus.UNSEEN
    names = (activity, f"{package}/{activity}", activity.removeprefix(package))
    fits = pattern in names or (pattern.startswith(".") and activity.endswith(pattern))
    fits = fits or (pattern.endswith("*") and any(name.startswith(pattern[:-1]) for name in names))
    return ExpectationStatus.SHOWN if fits else ExpectationStatus.UNSEEN
