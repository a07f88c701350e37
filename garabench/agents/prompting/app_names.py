"""Names of the suite's apps in prompts and replies; other apps are named by their package."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

APPS: Mapping[str, str] = MappingProxyType(
    {
        "哔哩哔哩": "tv.danmaku.bili",
        "京东": "com.jingdong.app.mall",
        "微博": "com.sina.weibo",
        "携程旅行": "ctrip.android.view",
        "高德地图": "com.autonavi.minimap",
        "Google Maps": "com.google.android.apps.maps",
        "Amazon Shopping": "com.amazon.mShop.android.shopping",
        "Facebook": "com.facebook.katana",
        "Settings": "com.android.settings",
        "bilibili": "tv.danmaku.bili",
        "JD": "com.jingdong.app.mall",
        "Weibo": "com.sina.weibo",
        "Ctrip": "ctrip.android.view",
        "携程": "ctrip.android.view",
        "Amap": "com.autonavi.minimap",
        "地图": "com.google.android.apps.maps",
        "谷歌地图": "com.google.android.apps.maps",
        "Amazon": "com.amazon.mShop.android.shopping",
        "亚马逊": "com.amazon.mShop.android.shopping",
        "设置": "com.android.settings",
    }
)
"""Package by name; the first name of a package is the one used in prompts."""


def apps_with(package: str) -> Mapping[str, str]:
    """Return the known apps, plus one by its package if it is not among them."""
    return APPS if not package or package in APPS.values() else {**APPS, package: package}
