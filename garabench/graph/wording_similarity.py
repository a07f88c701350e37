"""Similarity of texts by edit distance, and all similar pairs of a set in near-linear time."""

from __future__ import annotations

import itertools
from collections import defaultdict
from collections.abc import Hashable, Iterator, Sequence

_SMALL = 12
"""In a smaller set all pairs are compared."""
_ROUNDING = 1e-9
_BITS = 1021


def edit_distance(a: Sequence[Hashable], b: Sequence[Hashable]) -> int:
    """Return the Levenshtein distance of two texts or sequences.

    The rows of the table are bits of an integer (Myers 1999, Hyyrö 2003), so that a comparison takes one pass
    over the longer sequence.
    """
    if a == b:
        return 0
    if len(a) > len(b):
        a, b = b, a
    m = len(a)
    if m == 0:
        return len(b)
    places: dict[Hashable, int] = {}
    for index, item in enumerate(a):
        places[item] = places.get(item, 0) | 1 << index
    full = (1 << m) - 1
    last = 1 << (m - 1)
    plus, minus, distance = full, 0, m
    for item in b:
        equal = places.get(item, 0)
        vertical = equal | minus
        horizontal = (((equal & plus) + plus) ^ plus) | equal
        grows = minus | (full & ~(horizontal | plus))
        shrinks = plus & horizontal
        if grows & last:
            distance += 1
        elif shrinks & last:
            distance -= 1
        grows = (grows << 1) | 1
        plus = ((shrinks << 1) | ~(vertical | grows)) & full
        minus = grows & vertical & full
    return distance


def wording_similarity(a: str, b: str) -> float:
    """Return 1 minus the edit distance over the length of the longer text; 1 for two empty texts."""
    longest = max(len(a), len(b))
    return 1.0 if longest == 0 else 1.0 - edit_distance(a, b) / longest


def max_edits(length: int, theta: float) -> int:
    """Return the most edits by which a text of this length may differ from a shorter one at a similarity."""
    return int((1.0 - theta) * length + _ROUNDING)


def similar_pairs(texts: Sequence[str], theta: float) -> Iterator[tuple[int, int, float]]:
    """Yield all pairs of distinct texts with at least a similarity, each once, with the similarity.

    Args:
        texts: Distinct texts.
        theta: The least similarity, more than 0 and at most 1.
    """
    for i, j in candidate_pairs(texts, theta):
        a, b = texts[i], texts[j]
        longest = max(len(a), len(b))
        if (distance := edit_distance(a, b)) <= max_edits(longest, theta):
            yield i, j, 1.0 - distance / longest


def candidate_pairs(texts: Sequence[str], theta: float) -> Iterator[tuple[int, int]]:
    """Yield every pair of distinct texts that may be similar, and few others.

    Two texts with at most k edits between them share one of k + 1 segments of either, at nearly the same
    place (Li, Deng, Wang and Feng 2011). The segments of shorter texts are indexed; longer ones look theirs
    up. The work grows with the number of texts, not of pairs, as long as segments are rare: of thousands of
    texts that are made of the same few words, many share one. Most of those are left out by their bigrams.
    """
    if not 0 < theta <= 1:
        raise ValueError(f"a similarity threshold lies between 0 and 1: {theta}")
    if max_edits(max(map(len, texts), default=0), theta) == 0:
        return
    order = sorted(range(len(texts)), key=lambda index: (len(texts[index]), texts[index]))
    if len(texts) < _SMALL:
        yield from _all_pairs(texts, order, theta)
        return
    index: dict[tuple[int, int, str], list[int]] = defaultdict(list)
    lengths: dict[int, int] = {}
    bigrams = [_bigrams(text) for text in texts]
    for at in order:
        text = texts[at]
        most = 2 * max_edits(len(text), theta)  # an edit changes at most two bigrams
        found: set[int] = set()
        shortest = len(text) - max_edits(len(text), theta)
        for length in [each for each in lengths if each >= shortest]:
            found.update(_lookup(index, text, length, lengths[length]))
        own = bigrams[at]
        for other in sorted(found):
            if (own & ~bigrams[other]).bit_count() <= most:
                yield min(at, other), max(at, other)
        edits = max_edits(int(len(text) / theta + _ROUNDING), theta)
        lengths[len(text)] = edits
        for number, start, size in _segments(len(text), edits):
            index[len(text), number, text[start : start + size]].append(at)


def _bigrams(text: str) -> int:
    """Return the set of a text's bigrams as bits; two bigrams may share a bit."""
    bits = 0
    for a, b in itertools.pairwise(text):
        bits |= 1 << (ord(a) * 31 + ord(b)) % _BITS
    return bits


def _all_pairs(texts: Sequence[str], order: Sequence[int], theta: float) -> Iterator[tuple[int, int]]:
    for place, i in enumerate(order):
        for j in order[place + 1 :]:
            if len(texts[j]) - len(texts[i]) > max_edits(len(texts[j]), theta):
                break  # the texts after it are longer still
            yield min(i, j), max(i, j)


def _segments(length: int, edits: int) -> Iterator[tuple[int, int, int]]:
    """Yield number, start and size of the segments of a text; some are empty if it is very short."""
    count = edits + 1
    small, larger = divmod(length, count)
    start = 0
    for number in range(count):
        size = small + (number >= count - larger)
        yield number, start, size
        start += size


def _lookup(
    index: dict[tuple[int, int, str], list[int]], text: str, length: int, edits: int
) -> Iterator[int]:
    """Yield the texts of a length that share a segment with a longer text at a possible shift."""
    longer = len(text) - length
    for number, start, size in _segments(length, edits):
        left, right = number, edits - number
        first = max(0, start - left, start + longer - right)
        last = min(len(text) - size, start + left, start + longer + right)
        for shifted in range(first, last + 1):
            yield from index.get((length, number, text[shifted : shifted + size]), ())
