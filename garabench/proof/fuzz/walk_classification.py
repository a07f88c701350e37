"""Classify a walk by the goal's verdict and the apps' state.

**A trace is on the page** if both hold:

1. *It is named.* A visible text or description on the last page contains a name of the changed record; or it
   has at least `SENTENCE_CHARACTERS` characters and occurs in the record's sentence. The names are what
   stands in quotation marks in its sentence, the strings among its fields, and the parts of its object that
   are not plain ids. Names of one character or of digits only, and the numbers among the fields, are part of
   many other texts: the text must be new on the page and contain little else (``Qty: 2``, ``3件``, ``A``).
   For a removed record, the text must be on the last page of the correct path and missing on the walk's.
2. *The page differs.* The elements of the last page, each with its id, text, description, selection and check
   mark, are not those of the last page of the correct path. Elements that show only a number, such as a
   badge, a time or the number of an order, count for short names only.

The second condition rules out an object that is on the page anyway, such as a post in a list that does not
show likes.

Some records have no words that a page shows, such as the like of a comment. So there is also a trace if the
walk has ended on the page of the correct path, with the same texts in its fields, and it **shows another
mark**: an element with the same id and words is selected or checked on one of them only, or an element with
the same id at the same place has other words than numbers and times. Words do not count if they have only
moved, since an element with the same id shows them on the correct path, or if they name an incidental
record, such as a new line of the search history.
"""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from garabench.core.app_state import AppEffects
from garabench.core.expected_effects import ChangeKind, EffectExpectation, StateChange, effects_of
from garabench.core.geometry import Rect
from garabench.core.selector import normalize
from garabench.core.side_effects import deliberate_effects, unasked_effects
from garabench.core.tree import UiTree, is_system
from garabench.proof.fuzz.phone_page import NO_PAGE, Page
from garabench.proof.fuzz.walk import Elsewhere, FuzzWalk, WalkResult, WalkVerdict

