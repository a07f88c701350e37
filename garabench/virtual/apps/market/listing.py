"""An app's market listing: fictional, derived from its package name, deterministic."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from random import Random

PACKAGE_NAME = re.compile(r"[A-Za-z]\w*(\.[A-Za-z]\w*)+", re.ASCII)

_KNOWN: Mapping[str, tuple[str, str, str, str]] = {
    "tv.danmaku.bili": ("哔哩哔哩", "bilibili", "Bilibili Inc.", "娱乐|Entertainment"),
    "com.jingdong.app.mall": ("京东", "JD", "JD.com", "购物|Shopping"),
    "com.ss.android.ugc.aweme": ("抖音", "Douyin", "Beijing Microlive Vision", "社交|Social"),
    "com.netease.cloudmusic": ("网易云音乐", "NetEase Music", "NetEase", "音乐|Music"),
    "com.tencent.mm": ("微信", "WeChat", "Tencent", "通讯|Communication"),
}

_REVIEWS: tuple[tuple[str, str, str, str, int], ...] = (
    (
        "林小满",
        "Mia Lin",
        "更新之后打开快了很多，界面也更清爽。",
        "Opens much faster since the update, and looks cleaner.",
        5,
    ),
    (
        "阿杰",
        "Jay",
        "功能很全，就是通知有点多，希望能分类关闭。",
        "Does everything, but sends too many notifications.",
        4,
    ),
    (
        "一只橘猫",
        "Orange Cat",
        "用了三年，一直很稳定，推荐。",
        "Three years and never let me down. Recommended.",
        5,
    ),
    ("陈先生", "Mr Chen", "偶尔会闪退，重启后正常。", "Crashes now and then; fine after a restart.", 3),
)


@dataclass(frozen=True, slots=True)
class MarketReview:
    """A user's review."""

    author: str
    text: str
    stars: int
    date: str


@dataclass(frozen=True, slots=True)
class Listing:
    """The listing of an app.

    Attributes:
        rating: Mean rating in stars, 1 to 5.
        shares: Fractions of ratings with 5, 4, 3, 2 and 1 stars; they add up to 1.
        megabytes: Download size.
    """

    package: str
    title: str
    developer: str
    category: str
    rating: float
    ratings: str
    downloads: str
    megabytes: int
    shares: tuple[float, float, float, float, float]
    reviews: tuple[MarketReview, ...]
    about: str


def listing(package: str, label: str, *, translate: Callable[[str, str], str], generator: Random) -> Listing:
    """Create the listing of a package.

    Args:
        package: Package name.
        label: Label of the installed app, or empty.
        translate: Chooses the Chinese or the English text.
        generator: Random generator, seeded by the package.
    """
    known = _KNOWN.get(package)
    fallback = package.rsplit(".", 1)[-1].replace("_", " ").title()
    title = label or (translate(known[0], known[1]) if known else fallback)
    zh_kind, _, en_kind = (known[3] if known else "工具|Tools").partition("|")
    rating = round(generator.uniform(4.1, 4.8), 1)
    top = 0.5 + (rating - 4.0) * 0.45
    rest = 1 - top
    shares = (top, rest * 0.5, rest * 0.22, rest * 0.1, rest * 0.18)
    thousands = generator.randint(120, 980)
    return Listing(
        package=package,
        title=title,
        developer=known[2] if known else package.split(".")[1].title(),
        category=translate(zh_kind, en_kind),
        rating=rating,
        ratings=translate(f"{thousands / 10:.1f} 万条评价", f"{thousands}K reviews"),
        downloads=translate("1 亿次+", "100M+"),
        megabytes=generator.randint(58, 168),
        shares=shares,
        reviews=tuple(
            MarketReview(
                translate(zh, en), translate(zh_text, en_text), stars, f"2024/5/{generator.randint(1, 18)}"
            )
            for zh, en, zh_text, en_text, stars in _REVIEWS
        ),
        about=translate(
            f"{title}：发现、分享与收藏你喜欢的内容。全新版本带来更流畅的体验、更清晰的画面和更省电的后台。",
            f"{title}: find, share and keep what you like. The new version is smoother, sharper and easier "
            "on the battery.",
        ),
    )
