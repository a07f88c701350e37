"""Evaluate conditions on the state of a device.

A verdict is true, false or unknown (a fact could not be read), with a reason and the elements that show it.
Combinations are three-valued: a deciding part decides; otherwise an unknown part makes the whole unknown.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar

from garabench.core.answers import AnswerMatch, match_answer
from garabench.core.condition import (
    Absent,
    ActivityIs,
    AllOf,
    AnswerIs,
    AnswerSpec,
    AnyOf,
    Contains,
    ContentHas,
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
    PackageStateIs,
    SettingIs,
    fold,
)
from garabench.core.observation import Focus
from garabench.core.patterns import occurs
from garabench.core.selector import Selector, find, normalize
from garabench.core.tree import UiNode, UiTree

_T = TypeVar("_T")


class Facts(Protocol):
    """The state of a device that conditions can read, each value on demand; None means unknown."""

    @property
    def tree(self) -> UiTree:
        """The UI tree of the settled screen."""
        ...

    @property
    def focus(self) -> Focus | None:
        """The focused window."""
        ...

    @property
    def answer(self) -> str | None:
        """The agent's answer when it reported the task as done; None before that."""
        ...

    def setting(self, namespace: str, key: str) -> str | None:
        """Return a system setting; ``"null"`` if it is not set."""
        ...

    def package_state(self, package: str, state: str) -> bool | None:
        """Return whether a package is ``installed`` or ``running``."""
        ...

    def content(self, uri: str) -> str | None:
        """Return the rows of a content query, as ``content query`` prints them."""
        ...


@dataclass(frozen=True, slots=True)
class Verdict:
    """The result of evaluating a condition.

    Attributes:
        holds: True, False, or None if it is unknown.
        reason: What was found, in one clause.
        evidence: The elements that show it.
        ambiguous_answer: Whether it is false only because the agent's answer is ambiguous.
    """

    holds: bool | None
    reason: str
    evidence: tuple[UiNode, ...] = ()
    ambiguous_answer: bool = False


def keyword_haystacks(tree: UiTree) -> tuple[str, ...]:
    """Return the texts in which keywords are searched: texts, descriptions and id names of apps, folded."""
    values: dict[str, None] = {}
    for node in tree.app_nodes:
        for value in (node.text, node.desc, node.entry):
            values[value] = None
    values.pop("", None)
    return tuple(dict.fromkeys(map(fold, values)))


def found_keywords(words: Sequence[str], haystacks: Sequence[str]) -> tuple[str, ...]:
    """Return the keywords that occur in any of the texts, which `keyword_haystacks` returned."""
    return tuple(word for word in words if any(fold(word) in text for text in haystacks))


EarlierVerdict = Callable[[Any], Verdict]
"""Returns whether a condition has held on an earlier settled screen of the episode."""


def no_earlier_screen(condition: Any) -> Verdict:
    """Return the verdict on earlier screens at the start of an episode: no condition has held yet."""
    return Verdict(False, "there is no earlier screen")


