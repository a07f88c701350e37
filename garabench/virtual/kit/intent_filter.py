"""Intent filters, and how they match intents (AOSP ``IntentFilter.match``, ``PatternMatcher``)."""

from __future__ import annotations

import enum
import functools
import re
from collections.abc import Iterable
from dataclasses import dataclass
from urllib.parse import SplitResult, unquote, urlsplit

DEFAULT, BROWSABLE = "android.intent.category.DEFAULT", "android.intent.category.BROWSABLE"
_VIEW = "android.intent.action.VIEW"
_NO_DATA, _SCHEME, _HOST, _PORT = 0x0100000, 0x0200000, 0x0300000, 0x0400000
_PATH, _SSP, _TYPE = 0x0500000, 0x0580000, 0x0600000
_NORMAL = 0x8000
_LOCAL_SCHEMES = ("", "content", "file")
"""Schemes that a filter with MIME types but without schemes accepts."""


class PatternKind(enum.StrEnum):
    """Kinds of patterns, by the names in Android's dumps."""

    LITERAL = "LITERAL"
    PREFIX = "PREFIX"
    GLOB = "GLOB"
    ADVANCED = "ADVANCED"
    SUFFIX = "SUFFIX"


@dataclass(frozen=True, slots=True)
class Pattern:
    """A pattern for a URI's path or its scheme-specific part.

    Attributes:
        text: The pattern.
        kind: Its kind. In a glob ``.`` is any character and ``*`` repeats the character before it; an
            advanced pattern has sets, ranges and counts too.
    """

    text: str
    kind: PatternKind = PatternKind.LITERAL

    def matches(self, value: str) -> bool:
        """Return whether the whole value matches."""
        match self.kind:
            case PatternKind.LITERAL:
                return value == self.text
            case PatternKind.PREFIX:
                return value.startswith(self.text)
            case PatternKind.SUFFIX:
                return value.endswith(self.text)
        compiled = _compiled(self.text, self.kind)
        return compiled is not None and compiled.fullmatch(value) is not None

    def __str__(self) -> str:
        """Return the pattern as Android prints it."""
        return f"PatternMatcher{{{self.kind}: {self.text}}}"


@functools.lru_cache(maxsize=256)
def _compiled(text: str, kind: PatternKind) -> re.Pattern[str] | None:
    """Return a regular expression for a glob or an advanced pattern; None if it is malformed."""
    parts, rest = list[str](), iter(text)
    for char in rest:
        if char == "\\":
            parts.append(re.escape(next(rest, "")))
        elif char == "*" and parts and parts[-1] != "*":
            parts.append("*")
        elif char == "." or (kind is PatternKind.ADVANCED and char in "+[]{}^-,"):
            parts.append(char)
        else:
            parts.append(re.escape(char))
    try:
        return re.compile("".join(parts), re.DOTALL)
    except re.error:
        return None


@dataclass(frozen=True, slots=True)
class Authority:
    """A host, which may begin with ``*`` for any subdomain, and optionally a port."""

    host: str
    port: str = ""

    def matches(self, uri: SplitResult) -> int:
        """Return how well a URI's authority matches; 0 if it does not."""
        try:
            host, port = uri.hostname or "", uri.port
        except ValueError:
            return 0
        if self.host.startswith("*"):
            if not host.endswith(self.host[1:].lower()):
                return 0
        elif host != self.host.lower():
            return 0
        if not self.port:
            return _HOST
        return _PORT if str(port) == self.port else 0


@dataclass(frozen=True, slots=True)
class IntentFilter:
    """The implicit intents that an activity accepts.

    Attributes:
        actions: Accepted actions; one of them has to be the intent's.
        categories: Categories; each of the intent's has to be among them.
        schemes: Schemes of the data URI.
        authorities: Hosts and ports of the data URI; only used with schemes.
        paths: Patterns of the URI's path; only used with authorities.
        ssps: Patterns of what follows the scheme.
        types: MIME types, which may end with ``/*``.
        priority: Filters with a higher priority come first.
        verified: Whether Android has verified that the app and the web hosts belong together.
    """

    actions: tuple[str, ...]
    categories: tuple[str, ...] = (DEFAULT,)
    schemes: tuple[str, ...] = ()
    authorities: tuple[Authority, ...] = ()
    paths: tuple[Pattern, ...] = ()
    ssps: tuple[Pattern, ...] = ()
    types: tuple[str, ...] = ()
    priority: int = 0
    verified: bool = False

    @classmethod
    def of(cls, action: str, scheme: str = "", host: str = "", category: str = DEFAULT) -> IntentFilter:
        """Return a filter for one action, or for links with a scheme and a host."""
        categories = (category, BROWSABLE) if scheme and action == _VIEW else (category,)
        hosts = (Authority(host),) if host else ()
        schemes = (scheme,) if scheme else ()
        return cls((action,), categories, schemes, hosts, verified=scheme in ("http", "https"))

    def match(self, action: str, categories: Iterable[str], data: str, mime_type: str = "") -> int:
        """Return how well an intent matches, as a ``MATCH_…`` value; 0 if it does not.

        Args:
            action: The intent's action; without one only data and categories count.
            categories: The intent's categories.
            data: The intent's URI, or empty.
            mime_type: The intent's MIME type, or empty.
        """
        if action and action not in self.actions:
            return 0
        if not set(categories) <= set(self.categories):
            return 0
        matched = self._match_data(data, mime_type)
        return matched + _NORMAL if matched else 0

    def _match_data(self, data: str, mime_type: str) -> int:
        if not self.types and not self.schemes:
            return 0 if data or mime_type else _NO_DATA
        matched, scheme = _NO_DATA, data.partition(":")[0] if ":" in data else ""
        if self.schemes:
            matched = self._match_uri(data, scheme)
            if not matched:
                return 0
        elif scheme not in _LOCAL_SCHEMES:
            return 0
        if self.types:
            return _TYPE if self._accepts_type(mime_type) else 0
        return 0 if mime_type else matched

    def _match_uri(self, data: str, scheme: str) -> int:
        if scheme not in self.schemes:  # compared as written: Android's schemes are case-sensitive
            return 0
        if self.ssps:
            specific = unquote(data.partition(":")[2].partition("#")[0])
            if any(each.matches(specific) for each in self.ssps):
                return _SSP
            if not self.authorities:
                return 0
        if not self.authorities:
            return _SCHEME
        try:
            uri = urlsplit(data)
        except ValueError:
            return 0
        best = max(each.matches(uri) for each in self.authorities)
        if not best or not self.paths:
            return best
        path = unquote(uri.path)
        return _PATH if any(each.matches(path) for each in self.paths) else 0

    def _accepts_type(self, mime_type: str) -> bool:
        """Return whether a type matches; either side may have a wildcard."""
        if not mime_type:
            return False
        kind = mime_type.partition("/")[0]
        for each in self.types:
            if each in (mime_type, "*/*", "*") or mime_type == "*/*":
                return True
            if "/*" in (each[-2:], mime_type[-2:]) and each.partition("/")[0] == kind:
                return True
        return False