SENTENCE_CHARACTERS = 6
"""Minimum length of a text on the page that is looked up in the sentence about a record."""
_MIN_NAME = 2
_MAX_NUMBER = 4
"""Maximum number of digits of a number in an object; a longer one is an id, such as that of an order."""
_MAX_TRACE = 5
_MAX_DIFFERENCES = 4
_MAX_ROW = 6
"""Maximum number of elements in what counts as a row, such as an icon, a label and a note."""
_ID_IN_REASON = re.compile(r"\bid=([^\s()]+)")
_QUOTED = re.compile(r"[“\"《「]([^”\"》」]+)[”\"》」]")
_NOT_A_NAME = re.compile(r"[\W\d_]*")
_NUMBER = re.compile(r"(?=.*\d)[\d\W_]+")
_TIME = re.compile(r"(?<!\d)\d{1,2}:\d{2}(?!\d)")
_WORD = re.compile(r"\w")
_AROUND_WORD = r"\W{0,3}"
_BEFORE_NUMBER, _AFTER_NUMBER = r"(?:[^\W\d]{1,4}\W{1,2}|\W{0,3})", r"\W{0,2}[^\W\d]{0,4}"
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
        page: The page in the foreground.
        inserted: The changes of the other tasks that the walk performs, each with the changes of all its
            correct solutions; None if they are unknown, since an acting action was inserted or a task was not
            performed to its end.
        earlier: Whether the goal would hold if all earlier screens that it asks for had been seen.
        harmed: Whether what must not be done was done.
    """

    accepted: bool | None
    reason: str
    last: UiTree
    effects: tuple[AppEffects, ...] = ()
    blocked: bool = False
    page: Page = NO_PAGE
    inserted: tuple[tuple[tuple[StateChange, ...], ...], ...] | None = None
    earlier: bool = False
    harmed: bool = False


@dataclass(frozen=True, slots=True)
class CorrectEnd:
    """The end of the correct path without insertions.

    Attributes:
        last: The last page.
        page: The page in the foreground.
    """

    last: UiTree
    page: Page = NO_PAGE


def classify_walk(
    number: int, walk: FuzzWalk, end: WalkEnd, expectation: EffectExpectation, reference: CorrectEnd
) -> WalkResult:
    """Return what became of a walk.

    Args:
        number: Its number.
        walk: The walk.
        end: How it ended.
        expectation: What the task may change.
        reference: The end of the correct path without insertions.
    """
    if end.blocked:
        return WalkResult(number=number, walk=walk, verdict=WalkVerdict.BLOCKED, reason=end.reason)
    unasked = unasked_effects(end.effects, expectation)
    if unasked.unknown or end.accepted is None:
        reason = unasked.unknown or end.reason
        return WalkResult(number=number, walk=walk, verdict=WalkVerdict.UNKNOWN, reason=reason)
    exact = is_expected(end.effects, expectation)
    trace = trace_of(unasked.effects, end.last, reference.last)
    if unasked.effects and not trace and _comparable(end, reference):
        trace = changed_marks(end.last, reference.last, incidental_names(end.effects, expectation))
    elsewhere = None
    if unasked.effects and walk.harmless and is_expected(end.effects, expectation, and_more=True):
        verdict = WalkVerdict.HARMLESS_CHANGES
    elif end.accepted:
        seen = WalkVerdict.ACCEPTED_SEEN if trace else WalkVerdict.ACCEPTED_UNSEEN
        verdict = seen if unasked.effects else WalkVerdict.ACCEPTED
    elif not exact:
        verdict = WalkVerdict.REFUSED
    else:
        elsewhere = None if walk.harmless else _elsewhere(end, reference)
        verdict = WalkVerdict.REFUSED_ELSEWHERE if elsewhere else WalkVerdict.REFUSED_RIGHT
    return WalkResult(
        number=number,
        walk=walk,
        verdict=verdict,
        unasked=unasked.effects,
        exact=exact,
        predicted=_predicted(end, expectation),
        elsewhere=elsewhere,
        trace=trace,
        differences=page_differences(end.last, reference.last) if verdict.finding or elsewhere else (),
        reason=end.reason,
    )


def incidental_names(effects: Sequence[AppEffects], expectation: EffectExpectation) -> tuple[str, ...]:
    """Return the names of the records that a walk has changed as any use does.

    Args:
        effects: What the walk has changed.
        expectation: What the task may change.
    """
    deliberate = deliberate_effects(effects, expectation.incidental)
    changes = (change for app in effects for change in effects_of(app) if change not in deliberate)
    return tuple(dict.fromkeys(name for change in changes for name in names_of(change)))


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


def _elsewhere(end: WalkEnd, reference: CorrectEnd) -> Elsewhere | None:
    """Return why a walk with exactly the expected changes is rightly refused; None if nothing tells."""
    if end.harmed:
        return Elsewhere.HARM
    if end.page.package != reference.page.package:
        return Elsewhere.APP
    if end.page != reference.page:
        return Elsewhere.PAGE
    if _windows(end.last) != _windows(reference.last):
        return Elsewhere.WINDOW
    if end.earlier:
        return Elsewhere.EARLIER
    if _fields(end.last) != _fields(reference.last):
        return Elsewhere.FIELD
    if _chosen(end.last) != _chosen(reference.last):
        return Elsewhere.SELECTION
    if _read_values(end, reference):
        return Elsewhere.VALUE
    return None


def _comparable(end: WalkEnd, reference: CorrectEnd) -> bool:
    """Return whether a walk ended on the page of the correct path, with the same texts in its fields."""
    return end.page == reference.page and _fields(end.last) == _fields(reference.last)


def _read_values(end: WalkEnd, reference: CorrectEnd) -> bool:
    """Return whether an element by whose id the goal refuses shows another text than on the correct path."""
    now, before = contents(end.last), contents(reference.last)
    changed = {each[0] for each in now - before} & {each[0] for each in before - now}
    named = set(_ID_IN_REASON.findall(end.reason))
    return bool(named & changed) or any(_words_differ(end.last, reference.last, entry) for entry in named)


def _words_differ(last: UiTree, reference: UiTree, entry: str) -> bool:
    """Return whether the only element with an id on each page, a row of few words, has other words inside."""
    rows = [[node for node in tree.app_nodes if node.entry == entry] for tree in (last, reference)]
    if any(len(found) != 1 for found in rows):
        return False
    now, before = ([each.text or each.desc for each in found[0].walk()] for found in rows)
    return now != before and max(len(now), len(before)) <= _MAX_ROW


def _windows(tree: UiTree) -> int:
    return sum(1 for root in tree.roots if not is_system(root.package))


def _fields(tree: UiTree) -> Counter[tuple[str, str]]:
    return Counter((node.entry, node.text) for node in tree.app_nodes if node.cls.endswith("EditText"))


def _chosen(tree: UiTree) -> Counter[tuple[str, str, str]]:
    """Return what is selected or checked on a page."""
    return Counter(
        (node.entry, node.text, node.desc) for node in tree.app_nodes if node.selected or node.checked
    )


def _predicted(end: WalkEnd, expectation: EffectExpectation) -> bool | None:
    """Return whether exactly the changes of the path and of the inserted tasks have occurred.

    None if no task was inserted, or if two of them change the same record, or one removes what another one
    makes: then the changes of all are not the sum of the changes of each.
    """
    if not end.inserted:
        return None
    found = deliberate_effects(end.effects, expectation.incidental)
    possible = False
    for parts in itertools.product(expectation.variants or (), *end.inserted):
        if _depend(parts):
            continue
        possible = True
        wanted = [each for part in parts for each in part]
        if len(wanted) == len(found) and all(any(each.same(other) for other in found) for each in wanted):
            return True
    return False if possible else None


def _depend(parts: Sequence[Sequence[StateChange]]) -> bool:
    """Return whether tasks change the same record, or one of them removes such records."""
    for one, other in itertools.combinations(parts, 2):
        for first, second in itertools.product(one, other):
            if (first.package, first.kind) != (second.package, second.kind):
                continue
            if first.object == second.object or ChangeKind.REMOVED in (first.change, second.change):
                return True
    return False


def contents(tree: UiTree) -> Contents:
    """Return the elements of a page, without their places."""
    return Counter(
        (node.entry, node.text, node.desc, node.selected, node.checked)
        for node in tree.app_nodes
        if node.text or node.desc or node.selected or node.checked
    )


def _without_numbers(elements: Contents) -> Contents:
    """Return the elements without those that show a number only: a badge, a time, the number of an order."""
    return Counter(
        {each: count for each, count in elements.items() if not _NUMBER.fullmatch(each[1] or each[2])}
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
    now, before = contents(last), contents(reference)
    if not effects or now == before:
        return ()
    shown, expected = _texts(last), _texts(reference)
    if _without_numbers(now) == _without_numbers(before):
        shown, expected = {}, {}
    new, gone = _words(now - before), _words(before - now)
    found: dict[str, None] = {}
    for effect in effects:
        removed = effect.change is ChangeKind.REMOVED
        where = [text for text in expected if text not in shown] if removed else shown
        found |= dict.fromkeys(text for text in where if _names(effect, text))
        found |= dict.fromkeys(text for text in (gone if removed else new) if _names_shortly(effect, text))
    return tuple(found)[:_MAX_TRACE]


def changed_marks(last: UiTree, reference: UiTree, incidental: Sequence[str] = ()) -> tuple[str, ...]:
    """Return the elements of both pages that are marked or worded differently on the last one.

    They are an element whose id and words are on both pages as often, but selected or checked less or more
    often; and the words, except for numbers and times, of an element that has others at the same place, if
    elements with its id show them more often than on the correct path.

    Args:
        last: The last page of the walk.
        reference: That of the correct path.
        incidental: Names whose appearance does not count.
    """
    now, before = _marks(last), _marks(reference)
    found: dict[str, None] = {}
    for (entry, text, desc), marks in now.items():
        others = before.get((entry, text, desc), Counter())
        if marks != others and marks.total() == others.total():
            found[text or desc or entry] = None
    if _windows(last) == _windows(reference):
        shown, expected = _placed(last), _placed(reference)
        more = _counted(shown) - _counted(expected)
        for (entry, bounds), words in shown.items():
            usual = expected.get((entry, bounds), words)
            found |= dict.fromkeys(
                word
                for word in words
                if word not in usual and more[entry, word] and not any(name in word for name in incidental)
            )
    return tuple(found)[:_MAX_TRACE]


def _counted(placed: Mapping[tuple[str, Rect], tuple[str, str]]) -> Counter[tuple[str, str]]:
    """Return how often elements with an id show a text or description."""
    return Counter((entry, word) for (entry, _), words in placed.items() for word in words if word)


def _marks(tree: UiTree) -> dict[tuple[str, str, str], Counter[tuple[bool, bool]]]:
    """Return how often elements with the same id and words are selected and checked."""
    found: dict[tuple[str, str, str], Counter[tuple[bool, bool]]] = {}
    for node in tree.app_nodes:
        if node.visible and (node.entry or node.text or node.desc):
            key = node.entry, normalize(node.text), normalize(node.desc)
            found.setdefault(key, Counter())[node.selected, node.checked] += 1
    return found


def _placed(tree: UiTree) -> dict[tuple[str, Rect], tuple[str, str]]:
    """Return the words of each element with an id by its id and place, without numbers and times."""
    return {
        (node.entry, node.bounds): (_wording(node.text), _wording(node.desc))
        for node in tree.app_nodes
        if node.visible and node.entry
    }


def _wording(text: str) -> str:
    """Return a text without times of day, or nothing if it is a number."""
    return "" if _NUMBER.fullmatch(text) else normalize(_TIME.sub("", text))


def _texts(tree: UiTree) -> dict[str, None]:
    """Return the visible texts and descriptions of the apps' elements, in order."""
    both = (normalize(value) for node in tree.app_nodes if node.visible for value in (node.text, node.desc))
    return {text: None for text in both if len(text) >= _MIN_NAME and not _NOT_A_NAME.fullmatch(text)}


