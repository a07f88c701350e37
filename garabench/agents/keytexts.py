"""Take keys out of what others say in errors: whole ones, their ends, and whatever looks like a key.

Endpoints quote the key that they refuse, some of them masked: ``Incorrect API key provided: sk-ab***yz``, or
``the key ending in wxyz``. Four letters of a key tell whose it is, and help to guess the rest.
"""

from __future__ import annotations

import re
from urllib.parse import quote

HIDDEN = "[key]"
_SHORTEST = 4
"""Shorter ones are no real keys, and hiding each "a" of a text would make it unreadable."""
_FRAGMENT = 4
"""Letters of a key's beginning or end that are hidden where they stand alone, or beside a mask."""
_LONG_FRAGMENT = 8
"""Letters of it that are hidden wherever a word begins or ends with them."""
_PARTED = 12
"""Shorter keys have no parts that could be told from other words."""
_WORD = re.compile(r"[^\s\"'`,;:()\[\]{}<>=&?/|]+")
_MASK = re.compile(r"[*•●＊∗]+|…+|\.{2,}|[xX]{4,}|_{4,}")
_MASKED = re.compile(r"(?=[^\s*•●＊∗]*[*•●＊∗]{3,})[\w.*•●＊∗-]*\w[\w.*•●＊∗-]*")
_KEY_LIKE = re.compile(
    r"""\b(?:
        (?:sk|pk|rk|gsk|xai|hf|nvapi|r8|ark)[-_](?=[\w-]*\d)[\w-]{12,}   # OpenAI and those that follow it
      | AIza[\w-]{20,} | ya29\.[\w-]{12,}                                  # Google
      | eyJ[\w-]{8,}\.[\w-]{8,}(?:\.[\w-]*)?                              # a JSON web token
    )""",
    re.VERBOSE,
)
_BEARER = re.compile(r"\b(Bearer)\s+(?!\[key\])[\w.~+/=*•-]{6,}", re.IGNORECASE)


def without_key(text: str, key: str) -> str:
    """A text without a key as it is, also as it stands in an address.

    Args:
        text: What somebody says.
        key: The key; empty for none.
    """
    if len(key) < _SHORTEST:
        return text
    return text.replace(key, HIDDEN).replace(quote(key, safe=""), HIDDEN)


def without_keys(text: str, key: str = "") -> str:
    """The text of an error without keys: the given one, whole or in parts, and whatever looks like one.

    Args:
        text: What somebody says.
        key: A key that is known; empty for none.
    """
    text = without_key(text, key)
    text = _BEARER.sub(rf"\1 {HIDDEN}", _KEY_LIKE.sub(HIDDEN, text))
    if len(key) >= _PARTED:
        text = _WORD.sub(lambda found: _without_part(found.group(), key), text)
    return _MASKED.sub(HIDDEN, text)


def _without_part(word: str, key: str) -> str:
    bare = word.rstrip(".!") if not word.endswith("..") else word
    return HIDDEN + word[len(bare) :] if _is_part(bare, key) else word


def _is_part(word: str, key: str) -> bool:
    """Whether a word is a part of a key, or a key of which all but its ends is masked."""
    first, *_, last = _MASK.split(word) if _MASK.search(word) else (word, word)
    if first != word or last != word:
        ends = key.startswith(first) and key.endswith(last)
        return ends and len(first) + len(last) >= _FRAGMENT
    if len(word) >= _FRAGMENT and (key.startswith(word) or key.endswith(word)):
        return True
    long = _LONG_FRAGMENT
    return len(word) >= long and (word.startswith(key[:long]) or word.endswith(key[-long:]))
