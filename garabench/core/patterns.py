r"""Regular expressions from untrusted files, searched in linear time.

Python's `re` backtracks: ``(a|a)+$`` takes twice as long with each additional ``a``, so a suite's file or an
agent's answer could hang a run. RE2 searches in time linear in the text, for any pattern. Patterns are
translated from Python's syntax: ``\d``, ``\w`` and ``\s`` match the digits, letters and spaces of every
script, and a one-character lookbehind at the start and lookahead at the end are supported
(``(?<!\d)12(?!\d)``). Anything that requires backtracking is refused: other lookarounds, back references.
``\b`` knows only ASCII words, and ``$`` matches only at the very end.
"""

from __future__ import annotations

import re
import warnings
from functools import lru_cache

import re2

MAX_PATTERN = 300
"""Maximum length of a pattern in characters."""
_MAX_CACHED = 100
"""Maximum length of a text whose result is cached, in characters."""

_TOKEN = re.compile(
    r"""(?P<look>\(\?<?[=!](?P<one>\\(?:x\{[0-9a-fA-F]+\}|.)|\[\^?\]?(?:\\.|[^\]\\])*\]|[^\\\[\]().^$|*+?{}])\))
    |(?P<flags>\(\?[a-zA-Z]+\))
    |(?P<open>\((?:\?(?:P?<[A-Za-z_]\w*>|[a-zA-Z-]*:))?)(?!\?)
    |(?P<close>\))
    |(?P<bar>\|)
    |(?P<repeat>[*+?]|\{\d*,?\d*\})
    |(?P<bracket>\[\^?\]?(?:\\.|[^\]\\])*\])
    |(?P<escape>\\(?:x\{[0-9a-fA-F]+\}|.))
    |(?P<other>[^\[(\\])""",
    re.VERBOSE | re.DOTALL,
)
_SPACES = r"\t\n\v\f\r\x1c-\x1f\x{85}\p{Z}"
_WORD = r"\p{L}\p{N}_"
_OUTSIDE = {
    r"\d": r"\p{Nd}",
    r"\D": r"\P{Nd}",
    r"\w": f"[{_WORD}]",
    r"\W": f"[^{_WORD}]",
    r"\s": f"[{_SPACES}]",
    r"\S": f"[^{_SPACES}]",
    r"\Z": r"\z",
}
_INSIDE = {
    "[": r"\[",  # RE2 knows [:alpha:]
    r"\d": r"\p{Nd}",
    r"\D": r"\P{Nd}",
    r"\w": _WORD,
    r"\s": _SPACES,
    r"\S": r"\x{21}-\x{7e}\x{a1}-\x{10ffff}",
}
_UNICODE = re.compile(r"(\\\\)|\\u([0-9a-fA-F]{4})")
_EITHER = re.compile(r"\\(?:s[^\]]*\\S|S[^\]]*\\s)")


def check_pattern(pattern: str) -> str:
    """Validate a regular expression from an untrusted file.

    Raises:
        ValueError: It is too long, invalid, or cannot be searched in linear time.
    """
    if len(pattern) > MAX_PATTERN:
        raise ValueError(f"a pattern may have at most {MAX_PATTERN} characters")
    _compiled(pattern)
    return pattern


def occurs(pattern: str, text: str) -> bool:
    """Return whether a pattern occurs anywhere in a text, in time linear in the text's length.

    Raises:
        ValueError: `check_pattern` refuses the pattern.
    """
    # The texts of a screen's elements are short and searched again at each step.
    return _cached_search(pattern, text) if len(text) <= _MAX_CACHED else _search(pattern, text)


def _search(pattern: str, text: str) -> bool:
    # A model's answer can contain an unpaired surrogate, which UTF-8 cannot encode.
    return _compiled(pattern).search(text.encode("utf-8", "replace").decode()) is not None


_cached_search = lru_cache(maxsize=8192)(_search)