def evaluate(condition: Any, facts: Facts, earlier: EarlierVerdict = no_earlier_screen) -> Verdict:
    """Evaluate a condition.

    Args:
        condition: One of the models of `garabench.core.condition`.
        facts: The device's state.
        earlier: Returns the verdict on the condition of an ``earlier``; see `garabench.core.earlier_screens`.
    """
    tree = facts.tree
    match condition:
        case AllOf():
            return _combine([evaluate(part, facts, earlier) for part in condition.all], every=True)
        case AnyOf():
            return _combine([evaluate(part, facts, earlier) for part in condition.any], every=False)
        case Not():
            inner = evaluate(condition.not_, facts, earlier)
            return Verdict(
                None if inner.holds is None else not inner.holds, f"not: {inner.reason}", inner.evidence
            )
        case Earlier():
            return earlier(condition.earlier)
        case Exists():
            return _some(condition.exists, tree, lambda node: True, "is on the screen")
        case Absent():
            found = find(tree, condition.absent)
            return Verdict(not found, f"{len(found)} elements match {condition.absent.describe()}", found)
        case Count():
            return _count(condition.count, tree)
        case Equals():
            e = condition.equals
            return _some(
                e.select,
                tree,
                lambda node: normalize(getattr(node, e.attribute)) == normalize(e.value),
                f"has {e.attribute} = {e.value!r}",
            )
        case Contains():
            c = condition.contains
            return _some(
                c.select,
                tree,
                lambda node: normalize(c.value) in normalize(getattr(node, c.attribute)),
                f"has {c.value!r} in its {c.attribute}",
            )
        case Matches():
            m = condition.matches
            return _some(
                m.select,
                tree,
                lambda node: occurs(m.pattern, getattr(node, m.attribute)),
                f"has a {m.attribute} like {m.pattern!r}",
            )
        case IsSelected():
            return _some(condition.selected, tree, lambda node: node.selected, "is selected")
        case IsChecked():
            return _some(condition.checked, tree, lambda node: node.checked, "is checked")
        case Keywords():
            words = condition.keywords.of
            present = found_keywords(words, keyword_haystacks(tree))
            return Verdict(
                len(present) >= condition.keywords.needed,
                f"{len(present)} of {len(words)} keywords are on the screen: {', '.join(present) or 'none'}",
            )
        case _:
            return _fact(condition, facts)


def _fact(condition: Any, facts: Facts) -> Verdict:
    match condition:
        case ActivityIs():
            return _known(
                facts.focus,
                lambda focus: _activity_fits(condition.activity, focus),
                f"activity {condition.activity}",
            )
        case PackageIs():
            return _known(
                facts.focus, lambda focus: focus.package == condition.package, f"package {condition.package}"
            )
        case SettingIs():
            s = condition.setting
            return _known(
                facts.setting(s.namespace, s.key),
                lambda value: value.strip() == s.equals,
                f"{s.namespace}/{s.key} = {s.equals}",
            )
        case PackageStateIs():
            p = condition.package_state
            return _known(
                facts.package_state(p.package, p.is_), lambda state: state, f"{p.package} is {p.is_}"
            )
        case ContentHas():
            q = condition.content
            return _known(
                facts.content(q.uri), lambda rows: q.contains in rows, f"{q.uri} has {q.contains!r}"
            )
        case AnswerIs():
            if facts.answer is None:
                return Verdict(False, "no answer has been given")
            return _answer(condition.answer, facts.answer)
    raise TypeError(f"not a condition: {type(condition).__name__}")


def _known(value: _T | None, test: Callable[[_T], bool], what: str) -> Verdict:
    if value is None:
        return Verdict(None, f"{what}: could not be read")
    holds = test(value)
    return Verdict(holds, f"{what}: {'yes' if holds else 'no'} ({value})")


def _activity_fits(pattern: str, focus: Focus) -> bool:
    full = f"{focus.package}/{focus.activity}"
    for candidate in (focus.activity, full, focus.activity.removeprefix(focus.package)):
        if candidate == pattern or (pattern.endswith("*") and candidate.startswith(pattern[:-1])):
            return True
    return pattern.startswith(".") and focus.activity.endswith(pattern)


_NARROW = str.maketrans(
    {chr(wide): chr(wide - 0xFEE0) for wide in range(0xFF01, 0xFF5F) if chr(wide).isalnum()}
)
_NARROW.update({ord("．"): ".", ord("－"): "-", ord("＋"): "+", ord("＄"): "$", ord("￥"): "¥"})
_EMPHASIS = re.compile(r"\*\*|__|`")


def _plain(answer: str) -> str:
    """Remove Markdown emphasis from an answer and convert full-width digits and letters to narrow ones."""
    return _EMPHASIS.sub("", answer.translate(_NARROW))


def _answer(spec: AnswerSpec, answer: str) -> Verdict:
    if (expected := spec.typed) is None:
        return Verdict(_answer_fits(spec, answer), f"the answer is {answer!r}")
    match, reason = match_answer(expected, answer)
    return Verdict(
        match is AnswerMatch.RIGHT,
        f"the answer is {answer!r}, {match.value}: {reason}",
        ambiguous_answer=match is AnswerMatch.AMBIGUOUS,
    )


