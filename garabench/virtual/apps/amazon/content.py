"""Amazon's content: listings, reviews and curated lists, loaded once from the data files.

Amounts of money are integers in cents.
"""

from __future__ import annotations

import datetime as dt
import functools
import hashlib
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from importlib import resources
from typing import Any

import yaml

from garabench.core.seeds import generator

TODAY = dt.date(2024, 5, 20)
"""The reference day of the data files."""
COLORS = ("Black", "White", "Grey", "Blue", "Green", "Red", "Pink", "Purple", "Silver", "Beige")
_SHADES = {
    "Grey": ("grey", "gray", "charcoal", "steel"),
    "Blue": ("blue", "navy", "denim", "indigo", "midnight"),
    "Green": ("green", "mint", "teal", "cypress"),
    "Purple": ("purple", "lilac", "lavender"),
    "Pink": ("pink", "rose"),
    "Silver": ("silver", "nickel"),
    "Beige": ("cream", "beige"),
}


@dataclass(frozen=True, slots=True)
class Option:
    """An option of a product, such as its colour; `extra` is the surcharge by value, in cents."""

    name: str
    values: tuple[str, ...]
    extra: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class AmazonProduct:
    """A listing.

    Attributes:
        id: Stable id in the data files.
        price: In cents, for the options in `default`.
        list_price: Crossed-out list price in cents; 0 for none.
        bought: Units bought in the past month, in thousands.
        badge: Best Seller, Overall Pick, Amazon's Choice, Limited time deal, or empty.
        prime: Whether Amazon delivers it, free for members.
        days: Days until it arrives.
        default: The options to which title and price apply.
    """

    id: str
    family: str
    title: str
    brand: str
    dept: str
    sub: str
    icon: str
    words: tuple[str, ...]
    price: int
    list_price: int
    rating: float
    ratings: int
    bought: int
    badge: str
    prime: bool
    seller: str
    days: int
    options: tuple[Option, ...]
    default: tuple[str, ...]
    specs: tuple[tuple[str, str], ...]
    about: tuple[str, ...]

    @property
    def asin(self) -> str:
        """The listing's number, as displayed on its page."""
        return "B0" + hashlib.sha256(self.id.encode()).hexdigest()[:8].upper()

    @property
    def discount(self) -> int:
        """The discount from the list price in percent."""
        return round(100 - 100 * self.price / self.list_price) if self.list_price else 0

    @property
    def colors(self) -> frozenset[str]:
        """The plain colours among the options."""
        shades = [value for option in self.options if option.name == "Color" for value in option.values]
        return frozenset(plain for shade in shades for plain in COLORS if _is_shade(shade, plain))

    def price_of(self, options: Sequence[str]) -> int:
        """Return the unit price with these options in cents."""
        total = self.price
        for option, value, default in zip(self.options, options, self.default, strict=True):
            total += option.extra[option.values.index(value)] - option.extra[option.values.index(default)]
        return total


def _is_shade(shade: str, plain: str) -> bool:
    return any(word in shade.casefold() for word in _SHADES.get(plain, (plain.casefold(),)))


@dataclass(frozen=True, slots=True)
class AmazonReview:
    """A buyer's review."""

    author: str
    stars: int
    title: str
    text: str
    at: dt.date
    options: str
    helpful: int


def load(name: str) -> Any:
    """Parse a data file of this app; cached, must not be modified."""
    return _parsed(name)


@functools.cache
def _parsed(name: str) -> Any:
    file = resources.files("garabench.virtual.apps.amazon") / "content" / f"{name}.yaml"
    loader = yaml.CSafeLoader if yaml.__with_libyaml__ else yaml.SafeLoader
    return yaml.load(file.read_text(encoding="utf-8"), Loader=loader)  # noqa: S506 -- both are safe loaders


def cents(dollars: float) -> int:
    """Convert an amount of the data files to integer cents."""
    return round(dollars * 100)


@functools.cache
def products() -> Mapping[str, AmazonProduct]:
    """Return all products by id, in the order of the data file."""
    return {row["id"]: _product(family, row) for family in load("products") for row in family["offers"]}


