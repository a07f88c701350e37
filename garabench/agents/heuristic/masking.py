"""Quoted words of an instruction, put aside while the words around them are read."""

from __future__ import annotations

import re
from dataclasses import dataclass

OPEN, CLOSE = "\ue000", "\ue001"
_QUOTED = re.compile(r"“([^”]+)”|「([^」]+)」|《([^》]+)》|\"([^\"]+)\"")
_MASK = re.compile(f"{OPEN}(\\d+){CLOSE}")


@dataclass(frozen=True, slots=True)
class Quoted:
    """An instruction whose quoted words are put aside.

    Attributes:
        masked: The instruction with a mark for each of them.
        texts: The quoted words, by the number in the mark.
    """

    masked: str
    texts: tuple[str, ...]

    @classmethod
    def of(cls, text: str) -> Quoted:
        """Put the quoted words of a text aside."""
        return cls.by(_QUOTED, text.replace(OPEN, "").replace(CLOSE, ""))

    @classmethod
    def by(cls, pattern: re.Pattern[str], text: str) -> Quoted:
        """Put aside what a pattern finds; of its groups, keep the one that matched."""
        texts: list[str] = []

        def keep(match: re.Match[str]) -> str:
            texts.append(next((group for group in match.groups() if group), match[0]).strip())
            return f"{OPEN}{len(texts) - 1}{CLOSE}"

        return cls(pattern.sub(keep, text), tuple(texts))

    def text(self, mark: str) -> str:
        """Return the words that a mark replaced; any other text unchanged."""
        match = _MASK.fullmatch(mark.strip())
        return self.texts[int(match[1])] if match else mark.strip()

    def plain(self, masked: str) -> str:
        """A part of the masked text with its words in place again."""
        return _MASK.sub(lambda match: self.texts[int(match[1])], masked)