def _answer_fits(spec: AnswerSpec, answer: str) -> bool:
    answer = _plain(answer)
    compact = re.sub(r"\s+", "", fold(answer))
    if spec.equals is not None:
        return compact == re.sub(r"\s+", "", fold(spec.equals))
    if spec.contains is not None:
        return _answer_holds(re.sub(r"\s+", "", fold(spec.contains)), compact)
    return spec.matches is not None and occurs(spec.matches, answer)


_NUMBER = re.compile(r"\d+(?:[.:,/-]\d+)*")
_MIN_DIGITS_WITH_RIVALS = 3


def _answer_holds(wanted: str, compact: str) -> bool:
    """Return whether an answer contains a value, not within another number and without a rival.

    ``12899`` does not contain ``2899``, and ``199 or 2899`` is ambiguous. Numbers of one or two digits have
    no rivals, because answers are full of them.
    """
    edge, end = (r"(?<!\d)(?<!\d[.:,])" if wanted[:1].isdigit() else ""), ""
    if wanted[-1:].isdigit():
        end = r"(?!\d|[.:,]\d)"
    if re.search(edge + re.escape(wanted) + end, compact) is None:
        return False
    number = _NUMBER.search(wanted)
    if number is None or len(number.group()) < _MIN_DIGITS_WITH_RIVALS:
        return True
    form = _form(number.group())
    rivals = {other for other in _NUMBER.findall(compact) if other not in wanted and _form(other) == form}
    return not any(abs(len(other) - len(number.group())) <= 1 for other in rivals)


def _form(number: str) -> str:
    """Return the separators of a number: a time is not a rival of a price."""
    return re.sub(r"\d+", "", number)


def _some(selector: Selector, tree: UiTree, test: Callable[[UiNode], bool], what: str) -> Verdict:
    candidates = find(tree, selector)
    good = tuple(node for node in candidates if test(node))
    if good:
        return Verdict(True, f"{selector.describe()} {what}", good)
    if candidates:
        return Verdict(False, f"none of {len(candidates)} × {selector.describe()} {what}", candidates)
    return Verdict(False, f"{selector.describe()} is not on the screen")


def _count(spec: CountSpec, tree: UiTree) -> Verdict:
    found = find(tree, spec.select)
    number = len(found)
    holds = (
        (spec.equals is None or number == spec.equals)
        and (spec.at_least is None or number >= spec.at_least)
        and (spec.at_most is None or number <= spec.at_most)
    )
    return Verdict(holds, f"{number} elements match {spec.select.describe()}", found)


def _combine(verdicts: list[Verdict], *, every: bool) -> Verdict:
    """Combine verdicts with three-valued and/or."""
    deciding = [v for v in verdicts if v.holds is (not every)]
    if deciding:
        ambiguous = is_ambiguous(verdicts, every=every)
        return Verdict(not every, deciding[0].reason, deciding[0].evidence, ambiguous)
    unknown = [v for v in verdicts if v.holds is None]
    if unknown:
        return Verdict(None, unknown[0].reason, unknown[0].evidence)
    evidence = tuple(node for v in verdicts for node in v.evidence)
    ambiguous = is_ambiguous(verdicts, every=every)
    return Verdict(every, "; ".join(v.reason for v in verdicts), evidence, ambiguous)


def is_ambiguous(verdicts: Sequence[Verdict], *, every: bool) -> bool:
    """Return whether a combination is false only because the agent's answer is ambiguous.

    Args:
        verdicts: The verdicts of its parts.
        every: Whether all of them would have to hold, or one.
    """
    if any(verdict.holds is None or (verdict.holds and not every) for verdict in verdicts):
        return False
    false = [verdict.ambiguous_answer for verdict in verdicts if verdict.holds is False]
    return bool(false) and (all(false) if every else any(false))
