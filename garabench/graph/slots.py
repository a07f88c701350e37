"""Slots: the texts that an instruction quotes; every agent has to use them, each in its language."""

from __future__ import annotations

import re
from dataclasses import dataclass

from garabench.graph.canonical_action import normalize_literal

_QUOTED = re.compile(
    '“([^”]{1,80})”|"([^"]{1,80})"|「([^」]{1,80})」|『([^』]{1,80})』|《([^》]{1,80})》|«([^»]{1,80})»'
    "|(?<!\\w)[‘']([^’']{1,80})[’'](?!\\w)"
)
_SHORTEST_PART = 2
"""A shorter phrase is only replaced if it is the whole text."""


@dataclass(frozen=True, slots=True)
class Slots:
    """The phrases that an instruction quotes.

    Attributes:
        phrases: The phrases in order, normalized and without duplicates.
    """

    phrases: tuple[str, ...] = ()

    def abstract(self, text: str) -> str:
        """Return a text with the phrases replaced by ``<1>``, ``<2>`` and so on, and the rest normalized."""
        literal = normalize_literal(text)
        if literal in self.phrases:
            return f"<{self.phrases.index(literal) + 1}>"
        by_length = sorted(enumerate(self.phrases, start=1), key=lambda pair: -len(pair[1]))
        for number, phrase in by_length:
            if len(phrase) >= _SHORTEST_PART:
                literal = literal.replace(phrase, f"<{number}>")
        return literal


NO_SLOTS = Slots()
"""The slots of an unknown instruction."""


def slots_of(instruction: str) -> Slots:
    """Return the slots of an instruction."""
    found = (next(group for group in match.groups() if group) for match in _QUOTED.finditer(instruction))
    return Slots(tuple(dict.fromkeys(phrase for text in found if (phrase := normalize_literal(text)))))
