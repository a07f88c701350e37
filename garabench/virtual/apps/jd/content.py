"""JD's content: products, shops, reviews and lists, loaded once from the data files.

Money is in fen (hundredths of a yuan), as whole numbers.
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
    """A shop; `self_run` is what JD sells itself (自营), `word` is the text of its logo."""

    id: str
    name: str
    self_run: bool
    fans: int
    score: float
    word: str


@dataclass(frozen=True, slots=True)
class JdProductOption:
    """Something to choose of a product, such as its colour.

    Attributes:
        extra: Fen that each value costs more than the first one.
    """

    name: str
    values: tuple[str, ...]
    extra: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class JdProduct:
    """An offer of one shop.

    Attributes:
        id: Stable name in the data files.
        family: What is the same thing in other shops or sizes.
        price: Fen, of the options in `default`.
        plus: Fen that members save.
        sold: Pieces sold.
        rate: Percent of good reviews.
        default: The options that its title and price are about.
        delivered: Delivered by JD itself (京东物流).
        stocked: Whether it can be bought now.
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
        """The product's number, as the page shows it."""
        digest = hashlib.sha256(self.id.encode()).hexdigest()
        return f"100{int(digest[:12], 16) % 10**9:09d}"

    def price_of(self, options: Sequence[str]) -> int:
        """Fen for one piece with these options."""
        total = self.price
        for choice, value, default in zip(self.choices, options, self.default, strict=True):
            total += choice.extra[choice.values.index(value)] - choice.extra[choice.values.index(default)]
        return total

    @property
    def reviews(self) -> int:
        """How many reviews there are."""
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
        """Such as 满299可用."""
        return f"满{self.over // 100}可用" if self.over else "无门槛"


def load(name: str) -> Any:
    """Parse a data file of this app."""
    file = resources.files("garabench.virtual.apps.jd") / "content" / name
    return json.loads(file.read_text(encoding="utf-8"))


@functools.cache
def shops() -> Mapping[str, Shop]:
    """All shops by id."""
    return {row["id"]: Shop(**row) for row in load("shops.json")["shops"]}


@functools.cache
def products() -> Mapping[str, JdProduct]:
    """All products by id, in the order of the data file."""
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
    """The curated lists: channels, recommendations, hot words, categories."""
    data: Mapping[str, Any] = load("home.json")
    return data


@functools.cache
def coupons() -> Mapping[str, JdCoupon]:
    """All coupons by id."""
    rows = load("coupons.json")["coupons"]
    return {
        row["id"]: JdCoupon(**{**row, "amount": _fen(row["amount"]), "over": _fen(row["over"])})
        for row in rows
    }


@functools.cache
def regions() -> Mapping[str, Mapping[str, Sequence[str]]]:
    """Districts by city by province."""
    data: Mapping[str, Mapping[str, Sequence[str]]] = load("regions.json")
    return data


def pick(ids: Iterable[str]) -> tuple[JdProduct, ...]:
    """The products with these ids, in this order; ids that are gone are left out."""
    return tuple(products()[name] for name in ids if name in products())


def of_shop(shop: str) -> tuple[JdProduct, ...]:
    """What a shop sells, the best sold first."""
    own = [product for product in products().values() if product.shop.id == shop]
    return tuple(sorted(own, key=lambda product: -product.sold))


def like(product: JdProduct) -> tuple[JdProduct, ...]:
    """What else might be of interest: the same family, then the same category."""
    others = [other for other in products().values() if other.id != product.id]
    near = [o for o in others if o.family == product.family or o.category == product.category]
    return tuple(sorted(near, key=lambda o: (o.family != product.family, -o.sold))[:10])


@functools.cache
def reviews_of(product_id: str) -> tuple[JdReview, ...]:
    """A product's reviews, the most liked first."""
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
    """Money as the app writes it: ``8949``, ``59.9``, ``18.45``."""
    whole, rest = divmod(fen, 100)
    return f"{whole}.{rest:02d}".rstrip("0").rstrip(".")


def price_text(fen: int) -> str:
    """A price: ``¥59.9``."""
    return f"¥{yuan(fen)}"


def count_text(number: int) -> str:
    """A count as the app rounds it down: ``900+``, ``5万+``."""
    if number >= 10_000:
        return f"{number // 10_000}万+"
    step = 1000 if number >= 1000 else 100
    return f"{number // step * step}+" if number >= step else str(number)


def fans_text(number: int) -> str:
    """Followers of a shop: ``68万``, ``3400万``."""
    return f"{number // 10_000}万" if number >= 10_000 else str(number)
