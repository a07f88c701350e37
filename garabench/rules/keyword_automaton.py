"""Match many rules' keywords against one screen without scanning each rule.

All distinct keywords of all rules are compiled to one automaton (Aho and Corasick, 1975), which scans each
text of the screen once; each rule then counts its keywords among those found. A set of rules is compiled
once, so that a thousand rules cost hardly more than ten.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterable, Sequence
from functools import lru_cache

_CACHED_TEXTS = 20_000
"""The number of texts whose keywords are cached: the screens of an app have most of their texts in common."""
_LONGEST_CACHED = 200


class KeywordIndex:
    """Finds which of many keywords occur in texts."""

    def __init__(self, words: Iterable[str]) -> None:
        """Compile the keywords.

        Args:
            words: Folded keywords, none of them empty.
        """
        self._next: list[dict[str, int]] = [{}]
        self._ends: list[tuple[str, ...]] = [()]
        for word in dict.fromkeys(words):
            if not word:
                raise ValueError("empty keyword")
            state = 0
            for letter in word:
                state = self._next[state].setdefault(letter, len(self._next))
                if state == len(self._next):
                    self._next.append({})
                    self._ends.append(())
            self._ends[state] += (word,)
        self._link()
        letters = "".join(map(re.escape, self._next[0]))
        self._first_letter = re.compile(f"[{letters}]" if letters else r"(?!)")
        self._words_of = lru_cache(maxsize=_CACHED_TEXTS)(self._scan)

    def _link(self) -> None:
        self._fail = [0] * len(self._next)
        queue = deque(self._next[0].values())
        while queue:
            state = queue.popleft()
            for letter, target in self._next[state].items():
                back = self._fail[state]
                while back and letter not in self._next[back]:
                    back = self._fail[back]
                self._fail[target] = self._next[back].get(letter, 0)
                self._ends[target] += self._ends[self._fail[target]]
                queue.append(target)

    def found_in(self, texts: Sequence[str]) -> frozenset[str]:
        """Return the keywords that occur in at least one of the (folded) texts."""
        found: set[str] = set()
        for text in texts:
            found.update(self._words_of(text) if len(text) <= _LONGEST_CACHED else self._scan(text))
        return frozenset(found)

    def _scan(self, text: str) -> tuple[str, ...]:
        """Return the keywords that occur in a text."""
        start = self._first_letter.search(text)
        if start is None:
            return ()
        found: tuple[str, ...] = ()
        after, fail, ends = self._next, self._fail, self._ends
        state = 0
        for letter in text[start.start() :]:
            target = after[state].get(letter)
            while target is None and state:
                state = fail[state]
                target = after[state].get(letter)
            state = target or 0
            if ends[state]:
                found += ends[state]
        return found
