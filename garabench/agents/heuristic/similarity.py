"""Similarity of a phrase of the instruction and a label on the screen."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass

_WORD = re.compile(r"[a-z0-9]+(?:[.'][a-z0-9]+)*|[一-鿿぀-ヿ]+")
_CJK = re.compile(r"[一-鿿぀-ヿ]")
_ARTICLES = (
    "a an the of in on to for and or with by from at is are was it its this that my your his her their"
)
_ASKING = "one ones as only into what which how when"
_STOP = frozenset(f"{_ARTICLES} {_ASKING}".split())
_MIN_CONTAINED = 0.6  # score of a phrase that a long label contains
_MAX_WORDS = 0.85  # largest score if only words are shared


@dataclass(frozen=True, slots=True)
class NormalizedText:
    """A text normalized for comparison.

    Attributes:
        plain: The text without case, spaces and punctuation.
        tokens: Its words without stop words; for Chinese, its pairs of characters.
    """

    plain: str
    tokens: frozenset[str]


def normalize_label(text: str) -> NormalizedText:
    """Normalize a text for comparison."""
    folded = unicodedata.normalize("NFKC", text).casefold().replace("’", "'")
    plain = "".join(letter for letter in folded if letter.isalnum())
    tokens: set[str] = set()
    for piece in _WORD.findall(folded):
        if _CJK.match(piece):
            tokens.update(piece[at : at + 2] for at in range(max(1, len(piece) - 1)))
        elif piece not in _STOP:
            tokens.add(_stem(piece))
    return NormalizedText(plain, frozenset(tokens))


def _stem(word: str) -> str:
    word = word.removesuffix("'s")
    if len(word) > 4 and word.endswith("ies"):
        return word[:-3] + "y"
    if len(word) > 3 and word.endswith("s") and not word.endswith("ss"):
        return word[:-1]
    return word


def label_similarity(phrase: NormalizedText, label: NormalizedText) -> float:
    """Return how well a label matches a phrase.

    Returns:
        1 for the same text; 0.6 or more if the label contains the phrase, the more the shorter the label is;
        less if they only share words; 0 for nothing in common.
    """
    if not phrase.plain or not label.plain:
        return 0.0
    if phrase.plain == label.plain:
        return 1.0
    long, short = len(label.plain), len(phrase.plain)
    if phrase.plain in label.plain and (short > 1 or long <= 3):
        return max(_MIN_CONTAINED, 0.95 - 0.35 * (1 - short / long))
    shared = 0.0
    if label.plain in phrase.plain and long > 1:
        shared = 0.3 + 0.5 * long / short
    if phrase.tokens and label.tokens:
        common = len(phrase.tokens & label.tokens)
        covered, surplus = common / len(phrase.tokens), 1 - common / len(label.tokens)
        shared = max(shared, _MAX_WORDS * covered - 0.1 * surplus * covered)
    return shared


def covers(phrase: NormalizedText, text: NormalizedText) -> float:
    """Return the share of a phrase that a longer text contains, from 0 to 1."""
    if not phrase.plain:
        return 0.0
    if phrase.plain in text.plain:
        return 1.0
    if not phrase.tokens:
        return 0.0
    return len(phrase.tokens & text.tokens) / len(phrase.tokens)
