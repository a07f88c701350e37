"""Mask the quoted texts of an instruction while the rest is parsed."""

from __future__ import annotations

import re
from dataclasses import dataclass

OPEN, CLOSE = "\ue000", "\ue001"
_QUOTED = re.compile(r"“([^”]+)”|「([^」]+)」|《([^》]+)》|\"([^\"]+)\"")
_MASK = re.compile(f"{OPEN}(\\d+){CLOSE}")


@dataclass(frozen=True, slots=True)
class Quoted:
    """An instruction with masked quotes.

    Attributes:
        masked: The instruction with a mark for each quoted text.
        texts: The quoted texts, by the number in the mark.
    """

    masked: str
    texts: tuple[str, ...]

    @classmethod
    def of(cls, text: str) -> Quoted:
        """Mask the quoted texts."""
        return cls.by(_QUOTED, text.replace(OPEN, "").replace(CLOSE, ""))

    @classmethod
    def by(cls, pattern: re.Pattern[str], text: str) -> Quoted:
        """Mask the matches of a pattern, each represented by its matching group."""
        texts: list[str] = []

        def mask(match: re.Match[str]) -> str:
            texts.append(next((group for group in match.groups() if group), match[0]).strip())
            return f"{OPEN}{len(texts) - 1}{CLOSE}"

        return cls(pattern.sub(mask, text), tuple(texts))

    def text(self, mark: str) -> str:
        """Return the text behind a mark; any other text is returned unchanged."""
        match = _MASK.fullmatch(mark.strip())
        return self.texts[int(match[1])] if match else mark.strip()

    def plain(self, masked: str) -> str:
        """Restore the quoted texts in a part of the masked instruction."""
        return _MASK.sub(lambda match: self.texts[int(match[1])], masked)
