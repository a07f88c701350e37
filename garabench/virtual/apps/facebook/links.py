"""Deep links: where ``fb://`` URLs lead in the app."""

from __future__ import annotations

from collections.abc import Mapping
from urllib.parse import urlsplit

from garabench.virtual.apps.facebook import names
from garabench.virtual.kit.intent_filter import IntentFilter

FILTERS = (IntentFilter.of("android.intent.action.VIEW", "fb"),)
_TABS: Mapping[str, str] = {
    "feed": "Home",
    "friends": "Friends",
    "marketplace": "Marketplace",
    "notifications": "Notifications",
    "bookmarks": "Menu",
}
_OBJECTS: Mapping[str, tuple[str, str]] = {
    "profile": (names.PROFILE, "who"),
    "page": (names.PROFILE, "who"),
    "group": (names.GROUP, "group"),
    "event": (names.EVENT, "event"),
    "post": (names.POST, "post"),
}
_PAGES: Mapping[str, str] = {
    "groups": names.GROUPS,
    "events": names.EVENTS,
    "saved": names.SAVED,
    "settings": names.SETTINGS,
    "search": names.SEARCH,
    "composer": names.COMPOSER,
}


def target(uri: str) -> tuple[str, Mapping[str, str]]:
    """Return the activity that a link leads to, and its extras; an unknown link leads to the feed."""
    try:
        parts = urlsplit(uri)
    except ValueError:
        return names.MAIN, {"tab": "Home"}
    kind, named = parts.netloc, parts.path.strip("/")
    if kind in _OBJECTS and named:
        activity, extra = _OBJECTS[kind]
        return activity, {extra: named}
    if kind == "profile":
        return names.PROFILE, {}
    if kind in _PAGES:
        return _PAGES[kind], {}
    return names.MAIN, {"tab": _TABS.get(kind, "Home")}
