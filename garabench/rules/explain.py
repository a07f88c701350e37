"""Tell why a rule fires on a screen, or why it does not: each condition with what was found; pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from pydantic import BaseModel

from garabench.core.condition import AllOf, AnyOf, Keywords, Not
from garabench.core.observation import Focus
from garabench.core.rule import When
from garabench.core.tree import UiTree
from garabench.core.verdict import Facts, evaluate, found_keywords, keyword_haystacks
from garabench.rules.engine import BoundRule, foreground
from garabench.rules.schedule import Past, counted


@dataclass(frozen=True, slots=True)
class KeptFacts:
    """The facts of a screen that was kept; what the device alone could tell is unknown.

    Attributes:
        tree: The screen.
        focus: The window in focus; None where it was not kept.
        answer: None: no rule asks for it before the end.
    """

    tree: UiTree
    focus: Focus | None = None
    answer: str | None = None

    def setting(self, namespace: str, key: str) -> str | None:
        """Unknown."""
        return None

    def package_state(self, package: str, state: str) -> bool | None:
        """Unknown."""
        return None

    def content(self, uri: str) -> str | None:
        """Unknown."""
        return None


@dataclass(frozen=True, slots=True)
class KeywordShare:
    """How many of a rule's keywords a screen has.

    Attributes:
        found, missing: The keywords.
        threshold: Share that has to be found.
    """

    found: tuple[str, ...]
    missing: tuple[str, ...]
    threshold: float

    @property
    def share(self) -> float:
        """The share that was found, from 0 to 1."""
        return len(self.found) / (len(self.found) + len(self.missing))


@dataclass(frozen=True, slots=True)
class Part:
    """One of the things that a rule asks of a screen.

    Attributes:
        name: ``app``, ``min_step``, ``at_step``, ``after_action``, ``after_seconds``, ``once``, or the
            condition's key.
        holds: None when the kept screen cannot tell.
        why: What was found.
        needed: ``all`` or ``any``: which list of the rule it stands in.
        keywords: The share of its keywords, of a condition over keywords.
        parts: What a combined condition consists of.
    """

    name: str
    holds: bool | None
    why: str
    needed: str = "all"
    keywords: KeywordShare | None = None
    parts: tuple[Part, ...] = ()


@dataclass(frozen=True, slots=True)
class Explanation:
    """Why a rule fires on a screen, or why not.

    Attributes:
        rule: Its id.
        fires: Whether its conditions hold; None when the kept screen cannot tell.
        probability: The chance with which it is then drawn.
        parts: What it asks, one by one.
    """

    rule: str
    fires: bool | None
    probability: float
    parts: tuple[Part, ...]


def explain(
    bound: BoundRule,
    facts: Facts,
    step: int | None,
    *,
    fired: bool = False,
    actions: Mapping[str, int] | None = None,
) -> Explanation:
    """Ask a rule about a screen.

    Args:
        bound: The rule.
        facts: The screen.
        step: Number of the step, from 0; None when it is not known, as of a single tree.
        fired: Whether it has fired before in this episode.
        actions: The actions, by kind, since it fired last or the episode began; None when they are not known.
    """
    rule = bound.rule
    parts = [_app(bound.app, foreground(facts)), _min_step(rule.when.min_step, step)]
    parts += _schedule(rule.when, step, None if actions is None else Past(actions))
    if rule.once and fired:
        parts.append(Part("once", False, "it has fired in this episode"))
    parts += [_part(each, facts, "all") for each in rule.when.all]
    choice = [_part(each, facts, "any") for each in rule.when.any]
    verdicts = [part.holds for part in parts]
    if choice:
        verdicts.append(_either([part.holds for part in choice]))
    return Explanation(rule.id, _every(verdicts), rule.probability, (*parts, *choice))


def _app(wanted: str, there: str) -> Part:
    if wanted == "any":
        return Part("app", True, "for every app")
    shown = there or "no app"
    return Part(
        "app", there == wanted, f"{shown} is in front" + ("" if there == wanted else f", not {wanted}")
    )


def _min_step(least: int, step: int | None) -> Part:
    if step is None:
        return Part("min_step", True, f"not asked of a single tree (from step {least} on)")
    return Part("min_step", step >= least, f"this is step {step}, it begins with step {least}")


def _schedule(when: When, step: int | None, past: Past | None) -> Iterator[Part]:
    """What a rule's schedule asks; of a single tree it is not known whether it is due."""
    if when.at_step is not None:
        known = (
            f"this is step {step}, it" if step is not None else "of a single tree the step is not known; it"
        )
        holds = None if step is None else step >= when.at_step
        yield Part("at_step", holds, f"{known} comes at step {when.at_step}")
    if (after := when.after_action) is not None:
        if past is None:
            yield Part("after_action", None, "of a single tree it is not known what was done before")
        else:
            yield Part("after_action", past.count(after) >= after.at_least, counted(after, past))
    if when.after_seconds is not None:
        said = f"only the device tells its time; it comes after {when.after_seconds:g} s"
        yield Part("after_seconds", None, said)


def _part(condition: BaseModel, facts: Facts, needed: str) -> Part:
    name = next(field.alias or key for key, field in type(condition).model_fields.items())
    verdict = evaluate(condition, facts)
    share: KeywordShare | None = None
    parts: tuple[Part, ...] = ()
    match condition:
        case Keywords():
            spec = condition.keywords
            found = found_keywords(spec.of, keyword_haystacks(facts.tree))
            share = KeywordShare(found, tuple(w for w in spec.of if w not in found), spec.threshold)
        case AllOf():
            parts = tuple(_part(each, facts, "all") for each in condition.all)
        case AnyOf():
            parts = tuple(_part(each, facts, "any") for each in condition.any)
        case Not():
            parts = (_part(condition.not_, facts, "all"),)
    return Part(name, verdict.holds, verdict.why, needed, share, parts)


def _every(verdicts: list[bool | None]) -> bool | None:
    if False in verdicts:
        return False
    return None if None in verdicts else True


def _either(verdicts: list[bool | None]) -> bool | None:
    if True in verdicts:
        return True
    return None if None in verdicts else False
