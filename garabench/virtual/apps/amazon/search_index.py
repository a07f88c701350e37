"""Search over the listings: matching, sorting and filtering; pure."""

from __future__ import annotations

import enum
import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from garabench.virtual.apps.amazon import content
from garabench.virtual.apps.amazon.content import COLORS, AmazonProduct, fold

_WORDS = re.compile(r"[a-z0-9']+")
_IDLE = frozenset({"for", "the", "a", "an", "with", "and", "of", "to", "s"})
_MAX_SUGGESTIONS = 10


class AmazonSortOrder(enum.Enum):
    """Sort order of the results."""

    FEATURED = "Featured"
    PRICE_UP = "Price: Low to High"
    PRICE_DOWN = "Price: High to Low"
    REVIEWS = "Avg. Customer Review"
    BEST = "Best Sellers"


@dataclass(frozen=True, slots=True)
class AmazonFilters:
    """Filters of the results.

    Attributes:
        dept: A department, or empty for all.
        brands, colors: Empty for any.
        lowest, highest: In cents; None leaves that end open.
        stars: Minimum number of stars; 0 for any.
        prime: Only products with Prime delivery.
        deals: Only products below their list price.
    """

    dept: str = ""
    brands: frozenset[str] = field(default_factory=frozenset)
    colors: frozenset[str] = field(default_factory=frozenset)
    lowest: int | None = None
    highest: int | None = None
    stars: int = 0
    prime: bool = False
    deals: bool = False

    @property
    def active(self) -> int:
        """The number of active kinds of filters."""
        price = self.lowest is not None or self.highest is not None
        kinds = (self.dept, self.brands, self.colors, price, self.stars, self.prime, self.deals)
        return sum(map(bool, kinds))

    def matches(self, product: AmazonProduct) -> bool:
        """Return whether a product passes the filters."""
        return (
            (not self.dept or product.dept == self.dept)
            and (not self.brands or product.brand in self.brands)
            and (not self.colors or bool(product.colors & self.colors))
            and (self.lowest is None or product.price >= self.lowest)
            and (self.highest is None or product.price <= self.highest)
            and product.rating >= self.stars
            and (not self.prime or product.prime)
            and (not self.deals or product.list_price > product.price)
        )


def words_of(text: str) -> tuple[str, ...]:
    """Return the significant words of a query."""
    words = [word.replace("'", "") for word in _WORDS.findall(text.casefold().replace("’", "'"))]
    return tuple(word for word in words if word and word not in _IDLE)


def _stem(word: str) -> str:
    return word[:-1] if len(word) > 3 and word.endswith("s") else word


def score(words: Sequence[str], product: AmazonProduct) -> float:
    """Return how well a product matches; 0 if a word is missing."""
    title = [_stem(word) for word in words_of(product.title)]
    extra = [_stem(word) for word in words_of(" ".join((*product.words, product.brand, product.sub)))]
    dept = words_of(product.dept)
    total = 0.0
    for word in map(_stem, words):
        if word in title:
            total += 10
        elif word in extra:
            total += 8
        elif (len(word) > 3 and any(other.startswith(word) for other in (*title, *extra))) or word in dept:
            total += 5
        elif len(word) > 4 and any(_is_typo(word, other) for other in (*title, *extra)):
            total += 4
        else:
            return 0
    return total + (3 if fold(" ".join(words)) in map(fold, product.words) else 0)


def _is_typo(word: str, other: str) -> bool:
    """Return whether two words differ by one letter, as a typo (``poter``, ``potter``)."""
    if abs(len(word) - len(other)) > 1:
        return False
    short, long = sorted((word, other), key=len)
    same = next((at for at, letter in enumerate(short) if letter != long[at]), len(short))
    return short[same + (len(short) == len(long)) :] == long[same + 1 :]


def search(query: str, dept: str = "") -> tuple[AmazonProduct, ...]:
    """Return matching products, or those of a department; best first, else in the order of the data."""
    pool = [product for product in content.products().values() if not dept or product.dept == dept]
    words = words_of(query)
    if not words:
        return tuple(sorted(pool, key=lambda product: -product.ratings)) if dept else ()
    scored = [(score(words, product), product) for product in pool]
    found = sorted((pair for pair in scored if pair[0] > 0), key=lambda pair: -pair[0])
    return tuple(product for _, product in found)


def arrange(
    found: Sequence[AmazonProduct], sort: AmazonSortOrder, filters: AmazonFilters
) -> tuple[AmazonProduct, ...]:
    """Return the products that pass the filters, sorted."""
    matching = [product for product in found if filters.matches(product)]
    match sort:
        case AmazonSortOrder.PRICE_UP:
            matching.sort(key=lambda product: product.price)
        case AmazonSortOrder.PRICE_DOWN:
            matching.sort(key=lambda product: -product.price)
        case AmazonSortOrder.REVIEWS:
            matching.sort(key=lambda product: (-product.rating, -product.ratings))
        case AmazonSortOrder.BEST:
            matching.sort(
                key=lambda product: (product.badge != "Best Seller", -product.bought, -product.ratings)
            )
        case AmazonSortOrder.FEATURED:
            pass
    return tuple(matching)


def brands_of(found: Sequence[AmazonProduct]) -> tuple[str, ...]:
    """Return the brands of the results, those with most listings first."""
    brands = [product.brand for product in found]
    return tuple(sorted(dict.fromkeys(brands), key=lambda brand: -brands.count(brand)))


def colors_of(found: Sequence[AmazonProduct]) -> tuple[str, ...]:
    """Return the plain colours of the results."""
    return tuple(color for color in COLORS if any(color in product.colors for product in found))


def departments_of(found: Sequence[AmazonProduct]) -> tuple[str, ...]:
    """Return the departments of the results, in their order."""
    return tuple(dict.fromkeys(product.dept for product in found))


def suggestions(typed: str) -> tuple[str, ...]:
    """Return suggestions: phrases that start with the text, then those that contain it."""
    wanted = fold(typed)
    if not wanted:
        return ()
    phrases: dict[str, None] = {}
    for product in content.products().values():
        phrases.update(dict.fromkeys((*product.words, product.brand.casefold())))
    first = [phrase for phrase in phrases if fold(phrase).startswith(wanted)]
    then = [phrase for phrase in phrases if wanted in fold(phrase) and phrase not in first]
    return tuple([*first, *then][:_MAX_SUGGESTIONS])
