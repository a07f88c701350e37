"""Estimate how many tokens a text is, without any model's tokenizer.

The estimate is the same everywhere and a little high for the tokenizers in use: a word of Latin letters is a
token for every five letters, digits one for every three, a run of spaces none, any other ASCII sign one, any
letter beyond ASCII one (as for Chinese), a sign beyond the first plane, such as an emoji, two.
"""

from __future__ import annotations

import re

_PIECE = re.compile(r"([A-Za-z]+)|([0-9]+)|([!-~])|([^\x00-\x7f])")
_LETTERS, _DIGITS = 5, 3


def estimate(text: str) -> int:
    """The number of tokens of a text, 0 for an empty one."""
    total = text.count("\n")
    for letters, digits, sign, other in _PIECE.findall(text):
        if letters:
            total += -(-len(letters) // _LETTERS)
        elif digits:
            total += -(-len(digits) // _DIGITS)
        elif sign:
            total += 1
        else:
            total += 2 if ord(other) > 0xFFFF else 1
    return total
