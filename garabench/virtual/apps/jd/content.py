"""JD's content: products, shops, reviews and lists, loaded once from the data files.

Amounts of money are integers in fen (hundredths of a yuan).
"""

from __future__ import annotations

import datetime as dt
import functools
import hashlib
import json
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from importlib import resources
from typing import Any

from garabench.core.seeds import generator


@dataclass(frozen=True, slots=True)
class Shop:
    """A shop; `self_run` means that JD itself is the seller (自营), `word` is the text of its logo."""

    id: str
    name: str
    self_run: bool
    fans: int
    score: float
    word: str


@dataclass(frozen=True, slots=True)
class JdProductOption:
    """An option of a product, such as its colour.

    Attributes:
        extra: Surcharge of each value over the first one, in fen.
    """

    name: str
    values: tuple[str, ...]
    extra: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class JdProduct:
    """An offer of one shop.

    Attributes:
        id: Stable id in the data files.
        family: Group of the same product in other shops or sizes.
        price: In fen, for the options in `default`.
        plus: Members' discount in fen.
        sold: Number of units sold.
        rate: Percentage of positive reviews.
        default: The options to which title and price apply.
        delivered: Whether JD itself delivers it (京东物流).
        stocked: Whether it is in stock.
    """

    id: str
    family: str
    title: str
    shop: Shop
    brand: str
    category: str
    icon: str
    price: int
    plus: int
    sold: int
    rate: int
    tags: tuple[str, ...]
    keywords: tuple[str, ...]
    choices: tuple[JdProductOption, ...]
    default: tuple[str, ...]
    params: tuple[tuple[str, str], ...]
    about: str
    delivered: bool
    stocked: bool

    @property
    def sku(self) -> str:
        """The product's number, as displayed on its page."""
        digest = hashlib.sha256(self.id.encode()).hexdigest()
        return f"100{int(digest[:12], 16) % 10**9:09d}"

    def price_of(self, options: Sequence[str]) -> int:
        """Return the unit price with these options in fen."""
        total = self.price
        for choice, value, default in zip(self.choices, options, self.default, strict=True):
            total += choice.extra[choice.values.index(value)] - choice.extra[choice.values.index(default)]
        return total

    @property
    def reviews(self) -> int:
        """The number of reviews."""
        return self.sold * 3 // 5


@dataclass(frozen=True, slots=True)
class JdReview:
    """A buyer's review; `level` is 好评, 中评 or 差评."""

    author: str
    stars: int
    level: str
    text: str
    pictures: int
    at: dt.date
    spec: str
    likes: int


@dataclass(frozen=True, slots=True)
class JdCoupon:
    """A coupon: `amount` off from `over` on, in fen; `kind` is owned, center, used or expired."""

    id: str
    amount: int
    over: int
    scope: str
    title: str
    until: str
    kind: str

    @property
    def condition(self) -> str:
        """The coupon's condition, such as 满299可用."""
        return f"满{self.over // 100}可用" if self.over else "无门槛"


def load(name: str) -> Any:
    """Parse a data file of this app."""
    file = resources.files("garabench.virtual.apps.jd") / "content" / name
    return json.loads(file.read_text(encoding="utf-8"))


@functools.cache
def shops() -> Mapping[str, Shop]:
    """Return all shops by id."""
    return {row["id"]: Shop(**row) for row in load("shops.json")["shops"]}


@functools.cache
def products() -> Mapping[str, JdProduct]:
    """Return all products by id, in the order of the data file."""
    result: dict[str, JdProduct] = {}
    for family in load("products.json")["families"]:
        for row in family["offers"]:
            result[row["id"]] = _product(family, row)
    return result


def _fen(yuan: float) -> int:
    return round(yuan * 100)


def _product(family: Mapping[str, Any], row: Mapping[str, Any]) -> JdProduct:
    choices = tuple(
        JdProductOption(
            spec["name"],
            tuple(spec["values"]),
            tuple(map(_fen, spec.get("extra", [0] * len(spec["values"])))),
        )
        for spec in family["options"]
    )
    fixed = row.get("fixed", {})
    shop = shops()[row["shop"]]
    brand = row.get("brand", family["brand"])
    params = {"品牌": brand, **family["params"]}
    plus = _fen(row["price"]) - _fen(row["plus"]) if "plus" in row else 0
    return JdProduct(
        id=row["id"],
        family=family["id"],
        title=row["title"],
        shop=shop,
        brand=brand,
        category=family["category"],
        icon=row.get("icon", family["icon"]),
        price=_fen(row["price"]),
        plus=plus,
        sold=row["sold"],
        rate=row["rate"],
        tags=tuple(row.get("tags", ())),
        keywords=(family["word"], *family["keywords"]),
        choices=choices,
        default=tuple(fixed.get(choice.name, choice.values[0]) for choice in choices),
        params=tuple(params.items()),
        about=family["about"],
        delivered=shop.self_run or shop.score >= 9.5,
        stocked=row.get("stocked", True),
    )


