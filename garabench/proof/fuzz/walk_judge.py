"""Judge a walk: the goal's verdict against the apps' state.

**A trace is on the page** if both hold:

1. *It is named.* A visible text or description on the last page (two characters or more, not only digits and
   punctuation) contains a name of the changed record; or it has at least `SENTENCE_CHARACTERS` characters and
   occurs in the record's sentence. The names are what stands in quotation marks in its sentence, the strings
   among its fields, and the parts of its object that are not plain ids. For a removed record, the text must
   be on the last page of the correct path and missing on that of the walk.
2. *The page differs.* The elements of the last page, each with its id, text, description, selection and check
   mark, are not those of the last page of the correct path.

The second condition rules out an object that is on the page anyway, such as a post in a list that does not
show likes.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from garabench.core.app_state import AppEffects
from garabench.core.expected_effects import (
    ChangeKind,
    EffectExpectation,
    StateChange,
    deliberate_effects,
    unasked_effects,
)
from garabench.core.selector import normalize
from garabench.core.tree import UiTree
from garabench.proof.fuzz.walk import FuzzWalk, WalkResult, WalkVerdict

SENTENCE_CHARACTERS = 6
"""Minimum length of a text on the page that is looked up in the sentence about a record."""
_MIN_NAME = 2
_MAX_TRACE = 5
_MAX_DIFFERENCES = 4
_QUOTED = re.compile(r"[“\"《「]([^”\"》」]+)[”\"》」]")
_NOT_A_NAME = re.compile(r"[\W\d_]*")
_ID = re.compile(r"[a-zA-Z0-9._:-]+")
_SEPARATORS = re.compile(r"[/|#~]")

Contents = Counter[tuple[str, str, str, bool, bool]]
"""The elements of a page: id, text, description, selected, checked."""


@dataclass(frozen=True, slots=True)
class WalkEnd:
    """How a walk ended.

    Attributes:
        accepted: The goal's verdict; None if it is unknown.
        reason: Its reason, or why the walk was blocked.
        last: The last page.
        effects: What the walk has changed.
        blocked: Whether the rest of the path could not be performed.
    """

    accepted: bool | None
    reason: str
    last: UiTree
    effects: tuple[AppEffects, ...] = ()
    blocked: bool = False


def judge_walk(
    number: int, walk: FuzzWalk, end: WalkEnd, expectation: EffectExpectation, reference: UiTree
) -> WalkResult:
    """Return what became of a walk.

    Args:
        number: Its number.
        walk: The walk.
        end: How it ended.
        expectation: What the task may change.
        reference: The last page of the correct path without insertions.
    """
    if end.blocked:
        return WalkResult(number=number, walk=walk, verdict=WalkVerdict.BLOCKED, reason=end.reason)
    unasked = unasked_effects(end.effects, expectation)
    if unasked.unknown or end.accepted is None:
        reason = unasked.unknown or end.reason
        return WalkResult(number=number, walk=walk, verdict=WalkVerdict.UNKNOWN, reason=reason)
    exact = is_expected(end.effects, expectation)
    trace = trace_of(unasked.effects, end.last, reference)
    if unasked.effects and walk.harmless and is_expected(end.effects, expectation, and_more=True):
        verdict = WalkVerdict.HARMLESS_CHANGES
    elif end.accepted:
        seen = WalkVerdict.ACCEPTED_SEEN if trace else WalkVerdict.ACCEPTED_UNSEEN
        verdict = seen if unasked.effects else WalkVerdict.ACCEPTED
    elif not exact:
        verdict = WalkVerdict.REFUSED
    else:
        verdict = WalkVerdict.REFUSED_RIGHT if walk.harmless else WalkVerdict.REFUSED_ELSEWHERE
    return WalkResult(
        number=number,
        walk=walk,
        verdict=verdict,
        unasked=unasked.effects,
        exact=exact,
        trace=trace,
        differences=page_differences(end.last, reference) if verdict.finding else (),
        reason=end.reason,
    )


def is_expected(
    effects: Sequence[AppEffects], expectation: EffectExpectation, *, and_more: bool = False
) -> bool:
    """Return whether the effects of a correct solution have occurred.

    Args:
        effects: What a walk has changed.
        expectation: What the task may change.
        and_more: Whether others may have occurred as well.
    """
    found = deliberate_effects(effects, expectation.incidental)
    return any(
        (and_more or len(found) == len(variant))
        and all(any(each.same(other) for other in found) for each in variant)
        for variant in expectation.variants or ()
    )


def contents(tree: UiTree) -> Contents:
    """Return the elements of a page, without their places."""
    return Counter(
        (node.entry, node.text, node.desc, node.selected, node.checked)
        for node in tree.app_nodes
        if node.text or node.desc or node.selected or node.checked
    )


def page_differences(last: UiTree, reference: UiTree) -> tuple[str, ...]:
    """Return the first elements of the last page that are not on that of the correct path, and vice versa."""
    now, before = contents(last), contents(reference)
    return tuple(
        f"{sign} {_shown(element)}"
        for sign, found in (("+", now - before), ("-", before - now))
        for element in list(found)[:_MAX_DIFFERENCES]
    )


def _shown(element: tuple[str, str, str, bool, bool]) -> str:
    entry, text, desc, selected, checked = element
    words = [
        entry,
        text,
        desc if desc != text else "",
        "selected" if selected else "",
        "checked" if checked else "",
    ]
    return " ".join(word for word in words if word)


def trace_of(effects: Sequence[StateChange], last: UiTree, reference: UiTree) -> tuple[str, ...]:
    """Return the texts on the last page that name unasked changes; see the module's docstring."""
    if not effects or contents(last) == contents(reference):
        return ()
    shown, expected = _texts(last), _texts(reference)
    found: dict[str, None] = {}
    for effect in effects:
        removed = effect.change is ChangeKind.REMOVED
        where = [text for text in expected if text not in shown] if removed else shown
        found |= dict.fromkeys(text for text in where if _names(effect, text))
    return tuple(found)[:_MAX_TRACE]


def _texts(tree: UiTree) -> dict[str, None]:
    """Return the visible texts and descriptions of the apps' elements, in order."""
    both = (normalize(value) for node in tree.app_nodes if node.visible for value in (node.text, node.desc))
    return {text: None for text in both if len(text) >= _MIN_NAME and not _NOT_A_NAME.fullmatch(text)}


def _names(effect: StateChange, text: str) -> bool:
    sentences = [normalize(sentence) for sentence in effect.text.values()]
    if len(text) >= SENTENCE_CHARACTERS and any(text in sentence for sentence in sentences):
        return True
    return any(name in text for name in names_of(effect))


def names_of(effect: StateChange) -> tuple[str, ...]:
    """Return the names of the record that an effect has changed."""
    return tuple(
        dict.fromkeys(
            name
            for name in map(normalize, _possible_names(effect))
            if len(name) >= _MIN_NAME and not _NOT_A_NAME.fullmatch(name)
        )
    )


def _possible_names(effect: StateChange) -> Iterator[str]:
    for sentence in effect.text.values():
        yield from _QUOTED.findall(sentence)
    for value in effect.fields.values():
        if isinstance(value, str):
            yield value
        elif isinstance(value, tuple):
            yield from value
    yield from (part for part in _SEPARATORS.split(effect.object) if not _ID.fullmatch(part))
