"""Explain why a rule fires on a screen or not: each condition with what was found."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from pydantic import BaseModel

from garabench.core.condition import (
    AllOf,
    AnyOf,
    Contains,
    Equals,
    Exists,
    IsChecked,
    IsSelected,
    Keywords,
    Matches,
    Not,
)
from garabench.core.evaluate import Facts, evaluate, found_keywords, keyword_haystacks
from garabench.core.rule import BoundRule, When
from garabench.core.selector import Selector
from garabench.rules.closest_text import ClosestText, closest_text, screen_texts
from garabench.rules.engine import foreground
from garabench.rules.schedule import EpisodeProgress, describe_count
from garabench.rules.selector_failure import selector_failure


@dataclass(frozen=True, slots=True)
class KeywordShare:
    """The share of a rule's keywords that are on a screen.

    Attributes:
        found, missing: The keywords.
        threshold: The required share.
        closest: For each missing keyword, the closest text on the screen, if any is similar.
    """

    found: tuple[str, ...]
    missing: tuple[str, ...]
    threshold: float
    closest: tuple[ClosestText, ...] = ()

    @property
    def share(self) -> float:
        """The share that was found, from 0 to 1."""
        return len(self.found) / (len(self.found) + len(self.missing))


@dataclass(frozen=True, slots=True)
class Clause:
    """One requirement of a rule on a screen.

    Attributes:
        name: ``screen``, ``app``, ``min_step``, ``at_step``, ``after_action``, ``after_seconds``, ``once``,
            or the condition's key.
        holds: Whether it holds; None if the recorded screen does not show it.
        reason: What was found.
        needed: The rule's list that contains it: ``all`` or ``any``.
        keywords: The share of keywords found, for a condition on keywords.
        parts: The parts of a combined condition.
        closest: For the failing part of a selector that selects nothing, the closest texts on the screen.
    """

    name: str
    holds: bool | None
    reason: str
    needed: str = "all"
    keywords: KeywordShare | None = None
    parts: tuple[Clause, ...] = ()
    closest: tuple[ClosestText, ...] = ()


@dataclass(frozen=True, slots=True)
class Explanation:
    """Why a rule fires on a screen, or why not.

    Attributes:
        rule: Its id.
        fires: Whether its conditions hold; None if the recorded screen does not show it.
        probability: The probability that it fires when its conditions hold.
        parts: Its requirements.
    """

    rule: str
    fires: bool | None
    probability: float
    parts: tuple[Clause, ...]


def explain_rule(
    bound: BoundRule,
    facts: Facts,
    step: int | None,
    *,
    fired: bool = False,
    actions: Mapping[str, int] | None = None,
    closest: bool = True,
) -> Explanation:
    """Evaluate a rule on a screen.

    Args:
        bound: The rule.
        facts: The screen.
        step: Number of the step, from 0; None if it is unknown, as for a single tree.
        fired: Whether the rule has already fired in this episode.
        actions: Number of actions by kind since it last fired or the episode began; None if unknown.
        closest: Whether to look for the closest texts, which takes most of the time.
    """
    rule = bound.rule
    if not facts.tree.nodes:
        nothing = Clause("screen", False, "its tree has no elements, so nothing can match")
        return Explanation(rule.id, False, rule.probability, (nothing,))
    parts = [_app(bound.app, foreground(facts)), _min_step(rule.when.min_step, step)]
    parts += _schedule(rule.when, step, None if actions is None else EpisodeProgress(actions))
    if rule.once and fired:
        parts.append(Clause("once", False, "it has fired in this episode"))
    parts += [_part(each, facts, "all", closest) for each in rule.when.all]
    choice = [_part(each, facts, "any", closest) for each in rule.when.any]
    verdicts = [part.holds for part in parts]
    if choice:
        verdicts.append(_either([part.holds for part in choice]))
    return Explanation(rule.id, _every(verdicts), rule.probability, (*parts, *choice))


def _app(wanted: str, actual: str) -> Clause:
    if wanted == "any":
        return Clause("app", True, "for every app")
    package = actual or "no app"
    return Clause(
        "app",
        actual == wanted,
        f"{package} is in the foreground" + ("" if actual == wanted else f", not {wanted}"),
    )


def _min_step(least: int, step: int | None) -> Clause:
    if step is None:
        return Clause("min_step", True, f"not checked for a single tree (from step {least} on)")
    return Clause("min_step", step >= least, f"step {step}, due from step {least} on")


def _schedule(when: When, step: int | None, progress: EpisodeProgress | None) -> Iterator[Clause]:
    """Yield the clauses of a rule's schedule; whether it is due for a single tree is unknown."""
    if when.at_step is not None:
        current = f"step {step}" if step is not None else "a single tree has no step"
        holds = None if step is None else step >= when.at_step
        yield Clause("at_step", holds, f"{current}, due at step {when.at_step}")
    if (after := when.after_action) is not None:
        if progress is None:
            yield Clause("after_action", None, "a single tree has no earlier actions")
        else:
            yield Clause(
                "after_action", progress.count(after) >= after.at_least, describe_count(after, progress)
            )
    if when.after_seconds is not None:
        reason = f"the time on the device is unknown, due after {when.after_seconds:g} s"
        yield Clause("after_seconds", None, reason)