@functools.cache
def home() -> Mapping[str, Any]:
    """Return the curated lists: channels, recommendations, trending searches, categories."""
    data: Mapping[str, Any] = load("home.json")
    return data


@functools.cache
def coupons() -> Mapping[str, JdCoupon]:
    """Return all coupons by id."""
    rows = load("coupons.json")["coupons"]
    return {
        row["id"]: JdCoupon(**{**row, "amount": _fen(row["amount"]), "over": _fen(row["over"])})
        for row in rows
    }


@functools.cache
def regions() -> Mapping[str, Mapping[str, Sequence[str]]]:
    """Return the districts by city by province."""
    data: Mapping[str, Mapping[str, Sequence[str]]] = load("regions.json")
    return data


def pick(ids: Iterable[str]) -> tuple[JdProduct, ...]:
    """Return the products with these ids, in this order; unknown ids are skipped."""
    return tuple(products()[name] for name in ids if name in products())


def products_of(shop: str) -> tuple[JdProduct, ...]:
    """Return the products of a shop, best-selling first."""
    own = [product for product in products().values() if product.shop.id == shop]
    return tuple(sorted(own, key=lambda product: -product.sold))


def similar(product: JdProduct) -> tuple[JdProduct, ...]:
    """Return similar products: the same family, then the same category."""
    others = [other for other in products().values() if other.id != product.id]
    near = [o for o in others if o.family == product.family or o.category == product.category]
    return tuple(sorted(near, key=lambda o: (o.family != product.family, -o.sold))[:10])


@functools.cache
def reviews_of(product_id: str) -> tuple[JdReview, ...]:
    """Return a product's reviews, the most liked first."""
    product = products()[product_id]
    pools = load("reviews.json")
    own = pools["by_category"].get(product.category, {"good": [], "middle": [], "bad": []})
    chance = generator(0, "jd-reviews", product.id)
    result = []
    for level, key, count, stars in (("好评", "good", 9, 5), ("中评", "middle", 3, 3), ("差评", "bad", 3, 1)):
        texts: list[str] = [*own[key], *chance.sample(pools[key], len(pools[key]))][:count]
        for text in texts:
            result.append(
                JdReview(
                    author=chance.choice(pools["names"]),
                    stars=stars,
                    level=level,
                    text=text,
                    pictures=chance.choice((0, 0, 1, 3)),
                    at=dt.date(2024, 5, 19) - dt.timedelta(days=chance.randrange(1, 120)),
                    spec=" ".join(chance.choice(choice.values) for choice in product.choices),
                    likes=chance.randrange(0, 60) + (80 if level == "好评" else 0),
                )
            )
    return tuple(sorted(result, key=lambda review: (-review.likes, review.text)))


def fold(text: str) -> str:
    """Normalize a text for search: case-folded, without spaces and punctuation."""
    flat = unicodedata.normalize("NFKC", text).casefold()
    return "".join(char for char in flat if char.isalnum())


def yuan(fen: int) -> str:
    """Format an amount of money: ``8949``, ``59.9``, ``18.45``."""
    whole, rest = divmod(fen, 100)
    return f"{whole}.{rest:02d}".rstrip("0").rstrip(".")


def price_text(fen: int) -> str:
    """Format a price: ``¥59.9``."""
    return f"¥{yuan(fen)}"


def count_text(number: int) -> str:
    """Format a count, rounded down: ``900+``, ``5万+``."""
    if number >= 10_000:
        return f"{number // 10_000}万+"
    step = 1000 if number >= 1000 else 100
    return f"{number // step * step}+" if number >= step else str(number)


def fans_text(number: int) -> str:
    """Format a shop's number of followers: ``68万``, ``3400万``."""
    return f"{number // 10_000}万" if number >= 10_000 else str(number)
