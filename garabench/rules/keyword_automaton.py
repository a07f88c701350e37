"""Match many rules' keywords against one screen without scanning each rule.

All distinct keywords of all rules are compiled to one automaton (Aho and Corasick, 1975), which scans each
text of the screen once; each rule then counts its keywords among those found. A set of rules is compiled
once, so that a thousand rules cost hardly more than ten.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence


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
            state = 0
            for letter in text:
                while state and letter not in self._next[state]:
                    state = self._fail[state]
                state = self._next[state].get(letter, 0)
                if self._ends[state]:
                    found.update(self._ends[state])
        return frozenset(found)
