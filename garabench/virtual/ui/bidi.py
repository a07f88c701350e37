"""The Unicode Bidirectional Algorithm: visual order of mixed-direction text.

Unicode Standard Annex 9, with embeddings, isolates and paired brackets. Android uses the same
algorithm (in ICU). Rules are named as in the annex.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Sequence

MAX_DEPTH = 125
_MAX_BRACKETS = 63
_ISOLATES = frozenset({"LRI", "RLI", "FSI"})
_EMBEDDINGS = frozenset({"RLE", "LRE", "RLO", "LRO"})
_REMOVED = frozenset({"RLE", "LRE", "RLO", "LRO", "PDF", "BN"})
_NEUTRAL = frozenset({"B", "S", "WS", "ON", "LRI", "RLI", "FSI", "PDI"})
_BLANK = frozenset({"WS", "LRI", "RLI", "FSI", "PDI"}) | _REMOVED
_RAISED = ({"R": 1, "AN": 2, "EN": 2}, {"L": 1, "AN": 1, "EN": 1})
"""By how much I1 and I2 raise a character's level, from even and from odd levels."""
_PAIRS = "()[]{}<>«»‹›≤≥≪≫⟨⟩⟪⟫⟦⟧⁅⁆⁽⁾₍₎〈〉《》「」『』【】〔〕〖〗〘〙〚〛（）［］｛｝＜＞｢｣⌈⌉⌊⌋❨❩❪❫❮❯❰❱❲❳❴❵"
MIRRORED = dict(zip(_PAIRS[::2], _PAIRS[1::2], strict=True)) | dict(
    zip(_PAIRS[1::2], _PAIRS[::2], strict=True)
)
"""The mirrored form of a character in right-to-left text."""
_QUOTES = frozenset("<>«»‹›≤≥≪≫＜＞❮❯")
_OPENING = {a: b for a, b in zip(_PAIRS[::2], _PAIRS[1::2], strict=True) if a not in _QUOTES}
_CLOSING = {b: a for a, b in _OPENING.items()}


def base_level(text: str, otherwise: int = 0) -> int:
    """Return the level of a paragraph by its first strong character (P2, P3): 1 is right-to-left.

    Args:
        text: One paragraph.
        otherwise: The level without a strong character.
    """
    depth = 0
    for char in text:
        kind = unicodedata.bidirectional(char)
        if kind in _ISOLATES:
            depth += 1
        elif kind == "PDI":
            depth = max(0, depth - 1)
        elif not depth and kind in ("L", "R", "AL"):
            return 0 if kind == "L" else 1
    return otherwise


def levels(text: str, base: int) -> list[int]:
    """Return the embedding level of each character of a paragraph; odd levels are right-to-left.

    Args:
        text: One paragraph, without line breaks.
        base: Paragraph level, 0 or 1.
    """
    classes = [unicodedata.bidirectional(char) or "L" for char in text]
    kinds, found = _resolve_explicit(classes, base)
    explicit = tuple(found)
    for sequence in _sequences(classes, explicit):
        before, after = _boundary_directions(sequence, classes, explicit, base)
        own = [kinds[index] for index in sequence]
        _resolve_weak(own, before)
        _resolve_brackets(text, sequence, own, before, explicit[sequence[0]], classes)
        _resolve_neutral(own, before, after, explicit[sequence[0]])
        for index, kind in zip(sequence, own, strict=True):
            found[index] += _RAISED[found[index] % 2].get(kind, 0)
    last = base
    for index, kind in enumerate(classes):
        if kind in _REMOVED:
            found[index] = last
        last = found[index]
    blank = True  # L1: blanks before a tab or at the end get the paragraph level
    for index in range(len(text) - 1, -1, -1):
        blank = classes[index] in ("S", "B") or (blank and classes[index] in _BLANK)
        if blank:
            found[index] = base
    return found


