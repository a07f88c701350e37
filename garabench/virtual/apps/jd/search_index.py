"""Search over the offers: matching, sorting and filtering; pure."""

from __future__ import annotations

import enum
import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, field

from garabench.virtual.apps.jd import content
from garabench.virtual.apps.jd.content import JdProduct, fold

_PARTS = re.compile(r"[a-z0-9]+|[^\W_a-z0-9]+")
_MIN_SHARE = 0.6
"""Share of a word's letter pairs that a text must contain to match."""
_OWN = 2
"""Products sold by JD itself come first among equals."""


class JdSortOrder(enum.Enum):
    """Sort order of the results."""

    DEFAULT = "综合推荐"
    SALES = "销量"
    PRICE_UP = "价格升序"
    PRICE_DOWN = "价格降序"


@dataclass(frozen=True, slots=True)
class JdFilters:
    """Filters of the results.

    Attributes:
        lowest, highest: In fen; None leaves that end open.
        self_run: Only products sold by JD itself.
        delivered: Only products delivered by JD.
        brands: Empty for any.
        stocked: Only products in stock.
    """

    lowest: int | None = None
    highest: int | None = None
    self_run: bool = False
    delivered: bool = False
    brands: frozenset[str] = field(default_factory=frozenset)
    stocked: bool = False

    @property
    def active(self) -> int:
        """The number of active kinds of filters."""
        price = self.lowest is not None or self.highest is not None
        return price + self.self_run + self.delivered + bool(self.brands) + self.stocked

    def matches(self, product: JdProduct) -> bool:
        """Return whether a product passes the filters."""
        return (
            (self.lowest is None or product.price >= self.lowest)
            and (self.highest is None or product.price <= self.highest)
            and (not self.self_run or product.shop.self_run)
            and (not self.delivered or product.delivered)
            and (not self.brands or product.brand in self.brands)
            and (not self.stocked or product.stocked)
        )


def words_of(query: str) -> tuple[str, ...]:
    """Split a query into runs of Latin letters and digits, and runs of Chinese.

    Signs such as Ⅱ and full-width letters are folded to their equivalents, as in `content.fold`.
    """
    return tuple(_PARTS.findall(unicodedata.normalize("NFKC", query).casefold()))


def _pairs(word: str) -> set[str]:
    return {word[place : place + 2] for place in range(len(word) - 1)} or {word}


def score(words: Sequence[str], product: JdProduct) -> float:
    """Return how well a product matches; 0 if it does not."""
    title, brand = fold(product.title), fold(product.brand)
    extra = {fold(word) for word in (*product.keywords, product.category, product.shop.name)}
    total = 0.0
    for word in words:
        if word in title:
            total += 10
        elif word in brand or any(word in text for text in extra):
            total += 9
        else:
            pairs = _pairs(word)
            pool = (title, *extra)
            share = sum(any(pair in text for text in pool) for pair in pairs) / len(pairs)
            if share < _MIN_SHARE:
                return 0
            total += 5 * share
    return total + (_OWN if total and product.shop.self_run else 0)


def search(query: str) -> tuple[JdProduct, ...]:
    """Return matching products, best first; equals in the order of the data."""
    words = words_of(query)
    if not words:
        return ()
    scored = [(score(words, product), product) for product in content.products().values()]
    found = sorted((pair for pair in scored if pair[0] > 0), key=lambda pair: -pair[0])
    return tuple(product for _, product in found)


def arrange(found: Sequence[JdProduct], order: JdSortOrder, filters: JdFilters) -> tuple[JdProduct, ...]:
    """Return the products that pass the filters, sorted."""
    matching = [product for product in found if filters.matches(product)]
    match order:
        case JdSortOrder.SALES:
            matching.sort(key=lambda product: -product.sold)
        case JdSortOrder.PRICE_UP:
            matching.sort(key=lambda product: product.price)
        case JdSortOrder.PRICE_DOWN:
            matching.sort(key=lambda product: -product.price)
        case JdSortOrder.DEFAULT:
            pass
    return tuple(matching)


def brands_of(found: Sequence[JdProduct]) -> tuple[str, ...]:
    """Return the brands of the results, in their order."""
    return tuple(dict.fromkeys(product.brand for product in found))


def suggestions(typed: str) -> tuple[str, ...]:
    """Return suggestions: catalog words that start with the text, then those that contain it."""
    wanted = fold(typed)
    if not wanted:
        return ()
    words: dict[str, None] = {}
    for product in content.products().values():
        words.update(dict.fromkeys((product.keywords[0], *product.keywords[1:], product.brand)))
    words.pop("多品牌", None)
    first = [word for word in words if fold(word).startswith(wanted)]
    then = [word for word in words if wanted in fold(word) and word not in first]
    return tuple([*first, *then][:10])


def related(found: Sequence[JdProduct]) -> tuple[JdProduct, ...]:
    """Return suggestions below the results: other products of the same categories, best-selling first."""
    categories = {product.category for product in found[:3]} or {"家电", "超市"}
    others = [p for p in content.products().values() if p not in found and p.category in categories]
    return tuple(sorted(others, key=lambda product: -product.sold)[:8])
