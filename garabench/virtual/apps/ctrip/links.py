"""Deep links: ``ctrip://wireless/hotel_detail?hotel=hz-hyatt`` opens a hotel's page."""

from __future__ import annotations

from collections.abc import Mapping
from urllib.parse import parse_qsl, urlsplit

from garabench.virtual.apps.ctrip import names
from garabench.virtual.kit.framework import Activity
from garabench.virtual.kit.intent_filter import IntentFilter
from garabench.virtual.ui.widgets import MATCH, Column, Widget

SCHEME, HOST = "ctrip", "wireless"
PAGES: Mapping[str, str] = {
    "home": names.MAIN,
    "search": names.SEARCH_RESULTS,
    "hotel_inquire": names.HOTEL_INQUIRE,
    "hotel_list": names.HOTEL_LIST,
    "hotel_detail": names.HOTEL,
    "flight_inquire": names.FLIGHT_INQUIRE,
    "flight_list": names.FLIGHT_LIST,
    "train_inquire": names.TRAIN_INQUIRE,
    "train_list": names.TRAIN_LIST,
    "ticket_home": names.TICKET_HOME,
    "ticket_detail": names.SIGHT,
    "tour_home": names.TOUR_HOME,
    "tour_detail": names.TOUR,
    "myctrip_orders": names.ORDERS,
    "myctrip_favorites": names.FAVORITES,
    "myctrip_coupons": names.COUPONS,
}


def target(uri: str) -> tuple[str, dict[str, str]]:
    """Return the activity that a link leads to, and its extras; an unknown link leads to the first screen."""
    try:
        parts = urlsplit(uri)
    except ValueError:
        return names.MAIN, {}
    page = PAGES.get(parts.path.strip("/"))
    if parts.scheme != SCHEME or page is None:
        return names.MAIN, {}
    return page, dict(parse_qsl(parts.query))


class IntentUriHandlerActivity(Activity):
    """Receives links from outside and starts the page that they name."""

    filters = (IntentFilter.of("android.intent.action.VIEW", scheme=SCHEME, host=HOST),)

    def on_create(self) -> None:
        """Replace this activity with the page."""
        page, extras = target(self.intent.data)
        self.ctx.finish()
        self.ctx.open(page, **extras)

    def build(self) -> Widget:
        """Return an empty view: the activity is finished before it is drawn."""
        return Column(width=MATCH, height=MATCH)
