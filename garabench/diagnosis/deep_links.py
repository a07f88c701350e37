"""Deep links: the published links that open an app's search results, and what a case searches for."""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType
from urllib.parse import quote

from garabench.core.action import Type
from garabench.diagnosis.failed_case import FailedCase
from garabench.diagnosis.probe import OpenLink

SEARCH_LINKS: Mapping[str, str] = MappingProxyType(
    {
        "com.amazon.mShop.android.shopping": "https://www.amazon.com/s?k={query}",
        "com.autonavi.minimap": "androidamap://poi?keywords={query}",
        "com.google.android.apps.maps": "geo:0,0?q={query}",
        "com.sina.weibo": "sinaweibo://searchall?q={query}",
        "ctrip.android.view": "ctrip://wireless/search?query={query}",
    }
)
"""The link to the search results of each app that publishes one."""
_QUOTED = re.compile(r"“([^”]+)”|「([^」]+)」|《([^》]+)》|\"([^\"]+)\"")
_MAX_QUERY = 100


def search_link(case: FailedCase, fork: int) -> OpenLink | None:
    """Return the link that searches, in the case's app, for what its agent searched for or should have.

    Args:
        case: The failed episode.
        fork: Place of the fork in its steps.

    Returns:
        The link; None if the app publishes none, or nothing says what to search for.
    """
    link, query = SEARCH_LINKS.get(case.app), _query(case, fork)
    if link is None or not query:
        return None
    return OpenLink(case.app, link.format(query=quote(query, safe="")))


def _query(case: FailedCase, fork: int) -> str:
    """Return the last text that was typed up to the fork and occurs in the instruction, else a quoted one."""
    typed = [step.action.text.strip() for step in case.steps[: fork + 1] if isinstance(step.action, Type)]
    known = [text for text in typed if text and text.casefold() in case.instruction.casefold()]
    quoted = [text for found in _QUOTED.findall(case.instruction) for text in found if text]
    return next(iter([*reversed(known), *quoted]), "")[:_MAX_QUERY]
