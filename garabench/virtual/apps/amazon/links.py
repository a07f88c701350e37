"""Deep links: where amazon.com URLs lead in the app."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from urllib.parse import parse_qs, urlsplit

from garabench.virtual.apps.amazon import content, names
from garabench.virtual.kit.intent_filter import IntentFilter

FILTERS = tuple(
    IntentFilter.of("android.intent.action.VIEW", scheme, "www.amazon.com")
    for scheme in ("https", "com.amazon.mobile.shopping", "com.amazon.mobile.shopping.web")
)
_PAGES: Mapping[str, tuple[str, Mapping[str, str]]] = {
    "gp/cart": (names.MAIN, {"tab": "Cart"}),
    "cart": (names.MAIN, {"tab": "Cart"}),
    "gp/css/order-history": (names.ORDERS, {}),
    "your-orders": (names.ORDERS, {}),
    "hz/wishlist": (names.LISTS, {}),
    "gp/goldbox": (names.DEALS, {}),
    "deals": (names.DEALS, {}),
    "a/addresses": (names.ADDRESSES, {}),
    "gp/help": (names.SERVICE, {}),
}


def target(uri: str) -> tuple[str, Mapping[str, str]]:
    """Return the activity that a link leads to, and its extras; an unknown link leads to the first screen.

    Products have the paths ``/dp/ASIN``, ``/gp/product/ASIN`` and ``/products/ASIN``, searches
    ``/s?k=words``.
    """
    try:
        parts = urlsplit(uri)
    except ValueError:
        return names.MAIN, {}
    path = [part for part in parts.path.split("/") if part]
    if path == ["s"]:
        words = parse_qs(parts.query).get("k", [""])[0].strip()
        return (names.RESULTS, {"query": words}) if words else (names.SEARCH, {})
    for before, after in itertools.pairwise(path):
        if before in ("dp", "product", "products"):
            found = next((p.id for p in content.products().values() if p.asin == after), "")
            return names.PRODUCT, {"product": found}
    for prefix, page in _PAGES.items():
        if "/".join(path).startswith(prefix):
            return page
    return names.MAIN, {}