def _words(elements: Contents) -> dict[str, None]:
    """Return the texts and descriptions of elements, in order."""
    both = (normalize(value) for _, text, desc, _, _ in elements for value in (text, desc))
    return {text: None for text in both if text}


def _names_shortly(effect: StateChange, text: str) -> bool:
    """Return whether a text contains a short name of the changed record, and little else."""
    for name in short_names_of(effect):
        number = name[0].isdigit() and name[-1].isdigit()
        before, after = (_BEFORE_NUMBER, _AFTER_NUMBER) if number else (_AROUND_WORD, _AROUND_WORD)
        if re.fullmatch(f"{before}{re.escape(name)}{after}", text):
            return True
    return False


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


def short_names_of(effect: StateChange) -> tuple[str, ...]:
    """Return the names of the changed record that have one character or no letter, and its numbers."""
    numbers = [
        f"{value:g}"
        for value in effect.fields.values()
        if isinstance(value, int | float) and not isinstance(value, bool)
    ]
    names = [name for name in map(normalize, _possible_names(effect)) if name not in names_of(effect)]
    digits = [
        part for part in _SEPARATORS.split(effect.object) if part.isdigit() and len(part) <= _MAX_NUMBER
    ]
    return tuple(dict.fromkeys(name for name in (*names, *numbers, *digits) if _WORD.search(name)))


def _possible_names(effect: StateChange) -> Iterator[str]:
    for sentence in effect.text.values():
        yield from _QUOTED.findall(sentence)
    for value in effect.fields.values():
        if isinstance(value, str):
            yield value
        elif isinstance(value, tuple):
            yield from value
    yield from (part for part in _SEPARATORS.split(effect.object) if not _ID.fullmatch(part))
