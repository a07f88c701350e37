"""Redact API keys in error texts: whole keys, fragments of them, and anything that looks like a key.

Endpoints quote the key that they refuse, some of them masked: ``Incorrect API key provided: sk-ab***yz``, or
``the key ending in wxyz``. Four characters of a key identify its owner and make the rest easier to guess.
"""

from __future__ import annotations

import re
from urllib.parse import quote

REDACTED = "[key]"
_SHORTEST = 4
"""Shorter keys are not real, and redacting each "a" would make a text unreadable."""
_FRAGMENT = 4
"""Minimum length of a key's prefix or suffix that is redacted as a whole word or next to a mask."""
_LONG_FRAGMENT = 8
"""Length of a key's prefix or suffix that is redacted at the start or end of any word."""
_PARTED = 12
"""Fragments of shorter keys cannot be distinguished from other words."""
_WORD = re.compile(r"[^\s\"'`,;:()\[\]{}<>=&?/|]+")
_MASK = re.compile(r"[*•●＊∗]+|…+|\.{2,}|[xX]{4,}|_{4,}")
_MASKED = re.compile(r"(?=[^\s*•●＊∗]*[*•●＊∗]{3,})[\w.*•●＊∗-]*\w[\w.*•●＊∗-]*")
_KEY_LIKE = re.compile(
    r"""\b(?:
        (?:sk|pk|rk|gsk|xai|hf|nvapi|r8|ark)[-_](?=[\w-]*\d)[\w-]{12,}   # OpenAI and compatible endpoints
      | AIza[\w-]{20,} | ya29\.[\w-]{12,}                                  # Google
      | eyJ[\w-]{8,}\.[\w-]{8,}(?:\.[\w-]*)?                              # a JSON web token
    )""",
    re.VERBOSE,
)
_BEARER = re.compile(r"\b(Bearer)\s+(?!\[key\])[\w.~+/=*•-]{6,}", re.IGNORECASE)


def redact_key(text: str, key: str) -> str:
    """Redact a key in a text, both plain and URL-encoded.

    Args:
        text: The text.
        key: The key; empty for none.
    """
    if len(key) < _SHORTEST:
        return text
    return text.replace(key, REDACTED).replace(quote(key, safe=""), REDACTED)


def redact_keys(text: str, key: str = "") -> str:
    """Redact keys in the text of an error: the given key, its fragments, and anything that looks like a key.

    Args:
        text: The text.
        key: A known key; empty for none.
    """
    text = redact_key(text, key)
    text = _BEARER.sub(rf"\1 {REDACTED}", _KEY_LIKE.sub(REDACTED, text))
    if len(key) >= _PARTED:
        text = _WORD.sub(lambda found: _without_part(found.group(), key), text)
    return _MASKED.sub(REDACTED, text)


def _without_part(word: str, key: str) -> str:
    bare = word.rstrip(".!") if not word.endswith("..") else word
    return REDACTED + word[len(bare) :] if _is_part(bare, key) else word


def _is_part(word: str, key: str) -> bool:
    """Return whether a word is a fragment of a key, or the key with its middle masked."""
    first, *_, last = _MASK.split(word) if _MASK.search(word) else (word, word)
    if first != word or last != word:
        ends = key.startswith(first) and key.endswith(last)
        return ends and len(first) + len(last) >= _FRAGMENT
    if len(word) >= _FRAGMENT and (key.startswith(word) or key.endswith(word)):
        return True
    long = _LONG_FRAGMENT
    return len(word) >= long and (word.startswith(key[:long]) or word.endswith(key[-long:]))
