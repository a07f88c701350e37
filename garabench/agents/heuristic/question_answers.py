"""Answer a question from the screen if a word of it is next to a value."""

from __future__ import annotations

import re

from garabench.agents.heuristic.screen import ScreenContents
from garabench.agents.heuristic.similarity import normalize_label
from garabench.core.geometry import Rect

_VALUE = re.compile(r"\d")
_ASKING = re.compile(
    r"只?回答|显示的|数字|是多少|多少|什么|哪一?[个家趟位]|几|查一下|看看|停在.*|what|how|many|answer|with|number|which|where|when",
    re.I,
)
_SPLIT = re.compile(r"[:：]")
_PHONE = re.compile(r"\+?\(?\d[\d\s()-]{6,}\d")
_MIN_SHARE = 0.3


def answer(screen: ScreenContents, question: str) -> str | None:
    """Return the likeliest answer on the screen.

    Args:
        screen: The screen.
        question: The question, or the relevant part of it.

    Returns:
        The text of the answer; None if nothing on the screen fits.
    """
    if re.search(r"电话|telephone|phone number", question, re.I):
        found = next((match[0] for text, _ in screen.texts if (match := _PHONE.search(text))), None)
        return found
    numeric = re.search(r"几|多少|数|号|how many|number|price|time|weight", question, re.I)
    terms = normalize_label(_ASKING.sub(" ", question))
    if not terms.tokens:
        return None
    if numeric and (count := _counted(screen, question)):
        return count
    best: tuple[float, str] | None = None
    for text, place in screen.texts:
        label = normalize_label(text)
        share = len(terms.tokens & label.tokens) / max(1, len(label.tokens)) if label.tokens else 0.0
        if share < _MIN_SHARE:
            continue
        value = _value(text) or _value_near(screen, place)
        if value and numeric and not _VALUE.search(value):
            continue
        if value and (best is None or share > best[0]):
            best = (share, value)
    return best[1] if best else None


def _counted(screen: ScreenContents, question: str) -> str | None:
    """Return a number adjacent to a word of the question, as in ``40 going``."""
    terms = [word for word in re.findall(r"[a-z]{4,}", question.casefold()) if not _ASKING.fullmatch(word)]
    for word in sorted(set(terms) - {"people", "there", "time", "page"}, key=terms.index):
        for text, _ in screen.texts:
            found = re.search(
                rf"(\d[\d.,]*\s?[kKmM]?)\s{word}\b|\b{word}:?\s(\d[\d.,]*\s?[kKmM]?)", text, re.I
            )
            if found:
                return (found[1] or found[2]).strip(" .,")
    return None


def _value(text: str) -> str | None:
    """Return the value within a text, such as in ``粉丝：320``."""
    parts = _SPLIT.split(text, maxsplit=1)
    if len(parts) == 2 and parts[1].strip():
        return parts[1].strip()
    match = re.search(r"\d[\d.,:%]*\s*[万亿]?", text)
    return match[0].strip() if match and len(text) <= 24 else None


def _value_near(screen: ScreenContents, place: Rect) -> str | None:
    """Return the value next to or above a label."""
    found: list[tuple[int, str]] = []
    for text, rect in screen.texts:
        if rect == place:
            continue
        row = abs((rect.top + rect.bottom) - (place.top + place.bottom)) < max(rect.height, place.height)
        column = abs((rect.left + rect.right) - (place.left + place.right)) < place.width + rect.width
        if row and rect.left >= place.right:
            found.append((rect.left - place.right, text))
        elif column and _VALUE.search(text) and abs(rect.bottom - place.top) < 2 * place.height:
            found.append((abs(rect.bottom - place.top), text))
        elif column and _VALUE.search(text) and abs(rect.top - place.bottom) < 2 * place.height:
            found.append((abs(rect.top - place.bottom) + 10, text))
    return min(found)[1] if found else None
