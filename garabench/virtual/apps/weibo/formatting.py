"""Weibo's formats of numbers, times and texts."""

from __future__ import annotations

import datetime as dt
import re
import unicodedata

_UNITS = ((100_000_000, "亿"), (10_000, "万"))
_TOPIC = re.compile(r"#([^#\n]{1,40})#")
_NAME = re.compile(r"@([\w\-·]{1,20})")


def count_text(number: int) -> str:
    """Format a count: ``9876``, ``1.2万``, ``3.4亿``; from 1000亿 on, without decimals."""
    for unit, name in _UNITS:
        if number >= unit:
            whole = number / unit
            text = f"{whole:.0f}" if whole >= 1000 else f"{whole:.1f}".removesuffix(".0")
            return text + name
    return str(number)


def age_text(at: dt.datetime, now: dt.datetime) -> str:
    """Format a time as the feed does: minutes or hours ago, yesterday with the time, or the day."""
    here = at.astimezone(now.tzinfo)
    passed = now - here
    if passed < dt.timedelta(minutes=1):
        return "刚刚"
    if passed < dt.timedelta(hours=1):
        return f"{int(passed.total_seconds() // 60)}分钟前"
    if here.date() == now.date():
        return f"{int(passed.total_seconds() // 3600)}小时前"
    if (now.date() - here.date()).days == 1:
        return f"昨天 {here:%H:%M}"
    if here.year == now.year:
        return f"{here.month}-{here.day}"
    return f"{here.year}-{here.month}-{here.day}"


def fold(text: str) -> str:
    """Normalize a text for search: case-folded, without spaces and punctuation."""
    flat = unicodedata.normalize("NFKC", text).casefold()
    return "".join(char for char in flat if char.isalnum())


def topics_in(text: str) -> tuple[str, ...]:
    """Return the topics between number signs, in order, without the signs."""
    return tuple(_TOPIC.findall(text))


def links_in(text: str) -> tuple[str, ...]:
    """Return the coloured parts of a text: topics with their signs, and names after an at sign."""
    return tuple(match.group(0) for match in _TOPIC.finditer(text)) + tuple(
        match.group(0) for match in _NAME.finditer(text)
    )