def _product(family: Mapping[str, Any], row: Mapping[str, Any]) -> AmazonProduct:
    options = tuple(
        Option(
            spec["name"],
            tuple(spec["values"]),
            tuple(map(cents, spec.get("extra", [0] * len(spec["values"])))),
        )
        for spec in row.get("options", family["options"])
    )
    brand = row.get("brand", family["brand"])
    specs = {"Brand": brand, **family["specs"], **row.get("specs", {}), "Department": family["sub"]}
    return AmazonProduct(
        id=row["id"],
        family=family["id"],
        title=row["title"],
        brand=brand,
        dept=family["dept"],
        sub=family["sub"],
        icon=family["icon"],
        words=tuple(family["words"]),
        price=cents(row["price"]),
        list_price=cents(row.get("list", 0)),
        rating=row["rating"],
        ratings=row["ratings"],
        bought=row.get("bought", 0),
        badge=row.get("badge", ""),
        prime=row.get("prime", True),
        seller=row.get("seller", "Amazon.com"),
        days=row.get("days", 1 + sum(map(ord, row["id"])) % 3),
        options=options,
        default=tuple(option.values[0] for option in options),
        specs=tuple((name, value) for name, value in specs.items() if value),
        about=tuple(family["about"]),
    )


def pick(ids: Iterable[str]) -> tuple[AmazonProduct, ...]:
    """Return the products with these ids, in this order; unknown ids are skipped."""
    return tuple(products()[name] for name in ids if name in products())


def similar(product: AmazonProduct, limit: int = 10) -> tuple[AmazonProduct, ...]:
    """Return similar products: the same family, then the same department."""
    others = [other for other in products().values() if other.id != product.id]
    near = [other for other in others if product.family == other.family or product.dept == other.dept]
    return tuple(sorted(near, key=lambda other: (other.family != product.family, -other.ratings))[:limit])


@functools.cache
def reviews_of(product_id: str) -> tuple[AmazonReview, ...]:
    """Return a product's reviews, the most helpful first."""
    product = products()[product_id]
    pools = load("reviews")
    own = pools["by_dept"].get(product.dept, {})
    chance = generator(0, "amazon-reviews", product.id)
    result = []
    for key, stars, count in (("good", 5, 7), ("good", 4, 3), ("fine", 3, 3), ("bad", 2, 1), ("bad", 1, 3)):
        pool = [*own.get(key, []), *chance.sample(pools[key], len(pools[key]))]
        start = 2 if (key, stars) == ("good", 4) else 0
        for title, text in pool[start : start + count]:
            result.append(
                AmazonReview(
                    author=chance.choice(pools["names"]),
                    stars=stars,
                    title=title,
                    text=text,
                    at=TODAY - dt.timedelta(days=chance.randrange(4, 200)),
                    options=" | ".join(
                        f"{option.name}: {chance.choice(option.values)}" for option in product.options
                    ),
                    helpful=chance.randrange(0, 90) + (60 if stars == 5 else 0),
                )
            )
    return tuple(sorted(result, key=lambda review: (-review.helpful, review.text)))


def shares(product: AmazonProduct) -> tuple[int, ...]:
    """Return the percentages of ratings with 5, 4, 3, 2 and 1 stars, consistent with the mean."""
    low = round(max(0.0, (5 - product.rating)) * 9)
    four, three, two = 12 + low // 3, 3 + low // 4, 1 + low // 6
    one = low // 2
    return (100 - four - three - two - one, four, three, two, one)


def fold(text: str) -> str:
    """Normalize a text for search: case-folded, without spaces and punctuation."""
    flat = unicodedata.normalize("NFKC", text).casefold()
    return "".join(char for char in flat if char.isalnum())


def price_text(amount: int) -> str:
    """Format a price: ``$1,099.00``."""
    return f"${amount // 100:,}.{amount % 100:02d}"


def day_text(day: dt.date) -> str:
    """Format a day: ``Wed, May 22``."""
    return f"{day:%a, %b} {day.day}"


def date_text(day: dt.date) -> str:
    """Format a date: ``May 22, 2024``."""
    return f"{day:%B} {day.day}, {day.year}"