@lru_cache(maxsize=1024)
def _compiled(pattern: str) -> re2._Regexp:
    try:
        with warnings.catch_warnings(action="ignore", category=FutureWarning):
            re.compile(pattern)
    except (re.error, RecursionError, OverflowError) as error:
        raise ValueError(f"not a regular expression: {error}") from error
    options = re2.Options()
    options.log_errors = False
    try:
        return re2.compile(_translated(pattern), options)
    except re2.error as error:
        reason = error.args[0] if error.args else error
        reason = reason.decode("utf-8", "replace") if isinstance(reason, bytes) else reason
        raise ValueError(f"not a pattern that can be searched in linear time: {reason}") from error


def _tokens(pattern: str) -> list[re.Match[str]]:
    tokens, at = [], 0
    while at < len(pattern):
        token = _TOKEN.match(pattern, at)
        if token is None:
            raise ValueError(
                "not a pattern that can be searched in linear time: "
                f"{pattern[at : at + 12]!r} is not supported"
            )
        tokens.append(token)
        at = token.end()
    return tokens


def _translated(pattern: str) -> str:
    """Translate a pattern to RE2's syntax."""
    tokens = _tokens(_UNICODE.sub(lambda m: m[1] or rf"\x{{{m[2]}}}", pattern))
    first = _at_the_edge(tokens, opens="open", closes="close")
    last = {len(tokens) - 1 - i for i in _at_the_edge(tokens[::-1], opens="close", closes="open")}
    parts = []
    for place, token in enumerate(tokens):
        kind, text = token.lastgroup, token.group()
        if token["look"] is not None:
            behind = text.startswith("(?<")
            if place not in (first if behind else last):
                raise ValueError(
                    f"{text} is not supported here: (?<!x) may only start a pattern, (?!x) may only end it"
                )
            wanted = text[3 if behind else 2] == "="
            parts.append(_neighbor(_one(token["one"]), behind=behind, wanted=wanted))
        elif kind in ("bracket", "escape"):
            parts.append(_one(text))
        elif text.startswith("{,"):
            parts.append("{0" + text[1:])  # RE2 would read it as literal text
        else:
            parts.append(text)
    return "".join(parts)


def _at_the_edge(tokens: list[re.Match[str]], *, opens: str, closes: str) -> set[int]:
    """Return the positions of the lookarounds before which nothing is matched, in whichever branch.

    Those inside a repeated group do not count: the second repetition follows the first one.
    """
    edge: set[int] = set()
    bare = True
    groups: list[tuple[bool, int]] = []
    for place, token in enumerate(tokens):
        kind = "look" if token["look"] is not None else token.lastgroup
        if bare and kind == "look":
            edge.add(place)
        if kind == opens:
            groups.append((bare, place))
        elif kind == "bar":
            bare = groups[-1][0] if groups else True
        elif kind == closes:
            if not groups:
                raise ValueError("not a pattern that can be searched in linear time: unbalanced bracket")
            _, start = groups.pop()
            bare = False
            after = tokens[place + 1].lastgroup if place + 1 < len(tokens) else None
            if closes == "close" and after == "repeat":
                edge -= set(range(start, place))
        elif kind != "flags":
            bare = False
    return edge


def _one(text: str) -> str:
    """Translate a character class or an escape."""
    if not text.startswith("["):
        return _OUTSIDE.get(text, text)
    if _EITHER.search(text) and not text.startswith("[^"):
        return r"[\x{0}-\x{10ffff}]"
    if r"\W" in re.sub(r"\\\\", "", text):
        raise ValueError(rf"{text}: \W is not supported in brackets; list the characters")
    inner = re.sub(r"\\.|\[", lambda found: _INSIDE.get(found[0], found[0]), text[1:], flags=re.DOTALL)
    return f"[{inner}"


def _neighbor(one: str, *, behind: bool, wanted: bool) -> str:
    r"""Translate a lookaround to a match of the neighboring character, which finds the same texts."""
    if wanted:
        return one
    edge = r"\A" if behind else r"\z"
    if one.startswith(("\\p", "\\P")):
        other = ("\\P" if one[1] == "p" else "\\p") + one[2:]
    elif one.startswith("[^"):
        other = f"[{one[2:]}"
    elif one.startswith("["):
        other = f"[^{one[1:]}"
    else:
        other = f"[^{one}]"
    return f"(?:{edge}|{other})"
