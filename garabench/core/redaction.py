"""Redact keys, tokens and passwords in texts: known keys, their fragments, and what looks like one.

Endpoints quote the key that they reject, some of them masked: ``Incorrect API key provided: sk-ab***yz``, or
``the key ending in wxyz``. Four characters of a key identify its owner and make the rest easier to guess.
"""

from __future__ import annotations

import re
from urllib.parse import quote

REDACTED = "[key]"
_SHORTEST = 4
"""Shorter keys are not real, and redacting every "a" would make a text unreadable."""
_FRAGMENT = 4
"""Minimum length of a key's prefix or suffix that is redacted as a whole word or next to a mask."""
_LONG_FRAGMENT = 8
"""Length of a key's prefix or suffix that is redacted at the start or end of any word."""
_PARTED = 12
"""Fragments of shorter keys cannot be distinguished from other words."""
_WORD = re.compile(r"[^\s\"'`,;:()\[\]{}<>=&?/|]+")
_MASK = re.compile(r"[*•●＊∗]+|…+|\.{2,}|[xX]{4,}|_{4,}")
_STARRED = re.compile(r"\S+")
_UP_TO_STARS = re.compile(r"[^*•●＊∗]*+(?:([*•●＊∗]+)|$)")
_MASKABLE = re.compile(r"[\w.*•●＊∗-]+")
_STARS = 3
"""Fewer stars are emphasis or arithmetic."""
_KEY_LIKE = re.compile(
    r"""\b(?:
        (?:sk|pk|rk|gsk|xai|hf|nvapi|r8|ark)[-_](?=[\w-]*\d)[\w-]{12,}   # OpenAI and compatible endpoints
      | hf_[A-Za-z0-9]{20,}                                                 # Hugging Face
      | gh[oprsu]_[A-Za-z0-9]{16,} | github_pat_\w{20,}                    # GitHub
      | glpat-[\w-]{16,}                                                   # GitLab
      | xox[abeprs]-[\w-]{10,}                                             # Slack
      | (?:AKIA|ASIA)[A-Z0-9]{16}\b                                        # Amazon
      | AIza[\w-]{20,} | ya29\.[\w-]{12,}                                  # Google
      | eyJ[\w-]{8,}\.[\w-]{8,}(?:\.[\w-]*)?                              # a JSON web token
    )""",
    re.VERBOSE,
)
_NAMES = (
    r"(?:(?<![A-Za-z])(?:api[-_]?key|(?:access|auth|refresh)[-_]token|(?:client|access)[-_]secret|secret[-_]key"
    r"|private[-_]key|passw(?:or)?d)|(?<=[?&])(?:key|token))"
)
_VALUE = r"(?!\[key\]|(?:none|null|true|false)\b)[^\s\"'`,;&<>(){}\[\]]{4,}"
_ASSIGNED = re.compile(
    rf"({_NAMES}\s?=\s?[\"']?|{_NAMES}[\"']\s?:\s?[\"']|(?<![A-Za-z])(?:x-)?(?:goog-)?api-key:\s?){_VALUE}",
    re.IGNORECASE,
)
"""A key or password after its name: ``api_key=…``, ``"password": "…"``, ``x-api-key: …``."""
_PASSWORD_IN_URL = re.compile(r"(?<=://)([^\s/@:]*):(?!\[key\]@)[^\s/@]+@")
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
    """Redact the given key, its fragments, and anything that looks like a key, token or password.

    Args:
        text: The text.
        key: A known key; empty for none.
    """
    text = redact_key(text, key)
    text = _BEARER.sub(rf"\1 {REDACTED}", _KEY_LIKE.sub(REDACTED, text))
    text = _ASSIGNED.sub(rf"\1{REDACTED}", _PASSWORD_IN_URL.sub(rf"\1:{REDACTED}@", text))
    if len(key) >= _PARTED:
        text = _WORD.sub(lambda found: _without_part(found.group(), key), text)
    return _STARRED.sub(lambda found: _without_masked(found.group()), text)


def _without_masked(word: str) -> str:
    """Redact what is written around stars, in linear time: a text from a device may be one endless word."""
    masked = [
        (found.start(), found.end() - _STARS)
        for found in _UP_TO_STARS.finditer(word)
        if len(found[1] or "") >= _STARS
    ]
    if not masked:
        return word
    parts, at, number = [], 0, 0
    for found in _MASKABLE.finditer(word):
        while number < len(masked) and masked[number][1] < found.start():
            number += 1
        if number == len(masked):
            break
        start = max(found.start(), masked[number][0])
        if start < found.end() and re.search(r"\w", word[start : found.end()]):
            parts += [word[at:start], REDACTED]
            at = found.end()
    return "".join([*parts, word[at:]])


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