def explain_condition(condition: BaseModel, facts: Facts) -> Clause:
    """Evaluate a condition with all its parts.

    Args:
        condition: One of the models of `garabench.core.condition`.
        facts: The screen.
    """
    return _part(condition, facts, "all", closest=True)


def _part(condition: BaseModel, facts: Facts, needed: str, closest: bool) -> Clause:
    name = next(field.alias or key for key, field in type(condition).model_fields.items())
    verdict = evaluate(condition, facts)
    share: KeywordShare | None = None
    parts: tuple[Clause, ...] = ()
    match condition:
        case Keywords():
            spec = condition.keywords
            found = found_keywords(spec.of, keyword_haystacks(facts.tree))
            missing = tuple(word for word in spec.of if word not in found)
            texts = facts.tree.derived(screen_texts)
            candidates = (closest_text(word, texts, case=False) for word in missing) if closest else ()
            near_words = tuple(each for each in candidates if each is not None)
            share = KeywordShare(found, missing, spec.threshold, near_words)
        case AllOf():
            parts = tuple(_part(each, facts, "all", closest) for each in condition.all)
        case AnyOf():
            parts = tuple(_part(each, facts, "any", closest) for each in condition.any)
        case Not():
            parts = (_part(condition.not_, facts, "all", closest),)
    wanted = _selector_of(condition) if closest and verdict.holds is False else None
    failure = None if wanted is None else selector_failure(wanted, facts.tree)
    if wanted is None or failure is None:
        return Clause(name, verdict.holds, verdict.reason, needed, share, parts)
    several = len(wanted.model_fields_set) > 1  # otherwise the verdict's reason says it
    reason = f"{verdict.reason}: {failure.reason}" if several else verdict.reason
    return Clause(name, verdict.holds, reason, needed, share, parts, failure.closest)


def _selector_of(condition: BaseModel) -> Selector | None:
    """Return the selector of a condition that requires an element; None for another condition."""
    match condition:
        case Exists():
            return condition.exists
        case IsSelected():
            return condition.selected
        case IsChecked():
            return condition.checked
        case Equals():
            return condition.equals.select
        case Contains():
            return condition.contains.select
        case Matches():
            return condition.matches.select
        case _:
            return None


def _every(verdicts: list[bool | None]) -> bool | None:
    if False in verdicts:
        return False
    return None if None in verdicts else True


def _either(verdicts: list[bool | None]) -> bool | None:
    if True in verdicts:
        return True
    return None if None in verdicts else False