def visual_order(found: Sequence[int]) -> list[tuple[int, int]]:
    """Return the level runs as (begin, end), in visual order from the left (L2)."""
    runs: list[tuple[int, int]] = []
    for index, level in enumerate(found):
        if runs and found[index - 1] == level:
            runs[-1] = (runs[-1][0], index + 1)
        else:
            runs.append((index, index + 1))
    if not runs:
        return []
    of = [found[begin] for begin, _ in runs]
    order = list(range(len(runs)))
    for level in range(max(of), 0, -1):
        index = 0
        while index < len(order):
            end = index
            while end < len(order) and of[order[end]] >= level:
                end += 1
            order[index:end] = order[index:end][::-1]
            index = max(end, index + 1)
    return [runs[index] for index in order]


def _resolve_explicit(classes: Sequence[str], base: int) -> tuple[list[str], list[int]]:
    """X1 to X8: each character's class, overrides applied, and its explicit level."""
    kinds, found = list(classes), [base] * len(classes)
    stack: list[tuple[int, str, bool]] = [(base, "", False)]
    lost_isolates = lost_embeddings = valid = 0
    for index, kind in enumerate(classes):
        level, override, _ = stack[-1]
        if kind in _EMBEDDINGS or kind in _ISOLATES:
            isolate = kind in _ISOLATES
            right = base_level(_letters(classes, index + 1)) == 1 if kind == "FSI" else kind[0] == "R"
            found[index] = level
            if isolate and override:
                kinds[index] = override
            new = level + 1 + (level + (0 if right else 1)) % 2
            if new <= MAX_DEPTH and not lost_isolates and not lost_embeddings:
                valid += isolate
                forced = ("R" if right else "L") if kind in ("RLO", "LRO") else ""
                stack.append((new, forced, isolate))
            elif isolate:
                lost_isolates += 1
            elif not lost_isolates:
                lost_embeddings += 1
        elif kind == "PDI":
            if lost_isolates:
                lost_isolates -= 1
            elif valid:
                lost_embeddings = 0
                while not stack[-1][2]:
                    stack.pop()
                stack.pop()
                valid -= 1
            level, override, _ = stack[-1]
            found[index] = level
            if override:
                kinds[index] = override
        elif kind == "PDF":
            if not lost_isolates:
                if lost_embeddings:
                    lost_embeddings -= 1
                elif not stack[-1][2] and len(stack) > 1:
                    stack.pop()
            found[index] = level
        else:
            found[index] = level
            if override and kind != "BN":
                kinds[index] = override
    return kinds, found


def _letters(classes: Sequence[str], start: int) -> str:
    """Return representative characters of an isolate's content, which decide its direction (FSI)."""
    stand_in = {"L": "a", "R": "א", "AL": "ا"}
    depth, letters = 0, []
    for kind in classes[start:]:
        if kind in _ISOLATES:
            depth += 1
        elif kind == "PDI":
            if not depth:
                break
            depth -= 1
        elif not depth and kind in stand_in:
            letters.append(stand_in[kind])
    return "".join(letters)


def _sequences(classes: Sequence[str], found: Sequence[int]) -> Iterator[list[int]]:
    """Yield the isolating run sequences (X10), as indices of characters."""
    open_at: list[list[int]] = []
    done: list[list[int]] = []
    now: list[int] = []
    for index, kind in enumerate(classes):
        if kind in _REMOVED:
            continue
        if kind == "PDI" and open_at:
            now = open_at.pop()
        elif not now or found[now[-1]] != found[index] or classes[now[-1]] in _ISOLATES:
            now = []
            done.append(now)
        now.append(index)
        if kind in _ISOLATES:
            open_at.append(now)
    yield from done


def _boundary_directions(
    sequence: Sequence[int], classes: Sequence[str], found: Sequence[int], base: int
) -> tuple[str, str]:
    """Return the directions at a sequence's start and end (sos and eos)."""
    own = found[sequence[0]]
    before = next((found[p] for p in range(sequence[0] - 1, -1, -1) if classes[p] not in _REMOVED), base)
    last = sequence[-1]
    if classes[last] in _ISOLATES:
        after = base
    else:
        after = next((found[p] for p in range(last + 1, len(classes)) if classes[p] not in _REMOVED), base)
    return ("R" if max(own, before) % 2 else "L"), ("R" if max(own, after) % 2 else "L")


