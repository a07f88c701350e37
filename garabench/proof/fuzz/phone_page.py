"""The page that a phone shows."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Page:
    """The page in the foreground.

    Attributes:
        package: Its app.
        intent: Class of the activity, and what it shows, such as which video.
    """

    package: str = ""
    intent: str = ""


NO_PAGE = Page()
"""Of a phone on which no activity is in the foreground."""
