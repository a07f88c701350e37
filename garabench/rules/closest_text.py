"""Name the text on a screen that is closest to a text that was expected, and how it differs."""

from __future__ import annotations

import difflib
import enum
import re
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from garabench.core.selector import normalize
from garabench.core.tree import UiTree
from garabench.rules.traditional_characters import simplified

_MIN_SIMILARITY = 0.6
_SAME_WORD = 0.8
"""Above this similarity, a text is taken for another spelling of the expected one."""
_NUMBER = re.compile(r"\d+(?:[.,:]\d+)*")
_MAX_COMPARED = 4000
"""Maximum number of texts that are compared by spelling; comparing all of a huge screen would take long."""
_MAX_LENGTH = 120
"""Longer texts are compared by their first characters."""
_INVISIBLE = re.compile("[\\s\u00ad\u200b-\u200f\u2060\ufeff]+")


class TextDifference(enum.StrEnum):
    """How a text on the screen differs from the one that was expected."""

    SPACE = "space"
    WIDTH = "width"
    CASE = "case"
    TRADITIONAL = "traditional character"
    NUMBER = "number"
    SPELLING = "spelling"


@dataclass(frozen=True, slots=True)
class ClosestText:
    """The text on a screen that is closest to a text that was expected.

    Attributes:
        expected: The text that is not on the screen.
        found: The closest text.
        differences: How they differ; empty if they have only some characters in common.
    """

    expected: str
    found: str
    differences: tuple[TextDifference, ...]

    @property
    def reason(self) -> str:
        """How they differ, in words; empty if they have only some characters in common."""
        if not self.differences:
            return ""
        if self.differences in _ALONE:
            return _ALONE[self.differences]
        return "differs only in " + " and ".join(_WORDS[each] for each in self.differences)


_ALONE = {
    (TextDifference.SPELLING,): "another spelling",
    (TextDifference.NUMBER,): "another number",
}
_WORDS = {
    TextDifference.SPACE: "white space",
    TextDifference.WIDTH: "the width of characters",
    TextDifference.CASE: "case",
    TextDifference.TRADITIONAL: "traditional characters",
}


def _without_space(text: str) -> str:
    return _INVISIBLE.sub("", text)


def _narrow(text: str) -> str:
    return unicodedata.normalize("NFKC", text)


_STEPS: Sequence[tuple[TextDifference, Callable[[str], str]]] = (
    (TextDifference.WIDTH, _narrow),
    (TextDifference.CASE, str.casefold),
    (TextDifference.TRADITIONAL, simplified),
    (TextDifference.SPACE, _without_space),
)


def screen_texts(tree: UiTree) -> tuple[str, ...]:
    """Return the texts, descriptions and id names of the apps on a screen, without duplicates."""
    found: dict[str, None] = {}
    for node in tree.app_nodes:
        for value in (node.text, node.desc, node.entry):
            if value:
                found[normalize(value)] = None
    return tuple(found)


def closest_text(
    expected: str, texts: Iterable[str], *, whole: bool = False, case: bool = True
) -> ClosestText | None:
    """Return the closest of the texts on a screen; None if none is similar.

    A text that differs only in spaces, width, case or traditional characters takes precedence.

    Args:
        expected: A text that is not on the screen.
        texts: The texts of the screen, as of `screen_texts`.
        whole: Whether a whole text was expected, not a part of one.
        case: Whether case matters; it does not for keywords.
    """
    wanted = normalize(expected)
    candidates = tuple(texts)
    if not wanted:
        return None
    best: tuple[int, int, ClosestText] | None = None
    for text in candidates:
        differences = _differences(wanted, text, whole=whole, case=case)
        if differences and (best is None or (len(differences), len(text)) < best[:2]):
            best = (len(differences), len(text), ClosestText(expected, text, differences))
    return best[2] if best is not None else _by_spelling(expected, wanted, candidates)


def _differences(wanted: str, text: str, *, whole: bool, case: bool) -> tuple[TextDifference, ...]:
    """Return what must be ignored so that a text fits; empty if that is not enough or not needed."""
    kinds = [kind for kind, _ in _STEPS if case or kind is not TextDifference.CASE]
    steps = [step for _, step in _STEPS]
    if not _fits(_flattened(wanted), _flattened(text), whole=whole):
        return ()
    for kind, step in _STEPS:  # leave out each step that is not needed
        if kind not in kinds:
            continue
        rest = [other for other in steps if other is not step]
        if _fits(_all(wanted, rest), _all(text, rest), whole=whole):
            steps = rest
            kinds.remove(kind)
    return tuple(kinds)


@lru_cache(maxsize=20_000)
def _flattened(text: str) -> str:
    """Return a text without all differences but spelling."""
    return _all(text, [step for _, step in _STEPS])


def _all(text: str, steps: Iterable[Callable[[str], str]]) -> str:
    for step in steps:
        text = step(text)
    return text


def _fits(wanted: str, text: str, *, whole: bool) -> bool:
    return bool(wanted) and (wanted == text if whole else wanted in text)


def _by_spelling(expected: str, wanted: str, texts: Sequence[str]) -> ClosestText | None:
    """Return the text with the most similar spelling."""
    matcher = difflib.SequenceMatcher(autojunk=False)
    matcher.set_seq2(wanted.casefold()[:_MAX_LENGTH])
    best, found = _MIN_SIMILARITY, None
    for text in texts[:_MAX_COMPARED]:
        matcher.set_seq1(text.casefold()[:_MAX_LENGTH])
        if matcher.real_quick_ratio() > best and matcher.quick_ratio() > best and matcher.ratio() > best:
            best, found = matcher.ratio(), text
    return None if found is None else ClosestText(expected, found, _kinds(wanted, found, best))


def _kinds(wanted: str, text: str, similarity: float) -> tuple[TextDifference, ...]:
    """Return how a text of a certain similarity differs; empty if it is rather another text."""
    if _NUMBER.sub("0", wanted.casefold()) == _NUMBER.sub("0", text.casefold()):
        return (TextDifference.NUMBER,)
    return (TextDifference.SPELLING,) if similarity > _SAME_WORD else ()