def _resolve_weak(own: list[str], before: str) -> None:
    """W1 to W7: marks, numbers, separators and terminators."""
    last = before
    for index, kind in enumerate(own):  # W1
        if kind == "NSM":
            own[index] = "ON" if last in _ISOLATES or last == "PDI" else last
        last = own[index]
    strong = before
    for index, kind in enumerate(own):  # W2, W3
        if kind in ("L", "R", "AL"):
            strong = kind
        if kind == "EN" and strong == "AL":
            own[index] = "AN"
    own[:] = ["R" if kind == "AL" else kind for kind in own]
    for index in range(1, len(own) - 1):  # W4
        left, kind, right = own[index - 1 : index + 2]
        if left == right and ((kind in ("ES", "CS") and left == "EN") or (kind == "CS" and left == "AN")):
            own[index] = left
    for index, kind in enumerate(own):  # W5
        if kind == "ET" and "EN" in (own[index - 1] if index else "", _next_different(own, index, "ET")):
            own[index] = "EN"
    own[:] = ["ON" if kind in ("ES", "ET", "CS") else kind for kind in own]  # W6
    strong = before
    for index, kind in enumerate(own):  # W7
        if kind in ("L", "R"):
            strong = kind
        if kind == "EN" and strong == "L":
            own[index] = "L"


def _next_different(own: Sequence[str], index: int, kind: str) -> str:
    """Return the first different class after an index."""
    return next((other for other in own[index:] if other != kind), "")


def _strong_direction(kind: str) -> str:
    """Return the direction of a class for neutral neighbours: numbers count as right-to-left."""
    return "R" if kind in ("R", "EN", "AN") else kind if kind == "L" else ""


def _resolve_brackets(
    text: str, sequence: Sequence[int], own: list[str], before: str, level: int, classes: Sequence[str]
) -> None:
    """N0: both brackets of a pair get the same direction."""
    along = "R" if level % 2 else "L"
    for first, second in _bracket_pairs(text, sequence, own):
        inside = {_strong_direction(kind) for kind in own[first + 1 : second]} - {""}
        if not inside:
            continue
        direction = along
        if along not in inside:
            earlier = (_strong_direction(kind) for kind in reversed(own[:first]))
            direction = next((strong for strong in earlier if strong), before)
        for index in (first, second):
            own[index] = direction
            for mark in range(index + 1, len(own)):
                if classes[sequence[mark]] != "NSM":
                    break
                own[mark] = direction


def _bracket_pairs(text: str, sequence: Sequence[int], own: Sequence[str]) -> list[tuple[int, int]]:
    """BD16: indices of the paired brackets, by the opening one."""
    waiting: list[tuple[str, int]] = []
    pairs: list[tuple[int, int]] = []
    for number, index in enumerate(sequence):
        if own[number] != "ON":
            continue
        sign = text[index]
        if sign in _OPENING:
            if len(waiting) == _MAX_BRACKETS:
                break
            waiting.append((_OPENING[sign], number))
        elif sign in _CLOSING:
            for back in range(len(waiting) - 1, -1, -1):
                if waiting[back][0] == sign:
                    pairs.append((waiting[back][1], number))
                    del waiting[back:]
                    break
    return sorted(pairs)


def _resolve_neutral(own: list[str], before: str, after: str, level: int) -> None:
    """N1 and N2: neutrals get the direction of agreeing neighbours, else that of the embedding."""
    index = 0
    while index < len(own):
        if own[index] not in _NEUTRAL:
            index += 1
            continue
        end = index
        while end < len(own) and own[end] in _NEUTRAL:
            end += 1
        left = _strong_direction(own[index - 1]) if index else before
        right = _strong_direction(own[end]) if end < len(own) else after
        direction = left if left == right else ("R" if level % 2 else "L")
        own[index:end] = [direction] * (end - index)
        index = end
